"""Motion in a plane: two translations and the rotation about the normal."""

import numpy as np

from ..algebra.rotations import aligning_z, axis_angle, inverse_left_jacobian, left_jacobian
from ..algebra.scalars import Array, Scalar, array, cos, sin, zeros
from ..algebra.spatial import Transform
from .base import AxisJoint


class Planar(AxisJoint):
    """q = (x, y, angle) in the plane normal to `axis`; v = (vx, vy, rate) in the moved axes.

    For a normal along z the plane's x and y are the frame's; otherwise they are the columns
    of `aligning_z(axis)`.
    """

    nq = nv = 3
    in_plane = True
    coordinates = velocities = ("x", "y", "angle")

    @property
    def S(self) -> Array:
        plane = aligning_z(self.axis)
        S = zeros(6, 3)
        S[:3, :2], S[3:, 2] = plane[:, :2], plane[:, 2]
        return S

    def transform(self, q: Array) -> Transform:
        return Transform.computed(axis_angle(self.axis, q[2]), aligning_z(self.axis)[:, :2] @ q[:2])

    def rate(self, q: Array, v: Array) -> Array:
        c, s = cos(q[2]), sin(q[2])
        return array([c * v[0] - s * v[1], s * v[0] + c * v[1], v[2]])

    def integrate(self, q: Array, v: Array) -> Array:
        step = left_jacobian([0, 0, v[2]], [v[0], v[1], 0])
        return q + self.rate(q, array([step[0], step[1], v[2]]))

    def straight(self, q: Array, v: Array, dt: Scalar) -> tuple[Array, Array]:
        c, s = cos(dt * v[2]), sin(dt * v[2])
        return q + dt * self.rate(q, v), array([c * v[0] + s * v[1], c * v[1] - s * v[0], v[2]])

    def arrival(self, q: Array, middle: Array, v: Array, mean: Array, dt: Scalar) -> tuple[Array, Array]:
        end = q + dt * self.rate(middle, mean)
        return end, self.rate(array([0, 0, middle[2] - end[2]]), v)

    def bending(self, v: Array) -> Array:
        return array([v[1] * v[2], -v[0] * v[2], 0])

    def difference(self, q0: Array, q1: Array) -> Array:
        d = q1 - q0
        c, s = cos(q0[2]), sin(q0[2])
        step = array([c * d[0] + s * d[1], c * d[1] - s * d[0], 0])
        v = inverse_left_jacobian([0, 0, d[2]], step)
        return np.concatenate([v[:2], d[2:]])

    def stretch(self, rest: Array, q: Array) -> Array:
        return self.rate(array([0, 0, -q[2]]), q - rest)  # the displacement, in the moved axes

    def halfway(self, q: Array, d: Array) -> tuple[Array, Array]:
        angle = q[2] + d[2] / 2
        step = self.rate(array([0, 0, angle]), d)  # along the axes that the body has in the middle
        return q + step / 2, q + step

    def momenta(self, d: Array, p: Array, f: Array) -> tuple[Array, Array]:
        half = array([0, 0, d[2] / 2])  # from the axes in the middle to those at the end
        moment = f[2] + p[0] * d[1] - p[1] * d[0]
        force = array([f[0], f[1], moment]) / 2
        return self.rate(half, p - force), self.rate(-half, p + force)
