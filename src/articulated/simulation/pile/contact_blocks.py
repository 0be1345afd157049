"""Blocks of the contacts of a step of a pile, on any scalar: where they are, which act, and their terms."""

from typing import Any

import numpy as np

from ...algebra.scalars import Array, array, greatest, least, select, sqrt, total, zeros
from ...geometry.bricks import axes_off
from ...geometry.manifolds import FAR
from ...geometry.table import PAIRINGS
from ..contact.dynamics import LEAST_GRAVITY, drift, unflat
from ..contact.surfaces import FLAT, Surface
from ..contact.terms import acting as force
from ..contact.terms import met
from . import blocks

#: contacts of two boxes
CORNERS = PAIRINGS["box", "box"].points
#: distance over which an impulse of the step before is taken over by a contact, of the smallest half edge of two boxes
ABOUT = 0.05


def slowest(gravity: Array, dt: Array) -> Array:
    """Velocity that gravity adds in a step: the smallest scale of residuals."""
    return array([dt[0] * sqrt(greatest(gravity @ gravity, LEAST_GRAVITY * LEAST_GRAVITY))])


def world(v: Array, pose: Array) -> Array:
    """A velocity in world axes."""
    R = pose[:9].reshape(3, 3)
    return np.concatenate([R @ v[:3], R @ v[3:]])


def neighbors(here: Array, there: Array, reach1: Array, reach2: Array, impulses: Array) -> tuple[Array, ...]:
    """1 if two bodies may meet before neighbors are looked for again, for each of their contacts too; impulses."""
    way, most = here - there, reach1[0] + reach2[0]
    near = select(way @ way < most * most, 1.0, 0.0)
    return array([near]), array([near] * (len(impulses) // 3)), near * impulses


def on_ground(
    kind: str, surface: Surface, pose: Array, numbers: Array, friction: Array, bounce: Array, ground: Array
) -> tuple[Array, ...]:
    """Contacts of a shape with the ground, and their laws."""
    laws = np.concatenate([array([mu, e]) for mu, e in zip(friction, bounce, strict=True)])
    return *met(kind, surface, numbers, pose, ground=ground)[:3], laws


def on_pair(kind: str, pose1: Array, pose2: Array, numbers: Array, pair: Array) -> tuple[Array, ...]:
    """Contacts of two shapes, and their law."""
    found = met(kind, FLAT, numbers, pose1, pose2)[:3]
    return *found, np.concatenate([pair] * len(found[0]))


def ball_on_body(pose1: Array, pose2: Array, shape1: Array, shape2: Array, between: Array) -> tuple[Array, ...]:
    """A contact of a ball and a body, and its law."""
    point = blocks.ball_on_body(unflat(pose1), unflat(pose2), shape1, shape2)
    return array([point.gap]), point.position, axes_off(point.normal).ravel(), between[:2]


def box_on_box(pose1: Array, pose2: Array, shape1: Array, shape2: Array, between: Array) -> tuple[Array, ...]:
    """The contacts of two boxes, and their law."""
    points = blocks.box_on_box(unflat(pose1), unflat(pose2), shape1, shape2)
    positions = np.concatenate([point.position for point in points])
    frames = np.concatenate([axes_off(point.normal).ravel() for point in points])
    return array([point.gap for point in points]), positions, frames, np.concatenate([between[:2]] * CORNERS)


def matched(gap: Array, position: Array, last: Array, spot: Array, shape1: Array, shape2: Array) -> Array:
    """Impulses of the step before where the contacts of two boxes are now, which may come in another order.

    Each goes in equal parts to the contacts that are about where it acted.
    """
    smallest = least(least(shape1[0], least(shape1[1], shape1[2])), least(shape2[0], least(shape2[1], shape2[2])))
    close = ABOUT * smallest * ABOUT * smallest
    here, before, found = position.reshape(-1, 3), spot.reshape(-1, 3), [zeros(3) for _ in range(CORNERS)]
    present = [select(x < FAR / 2, 1.0, 0.0) for x in gap]
    for there, impulse in zip(before, last.reshape(-1, 3), strict=True):
        near = [select((x - there) @ (x - there) < close, y, 0.0) for x, y in zip(here, present, strict=True)]
        each = impulse / greatest(total(near), 1.0)
        found = [x + y * each for x, y in zip(found, near, strict=True)]
    return np.concatenate(found)


def parted(acts: Array, mask1: Array, mask2: Array) -> tuple[Array, Array]:
    """Whether a contact acts on free bodies alone, or on a robot."""
    robots = select(mask1 @ mask1 + mask2 @ mask2 > 0, acts[0], 0.0)
    return array([acts[0] - robots]), array([robots])


def unseen(
    pose1: Array, pose2: Array, middle1: Array, middle2: Array, radius1: Array, radius2: Array
) -> tuple[Array, ...]:
    """Record of two shapes that are not near: their distance at least."""
    way = unflat(pose1).point(middle1) - unflat(pose2).point(middle2)
    none = array([0.0] * 3)
    return array([sqrt(way @ way) - radius1[0] - radius2[0]]), none, none, none, array([0.0])


def seen(gap: Array, position: Array, frame: Array) -> tuple[Array, ...]:
    """Record of a contact with the ground; no force yet."""
    return gap, position, frame[6:], array([0.0] * 3), array([0.0])


def closing(
    gap: Array, position: Array, frame: Array, pose1: Array, pose2: Array, twist1: Array, twist2: Array, dt: Array,
    slowest: Array,
) -> Any:  # fmt: skip
    """Velocity by which a contact would be too deep after the step."""
    velocity = blocks.point_velocity(twist1, pose1, position) - blocks.point_velocity(twist2, pose2, position)
    return -(frame[6:] @ velocity) - drift(gap[0], dt[0], slowest[0])


def own_terms(
    J1: Array, J2: Array, free1: Array, free2: Array, gap: Array, own: Array, acts: Array, last: Array, dt: Array,
    slowest: Array,
) -> tuple[Array, ...]:  # fmt: skip
    """u, c, the law, and the impulse to begin with."""
    u = blocks.velocity(J1, J2, free1, free2)
    c = array([u[0], u[1], u[2] + drift(gap[0], dt[0], slowest[0])])
    return u, c, np.concatenate([own[:1], zeros(8) + 0.0, acts]), acts[0] * last


def bouncing(
    J1: Array, J2: Array, was1: Array, was2: Array, u: Array, c: Array, gap: Array, own: Array, acts: Array,
    between: Array, dt: Array,
) -> tuple[Array, Array]:  # fmt: skip
    """c of a contact that arrives faster than `slow` and would be too deep after the step, and its restitution."""
    arriving = blocks.velocity(J1, J2, was1, was2)[2]
    bounces = select(u[2] + gap[0] / dt[0] < 0, select(arriving < -between[2], own[1], 0.0), 0.0)
    hard = acts[0] * bounces
    return array([c[0], c[1], select(hard > 0, u[2] + hard * arriving, c[2])]), array([hard])


def acting(
    last: Array, J1: Array, J2: Array, twist1: Array, twist2: Array, frame: Array, dt: Array, slowest: Array
) -> tuple[Array, Array]:
    """The force of a contact in world axes, and whether it is open (0), sticks (1) or slides (2)."""
    return force(last, blocks.velocity(J1, J2, twist1, twist2), frame, dt, slowest)
