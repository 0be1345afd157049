"""Any rotation about a point."""

import numpy as np

from ..algebra.rotations import (
    cross,
    exponential_quaternion,
    normalized,
    quaternion,
    quaternion_product,
    rotation_vector,
)
from ..algebra.scalars import Array, Scalar, array, eye, sqrt, zeros
from ..algebra.spatial import Transform
from .base import Joint


class Spherical(Joint):
    """q = quaternion (x, y, z, w); v = angular velocity in the axes of the moved body."""

    nq, nv = 4, 3
    quaternion = slice(0, 4)
    coordinates = ("qx", "qy", "qz", "qw")
    velocities = ("rx", "ry", "rz")

    @property
    def S(self) -> Array:
        S = zeros(6, 3)
        S[3:] = eye(3)
        return S

    def transform(self, q: Array) -> Transform:
        return Transform.computed(quaternion(q), zeros(3))

    def neutral(self) -> Array:
        return array([0, 0, 0, 1])

    def rate(self, q: Array, v: Array) -> Array:
        return quaternion_product(q, array([*v, 0])) / 2

    def integrate(self, q: Array, v: Array) -> Array:
        return normalized(quaternion_product(q, exponential_quaternion(v)))

    def difference(self, q0: Array, q1: Array) -> Array:
        back = array([-q0[0], -q0[1], -q0[2], q0[3]])
        return rotation_vector(normalized(quaternion_product(back, q1)))

    def steadied(self, f: Array, v: Array, dt: Scalar) -> Array:
        turn = dt / 2 * v
        return f - cross(turn, cross(turn, f)) / (1 + sqrt(1 + turn @ turn))

    def midway(self, q: Array, v: Array, dt: Scalar) -> tuple[Array, Array]:
        turn = dt / 2 * v
        return normalized(quaternion_product(q, array([*turn, 1 + sqrt(1 + turn @ turn)]))), v

    def arrival(self, q: Array, middle: Array, v: Array, mean: Array, dt: Scalar) -> tuple[Array, Array]:
        return normalized(quaternion_product(q, array([*(dt / 2 * mean), 1]))), v

    def halfway(self, q: Array, d: Array) -> tuple[Array, Array]:
        turn = half_turns(d)[0]
        middle = normalized(array([*(d / 2), 1 + turn]))
        return (
            normalized(quaternion_product(q, middle)),
            normalized(quaternion_product(q, array([*(d / 2), turn]))),
        )

    def momenta(self, d: Array, p: Array, f: Array) -> tuple[Array, Array]:
        # with rotations e0 and e1 of the ends: δd = c (e1 - e0) + d/2 × (e1 + e0), 2 δq = e0 + e1 + k × (e1 - e0)
        c, k = half_turns(d)
        forward, turned = c * p + cross(f, k) / 2, (cross(p, d) + f) / 2
        return forward - turned, forward + turned

    def sample(self, rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
        q = rng.normal(size=(*shape, 4))
        return q / np.linalg.norm(q, axis=-1, keepdims=True)


def half_turns(d: Array) -> tuple[Scalar, Array]:
    """Rotation by the quaternion (d/2, c): c, the cosine of half its angle, and the tangent vector of a quarter."""
    c = sqrt(1 - (d * d).sum() / 4)
    return c, d / (2 * (1 + c))
