"""Forward dynamics from what is cheap by moments of mass, and its derivatives from those of inverse dynamics.

docs/formulations.md derives both.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from ...algebra.linalg import factor_spd, invert_factored, solve_factored, solve_spd
from ...algebra.rotations import skew
from ...algebra.scalars import Array, is_zero, zeros
from ...model import Body, Model
from ...model.with_numbers import slack
from ..forward_dynamics import forward_dynamics_by_articulated_bodies
from ..inverse_dynamics_derivatives import ForwardDynamicsDerivatives
from ..kinematics import Forces, upwards
from . import inverse_dynamics_derivatives as inverse
from .moments import inverse_dynamics_by_moments, mass_matrix_by_moments


def forward_dynamics_by_moments(model: Model, q: Array, v: Array, tau: Array, **outside: Any) -> Array:
    """a = M⁻¹ (tau - h), both by moments; the fewest operations while there are few joints."""
    h = inverse_dynamics_by_moments(model, q, v, zeros(model.nv), **outside)
    return solve_spd(mass_matrix_by_moments(model, q), tau - h)


def forward_dynamics_at_rest(model: Model, q: Array, v: Array, tau: Array, **outside: Any) -> Array:
    """Articulated bodies at rest and without gravity, under what the bias leaves of tau."""
    h = inverse_dynamics_by_moments(model, q, v, zeros(model.nv), **outside)
    rest = zeros(model.nv)
    return forward_dynamics_by_articulated_bodies(slack(model), q, rest, tau - h, base_acceleration=-upwards(model))


def _derivatives(
    way: Callable[..., inverse.InverseDynamicsDerivatives],
    model: Model,
    q: Array,
    v: Array,
    tau: Array,
    forces: Forces = {},
) -> ForwardDynamicsDerivatives:
    rest = zeros(model.nv)
    factors = factor_spd(way(model, q, rest, rest).a)
    a = solve_factored(factors, tau - inverse_dynamics_by_moments(model, q, v, rest, forces))
    found = way(model, q, v, a, forces)
    by_q, by_v = found.q, found.v
    # bases that nothing holds: where they are does not matter, how they are turned only to gravity as they see it
    free = [b for b in model.bodies if inverse.floats(b) and is_zero(b.damping) and is_zero(b.armature)]
    for b in free:  # their columns are known: nothing to solve
        by_q[:, b.dofs] = by_v[:, _linear(b)] = 0
    by_q, by_v = -solve_factored(factors, by_q), -solve_factored(factors, by_v)
    for b in free:
        turned = b.transform(q).R.T @ model.gravity
        by_q[_linear(b), b.dofs.start + 3 : b.dofs.stop] = skew(turned)
        by_v[_linear(b), _linear(b)] = -skew(v[b.dofs][3:])
    return ForwardDynamicsDerivatives(by_q, by_v, invert_factored(factors))


def _linear(b: Body) -> slice:
    return slice(b.dofs.start, b.dofs.start + 3)


#: by the axes that bodies share, of which the compiler keeps the shortest
WAYS: tuple[Callable[..., ForwardDynamicsDerivatives], ...] = tuple(partial(_derivatives, way) for way in inverse.WAYS)
