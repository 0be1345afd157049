"""Pinocchio in its best way from Python: a batch where it has one, on memory in its own order; else a loop."""

import pinocchio as pin

from articulated.robot.conventions import converters as conventions

from .. import ours
from ..robots import Case, States, pinocchio_twin
from ..robots import check as check  # the same laws
from ..timing import Call
from . import looped

NAME = "pin"

#: quantity -> arrays, expression; `A or B` runs both, the first gives None
ONE = {
    "inverse_dynamics": ("q, v, a", "pin.rnea(model, data, q, v, a)"),
    "forward_dynamics": ("q, v, tau", "pin.aba(model, data, q, v, tau)"),
    "mass_matrix": ("q", "pin.crba(model, data, q)"),
    "mass_matrix_inverse": ("q", "pin.computeMinverse(model, data, q)"),
    "coriolis_matrix": ("q, v", "pin.computeCoriolisMatrix(model, data, q, v)"),
    "jacobian": ("q", "pin.computeFrameJacobian(model, data, q, frame, axes)"),
    "pose": ("q", "pin.forwardKinematics(model, data, q) or pin.updateFramePlacement(model, data, frame).homogeneous"),
    "fused": (
        "q, v",
        "pin.crba(model, data, q), pin.nonLinearEffects(model, data, q, v), "
        "pin.computeFrameJacobian(model, data, q, frame, axes)",
    ),
}
#: its batches: states are columns, so the transpose of our rows is its own order in memory
BATCH = {
    "inverse_dynamics": "pin.rneaInParallel(threads, pool, q.T, v.T, a.T, out.T)",
    "forward_dynamics": "pin.abaInParallel(threads, pool, q.T, v.T, tau.T, out.T)",
}


def calls(case: Case, states: States, threads: int = 1) -> dict[str, Call]:
    """The statement of each quantity."""
    model = pinocchio_twin(case)
    scope = {
        "pin": pin, "model": model, "data": model.createData(), "frame": model.getFrameId(case.frame),
        "axes": pin.LOCAL_WORLD_ALIGNED, "threads": threads, "pool": pin.ModelPool(model, threads),
    }  # fmt: skip
    arrays = conventions.to_pinocchio(case.robot, *states)._asdict()
    if states.q.ndim == 1:
        return {quantity: Call(one, {**scope, **arrays}) for quantity, (_, one) in ONE.items()}
    found = {}
    for quantity, (names, one) in ONE.items():
        out = ours.outputs(case, quantity, states)
        if quantity in BATCH:
            found[quantity] = Call(BATCH[quantity], {**scope, **arrays, "out": out[0]})
        elif threads == 1:
            found[quantity] = looped(one, names, arrays, scope, out)
    return found
