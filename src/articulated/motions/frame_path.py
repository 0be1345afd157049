"""Paths of a frame: straight, circular and screw motions in SE(3), with inverse kinematics along them."""

from __future__ import annotations  # help shows types as they are written here

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from ..algebra.rotations import inverse_left_jacobian, rotation_between
from ..errors import ShapeError
from ..inputs.choices import choose, floats, names, robot_first, whole_number
from ..robot import Robot
from ..robot.arguments.arrays import as_vectors
from ..robot.spatial import exp
from ..text import shortened
from .path import Path, spline

Floats = np.ndarray
#: for type checkers: the rows of SHAPES
ShapeName = Literal["straight", "circular", "screw"]
#: a step of the joints is a jump if it is so many times the one that the Jacobian predicts, and this many radians more
JUMP, SLACK = 3.0, 1e-3
#: m and rad that a path may be off between its points, and points of one that is refined no more
OFF, MOST_POINTS = 1e-6, 3000
#: three points are on a line if the sine of the angle between them is below this
ON_A_LINE = 1e-9
#: weights of the first chords in the slope at the end, exact for quartics
END_SLOPE = (25 / 12, -23 / 12, 13 / 12, -3 / 12)
#: rotations of the frame by this and more have no shortest way
HALF_TURN = np.pi - 1e-6


def straight(start: Floats, end: Floats, via: Floats | None, s: Floats) -> Floats:
    """The origin on a line, the axes about one fixed axis."""
    return _turning(start, end, start[:3, 3] + s[:, None] * (end[:3, 3] - start[:3, 3]), s)


def circular(start: Floats, end: Floats, via: Floats | None, s: Floats) -> Floats:
    """The origin on the circle through `via`, the axes about one fixed axis."""
    if via is None:
        raise ShapeError('frame_path: shape = "circular" needs via=(x, y, z), a third point of the circle')
    a, b = via - start[:3, 3], end[:3, 3] - start[:3, 3]
    normal = np.cross(a, b)
    size = float(normal @ normal)
    if size <= (ON_A_LINE * np.linalg.norm(a) * np.linalg.norm(b)) ** 2:
        raise ShapeError(f"frame_path: start, via {via} and target are on one line, or two of them are the same point")
    center = start[:3, 3] + np.cross(float(a @ a) * b - float(b @ b) * a, normal) / (2 * size)
    radius, axis = start[:3, 3] - center, normal / np.sqrt(size)
    last = end[:3, 3] - center
    angle = float(np.arctan2(np.cross(radius, last) @ axis, radius @ last)) % (2 * np.pi)
    turned = [np.cos(x) * radius + np.sin(x) * np.cross(axis, radius) for x in angle * s]
    return _turning(start, end, center + np.array(turned), s)


def screw(start: Floats, end: Floats, via: Floats | None, s: Floats) -> Floats:
    """One constant twist: a rotation about a fixed axis and a shift along it (Chasles)."""
    turn = _turn(start, end)
    shift = inverse_left_jacobian(turn, start[:3, :3].T @ (end[:3, 3] - start[:3, 3]))
    return start @ exp(s[:, None] * np.concatenate([np.asarray(shift, float), turn]))


SHAPES: dict[str, Callable[..., Floats]] = {"straight": straight, "circular": circular, "screw": screw}


def frame_path(
    robot: Robot,
    frame: str,
    q0: ArrayLike,
    target: ArrayLike,
    shape: ShapeName = "straight",
    via: ArrayLike | None = None,
    points: int = 101,
    hold: Sequence[str] = (),
) -> Path:
    """The configurations that move a frame along a line, a circle or a screw, as a continuous path from q0.

    Inverse kinematics goes from point to point, each from the one before, with more points until between them as well
    the frame is within 1e-6 m and rad of the curve and the joints within their limits.  A place where the frame cannot
    go on, or where the joints would have to jump to another branch of solutions or have a kink, is an error that says
    where.

    Parameters
    ----------
    robot : a Robot
    frame : name of a frame
    q0 : configuration at the start, (nq,)
    target : its pose at the end, (4, 4), or position (3,), its axes as they are at the start
    shape : "straight", "circular" or "screw"
    via : of a circle: a point (3,) between start and target, m
    points : at which the frame is exactly on the curve, at least; the path is a spline through them
    hold : frames whose origins stay where they are, such as feet of a robot with a floating base

    Returns
    -------
    a Path; s is 0 … 1

    Notes
    -----
    Source: Lynch and Park 2017, section 9.2.

    Examples
    --------
    >>> import articulated as art
    >>> panda = art.load("panda")
    >>> home = panda.poses["home"]
    >>> target = panda.pose(home, "panda_hand")
    >>> target[:3, 3] += [0.1, 0.2, -0.1]
    >>> art.motion(panda, art.frame_path(panda, "panda_hand", home, target), kind="quintic").duration.__round__(2)
    0.41
    """
    curve = SHAPES[choose("frame_path", "shape", shape, SHAPES)]
    vectors = robot_first("frame_path", robot).kernels.vectors
    q = as_vectors("frame_path", robot.name, "q0", q0, vectors["q"])
    if q.ndim != 1 or not np.isfinite(q).all():
        raise ShapeError(f"frame_path: q0 is one configuration ({robot.nq},) of finite numbers; got {q.shape}")
    start = robot.pose(q, frame)
    end, over = start.copy(), None if via is None else _numbers("via", via, (3,))
    given = _numbers("target", target, (3,), (4, 4))
    end[:3, 3] = given if given.ndim == 1 else given[:3, 3]
    if given.ndim == 2:
        end[:3, :3] = given[:3, :3]
    held = {name: robot.pose(q, name)[:3, 3] for name in names("frame_path: hold", hold)}
    count = whole_number("frame_path: points", points, 3)
    while True:
        s = np.linspace(0.0, 1.0, count)
        way = _followed(robot, frame, q, curve(start, end, over, s), s, held)
        chords = robot.difference(way[:-1], way[1:]) / s[1]
        weights = np.array(END_SLOPE if len(chords) >= len(END_SLOPE) else (1.5, -0.5))
        ends = weights @ chords[: len(weights)], weights @ chords[: -len(weights) - 1 : -1]
        found = spline(robot, s, way, ends)
        between = (s[:-1] + s[1:]) / 2
        off, over_by = _off(robot, frame, found.at(between).q, curve(start, end, over, between), held)
        if max(off.max(), over_by.max()) <= OFF:
            return found
        if count > MOST_POINTS:
            raise _kinked(robot, s, way, off, over_by)
        count = 2 * count - 1


