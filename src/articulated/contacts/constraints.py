"""Contacts as equations: J v = 0, J a + J̇ v = 0, and how far a configuration is from meeting them; any scalar.

USP lecture, S3.18, S3.22: a row of J is the velocity a contact forbids, per unit v.  Laws are differentiated by their
residuals, which vanish while contacts hold, as functions of all their arguments: a law finds some of these from the
others, and what it finds is held fixed at first.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ..algebra.rotations import cross, rotation_between
from ..algebra.scalars import Array, array, atan2, exact_array, eye, select, sqrt, zeros
from ..algebra.spatial import Transform
from ..algorithms.fast.moments import inverse_dynamics_by_moments
from ..algorithms.inverse_dynamics import inverse_dynamics
from ..algorithms.jacobians import jacobian
from ..algorithms.kinematics import accelerations, upwards, velocities, world_poses
from ..model import Body, Model
from ..model.with_numbers import weightless
from .kinds import XYZ, Axis, Contact

Contacts = Sequence[Contact]


def constraint_jacobian(model: Model, q: Array, contacts: Contacts) -> Array:
    """J: velocity in the forbidden directions per unit v.  (k, nv)."""
    poses = _Poses(model, q)
    rows = [zeros(0, model.nv)]
    for contact in contacts:
        J = jacobian(model, q, contact.frame)
        if contact.other is not None:
            J = J - jacobian(model, q, contact.other)
        rows += [_rows(contact.linear) @ J[:3], _turned(contact, poses) @ J[3:]]
    return exact_array(np.concatenate(rows))


def constraint_acceleration(model: Model, q: Array, v: Array, a: Array, contacts: Contacts) -> Array:
    """J a + J̇ v: acceleration in the forbidden directions.  (k,)."""
    poses = _Poses(model, q)
    moving = {b: (r, U) for b, _, r, U in accelerations(model, q, v, a)}
    rows = [zeros(0)]
    for contact in contacts:
        linear, angular = _acceleration(poses, moving, contact.frame)
        if contact.other is not None:
            other_linear, other_angular = _acceleration(poses, moving, contact.other)
            linear, angular = linear - other_linear, angular - other_angular
            if contact.turning:
                # seen from axes that turn with the frame
                V, bodies = velocities(model, q, v)[1], (model.frame(x).body for x in (contact.frame, contact.other))
                turn, other_turn = (poses.bodies[b].R @ V[b][3:] for b in bodies)
                angular = angular - cross(turn, turn - other_turn)
        rows += [_rows(contact.linear) @ linear, _turned(contact, poses) @ angular]
    return np.concatenate(rows)


def constraint_bias(model: Model, q: Array, v: Array, contacts: Contacts) -> Array:
    """J̇ v: acceleration in the forbidden directions if v does not change.  (k,)."""
    return constraint_acceleration(model, q, v, zeros(model.nv), contacts)


def constraint_poses(model: Model, q: Array, contacts: Contacts) -> Array:
    """Poses of the frames of the contacts.  (m, 4, 4)."""
    poses = _Poses(model, q)
    return np.stack([poses[contact.frame].matrix() for contact in contacts]) if contacts else zeros(0, 4, 4)


def constraint_drift(model: Model, q: Array, anchors: Array, contacts: Contacts) -> Array:
    """Displacement of the contacts along the forbidden directions: from `anchors`, or a loop from closed.  (k,).

    `anchors` is the result of `constraint_poses` when the contacts were made, as one row of numbers.
    """
    poses = _Poses(model, q)
    rows = [zeros(0)]
    for contact, anchor in zip(contacts, anchors.reshape(-1, 4, 4), strict=True):
        here = poses[contact.frame]
        there = Transform.computed(anchor[:3, :3], anchor[:3, 3]) if contact.other is None else poses[contact.other]
        along, about = here.p - there.p, rotation_between(there.R, here.R)
        if contact.turning:
            about = _tilt(contact, there.R, here.R)
        rows += [_rows(contact.linear) @ along, _turned(contact, poses) @ about]
    return np.concatenate(rows)


class Held(NamedTuple):
    """A contact that shall not drift from its anchor, a pose; the meaning of its rows is that of the contact."""

    contact: Contact

    @property
    def name(self) -> str:
        """The frame, or both frames of a loop."""
        return self.contact.name

    @property
    def rows(self) -> int:
        """Number of rows of the error."""
        return self.contact.size

    @property
    def size(self) -> int:
        """Number of entries of the anchor, a matrix (4, 4)."""
        return 16

    def errors(self, model: Model, q: Array, wanted: Array) -> tuple[Array, Array]:
        """Distance from its anchor, and the rate at which v reduces it."""
        held = [self.contact]
        return -constraint_drift(model, q, wanted, held), constraint_jacobian(model, q, held)


class RowAxes:
    """The rows of contacts written in the axes of a floating base in place of the world's.

    J at `q` then holds exact ones and zeros where the base moves a contact along, and no rotation of the base
    anywhere.  Rows that are not whole vectors (a single direction of the world) cannot be turned: all stay as they are.
    """

    def __init__(self, model: Model, q: Array, contacts: Contacts):
        self.model, self.q, self.contacts = model, q, contacts
        self.R, self.turned = eye(3), False
        if not model.bodies or not all(_is_whole(model, contact) for contact in contacts):
            return
        base, *others = model.bodies
        if base.joint.floats and all(b.parent for b in others):
            self.q = np.concatenate([base.joint.neutral(), q[base.joint.nq :]])
            self.R, self.turned = base.transform(q).R @ base.transform(self.q).R.T, True

    def to_world(self, rows: Array) -> Array:
        """Rows of forces or rates (or of a matrix) in world axes."""
        return self._turned(self.R, rows)

    def from_world(self, rows: Array) -> Array:
        """The other way."""
        return self._turned(self.R.T, rows)

    def _turned(self, R: Array, rows: Array) -> Array:
        out, start = rows.copy(), 0
        for contact in self.contacts:
            vectors = [start, start + 3] if contact.angular and not contact.turning else [start]
            for i in vectors if self.turned else ():
                out[i : i + 3] = R @ rows[i : i + 3]
            start += contact.size
        return out


def _is_whole(model: Model, contact: Contact) -> bool:
    """True if its rows are whole vectors, between bodies that the base carries."""
    frames = [name for name in (contact.frame, contact.other) if name is not None]
    whole = contact.linear == XYZ and (contact.turning or contact.angular in ((), XYZ))
    return whole and all(model.frame(name).body for name in frames)


class _Poses(dict):
    """Pose of any frame in the world, found when first asked for."""

    def __init__(self, model: Model, q: Array):
        self.model, self.q, self.bodies = model, q, world_poses(model, q)

    def __missing__(self, name: str) -> Transform:
        frame = self.model.frame(name)
        self[name] = self.bodies[frame.body] @ frame.placement
        return self[name]


def _acceleration(poses: _Poses, moving: dict[Body, tuple], name: str) -> tuple[Array, Array]:
    """Linear acceleration of a frame's origin, and angular; world axes."""
    frame = poses.model.frame(name)
    if frame.body is None:
        return zeros(3), zeros(3)
    R, (r, U) = poses.bodies[frame.body].R, moving[frame.body]
    linear = R @ (r + U @ frame.placement.p) - upwards(poses.model)[:3]
    # the skew part of [alpha]x + [omega]x [omega]x
    alpha = array([(U[j, i] - U[i, j]) / 2 for i, j in ((1, 2), (2, 0), (0, 1))])
    return linear, R @ alpha


