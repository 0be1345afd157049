"""Forward dynamics from what is cheap by moments of mass: the bias, or the bias and the mass matrix."""

from typing import Any

from ...algebra.linalg import solve_spd
from ...algebra.scalars import Array, zeros
from ...model import Model
from ...model.with_numbers import slack
from ..forward_dynamics import forward_dynamics_by_articulated_bodies
from ..kinematics import upwards
from .inverse_dynamics import inverse_dynamics_by_moments
from .mass_matrix import mass_matrix_by_moments


def forward_dynamics_by_moments(model: Model, q: Array, v: Array, tau: Array, **outside: Any) -> Array:
    """a = M⁻¹ (tau - h), both by moments; the fewest operations while there are few joints."""
    h = inverse_dynamics_by_moments(model, q, v, zeros(model.nv), **outside)
    return solve_spd(mass_matrix_by_moments(model, q), tau - h)


def forward_dynamics_at_rest(model: Model, q: Array, v: Array, tau: Array, **outside: Any) -> Array:
    """Articulated bodies at rest and without gravity, under what the bias leaves of tau."""
    h = inverse_dynamics_by_moments(model, q, v, zeros(model.nv), **outside)
    rest = zeros(model.nv)
    return forward_dynamics_by_articulated_bodies(slack(model), q, rest, tau - h, base_acceleration=-upwards(model))
