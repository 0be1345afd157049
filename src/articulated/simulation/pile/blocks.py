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
from ..contact.laws import TINY

JOINT = Floating()
#: passes of the implicit gyroscopic term
TURNS = 2


# -- bodies -----------------------------------------------------------------------------------------


def free(q: Array, v: Array, wrench: Array, body: Array, gravity: Array, dt: Array) -> tuple[Array, ...]:
    """Pose, velocity after a step without contacts, mobility and inertia in world axes.

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
    inertia = np.concatenate([array([mass]), ((R * moments[None, :]) @ R.T).ravel()])
    return pose, np.concatenate([linear, R @ turned]), mobility, inertia


def finished(q: Array, v: Array, pose: Array, twist: Array, dt: Array) -> tuple[Array, ...]:
    """The state after the step, as a floating joint has it, and the acceleration."""
    R = pose[:9].reshape(3, 3)
    after = np.concatenate([R.T @ twist[:3], R.T @ twist[3:]])
    return *JOINT.straight(q, after, dt[0]), (after - v) / dt[0] + JOINT.bending(v)


def reach(pose: Array, free: Array, radius: Array, margin: Array, dt: Array) -> tuple[Array, Array]:
    """Where a body is when neighbors are looked for, and how far it reaches: half the margin, and in this step."""
    speed = sqrt(free[:3] @ free[:3] + TINY)
    return pose[9:], array([radius[0] + 0.5 * margin[0] + dt[0] * speed])


def strayed(stale: Array, pose: Array, free: Array, place: Array, margin: Array, dt: Array) -> Array:
    """1 once a body will be further than a quarter of the margin from where neighbors were looked for."""
    way = pose[9:] + dt[0] * free[:3] - place
    return array([select(16 * (way @ way) > margin[0] * margin[0], 1.0, stale[0])])


def neighbors(here: Array, there: Array, reach1: Array, reach2: Array) -> Array:
    """1 if two bodies may meet before neighbors are looked for again."""
    way, most = here - there, reach1[0] + reach2[0]
    return array([select(way @ way < most * most, 1.0, 0.0)])


def point_velocity(twist: Array, pose: Array, point: Array) -> Array:
    """Velocity of a point of a body, in world axes."""
    return twist[:3] + cross(twist[3:], point - pose[9:])


def energies(sums: Array, inertia: Array, before: Array, after: Array) -> Array:
    """Sums of Vᵀ M d and dᵀ M d, with d the change of the velocity V."""
    d, I = after - before, inertia[1:].reshape(3, 3)
    momentum = np.concatenate([inertia[0] * d[:3], I @ d[3:]])
    return sums + array([before @ momentum, d @ momentum])


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


def swept(
    J1: Array, J2: Array, twist1: Array, twist2: Array, G: Array, b: Array, x: Array, old: Array, mu: Array,
    flag: Array, done: Array, norm: Array,
) -> tuple[Array, ...]:  # fmt: skip
    """The change of the impulse of a contact, the others held, and its product with that since before the last."""
    s = velocity(J1, J2, twist1, twist2) + array([0, 0, b[0]])
    here = select(done[0] > 0.5, 0.0, flag[0])
    change = array([select(here > 0.5, a, 0.0) for a in solved(G, s, x, mu) - x])
    return change, array([norm[0] + G[8] * (change @ (x + change - old))])


def pushed(twist1: Array, twist2: Array, Y1: Array, Y2: Array, d: Array) -> tuple[Array, Array]:
    """Velocities of both bodies after an impulse."""
    return twist1 + d @ Y1.reshape(3, 6), twist2 - d @ Y2.reshape(3, 6)


def moved(x: Array, d: Array, twist1: Array, twist2: Array, Y1: Array, Y2: Array) -> tuple[Array, Array, Array]:
    """The impulse after a change, and the velocities of both bodies."""
    return x + d, *pushed(twist1, twist2, Y1, Y2, d)
