"""`articulated energy`: kinetic, potential, total."""

from typing import Any

from .options import Floating, Json, Log, Output, Q, Quiet, RobotName, V


def energy(
    robot: RobotName,
    q: Q = "",
    v: V = "",
    floating: Floating = False,
    log: Log = "",
    output: Output = "",
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Kinetic, potential and total energy in joules; potential energy is zero at the world's origin."""
    from .evaluate import Quantity, evaluate

    quantity = Quantity("energy", "energy", ["q", "v"], _energies, lambda r: [["kinetic", "potential", "total"]])
    given = {"q": q, "v": v}
    evaluate(quantity, robot, given, floating=floating, log=log, output=output, as_json=as_json, quiet=quiet)


def _energies(robot: Any, q: Any, v: Any) -> Any:
    import numpy as np

    kinetic, potential = np.broadcast_arrays(robot.kinetic_energy(q, v), robot.potential_energy(q))
    return np.stack([kinetic, potential, kinetic + potential], axis=-1)
