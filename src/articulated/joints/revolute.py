"""Rotation about one axis."""

import numpy as np

from ..algebra.rotations import axis_angle
from ..algebra.scalars import Array, zeros
from ..algebra.spatial import Inertia, Transform
from .base import AxisJoint


class Revolute(AxisJoint):
    """Rotation by q about `axis`."""

    nq = nv = 1

    @property
    def S(self) -> Array:
        return np.concatenate([zeros(3), self.axis])[:, None]

    def transform(self, q: Array) -> Transform:
        return Transform(axis_angle(self.axis, q[0]), zeros(3))

    def shared(self, inertia: Inertia) -> Inertia:
        """A line of mass along the axis."""
        along = self.axis[:, None] * self.axis[None, :]
        first = (self.axis @ inertia.first) * self.axis
        return Inertia.from_spread(inertia.mass, first, (self.axis @ inertia.spread @ self.axis) * along)
