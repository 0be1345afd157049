"""Checks of what is given to a contact set, beyond shapes."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ..errors import ShapeError, unknown
from ..inputs import labels
from ..inputs.choices import floats
from ..robot import Robot
from ..robot.arguments.arrays import Vector, as_vectors
from .ranks.subspaces import Floats

#: of a weight: its square is still a number
LARGEST = 1e150


def require_finite(method: str, **arrays: Any) -> None:
    """An error that names the argument, and the state of the batch, that is not finite."""
    for name, x in arrays.items():
        x = np.asarray(x) if hasattr(x, "dims") else x  # its labels have been looked at
        bad = ~np.isfinite(floats(f"contacts.{method}: {name}", x)).all(axis=-1)
        if bad.any():
            where = f" in state {tuple(map(int, np.argwhere(bad)[0]))}" if bad.ndim else ""
            raise ShapeError(f"contacts.{method}: {name} holds NaN or infinity{where}")


def in_order(method: str, vectors: Mapping[str, Vector], state: Mapping[str, Any]) -> dict[str, Any]:
    """Arrays that a law reads more than once, all in the robot's order: without labels, or DataArrays with them."""
    found = {}
    for name, x in state.items():
        if type(x) is not np.ndarray:
            order = labels.in_order if hasattr(x, "dims") and hasattr(x, "dtype") else labels.plain
            x = order(f"contacts.{method}: {name}", x, _names(vectors, name), name)
        found[name] = x
    return found


def plain(method: str, vectors: Mapping[str, Vector], state: Mapping[str, Any]) -> dict[str, Any]:
    """Arrays in order, all of them without labels."""
    return {
        name: labels.plain(f"contacts.{method}: {name}", x, _names(vectors, name), name) for name, x in state.items()
    }


def _names(vectors: Mapping[str, Vector], name: str) -> labels.Names:
    own, every = vectors[name].names, vectors["v"].names
    return {len(own): own, len(every): every} if name == "tau" else own


def velocities_of(robot: Robot, names: Iterable[str]) -> list[int]:
    """Indices of the velocities of the joints `names`."""
    own = dict(zip(robot.joint_names, (b.dofs for b in robot.model.independent), strict=True))
    for name in names:
        if name not in own:
            raise unknown("joint", name, robot.name, own)
    return [i for name in names for i in range(own[name].start, own[name].stop)]


def wish(robot: str, name: str, given: Any, vector: Vector) -> Floats:
    """tau0 or a weight, checked; a number as one per component."""
    kind, size, names = "contacts.inverse_dynamics", vector.size, vector.names
    if name == "tau0":
        x = as_vectors(kind, robot, name, given, vector)
        require_finite("inverse_dynamics", tau0=x)
        return x
    x = floats(f"{kind}: {name}", given, names, rows=names)
    if x.shape not in ((), (size,), (size, size)) or not (abs(x) < LARGEST).all():
        said = f"shape {x.shape}" if np.isfinite(x).all() else repr(given)
        raise ShapeError(f"{kind}: {name} is a number, ({size},) or a matrix, all finite; got {said}")
    if x.ndim < 2 and (x < 0).any():
        raise ShapeError(f"{kind}: {name} must not be negative; got {x.min():g}")
    return np.full(size, x) if x.ndim == 0 else x
