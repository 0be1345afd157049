"""Rotation about one axis."""

import numpy as np

from ..algebra.rotations import axis_angle
from ..algebra.scalars import Array, zeros
from ..algebra.spatial import Transform
from .base import AxisJoint


class Revolute(AxisJoint):
    """Rotation by q about `axis`."""

    nq = nv = 1
    turns = True

    @property
    def S(self) -> Array:
        return np.concatenate([zeros(3), self.axis])[:, None]

    def transform(self, q: Array) -> Transform:
        return Transform.computed(axis_angle(self.axis, q[0]), zeros(3))
