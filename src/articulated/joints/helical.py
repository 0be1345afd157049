"""A screw: rotation about an axis with a proportional translation along it."""

from __future__ import annotations  # help shows types as they are written here

from dataclasses import dataclass
from typing import Unpack

import numpy as np

from ..algebra.rotations import axis_angle
from ..algebra.scalars import Array, Scalar, Vector
from ..algebra.spatial import Transform
from ..inputs import numbers
from .base import AxisJoint, JointData


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
