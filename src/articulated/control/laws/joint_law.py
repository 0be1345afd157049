"""A joint law: errors of the actuated joints, springs and dampers on them, and torques on a plant.

A plant gives torques of the actuated joints: of a fixed base in one state on any scalar, or of contacts on arrays.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...algebra.scalars import Array, array, sign, sqrt, zeros
from ...algorithms.configuration import difference
from ...algorithms.inverse_dynamics import inverse_dynamics
from ...contacts import Contacts
from ...model import Model

Floats = NDArray[np.floating]
#: what a law does about damping and dry friction of the joints
JOINT_FRICTION = ("reference", "ignored", "compensated")
#: rad/s or m/s at which the compensation of dry friction has 70 % of its whole size
SLOW = 0.01


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


def coefficients(model: Model) -> tuple[Array, Array]:
    """Damping and dry friction felt by every velocity, (nv,) each."""
    damping, dry = zeros(model.nv), zeros(model.nv)
    for b in model.bodies:
        damping[b.dofs] += b.multiplier**2 * b.damping
        dry[b.dofs] += abs(b.multiplier) * b.friction
    return damping, dry


class FixedBase(NamedTuple):
    """A robot all of whose joints have motors."""

    model: Model
    recursion: Callable[..., Array] = inverse_dynamics
    friction: str = "compensated"
    v_ref: Any = 0

    def inverse_dynamics(self, q: Array, v: Array, a: Array, more: Array | int = 0) -> Array:
        """Torques for the acceleration a, and `more` of it at the actuated joints."""
        tau, (damping, dry) = self.recursion(self.model, q, v, a + more), coefficients(self.model)
        if self.friction != "compensated" and any([*damping, *dry]):
            tau = tau - (damping * v + dry * array([sign(x) for x in v]))
            if self.friction == "reference":
                tau = tau + damping * self.v_ref + dry * array([x / sqrt(x * x + SLOW**2) for x in self.v_ref])
        return tau

    def gravity_forces(self, q: Array) -> Array:
        """Torques that carry the weight."""
        still = zeros(self.model.nv)
        return self.recursion(self.model, q, still, still)


class OnContacts(NamedTuple):
    """A robot on contacts that hold: least torques, for the nearest acceleration with which the contacts stay."""

    contacts: Contacts  # whose joints have the friction that is compensated at the measured velocity
    motors: NDArray[np.intp]  # velocities with a motor
    model: Model
    friction: str = "compensated"
    v_ref: Any = 0

    def inverse_dynamics(self, q: Floats, v: Floats, a: Floats, more: Floats | int = 0) -> Floats:
        """Torques for the acceleration a, and `more` of it at the actuated joints."""
        wanted = a.copy()
        wanted[..., self.motors] += more
        tau = self.contacts.inverse_dynamics(q, v, self.contacts.acceleration(q, v, wanted)).tau
        if self.friction == "reference":
            (damping, dry), rate = coefficients(self.model), self.v_ref
            tau = tau + (damping * rate + dry * rate / np.sqrt(rate * rate + SLOW**2)).astype(float)[..., self.motors]
        return tau

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
    friction: str = "compensated",
    **options: Any,
) -> Torques:
    """A law in one state on any scalar: what its kernel computes."""
    law, error = JointLaw(torques, stiffness, damping, options), difference(model, q, q_ref)
    return law.on(FixedBase(model, recursion, friction, v_ref), q, v, a_ref, error, v_ref - v)


def _applied(K: Any, e: Any) -> Any:
    n = e.shape[-1]
    return K * e if len(K) == n else e @ K.reshape(n, n).T
