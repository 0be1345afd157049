"""Targets of inverse kinematics as goals and rows of numbers."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...algebra.spatial import Transform
from ...algorithms.inverse_kinematics import Goal, Wanted
from ...errors import ShapeError, unknown
from ...inputs.choices import floats
from ...inputs.labels import SPATIAL, XYZ
from ...model import Model
from ...text import shortened
from ..arguments.arrays import check_batches, rotation_errors
from ..pose_numbers import from_numbers

#: a matrix this far from a rotation is none
ROTATION = 1e-6
METHOD = "inverse_kinematics"
#: target that is no frame's
CENTER = "center_of_mass"
_LAST_ROW = np.array([0.0, 0.0, 0.0, 1.0])


class Orientation(NamedTuple):
    """The target of a frame's axes alone: a matrix has a name of its own, since three positions have the same shape.

    Parameters
    ----------
    matrix : rotation (…, 3, 3), the frame's axes in the world in its columns

    Examples
    --------
    >>> arm = art.load("panda")
    >>> bool(arm.inverse_kinematics({"panda_hand": art.Orientation([[1, 0, 0], [0, -1, 0], [0, 0, -1]])}).success)
    True
    """

    matrix: Any


class Direction(NamedTuple):
    """The target of one axis of a frame: the direction in which it should point.

    Parameters
    ----------
    axis : (3,), in the frame's axes
    along : (…, 3), in the world's

    Examples
    --------
    >>> arm = art.load("panda")
    >>> bool(arm.inverse_kinematics({"panda_hand": art.Direction((0, 0, 1), (0, 0, -1))}).success)
    True
    """

    axis: Any
    along: Any


class Targets(NamedTuple):
    """Goals, the numbers that say where, (…, size), and the weight of each row of the error."""

    goals: tuple[Wanted, ...]
    values: np.ndarray
    weights: np.ndarray


def directions(goals: tuple[Wanted, ...]) -> tuple[int, ...]:
    """The rows of the error at which those of directions begin."""
    rows = np.cumsum([0, *(goal.rows for goal in goals)]).tolist()
    return tuple(
        row for row, goal in zip(rows, goals, strict=False) if isinstance(goal, Goal) and goal.kind == "direction"
    )


def angle_of_chord(chord: np.ndarray) -> np.ndarray:
    """The angle (…) between two unit vectors whose difference (…, 3) is known, rad."""
    x, y, z = np.moveaxis(chord, -1, 0)
    return 2 * np.arcsin(np.minimum(1.0, np.sqrt(x * x + y * y + z * z) / 2))


def targets_of(model: Model, given: Any, weights: Any, others: Targets | None = None, method: str = METHOD) -> Targets:
    """From what the user wrote: by frame a pose (…, 4, 4), a Transform, xyz and rpy (…, 6), xyz and quaternion (…, 7),
    a position (…, 3), an Orientation, a Direction; by "center_of_mass" its position; by two frames those of the first
    in the axes of the second.  Targets of a batch may hold NaN.

    `others` are targets of another origin, which come last.
    """
    if not isinstance(given, Mapping) or not (given or (others and others.goals)):
        raise ShapeError(
            f'{method}: targets are given by frame, {{"hand": pose (…, 4, 4)}}; got {shortened(repr(given))}'
        )
    goals: list[Goal] = []
    values = []
    for key, target in given.items():
        what = f"{method}: the target of {key!r}"
        kind, value = _target(what, target)
        frame, base = key if isinstance(key, tuple) and len(key) == 2 else (key, None)
        if frame == CENTER and CENTER not in model.frames:
            if kind != "position":
                raise ShapeError(f"{what} is a position (…, 3)")
            goals.append(Goal(CENTER, CENTER))
        else:
            goals.append(Goal(model.frame(frame).name, kind, base if base is None else model.frame(base).name))
        values.append(value)
    weight = [_weights(method, given, goals, weights)]
    if len(goals) == 1 and not others:
        return Targets((*goals,), values[0], weight[0])
    if others:
        values.append(others.values)
        weight.append(others.weights)
    names = [*(goal.name for goal in goals), "contacts"]
    batch = check_batches(method, dict(zip(names, values, strict=False)))
    whole = [np.broadcast_to(x, (*batch, x.shape[-1])) for x in values]
    wanted = (*goals, *(others.goals if others else ()))
    return Targets(wanted, np.concatenate(whole, axis=-1), np.concatenate(weight))


def _target(what: str, target: Any) -> tuple[str, np.ndarray]:
    if isinstance(target, Direction):
        axis, along = (_unit(what, x) for x in target)
        if axis.ndim != 1:
            raise ShapeError(f"{what}: the axis of a direction is (3,); got {axis.shape}")
        return "direction", np.concatenate([np.broadcast_to(axis, along.shape), along], axis=-1)
    if isinstance(target, Transform):
        target = target.matrix()
    if isinstance(target, Orientation):
        matrix, x = True, floats(what, target.matrix, XYZ, rows=XYZ)
    else:
        matrix = getattr(target, "shape", ())[-2:] == (4, 4)  # else rows are those of a batch
        x = floats(what, target, {3: XYZ}, rows=() if matrix else None)
    if x.ndim < 2 + matrix and not np.isfinite(x).all():
        raise ShapeError(f"{what} holds NaN or infinity")
    if isinstance(target, Orientation):
        if x.ndim < 2 or x.shape[-2:] != (3, 3):
            raise ShapeError(f"{what}: an orientation is (…, 3, 3); got {x.shape}")
        _require_rotations(what, x)
        return "orientation", x.reshape(*x.shape[:-2], 9)
    if x.ndim >= 2 and x.shape[-2:] == (4, 4):
        if (abs(x[..., 3, :] - _LAST_ROW) > ROTATION).any():
            raise ShapeError(f"{what}: the last row of a pose is 0, 0, 0, 1")
        _require_rotations(what, x[..., :3, :3])
        return "pose", np.concatenate([x[..., :3, :3].reshape(*x.shape[:-2], 9), x[..., :3, 3]], axis=-1)
    if x.shape == (3, 3) and abs(x @ x.T - np.eye(3)).max() < ROTATION and np.linalg.det(x) > 0:
        raise ShapeError(f"{what} is a rotation: write art.Orientation(R); three positions are (3, 1, 3)")
    if x.ndim >= 1 and x.shape[-1] == 3:
        return "position", x
    if x.ndim >= 1 and x.shape[-1] in (6, 7):
        return _target(what, from_numbers(x))
    kinds = "a pose (…, 4, 4), xyz and rpy (…, 6), xyz and quaternion (…, 7), a position (…, 3), an art.Orientation"
    kinds += " or an art.Direction"
    raise ShapeError(f"{what} is {kinds}; got shape {x.shape}")


def _unit(what: str, x: Any) -> np.ndarray:
    found = floats(what, x, XYZ)
    with np.errstate(over="ignore"):  # what overflows is refused
        length = np.linalg.norm(found, axis=-1, keepdims=True) if found.ndim and found.shape[-1] == 3 else np.zeros(1)
    if not (np.isfinite(length) & (length > 0)).all():
        raise ShapeError(f"{what}: a direction is (…, 3), finite and not zero; got {shortened(repr(x))}")
    return found / length


def _require_rotations(what: str, R: np.ndarray) -> None:
    finite = R if R.ndim == 2 else R[np.isfinite(R).all(axis=(-1, -2))]
    sizes = [error if R.ndim == 2 else error.max(initial=0) for error in rotation_errors(finite)]
    if not all(size <= ROTATION for size in sizes):
        off = np.max(sizes)
        raise ShapeError(f"{what}: its 3×3 part is not a rotation ({off:.2g} from one)")


def _weights(method: str, given: Mapping[str, Any], goals: list[Goal], weights: Any) -> np.ndarray:
    """One for each row of the error; 1 where nothing is said."""
    if weights is None:
        return np.ones(sum(goal.rows for goal in goals))
    rows = [np.zeros(0), *(np.ones(goal.rows) for goal in goals)]
    if not isinstance(weights, Mapping):
        raise ShapeError(f"{method}: weights are given by frame; got {shortened(repr(weights))}")
    frames = list(given)
    for frame, weight in weights.items():
        if frame not in frames:
            raise unknown("target", frame, method, frames)
        k = frames.index(frame)
        x = floats(f"{method}: the weight of {frame!r}", weight, row_names(goals[k]))
        if x.shape not in ((), (goals[k].rows,)) or not (np.isfinite(x) & (x >= 0)).all():
            raise ShapeError(
                f"{method}: the weight of {frame!r} is a number or ({goals[k].rows},), not negative; "
                f"got {shortened(repr(weight))}"
            )
        rows[1 + k] = np.broadcast_to(x, (goals[k].rows,)).astype(float)
    return np.concatenate(rows)


def row_names(goal: Wanted) -> Sequence[str]:
    """Names of the rows of an error: those of a frame are along the axes of the world."""
    if not isinstance(goal, Goal):
        return ()
    return SPATIAL[3:] if goal.kind == "orientation" else SPATIAL[: goal.rows]
