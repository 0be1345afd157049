"""dynibo: a Rust core called one state at a time.  Measured on the arms."""

import dynibo

from .. import ours
from ..robots import Case, States, agree
from ..timing import Call
from . import looped

NAME = "dynibo"
ONE = {
    "inverse_dynamics": ("q, v, a", "twin.inverse_dynamics(q, v, a)"),
    "forward_dynamics": ("q, v, tau", "twin.forward_dynamics(q, v, tau)"),
    "mass_matrix": ("q", "twin.mass_matrix(q).reshape(n, n)"),
    "jacobian": ("q", "twin.jacobian(q, link).reshape(6, n)"),
    "fused": (
        "q, v",
        "twin.mass_matrix(q).reshape(n, n), twin.gravity(q) + twin.velocity_product_forces(q, v), "
        "twin.jacobian(q, link).reshape(6, n)",
    ),
}


def calls(case: Case, states: States, threads: int = 1) -> dict[str, Call]:
    """The statement of each quantity."""
    if case.floating:
        return {}
    twin = dynibo.Robot.from_urdf(str(case.path))
    scope = {"twin": twin, "link": twin.link_id(case.frame), "n": case.robot.nv}
    if states.q.ndim == 1:
        return {quantity: Call(one, {**scope, **states._asdict()}) for quantity, (_, one) in ONE.items()}
    return {
        quantity: looped(one, names, states._asdict(), scope, ours.outputs(case, quantity, states))
        for quantity, (names, one) in ONE.items()
    }


def check(case: Case) -> None:
    """Fails unless it gives the same forces under the standard gravity it has built in."""
    q, v, a, _ = case.states()
    found = dynibo.Robot.from_urdf(str(case.path)).inverse_dynamics(q, v, a)
    expected = case.robot.replace(gravity=(0, 0, -9.80665)).inverse_dynamics(q, v, a)
    agree(f"{case.name}, inverse dynamics, dynibo", expected, found, 1e-9)
