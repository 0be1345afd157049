"""Derivatives of forward dynamics from those of inverse dynamics at the same motion (docs/formulations.md)."""

from collections.abc import Callable

from ...algebra.linalg import factor_spd, invert_factored, solve_factored
from ...algebra.rotations import skew
from ...algebra.scalars import Array, is_zero, zeros
from ...model import Body, Model
from ..inverse_dynamics_derivatives import ForwardDynamicsDerivatives
from ..kinematics import Forces
from . import inverse_dynamics_derivatives as inverse
from .inverse_dynamics import inverse_dynamics_by_moments


def forward_dynamics_derivatives_in_own_axes(
    model: Model, q: Array, v: Array, tau: Array, forces: Forces = {}
) -> ForwardDynamicsDerivatives:
    """Every body in its own axes."""
    return _derivatives(inverse.inverse_dynamics_derivatives_in_own_axes, model, q, v, tau, forces)


def forward_dynamics_derivatives_in_parents_axes(
    model: Model, q: Array, v: Array, tau: Array, forces: Forces = {}
) -> ForwardDynamicsDerivatives:
    """Every body in the axes of its parent."""
    return _derivatives(inverse.inverse_dynamics_derivatives_in_parents_axes, model, q, v, tau, forces)


def forward_dynamics_derivatives_by_hinges(
    model: Model, q: Array, v: Array, tau: Array, forces: Forces = {}
) -> ForwardDynamicsDerivatives:
    """Bodies share axes as long as their hinges keep their directions there."""
    return _derivatives(inverse.inverse_dynamics_derivatives_by_hinges, model, q, v, tau, forces)


def forward_dynamics_derivatives_beyond_the_first(
    model: Model, q: Array, v: Array, tau: Array, forces: Forces = {}
) -> ForwardDynamicsDerivatives:
    """Derivatives with the first body by itself."""
    return _derivatives(inverse.inverse_dynamics_derivatives_beyond_the_first, model, q, v, tau, forces)


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
    free = [b for b in model.bodies if _is_free(b)]
    for b in free:  # their columns are known: nothing to solve
        by_q[:, b.dofs] = by_v[:, _linear(b)] = 0
    by_q, by_v = -solve_factored(factors, by_q), -solve_factored(factors, by_v)
    for b in free:
        turned = b.transform(q).R.T @ model.gravity
        by_q[_linear(b), b.dofs.start + 3 : b.dofs.stop] = skew(turned)
        by_v[_linear(b), _linear(b)] = -skew(v[b.dofs][3:])
    return ForwardDynamicsDerivatives(by_q, by_v, invert_factored(factors))


def _is_free(b: Body) -> bool:
    """A base that nothing holds: where it is does not matter, how it is turned only to gravity as it sees it."""
    return inverse.floats(b) and is_zero(b.damping) and is_zero(b.armature)


def _linear(b: Body) -> slice:
    return slice(b.dofs.start, b.dofs.start + 3)


#: the choices of axes, of which the compiler keeps the shortest
WAYS: tuple[Callable[..., ForwardDynamicsDerivatives], ...] = (
    forward_dynamics_derivatives_in_own_axes,
    forward_dynamics_derivatives_in_parents_axes,
    forward_dynamics_derivatives_by_hinges,
    forward_dynamics_derivatives_beyond_the_first,
)
