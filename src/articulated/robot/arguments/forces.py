"""External forces: by frame, in some axes, on the robot or on its surroundings."""

from __future__ import annotations  # help shows types as they are written here

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from ...algorithms.kinematics import AXES
from ...errors import ShapeError
from ...text import shortened
from ..request import Written
from ..spatial import coadjoint, inverse
from .arrays import as_vectors, choose

Forces = Mapping[str, ArrayLike] | None


class Wrenches(Mapping[str, ArrayLike]):
    """External forces by frame, for `forces=`, where a plain dict does not say enough.

    Parameters
    ----------
    forces : by the name of a frame, (…, 6), [force; moment] at its origin: N, N m
    axes : "frame" (its own), "world" (world axes, at its origin) or "spatial" (at the world's origin)
    on : "robot", or "environment" if they are what the robot exerts on its surroundings (SUSTech ch. 9, final
        form)

    Examples
    --------
    >>> arm = art.load("2r")
    >>> pushed = art.Wrenches({"tip": [0, 10, 0, 0, 0, 0]}, axes="world")
    >>> arm.inverse_dynamics([0, 0], [0, 0], [0, 0], forces=pushed).round(4).tolist()
    [14.7892, -0.3213]
    """

    def __init__(
        self,
        forces: Mapping[str, ArrayLike],
        axes: Literal["frame", "world", "spatial"] = "frame",
        on: Literal["robot", "environment"] = "robot",
    ):
        if not isinstance(forces, Mapping):
            raise ShapeError(f'Wrenches: forces are given by frame, {{"frame": (…, 6)}}; got {shortened(repr(forces))}')
        self._forces = forces
        #: axes and who feels them, checked
        self.written = Written(
            choose("Wrenches", "axes", axes, AXES), choose("Wrenches", "on", on, ["robot", "environment"])
        )

    def __getitem__(self, frame: str) -> ArrayLike:
        return self._forces[frame]

    def _each(self, change: Callable[[ArrayLike], ArrayLike]) -> Wrenches:
        """The forces, a function of each array."""
        found = Wrenches({name: change(force) for name, force in self._forces.items()})
        found.written = self.written
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._forces)

    def __len__(self) -> int:
        return len(self._forces)

    def __repr__(self) -> str:
        return f"Wrenches({dict(self._forces)!r}, axes={self.written.axes!r}, on={self.written.on!r})"


NO_FORCES = Wrenches({})


def wrenches(method: str, forces: Any) -> Wrenches:
    """The value of `forces=` of a method."""
    if forces is None:
        return NO_FORCES
    if isinstance(forces, Wrenches):
        return forces
    if isinstance(forces, Mapping):
        return Wrenches(forces)
    given = shortened(repr(forces))
    raise ShapeError(f'{method}: forces are given by frame, forces={{"frame": (…, 6)}}; got {given}')


def in_frames(robot: Any, q: ArrayLike, forces: Any) -> Forces:
    """The forces on the robot, in the axes of their frames."""
    given = wrenches("external forces", forces)
    found = {}
    for name, force in given.items():
        F = as_vectors("external forces", robot.name, name, force, robot.kernels.vectors["force"])
        if given.written.axes != "frame":
            seen = robot.pose(q, name)  # pose of the frame in the axes the force is written in
            if given.written.axes == "world":
                seen[..., :3, 3] = 0
            F = (coadjoint(inverse(seen)) @ F[..., None])[..., 0]
        found[name] = -F if given.written.on == "environment" else np.asarray(F)
    return found
