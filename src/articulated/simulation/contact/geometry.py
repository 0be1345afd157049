"""Where contacts are and how far open; any scalar.  Points, radii and planes are numbers that the caller gives."""

from typing import NamedTuple

import numpy as np

from ...algebra.scalars import Array, Scalar, array, exact_array, sqrt
from ...algebra.spatial import Transform
from ...algorithms.kinematics import world_poses
from ...model import Model
from .laws import TINY, greatest, least
from .surfaces import Surface, axes_off
from .system import System
from .touching import Rod

#: numbers of a rod: its two ends and its radius
ROD = 7


class Meeting(NamedTuple):
    """One contact: how far it is open, where, and its axes (along, along, off; rows)."""

    gap: Array
    position: Array
    axes: Array


def ball_on_ground(pose: Transform, ball: Array, surface: Surface) -> Meeting:
    """A ball (point of its body, radius) over the ground."""
    centre = pose.point(ball[:3])
    met = surface.meet(centre)
    return Meeting(array([met.distance - ball[3]]), centre - ball[3] * met.axes[2], met.axes)


def between_rods(poses: tuple[Transform, Transform], rods: tuple[Array, Array]) -> Meeting:
    """Half way between two rods (start, end, radius), where they are nearest to each other."""
    (p, u), (r, w) = (_line(pose, rod) for pose, rod in zip(poses, rods, strict=True))
    # of the first line the point nearest to the second, then back and forth once: exact, parallel rods included
    uu, ww, uw, apart = u @ u, w @ w, u @ w, r - p
    across = uu * ww - uw * uw
    s = _clipped((u @ apart * ww - w @ apart * uw) / (across + 1e-14 * uu * ww + TINY))
    t = _part(w, p + s * u - r)
    s = _part(u, r + t * w - p)
    off = p + s * u - (r + t * w)
    distance = sqrt(off @ off + TINY)
    normal = off / distance
    gap = distance - (rods[0][6] + rods[1][6])
    return Meeting(array([gap]), r + t * w + normal * (rods[1][6] + gap / 2), axes_off(normal))


def _line(pose: Transform, rod: Array) -> tuple[Array, Array]:
    """The start of a rod and the way to its end; no way for a ball."""
    start = pose.point(rod[:3])
    return start, pose.point(rod[3:6]) - start


def _part(along: Array, to: Array) -> Scalar:
    """How much of a segment leads to the point of it that is nearest to another."""
    return _clipped((along @ to) / (along @ along + TINY))


def _clipped(x: Scalar) -> Scalar:
    return greatest(least(x, 1.0), 0.0)


def ball_of(model: Model, frame: str, point: tuple[float, ...], radius: float) -> Array:
    """A ball in the axes of the body that carries a frame."""
    return np.concatenate([model.frame(frame).placement.point(exact_array(point)), exact_array([radius])])


def rod_of(model: Model, rod: Rod) -> Array:
    """A rod in the axes of the body that carries its frame."""
    place = model.frame(rod.frame).placement
    return np.concatenate([*(place.point(exact_array(end)) for end in (rod.start, rod.end)), exact_array([rod.radius])])


def gaps(model: Model, q: Array, system: System) -> Array:
    """How far each contact is open; negative where it is below the ground.  (nc,)."""
    poses = world_poses(model, q)
    found = [
        ball_on_ground(poses[model.frame(x.frame).body], ball_of(model, x.frame, x.point, x.radius), system.surface).gap
        for x in system.touching.touches
    ]
    for pair in system.touching.pairs:
        first, second = (poses[model.frame(rod.frame).body] for rod in (pair.first, pair.second))
        found.append(between_rods((first, second), (rod_of(model, pair.first), rod_of(model, pair.second))).gap)
    return np.concatenate(found) if found else np.zeros(0, object)
