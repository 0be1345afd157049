"""Blocks of a step of a pile, on any scalar: free bodies, rows of contacts, and their law.

A body has its pose (R, p), its velocity [linear; angular] in world axes at its center of mass, and its mobility, the
inverse of its mass and of its inertia.  A contact has two rows of three 6-vectors, J of each of its bodies, and
Y = J M⁻¹: s = J₁ V₁ - J₂ V₂, and an impulse λ adds Y₁ᵀ λ to V₁ and takes Y₂ᵀ λ from V₂.
"""

import numpy as np

from ...algebra.rotations import cross, quaternion
from ...algebra.scalars import Array, array, eye, greatest, least, select, sqrt, zeros
from ...algebra.spatial import Transform
from ...geometry.bricks import beside
from ...geometry.manifolds import Point, boxes
from ...joints import Floating
from ..contact.dynamics import unflat
from ..contact.laws import TINY

JOINT = Floating()
#: passes of the implicit gyroscopic term
TURNS = 2


# -- bodies -----------------------------------------------------------------------------------------


def free(q: Array, v: Array, wrench: Array, body: Array, gravity: Array, dt: Array) -> tuple[Array, ...]:
    """Pose, velocity after a step without contacts, mobility in world axes.

    The gyroscopic term is that of the middle of the step: it takes no energy from a body that turns freely.
    """
    R, moments, mass = quaternion(q[3:]), body[1:], body[0]
    linear = R @ (v[:3] + dt[0] * wrench[:3] / mass) + dt[0] * gravity
    pushed = v[3:] + dt[0] * wrench[3:] / moments
    turned = pushed
    for _ in range(TURNS):
        middle = 0.5 * (pushed + turned)
        turned = pushed - dt[0] * cross(middle, moments * middle) / moments
    pose = np.concatenate([R.ravel(), q[:3]])
    mobility = np.concatenate([array([1 / mass]), ((R / moments[None, :]) @ R.T).ravel()])
    return pose, np.concatenate([linear, R @ turned]), mobility


def finished(q: Array, v: Array, pose: Array, twist: Array, dt: Array) -> tuple[Array, ...]:
    """The state after the step, as a floating joint has it, and the acceleration."""
    R = pose[:9].reshape(3, 3)
    after = np.concatenate([R.T @ twist[:3], R.T @ twist[3:]])
    return *JOINT.straight(q, after, dt[0]), (after - v) / dt[0] + JOINT.bending(v)


def reach(pose: Array, middle: Array, radius: Array, margin: Array, dt: Array, free: Array) -> tuple[Array, Array]:
    """The middle of a body when neighbors are looked for, and its reach: half the margin, and its way in a step."""
    place, V = unflat(pose).point(middle), point_velocity(free, pose, unflat(pose).point(middle))
    return place, array([radius[0] + 0.5 * margin[0] + dt[0] * sqrt(V @ V + TINY)])


def strayed(stale: Array, pose: Array, middle: Array, free: Array, place: Array, margin: Array, dt: Array) -> Array:
    """1 once a body will be further than a quarter of the margin from where neighbors were looked for."""
    here = unflat(pose).point(middle)
    way = here + dt[0] * point_velocity(free, pose, here) - place
    return array([select(16 * (way @ way) > margin[0] * margin[0], 1.0, stale[0])])


def point_velocity(twist: Array, pose: Array, point: Array) -> Array:
    """Velocity of a point of a body, in world axes."""
    return twist[:3] + cross(twist[3:], point - pose[9:])


# -- where bodies meet ------------------------------------------------------------------------------


def ball_on_body(first: Transform, second: Transform, ball: Array, other: Array) -> Point:
    """A ball and a box with rounded edges (half edges, radius), which is a ball if it has no edges."""
    distance, off = beside(second.R.T @ (first.p - second.p), other[:3])
    normal, gap = second.R @ off, distance - ball[3] - other[3]
    return Point(gap, first.p - normal * (ball[3] + gap / 2), normal)


def box_on_box(first: Transform, second: Transform, shape1: Array, shape2: Array) -> list[Point]:
    """The corners of what two boxes share."""
    here = np.concatenate([eye(3).ravel(), zeros(3)])
    return boxes((first, second), np.concatenate([here, shape1[:3], here, shape2[:3]]))


# -- rows of a contact ------------------------------------------------------------------------------


