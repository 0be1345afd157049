"""Joints about and along one axis, and none: welded, turning, sliding, both."""

from __future__ import annotations  # help shows types as they are written here

from dataclasses import dataclass
from typing import Unpack

import numpy as np

from ..algebra.rotations import axis_angle
from ..algebra.scalars import Array, Scalar, Vector, zeros
from ..algebra.spatial import IDENTITY, Transform
from ..inputs import numbers
from .base import AxisJoint, Joint, JointData


class Fixed(Joint):
    """Welds a link to its parent; for the dynamics the two become one body."""


class Revolute(AxisJoint):
    """Rotation by q about `axis`."""

    nq = nv = 1
    turns = True

    @property
    def S(self) -> Array:
        return np.concatenate([zeros(3), self.axis])[:, None]

    def transform(self, q: Array) -> Transform:
        return Transform.computed(axis_angle(self.axis, q[0]), zeros(3))


class Continuous(Revolute):
    """A revolute joint that never reaches a limit; its coordinate is one angle, of any size."""


class Prismatic(AxisJoint):
    """Translation by q along `axis`."""

    nq = nv = 1
    slides = True
    span = 1.0

    @property
    def S(self) -> Array:
        return np.concatenate([self.axis, zeros(3)])[:, None]

    def transform(self, q: Array) -> Transform:
        return Transform.computed(IDENTITY.R, q[0] * self.axis)


@dataclass(frozen=True, eq=False, init=False)
class Helical(AxisJoint):
    """Rotation by q about `axis` and translation by `pitch` × q along it (meters per radian)."""

    nq = nv = 1
    pitch: Scalar = 0

    def __init__(self, axis: Vector = (0, 0, 1), pitch: Scalar = 0, **data: Unpack[JointData]):
        super().__init__(axis, **data)
        object.__setattr__(self, "pitch", numbers.scalar("pitch of a Helical", pitch))

    @property
    def S(self) -> Array:
        return np.concatenate([self.pitch * self.axis, self.axis])[:, None]

    def transform(self, q: Array) -> Transform:
        return Transform.computed(axis_angle(self.axis, q[0]), self.pitch * q[0] * self.axis)


class Cylindrical(AxisJoint):
    """q = (translation along `axis`, rotation about it)."""

    nq = nv = 2

    @property
    def S(self) -> Array:
        along = np.concatenate([self.axis, zeros(3)])
        about = np.concatenate([zeros(3), self.axis])
        return np.stack([along, about], axis=1)

    def transform(self, q: Array) -> Transform:
        return Transform.computed(axis_angle(self.axis, q[1]), q[0] * self.axis)
