"""A connection that lets nothing move, and whose force a sensor measures."""

import numpy as np

from ..algebra.scalars import Array, eye, zeros
from ..inputs.labels import SPATIAL
from .base import Joint


class Held(Joint):
    """No coordinates, v = 0; tau is the wrench [force; moment] on the body beyond it, in that body's axes."""

    nq, nv = 0, 6
    senses = True
    velocities = SPATIAL

    @property
    def S(self) -> Array:
        return eye(6)

    def rate(self, q: Array, v: Array) -> Array:
        return zeros(0)

    def integrate(self, q: Array, v: Array) -> Array:
        return q

    def difference(self, q0: Array, q1: Array) -> Array:
        return zeros(6)

    def sample(self, rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
        return np.zeros((*shape, 0))
