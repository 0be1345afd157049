"""External forces in a simulation: by frame, constant or over time."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ...algebra.scalars import Array
from ...algorithms.kinematics import in_their_frames
from ...errors import ShapeError
from ...inputs.choices import floats
from ...model import Model
from ...robot import Robot
from ...robot.arguments.forces import wrenches
from ...robot.arguments.state_names import SPATIAL


class ExternalForces(NamedTuple):
    """External forces on the robot."""

    forces: dict[str, np.ndarray]  # on the robot, by frame and step: (steps + 1, 6), or (n, steps + 1, 6)
    axes: str = "frame"  # in which they are written, and held during a step


def external_forces(robot: Robot, forces: Any, steps: int, batch: tuple[int, ...]) -> ExternalForces:
    """The value of `forces=` of `simulate`."""
    out, given = {}, wrenches("simulate", forces)
    for frame, force in given.items():
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
        whole = over_steps(f"the force at {frame!r}", x, steps, batch)
        out[name] = -whole if given.written.on == "environment" else whole
    return ExternalForces(out, given.written.axes if out else "frame")


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


@dataclass(frozen=True)
class ForceSites:
    """Where forces act, and in which axes they are written: `sites(model, q, arguments)` are those of a block.

    Its arguments are force_0, force_1, …; what it returns is by frame, in the axes of the frames, on any scalar.
    """

    frames: tuple[str, ...] = ()
    axes: str = "frame"

    def __call__(self, model: Model, q: Array, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        """Forces as recursions take them."""
        forces = {name: arguments[f"force_{k}"] for k, name in enumerate(self.frames)}
        return forces if self.axes == "frame" else in_their_frames(model, q, forces, self.axes)


NO_FORCES = ForceSites()
