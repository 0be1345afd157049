"""Checks of what is given to a contact set, beyond shapes."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..algebra.asked import floats
from ..errors import ShapeError, unknown
from ..robot import Robot
from ..robot.arguments import Vector, as_vectors
from .subspaces import Floats

#: of a weight: its square is still a number
LARGEST = 1e150


def require_finite(method: str, **arrays: Any) -> None:
    """An error that names the argument, and the state of the batch, that is not finite."""
    for name, x in arrays.items():
        bad = ~np.isfinite(floats(f"contacts.{method}: {name}", x)).all(axis=-1)
        if bad.any():
            where = f" in state {tuple(map(int, np.argwhere(bad)[0]))}" if bad.ndim else ""
            raise ShapeError(f"contacts.{method}: {name} holds NaN or infinity{where}")


def velocities_of(robot: Robot, names: Iterable[str]) -> list[int]:
    """Which velocities are those of the joints `names`."""
    own = dict(zip(robot.joint_names, (b.dofs for b in robot.model.bodies if b.leader is b), strict=True))
    for name in names:
        if name not in own:
            raise unknown("joint", name, robot.name, own)
    return [i for name in names for i in range(own[name].start, own[name].stop)]


def wish(robot: str, name: str, given: Any, size: int) -> Floats:
    """tau0 or a weight, checked; a number as one per component."""
    kind = "contacts.inverse_dynamics"
    if name == "tau0":
        x = as_vectors(kind, robot, name, given, Vector(size, "one per actuated velocity"))
        require_finite("inverse_dynamics", tau0=x)
        return x
    x = floats(f"{kind}: {name}", given)
    if x.shape not in ((), (size,), (size, size)) or not (abs(x) < LARGEST).all():
        said = f"shape {x.shape}" if np.isfinite(x).all() else repr(given)
        raise ShapeError(f"{kind}: {name} is a number, ({size},) or a matrix, all finite; got {said}")
    if x.ndim < 2 and (x < 0).any():
        raise ShapeError(f"{kind}: {name} must not be negative; got {x.min():g}")
    return np.full(size, x) if x.ndim == 0 else x
