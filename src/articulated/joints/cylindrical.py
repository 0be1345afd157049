"""Translation along and rotation about the same axis, independently."""

import numpy as np

from ..algebra.rotations import axis_angle
from ..algebra.scalars import Array, zeros
from ..algebra.spatial import Transform
from .base import AxisJoint


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
