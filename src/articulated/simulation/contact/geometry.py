"""Where contacts are, how far open, and how the robot moves them; any scalar."""

from typing import NamedTuple

import numpy as np

from ...algebra.rotations import cross
from ...algebra.scalars import Array, Scalar, array, exact_array, sqrt, zeros
from ...algebra.spatial import Transform
from ...algorithms.kinematics import world_poses
from ...model import Body, Model
from .laws import TINY, greatest, least
from .surfaces import Surface, axes_off
from .system import System
from .touching import Pair, Rod, Touch

Poses = dict[Body | None, Transform]


class Meeting(NamedTuple):
    """One contact: how far it is open, where, its axes (along, along, off; rows), and its velocity per unit v."""

    gap: Scalar
    position: Array
    axes: Array
    J: Array


def meetings(model: Model, q: Array, system: System) -> list[Meeting]:
    """Geometry of all contacts."""
    poses = world_poses(model, q)
    return [
        *(_on_ground(model, poses, system.surface, touch) for touch in system.touching.touches),
        *(_between(model, poses, pair) for pair in system.touching.pairs),
    ]


def lowest(model: Model, q: Array, system: System) -> Scalar:
    """The smallest gap of what is watched."""
    smallest, *others = gaps(model, q, system.watchers)
    for gap in others:
        smallest = least(smallest, gap)
    return smallest


def _on_ground(model: Model, poses: Poses, surface: Surface, touch: Touch) -> Meeting:
    centre = _place(model, poses, touch.frame, touch.point)
    met = surface.meet(centre)
    radius = exact_array([touch.radius])[0]
    position = centre - radius * met.axes[2]
    J = point_jacobian(model, poses, touch.frame, position)
    return Meeting(met.distance - radius, position, met.axes, met.axes @ J)


def _between(model: Model, poses: Poses, pair: Pair) -> Meeting:
    """Half way between two rods, where they are nearest to each other."""
    first, second = (_ends(model, poses, rod) for rod in (pair.first, pair.second))
    a, b = _nearest(first, second)
    apart = a - b
    distance = sqrt((apart * apart).sum() + TINY)
    normal = apart / distance
    gap = distance - (pair.first.radius + pair.second.radius)
    position = b + normal * (pair.second.radius + gap / 2)
    axes = axes_off(normal)
    J = [point_jacobian(model, poses, rod.frame, position) for rod in (pair.first, pair.second)]
    return Meeting(gap, position, axes, axes @ (J[0] - J[1]))


def _ends(model: Model, poses: Poses, rod: Rod) -> tuple[Array, Array | None]:
    """The start of a rod and the way to its end; None for a ball."""
    start = _place(model, poses, rod.frame, rod.start)
    return start, None if rod.start == rod.end else _place(model, poses, rod.frame, rod.end) - start


def _nearest(first: tuple[Array, Array | None], second: tuple[Array, Array | None]) -> tuple[Array, Array]:
    """The points of two segments that are nearest to each other."""
    (p, u), (r, w) = first, second
    if u is None:
        return p, r if w is None else r + _part(w, p - r) * w
    if w is None:
        return p + _part(u, r - p) * u, r
    # of the first line the point nearest to the second, then back and forth once: exact, parallel rods included
    uu, ww, uw, apart = u @ u, w @ w, u @ w, r - p
    across = uu * ww - uw * uw
    s = _clipped((u @ apart * ww - w @ apart * uw) / (across + 1e-14 * uu * ww + TINY))
    t = _part(w, p + s * u - r)
    s = _part(u, r + t * w - p)
    return p + s * u, r + t * w


def _part(along: Array, to: Array) -> Scalar:
    """How much of a segment leads to the point of it that is nearest to another."""
    return _clipped((along @ to) / (along @ along + TINY))


def _clipped(x: Scalar) -> Scalar:
    return greatest(least(x, 1.0), 0.0)


def _place(model: Model, poses: Poses, frame: str, point: tuple[float, ...]) -> Array:
    named = model.frame(frame)
    return poses[named.body].point(named.placement.point(exact_array(point)))


def point_jacobian(model: Model, poses: Poses, frame: str, position: Array) -> Array:
    """Velocity, in world axes, of the point of a frame's body that is at `position`, per unit v.  (3, nv)."""
    J = zeros(3, model.nv)
    body = model.frame(frame).body
    for b in body.support() if body else ():
        pose = poses[b]
        arm = position - pose.p
        for k, column in enumerate(b.S.T):
            J[:, b.dofs.start + k] += pose.R @ column[:3] + cross(pose.R @ column[3:], arm)
    return J


def gaps(model: Model, q: Array, system: System) -> Array:
    """How far each contact is open; negative where it is below the ground.  (nc,)."""
    found = meetings(model, q, system)
    return array([each.gap for each in found]) if found else np.zeros(0, object)
