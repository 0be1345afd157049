"""`parameters=` of `simulate`: inertial parameters in the place of the robot's own, a set for each run of a batch."""

from typing import Any

import numpy as np

from ..errors import ShapeError
from ..robot import Robot
from ..robot.arguments.arrays import as_vectors


def parameters_of(robot: Robot, given: Any) -> np.ndarray | None:
    """(…, 10 nb), checked; None if the robot keeps its own."""
    if given is None:
        return None
    found = as_vectors("simulate", robot.name, "parameters", given, robot.kernels.vectors["parameters"])
    if not np.isfinite(found).all():
        raise ShapeError("simulate: parameters holds NaN or infinity")
    masses = found[..., ::10].reshape(-1, len(robot.body_names))
    if (masses < 0).any():
        state, k = np.argwhere(masses < 0)[0]
        of = f" in set {state}" if found.ndim > 1 else ""
        raise ShapeError(f"simulate: parameters gives {robot.body_names[k]!r} a mass of {masses[state, k]:g} kg{of}")
    return found


def over_batch(given: np.ndarray, batch: tuple[int, ...]) -> np.ndarray:
    """(…, size) as (n, 1, size), or as (1, size) if all runs have the same."""
    if given.ndim == 1:
        return np.ascontiguousarray(given[None])
    whole = np.broadcast_to(given, (*batch, given.shape[-1]))
    return np.ascontiguousarray(whole.reshape(-1, 1, given.shape[-1]))


def of_lanes(given: np.ndarray, lanes: slice) -> np.ndarray:
    """Rows of `over_batch` for some runs."""
    return given if given.ndim == 2 else given[lanes]
