"""frax: JAX, compiled by XLA for the shapes it meets, in double precision.  Measured on the arms."""

import frax.core.robot
import jax
import numpy as np

from ..robots import Case, States, agree
from ..timing import Call

NAME = "frax"
GRAVITY = np.array([0, 0, 9.81, 0, 0, 0])


def _functions(case: Case) -> dict:
    twin = frax.core.robot.Robot(str(case.path), joint_ordering=case.robot.joint_names)
    return {
        "inverse_dynamics": ("q, v, a", lambda q, v, a: twin.rnea(q, v, a, GRAVITY, None)),
        "forward_dynamics": ("q, v, tau", lambda q, v, tau: twin.forward_dynamics(q, v, tau, None)),
        "mass_matrix": ("q", twin.crba),
    }


def calls(case: Case, states: States, threads: int = 1) -> dict[str, Call]:
    """The statement of each quantity."""
    if case.floating:
        return {}
    found = {}
    for quantity, (names, function) in _functions(case).items():
        fast = jax.jit(function if states.q.ndim == 1 else jax.vmap(function))
        found[quantity] = Call(f"np.asarray(fast({names}))", {"fast": fast, "np": np, **states._asdict()})
    return found


def check(case: Case) -> None:
    """Fails unless it gives the same forces."""
    q, v, a, _ = case.states()
    found = np.asarray(_functions(case)["inverse_dynamics"][1](q, v, a))
    agree(f"{case.name}, inverse dynamics, frax", case.robot.inverse_dynamics(q, v, a), found, 1e-9)
