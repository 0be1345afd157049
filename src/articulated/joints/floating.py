"""Free motion in space."""

import numpy as np

from ..algebra.rotations import cross, exponential_quaternion, inverse_left_jacobian, left_jacobian, quaternion
from ..algebra.scalars import Array, Scalar, array, eye, zeros
from ..algebra.spatial import Transform
from ..inputs.labels import SPATIAL
from .base import Joint
from .spherical import Spherical, half_turns


class Floating(Joint):
    """q = (position, quaternion x y z w); v = [linear; angular] velocity in the body's own axes."""

    nq, nv = 7, 6
    floats = True
    quaternion = slice(3, 7)
    coordinates = ("x", "y", "z", "qx", "qy", "qz", "qw")
    velocities = SPATIAL
    _rotation = Spherical()

    @property
    def S(self) -> Array:
        return eye(6)

    def transform(self, q: Array) -> Transform:
        return Transform.computed(quaternion(q[3:]), q[:3])

    def neutral(self) -> Array:
        return np.concatenate([zeros(3), self._rotation.neutral()])

    def rate(self, q: Array, v: Array) -> Array:
        return np.concatenate([quaternion(q[3:]) @ v[:3], self._rotation.rate(q[3:], v[3:])])

    def integrate(self, q: Array, v: Array) -> Array:
        step = quaternion(q[3:]) @ left_jacobian(v[3:], v[:3])
        return np.concatenate([q[:3] + step, self._rotation.integrate(q[3:], v[3:])])

    def straight(self, q: Array, v: Array, dt: Scalar) -> tuple[Array, Array]:
        way = quaternion(q[3:]) @ v[:3]
        turned = quaternion(exponential_quaternion(dt * v[3:])).T @ v[:3]
        return (
            np.concatenate([q[:3] + dt * way, self._rotation.integrate(q[3:], dt * v[3:])]),
            np.concatenate([turned, v[3:]]),
        )

    def steadied(self, f: Array, v: Array, dt: Scalar) -> Array:
        return np.concatenate([f[:3], self._rotation.steadied(f[3:], v[3:], dt)])

    def midway(self, q: Array, v: Array, dt: Scalar) -> tuple[Array, Array]:
        way = quaternion(q[3:]) @ v[:3]
        turned, angular = self._rotation.midway(q[3:], v[3:], dt)
        return np.concatenate([q[:3] + dt / 2 * way, turned]), np.concatenate([quaternion(turned).T @ way, angular])

    def arrival(self, q: Array, middle: Array, v: Array, mean: Array, dt: Scalar) -> tuple[Array, Array]:
        axes = quaternion(middle[3:])
        turned, angular = self._rotation.arrival(q[3:], middle[3:], v[3:], mean[3:], dt)
        linear = quaternion(turned).T @ (axes @ v[:3])
        return np.concatenate([q[:3] + dt * (axes @ mean[:3]), turned]), np.concatenate([linear, angular])

    def bending(self, v: Array) -> Array:
        return np.concatenate([cross(v[:3], v[3:]), zeros(3)])

    def difference(self, q0: Array, q1: Array) -> Array:
        w = self._rotation.difference(q0[3:], q1[3:])
        step = quaternion(q0[3:]).T @ (q1[:3] - q0[:3])
        return np.concatenate([inverse_left_jacobian(w, step), w])

    def stretch(self, rest: Array, q: Array) -> Array:
        return np.concatenate([quaternion(q[3:]).T @ (q[:3] - rest[:3]), self._rotation.difference(rest[3:], q[3:])])

    def halfway(self, q: Array, d: Array) -> tuple[Array, Array]:
        middle, end = self._rotation.halfway(q[3:], d[3:])
        step = quaternion(middle) @ d[:3]  # along the axes that the body has in the middle
        return np.concatenate([q[:3] + step / 2, middle]), np.concatenate([q[:3] + step, end])

    def momenta(self, d: Array, p: Array, f: Array) -> tuple[Array, Array]:
        slide, turn = d[:3], d[3:]
        c, _ = half_turns(turn)
        half = quaternion(array([*(turn / 2), 1 + c]))  # from the axes in the middle to those at the end
        before, after = self._rotation.momenta(turn, p[3:], f[3:] + cross(p[:3], slide))
        return (
            np.concatenate([half @ (p[:3] - f[:3] / 2), before]),
            np.concatenate([half.T @ (p[:3] + f[:3] / 2), after]),
        )

    def sample(self, rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
        return np.concatenate([rng.uniform(-1, 1, (*shape, 3)), self._rotation.sample(rng, shape)], axis=-1)
