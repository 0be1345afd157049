"""Residual that vanishes while contacts hold, as a function of all its arguments: laws are differentiated by it.

A law finds some of these arguments from the others; where it is differentiated, what it finds is held fixed at first.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

from ..algebra.scalars import Array, zeros
from ..algorithms.fast.inverse_dynamics import inverse_dynamics_by_moments
from ..algorithms.inverse_dynamics import inverse_dynamics
from ..algorithms.kinematics import upwards
from ..model import Model
from .constraints import Contacts, constraint_acceleration, constraint_jacobian


class Residual(NamedTuple):
    """Generalized forces that are not balanced (nv,), and the rows of the contacts (k,)."""

    forces: Array
    rows: Array


def residual(
    model: Model,
    q: Array,
    row_forces: Array,
    contacts: Contacts,
    v: Any = None,
    a: Any = None,
    change: Array | None = None,
    along: Array | None = None,
    forces: Mapping[str, Array] = {},
    recursion: Callable[..., Array] = inverse_dynamics,
) -> Residual:
    """M a + h - Jᵀ λ, or of an impact M change - Jᵀ λ; and J a + J̇ v, or J along if that is given.

    λ are the `row_forces`.  Torques are smallest if they and some motion `along` the other velocities move no contact;
    after an impact `along` is v₊ + restitution v.
    """
    J = constraint_jacobian(model, q, contacts)
    if change is None:
        needed = recursion(model, q, v, a, forces)
    else:
        needed = recursion(model, q, zeros(model.nv), change, base_acceleration=-upwards(model))
    rows = constraint_acceleration(model, q, v, a, contacts) if along is None else J @ along
    return Residual(needed - J.T @ row_forces, rows)


#: the same in fewer operations, on the regrouped model
SHORTER = partial(residual, recursion=inverse_dynamics_by_moments)