def _tilt(contact: Contact, start: Array, end: Array) -> Array:
    """The rotation, in world axes, that takes the axis a contact may turn about from `start` to `end`."""
    axis = exact_array(np.cross(*np.array(contact.angular, float)), 1e-15)
    before, after = start @ axis, end @ axis
    sine, cosine = cross(before, after), before @ after
    squared = (sine * sine).sum()
    small = squared < 1e-24
    length = sqrt(select(small, 1.0, squared))
    # upside down there is no shortest way: any across the axis
    flipped = select(small, select(cosine < 0, math.pi, 0.0), 0.0)
    across = start @ exact_array(array(contact.angular[0]), 1e-15)
    return sine * select(small, 1.0, atan2(length, cosine) / length) + flipped * across


def _turned(contact: Contact, poses: _Poses) -> Array:
    """The directions a contact does not turn about, in world axes."""
    return _rows(contact.angular) @ poses[contact.frame].R.T if contact.turning else _rows(contact.angular)


def _rows(directions: tuple[Axis, ...]) -> Array:
    return exact_array(array(directions), 1e-15) if directions else zeros(0, 3)


class Residual(NamedTuple):
    """Generalized forces that are not balanced (nv,), and the rows of the contacts (k,)."""

    forces: Array
    rows: Array


Recursion = Callable[..., Array]


def motion_residual(
    model: Model,
    q: Array,
    v: Array,
    a: Array,
    row_forces: Array,
    contacts: Contacts,
    rate: Array | None = None,
    forces: Mapping[str, Array] = {},
    recursion: Recursion = inverse_dynamics,
) -> Residual:
    """M a + h - Jᵀ λ, and J a + J̇ v + rate J v."""
    needed = recursion(model, q, v, a, forces)
    J = constraint_jacobian(model, q, contacts)
    return Residual(
        needed - J.T @ row_forces,
        constraint_acceleration(model, q, v, a if rate is None else a + rate[0] * v, contacts),
    )


def impact_residual(
    model: Model,
    q: Array,
    change: Array,
    row_forces: Array,
    along: Array,
    contacts: Contacts,
    recursion: Recursion = inverse_dynamics,
) -> Residual:
    """M (v₊ - v) - Jᵀ λ, and J (v₊ + restitution v)."""
    needed = recursion(weightless(model), q, zeros(model.nv), change)
    J = constraint_jacobian(model, q, contacts)
    return Residual(needed - J.T @ row_forces, J @ along)


#: the same in fewer operations, on the regrouped model
FORMULATIONS: dict[Any, Callable[..., Residual]] = {
    residual: partial(residual, recursion=inverse_dynamics_by_moments)
    for residual in (motion_residual, impact_residual)
}