def contact_rows(
    frame: Array, position: Array, pose1: Array, pose2: Array, mobility1: Array, mobility2: Array
) -> tuple[Array, ...]:
    """J and Y of both bodies, (3, 6) each, and G = J₁ Y₁ᵀ + J₂ Y₂ᵀ, (3, 3)."""
    F, G, found = frame.reshape(3, 3), zeros(3, 3), []
    for pose, mobility in ((pose1, mobility1), (pose2, mobility2)):
        arm = position - pose[9:]
        turn = np.stack([cross(arm, axis) for axis in F])
        J = np.concatenate([F, turn], axis=1)
        Y = np.concatenate([mobility[0] * F, turn @ mobility[1:].reshape(3, 3)], axis=1)
        G = G + J @ Y.T
        found.append((J.ravel(), Y.ravel()))
    return found[0][0], found[1][0], found[0][1], found[1][1], G.ravel()


def velocity(J1: Array, J2: Array, twist1: Array, twist2: Array) -> Array:
    """Velocity of a contact along its axes."""
    return J1.reshape(3, 6) @ twist1 - J2.reshape(3, 6) @ twist2


def solved(G: Array, s: Array, x: Array, mu: Array) -> Array:
    """The next impulse of a contact: its normal first, then along the ground within what that allows.

    Exact for a ball; where the axes are coupled a step that lessens the same quadratic function.
    """
    normal = greatest(x[2] - s[2] / (G[8] + TINY), 0.0)
    change = normal - x[2]
    mobility = greatest(G[0], G[4]) + select(G[1] < 0, -G[1], G[1]) + TINY
    along = [x[k] - (s[k] + G[3 * k + 2] * change) / mobility for k in range(2)]
    length = sqrt(along[0] * along[0] + along[1] * along[1] + TINY)
    scale = least(mu[0] * normal / length, 1.0)
    return array([scale * along[0], scale * along[1], normal])


def felt(
    c: Array | None = None, J1: Array | None = None, J2: Array | None = None, twist1: Array | None = None,
    twist2: Array | None = None, Y: Array | None = None, pushed: Array | None = None,
) -> Array:  # fmt: skip
    """Velocity of a block along its rows: of its bodies, of robots, and c."""
    s = zeros(3) if c is None else c
    if J1 is not None:
        s = s + velocity(J1, J2, twist1, twist2)  # type: ignore[arg-type]
    return s if Y is None else s + Y.reshape(3, -1) @ pushed


def pushed(
    d: Array, Y1: Array | None = None, Y2: Array | None = None, twist1: Array | None = None,
    twist2: Array | None = None, Y: Array | None = None, pushed: Array | None = None,
) -> tuple[Array, ...]:  # fmt: skip
    """Changes of the velocities of both bodies, and of robots, after an impulse."""
    found = [] if Y1 is None else [twist1 + d @ Y1.reshape(3, 6), twist2 - d @ Y2.reshape(3, 6)]  # type: ignore[union-attr]
    return (*found, *(() if Y is None else (pushed + d @ Y.reshape(3, -1),)))


def coupled(
    J1i: Array, J2i: Array, endsi: Array, Y1j: Array, Y2j: Array, endsj: Array, Yi: Array | None = None,
    Yj: Array | None = None,
) -> Array:  # fmt: skip
    """A block of G, of two blocks that may share bodies."""
    G = zeros(3, 3) if Yi is None else Yi.reshape(3, -1) @ Yj.reshape(3, -1).T  # type: ignore[union-attr]
    for J, end, sign in ((J1i, endsi[0], 1), (J2i, endsi[1], -1)):
        same = [select((end - other) * (end - other) < 0.5, 1.0, 0.0) for other in endsj]
        Y = same[0] * Y1j - same[1] * Y2j
        G = G + sign * (J.reshape(3, 6) @ Y.reshape(3, 6).T)
    return G.ravel()


def with_mobility(G: Array, Y: Array) -> Array:
    """G, and what a block does to robots."""
    return G + (Y.reshape(3, -1) @ Y.reshape(3, -1).T).ravel()


def ends(end1: Array, end2: Array) -> Array:
    """Numbers of the bodies of a block."""
    return array([end1[0], end2[0]])


def no_ends() -> Array:
    """Ends of a block that has none."""
    return array([-1.0, -1.0])
