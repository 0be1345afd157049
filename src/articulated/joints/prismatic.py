"""Translation along one axis."""

import numpy as np

from ..algebra.scalars import Array, zeros
from ..algebra.spatial import IDENTITY, Transform
from .base import AxisJoint


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