def _off(robot: Robot, frame: str, q: Floats, poses: Floats, held: Mapping[str, Floats]) -> tuple[Floats, Floats]:
    """Distance of the frame from poses, and of held frames from their places, m and rad; of joints beyond limits."""
    there = robot.pose(q, frame)
    turned = [_turned(a, b) for a, b in zip(there, poses, strict=True)]
    parts = [there[:, :3, 3] - poses[:, :3, 3], np.array(turned)]
    parts += [robot.pose(q, name)[:, :3, 3] - place for name, place in held.items()]
    lower, upper = robot.limits[:2]
    return abs(np.concatenate(parts, axis=-1)).max(axis=-1), np.maximum(lower - q, q - upper).max(axis=-1)


def _kinked(robot: Robot, s: Floats, way: Floats, off: Floats, over: Floats) -> ShapeError:
    """An error for joints that turn too sharply to follow."""
    k = int(np.argmax(np.maximum(off, over)))
    step = abs(robot.difference(way[k], way[k + 1]))
    joint = robot.kernels.vectors["v"].names[int(np.argmax(step))]
    return ShapeError(
        f"frame_path: at s = {s[k]:.4g} of 1 the joints have a kink, between two of {len(s)} points {joint!r} turns by "
        f"{step.max():.3g}: a singular configuration, or a joint that comes to its limit; the frame would be "
        f"{off[k]:.2g} off, a joint {max(over[k], 0.0):.2g} beyond its limit; start from another q0, or go around"
    )


def _followed(robot: Robot, frame: str, q: Floats, poses: Floats, s: Floats, held: Mapping[str, Floats]) -> Floats:
    """Configurations at all poses, each found from the one before."""
    out = [q]
    for k in range(1, len(poses)):
        found = robot.inverse_kinematics({frame: poses[k], **held}, out[-1], restarts=0)
        if not found.success:
            raise ShapeError(
                f"frame_path: {frame!r} cannot follow beyond s = {s[k - 1]:.4g} of 1, at {_shown(poses[k])} m: "
                f"{found.reason}"
            )
        step = robot.difference(out[-1], found.q)
        twist = np.concatenate([poses[k, :3, 3] - poses[k - 1, :3, 3], _turned(poses[k - 1], poses[k])])
        J = np.concatenate([robot.jacobian(out[-1], frame), *(robot.jacobian(out[-1], name)[:3] for name in held)])
        wanted = np.linalg.lstsq(J, np.append(twist, np.zeros(3 * len(held))), rcond=1e-6)[0]
        most = JUMP * abs(wanted).max() + SLACK
        if abs(step).max() > most:
            joint = robot.kernels.vectors["v"].names[int(np.argmax(abs(step)))]
            raise ShapeError(
                f"frame_path: at s = {s[k]:.4g} of 1 {joint!r} would jump by {abs(step).max():.3g} to another branch "
                f"of solutions ({abs(wanted).max():.2g} would follow the frame); start from another q0, or go around"
            )
        out.append(found.q)
    return np.array(out)


def _turning(start: Floats, end: Floats, positions: Floats, s: Floats) -> Floats:
    """Poses at these positions, the axes turning evenly from those of `start` to those of `end`."""
    out = start @ exp(s[:, None] * np.concatenate([np.zeros(3), _turn(start, end)]))
    out[:, :3, 3] = positions
    return out


def _turn(start: Floats, end: Floats) -> Floats:
    """Rotation vector from one pose to the other, in the axes of the first."""
    turn = start[:3, :3].T @ _turned(start, end)
    if not np.linalg.norm(turn) < HALF_TURN:
        raise ShapeError("frame_path: the rotation is half a turn, so its axis is ambiguous; split the path in two")
    return turn


def _turned(start: Floats, end: Floats) -> Floats:
    """Rotation vector from one pose to the other, in world axes."""
    return np.asarray(rotation_between(start[:3, :3], end[:3, :3]), float)


def _numbers(name: str, x: Any, *shapes: tuple[int, ...]) -> Floats:
    found = floats(f"frame_path: {name}", x)
    if found.shape not in shapes or not np.isfinite(found).all():
        wanted = " or ".join(map(str, shapes))
        raise ShapeError(f"frame_path: {name} holds finite numbers {wanted}; got {shortened(repr(x))}")
    return found


def _shown(pose: Floats) -> str:
    return np.array2string(pose[:3, 3], precision=3, separator=", ")
