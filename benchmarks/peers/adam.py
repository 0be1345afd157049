"""adam through JAX, compiled by XLA for the shapes it meets.  Measured on the arms; it adds a free base to them."""

import jax
import numpy as np
from adam.jax import KinDynComputations

from ..robots import Case, States, agree
from ..timing import Call

NAME = "adam-robotics"


def _functions(case: Case) -> dict:
    twin, still = KinDynComputations(str(case.path), case.robot.joint_names), np.eye(4)

    def base(q):
        return np.broadcast_to(still, (*q.shape[:-1], 4, 4))

    return {
        "mass_matrix": ("q", lambda q: twin.mass_matrix(base(q), q)[..., 6:, 6:]),
        "jacobian": ("q", lambda q: twin.jacobian(case.frame, base(q), q)[..., 6:]),
        "pose": ("q", lambda q: twin.forward_kinematics(case.frame, base(q), q)),
    }


def calls(case: Case, states: States, threads: int = 1) -> dict[str, Call]:
    """The statement of each quantity."""
    if case.floating:
        return {}
    found = {}
    for quantity, (names, function) in _functions(case).items():
        fast = jax.jit(function)  # takes a batch as it is
        found[quantity] = Call(f"np.asarray(fast({names}))", {"fast": fast, "np": np, **states._asdict()})
    return found


def check(case: Case) -> None:
    """Fails unless it gives the same mass matrix; it has no inverse dynamics."""
    q = case.states().q
    found = np.asarray(_functions(case)["mass_matrix"][1](q))
    agree(f"{case.name}, mass matrix, adam", case.robot.mass_matrix(q), found, 1e-9)
