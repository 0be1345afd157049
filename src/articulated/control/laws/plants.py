"""Plants of joint laws: the dynamics of the actuated joints, of a fixed base on any scalar or of contacts on arrays."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...algebra.scalars import Array, zeros
from ...algorithms.configuration import difference
from ...algorithms.coriolis import coriolis_matrix
from ...algorithms.inverse_dynamics import inverse_dynamics
from ...contacts import Contacts
from ...model import Model


class FixedBase(NamedTuple):
    """A robot all of whose joints have motors; one state, any scalar."""

    model: Model
    recursion: Callable[..., Array] = inverse_dynamics

    def actuated(self, x: Array) -> Array:
        """Components of the joints with motors: all."""
        return x

    def all_joints(self, x: Array) -> Array:
        """Numbers of the actuated joints, as those of every velocity."""
        return x

    def difference(self, q: Array, q_ref: Array) -> Array:
        """Tangent vector from q to q_ref, (nv,): rad, m."""
        return difference(self.model, q, q_ref)

    def inverse_dynamics(self, q: Array, v: Array, a: Array) -> Array:
        """M a + h, (nv,): N m, N."""
        return self.recursion(self.model, q, v, a)

    def gravity_forces(self, q: Array) -> Array:
        """g(q), (nv,): N m, N."""
        still = zeros(self.model.nv)
        return self.recursion(self.model, q, still, still)

    def coriolis_forces(self, q: Array, v: Array, rate: Array) -> Array:
        """C(q, v) rate with Ṁ - 2 C skew, (nv,): N m, N."""
        return coriolis_matrix(self.model, q, v) @ rate


class OnContacts(NamedTuple):
    """A robot on contacts that hold; arrays (…, n).  Accelerations are the nearest with which the contacts stay."""

    contacts: Contacts
    motors: NDArray[np.intp]  # velocities with a motor

    def actuated(self, x: Any) -> Any:
        """Components of the joints with motors."""
        return x[..., self.motors]

    def all_joints(self, x: Any) -> Any:
        """Numbers of the actuated joints, as those of every velocity: zeros for the others."""
        whole = np.zeros((*x.shape[:-1], self.contacts.robot.nv))
        whole[..., self.motors] = x
        return whole

    def difference(self, q: Any, q_ref: Any) -> Any:
        """Tangent vectors from q to q_ref, (…, nv): rad, m."""
        return self.contacts.robot.difference(q, q_ref)

    def inverse_dynamics(self, q: Any, v: Any, a: Any) -> Any:
        """Least torques for the acceleration, (…, n): N m, N."""
        return self.contacts.inverse_dynamics(q, v, self.contacts.acceleration(q, v, a)).tau

    def gravity_forces(self, q: Any) -> Any:
        """Least torques that carry the weight, (…, n): N m, N."""
        still = np.zeros((*q.shape[:-1], self.contacts.robot.nv))
        return self.contacts.inverse_dynamics(q, still, still).tau
