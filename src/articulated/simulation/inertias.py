"""`parameters=` of `simulate`: inertial parameters in the place of the robot's own, a set for each run of a batch."""

from typing import Any

import numpy as np

from ..errors import ShapeError
from ..robot import Robot
from ..robot.arguments import as_vectors
from .contact.system import System


def parameters_of(robot: Robot, given: Any) -> np.ndarray | None:
    """(…, 10 nb), checked; None if the robot keeps its own."""
    if given is None:
        return None
    found = as_vectors("simulate", robot.name, "parameters", given, robot.kernels.vectors["parameters"])
    if not np.isfinite(found).all():
        raise ShapeError("simulate: parameters holds NaN or infinity")
    return found


def require_support(method: str, system: System | None) -> None:
    """Say where other parameters are not known."""
    if method == "symplectic":
        raise ShapeError(
            'simulate: method="symplectic" knows the robot\'s own parameters only; "euler", "rk4" and "adaptive" take '
            "parameters="
        )
    if system is not None:
        raise ShapeError(
            "simulate: contacts, joint limits and dry friction know the robot's own parameters only; with parameters= "
            'pass limits=False, or method="rk4" or "adaptive", which have none of them'
        )


def over_batch(parameters: np.ndarray | None, batch: tuple[int, ...]) -> np.ndarray | None:
    """(n, 1, 10 nb), or (1, 10 nb) if all runs have the same."""
    if parameters is None or parameters.ndim == 1:
        return None if parameters is None else np.ascontiguousarray(parameters[None])
    whole = np.broadcast_to(parameters, (*batch, parameters.shape[-1]))
    return np.ascontiguousarray(whole.reshape(-1, 1, parameters.shape[-1]))
