"""A joint law: errors of the actuated joints, springs and dampers on them, and torques on a plant.

A plant gives torques of the actuated joints: of a fixed base in one state on any scalar, or of contacts on arrays.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...algebra.scalars import Array, zeros
from ...algorithms.configuration import difference
from ...algorithms.inverse_dynamics import inverse_dynamics
from ...contacts import Contacts
from ...model import Model

Floats = NDArray[np.floating]


class Torques(NamedTuple):
    """tau = feedforward + feedback, of the actuated joints."""

    tau: Floats
    feedforward: Floats
    feedback: Floats


class Errors(NamedTuple):
    """State and error of a robot as a joint law sees them; the last three of the actuated joints."""

    q: Array
    v: Array
    a_ref: Array  # planned acceleration, (nv,)
    error: Array  # from q to q_ref
    rate: Array  # v_ref - v
    feedback: Array  # Kp error + Kd rate


class FixedBase(NamedTuple):
    """A robot all of whose joints have motors."""

    model: Model
    recursion: Callable[..., Array] = inverse_dynamics

    def inverse_dynamics(self, q: Array, v: Array, a: Array, more: Array | int = 0) -> Array:
        """Torques for the acceleration a, and `more` of it at the actuated joints."""
        return self.recursion(self.model, q, v, a + more)

    def gravity_forces(self, q: Array) -> Array:
        """Torques that carry the weight."""
        still = zeros(self.model.nv)
        return self.recursion(self.model, q, still, still)


class OnContacts(NamedTuple):
    """A robot on contacts that hold: least torques, for the nearest acceleration with which the contacts stay."""

    contacts: Contacts
    motors: NDArray[np.intp]  # velocities with a motor

    def inverse_dynamics(self, q: Floats, v: Floats, a: Floats, more: Floats | int = 0) -> Floats:
        """Torques for the acceleration a, and `more` of it at the actuated joints."""
        wanted = a.copy()
        wanted[..., self.motors] += more
        return self.contacts.inverse_dynamics(q, v, self.contacts.acceleration(q, v, wanted)).tau

    def gravity_forces(self, q: Floats) -> Floats:
        """Torques that carry the weight."""
        still = np.zeros((*q.shape[:-1], self.contacts.robot.nv))
        return self.contacts.inverse_dynamics(q, still, still).tau


class JointLaw(NamedTuple):
    """`torques(plant, errors, **options)` of a law, and its gains: diagonals (n,) or all entries (n²,) of Kp and Kd."""

    torques: Callable[..., Torques]
    stiffness: Any
    damping: Any
    options: Mapping[str, Any]

    def on(self, plant: Any, q: Any, v: Any, a_ref: Any, error: Any, rate: Any) -> Torques:
        """Torques on a plant in a state."""
        back = _applied(self.stiffness, error) + _applied(self.damping, rate)
        return self.torques(plant, Errors(q, v, a_ref, error, rate, back), **self.options)


def law_of_fixed_base(
    model: Model,
    q: Array,
    v: Array,
    q_ref: Array,
    v_ref: Array,
    a_ref: Array,
    stiffness: Array,
    damping: Array,
    torques: Callable[..., Torques],
    recursion: Callable[..., Array] = inverse_dynamics,
    **options: Any,
) -> Torques:
    """A law in one state on any scalar: what its kernel computes."""
    law, error = JointLaw(torques, stiffness, damping, options), difference(model, q, q_ref)
    return law.on(FixedBase(model, recursion), q, v, a_ref, error, v_ref - v)


def _applied(K: Any, e: Any) -> Any:
    n = e.shape[-1]
    return K * e if len(K) == n else e @ K.reshape(n, n).T
