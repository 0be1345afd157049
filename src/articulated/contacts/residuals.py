"""Residuals that vanish while contacts hold, as functions of all their arguments: laws are differentiated by them.

A law finds some of these arguments from the others; where it is differentiated, what it finds is held fixed at first.
`row_forces` are those of the contacts, one per row.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

from ..algebra.scalars import Array, zeros
from ..algorithms.fast.moments import inverse_dynamics_by_moments
from ..algorithms.inverse_dynamics import inverse_dynamics
from ..algorithms.kinematics import upwards
from ..model import Model
from .constraints import Contacts, constraint_acceleration, constraint_jacobian


class Residual(NamedTuple):
    """Generalized forces that are not balanced (nv,), and the rows of the contacts (k,)."""

    forces: Array
    rows: Array


Recursion = Callable[..., Array]


def motion_residual(
    model: Model,
    q: Array,
    v: Array,
    a: Array,
    row_forces: Array,
    contacts: Contacts,
    rate: Array | None = None,
    forces: Mapping[str, Array] = {},
    recursion: Recursion = inverse_dynamics,
) -> Residual:
    """M a + h - Jᵀ λ, and J a + J̇ v + rate J v."""
    needed = recursion(model, q, v, a, forces)
    J = constraint_jacobian(model, q, contacts)
    return Residual(
        needed - J.T @ row_forces,
        constraint_acceleration(model, q, v, a if rate is None else a + rate[0] * v, contacts),
    )


def impact_residual(
    model: Model,
    q: Array,
    change: Array,
    row_forces: Array,
    along: Array,
    contacts: Contacts,
    recursion: Recursion = inverse_dynamics,
) -> Residual:
    """M (v₊ - v) - Jᵀ λ, and J (v₊ + restitution v)."""
    needed = recursion(model, q, zeros(model.nv), change, base_acceleration=-upwards(model))
    J = constraint_jacobian(model, q, contacts)
    return Residual(needed - J.T @ row_forces, J @ along)


#: the same in fewer operations, on the regrouped model
FORMULATIONS: dict[Any, Callable[..., Residual]] = {
    residual: partial(residual, recursion=inverse_dynamics_by_moments)
    for residual in (motion_residual, impact_residual)
}
