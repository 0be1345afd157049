"""External forces in a simulation: by frame, constant or over time."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..algebra.asked import floats
from ..errors import ShapeError
from ..robot import Robot
from ..robot.components import SPATIAL


def pushes_of(robot: Robot, forces: Any, steps: int, batch: tuple[int, ...]) -> dict[str, np.ndarray]:
    """Forces by frame and step: (steps + 1, 6), or (n, steps + 1, 6) if they differ within the batch."""
    out = {}
    for frame, force in robot.kernels.by_frame("simulate", forces).items():
        name = robot.model.frame(frame).name
        x = floats(f"simulate: the force at {frame!r}", force, SPATIAL)
        if x.shape == (6,):
            x = np.broadcast_to(x, (steps + 1, 6))
        if x.ndim < 2 or x.shape[-1] != 6 or x.shape[-2] not in (steps, steps + 1):
            raise ShapeError(
                f"simulate: the force at {frame!r} has shape {x.shape}; it is [force; moment] (6,), or over "
                f"{steps} steps (…, {steps}, 6)"
            )
        if not np.isfinite(x).all():
            raise ShapeError(f"simulate: the force at {frame!r} holds NaN or infinity")
        out[name] = over_steps(f"the force at {frame!r}", x, steps, batch)
    return out


def over_steps(what: str, x: np.ndarray, steps: int, batch: tuple[int, ...]) -> np.ndarray:
    """(…, steps or steps + 1, size) as (steps + 1, size) or (n, steps + 1, size): the last one is held."""
    if x.shape[-2] == steps:
        x = np.concatenate([x, x[..., -1:, :]], axis=-2)
    if x.ndim == 2:
        return np.ascontiguousarray(x)
    try:
        x = np.broadcast_to(x, (*batch, *x.shape[-2:]))
    except ValueError:
        raise ShapeError(f"simulate: {what} {x.shape} does not fit the batch {batch} of q0 and v0") from None
    return np.ascontiguousarray(x.reshape(-1, *x.shape[-2:]))


def by_name(forces: Mapping[str, Any], frames: tuple[str, ...]) -> dict[str, Any]:
    """Arguments force_0, force_1, … by the names of their frames."""
    return {name: forces[f"force_{k}"] for k, name in enumerate(frames)}
