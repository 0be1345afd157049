"""Dynamics of a robot whose contacts do not move, by orthogonal decomposition; any scalar.

Mistry, Buchli, Schaal 2010 and Righetti et al. 2011; USP lecture, S3.19-S3.33.  With u the unactuated and c the
actuated velocities, f = M a + h must be met by torques and contact forces:

    f_u = J_uᵀ λ              what carries the base: only contacts can
    f_c = tau + J_cᵀ λ        what moves the joints

Torques meet the second line whatever the contact forces are.  So the first fixes λ up to internal forces N z, that
press the contacts against each other (J_uᵀ N = 0), and z is free to make the torques small.  The lecture takes a QR
of the whole Jᵀ to remove λ, then a pseudo-inverse; in the rows of the joints that pseudo-inverse undoes the QR, and
what is left are two QRs of the size of the base.  tests/contacts compare the two.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial, reduce
from typing import Any, NamedTuple

import numpy as np

from ..algebra.linalg import factor_spd, solve_factored, solve_lower, solve_upper
from ..algebra.orthogonal import Decomposition, backward, forward
from ..algebra.scalars import Array, Scalar, array, is_zero, select, sqrt, zeros
from ..algorithms.fast.moments import inverse_dynamics_by_moments, mass_matrix_by_moments
from ..algorithms.inverse_dynamics import inverse_dynamics
from ..algorithms.mass_matrix import mass_matrix
from ..model import Model
from .constraints import RowAxes, constraint_acceleration, constraint_jacobian
from .ranks.structure import Structure
from .ranks.subspaces import TOLERANCE


class Found(NamedTuple):
    """Results of a law.  `checks` are numbers to judge it by, the last of them `conditioning`."""

    value: Array  # torques (n,), accelerations or velocities (nv,)
    forces: Array  # of the contacts, or their impulses, one per row (k,)
    checks: Array


class Nearest(NamedTuple):
    """Result of a law without forces."""

    value: Array
    checks: Array


Recursion = Callable[..., Array]

#: of residuals and violations beside the forces and accelerations they are differences of
ROUNDING = 1e-9
#: m/s²: rounding errors of accelerations are measured beside that of a fall, which cancels while a robot stands
FALL = 9.81


def contact_torques(
    model: Model,
    q: Array,
    v: Array,
    a: Array,
    structure: Structure,
    tau0: Array | None = None,
    weight: Array | None = None,
    force_weight: Array | None = None,
    forces: Mapping[str, Array] = {},
    recursion: Recursion = inverse_dynamics,
) -> Found:
    """The torques nearest to `tau0` that need no contact force to be known (S3.26, S3.30, S3.32).

    The checks are the part of f_u no contact force can supply, J a + J̇ v (both as lengths), by how much these exceed
    rounding errors (the acceleration is feasible if that is not positive), and the conditioning.
    `weight` and `force_weight` are those of the squares in the sum over (tau - tau0) and the contact forces.
    """
    u, c = list(structure.unactuated), list(structure.actuated)
    f = recursion(model, q, v, a, forces)
    axes = RowAxes(model, q, structure.contacts)
    J = constraint_jacobian(model, axes.q, structure.contacts)
    J_u, J_c = J[:, u], J[:, c]

    # contact forces that carry the base, and those that only press the contacts against each other
    base = Decomposition(J_u.T, structure.base_rank, structure.size)
    carrying, internal = base.solve(f[u]), base.null_space()

    # the internal forces that bring the torques closest to tau0
    excess = f[c] - J_c.T @ carrying - (0 if tau0 is None else tau0)
    effect, rank = J_c.T @ internal, structure.rank - structure.base_rank
    if weight is not None:
        effect, excess = _scaled(weight, effect), _scaled(weight, excess)
    if force_weight is not None:
        effect = np.concatenate([effect, -_scaled(force_weight, axes.to_world(internal))])
        excess = np.concatenate([excess, _scaled(force_weight, axes.to_world(carrying))])
        rank = internal.shape[1]
    # (weights have a size of their own)
    chosen = Decomposition(effect, rank, structure.size if weight is None and force_weight is None else 0)
    contact_forces = carrying + internal @ chosen.solve(excess)

    moved = constraint_acceleration(model, q, v, a, structure.contacts)
    conditioning = [_fitting(structure, base, chosen)]
    checks = of_torques(structure, f, f[u] - J_u.T @ contact_forces, moved, v, a, conditioning)
    return Found(f[c] - J_c.T @ contact_forces, axes.to_world(contact_forces), checks)


def of_torques(
    structure: Structure, f: Array, left: Array, moved: Array, v: Array, a: Array, conditioning: Sequence[Scalar]
) -> Array:
    """The checks of torques from the part `left` of f_u, from J a + J̇ v, and from the conditioning of their parts."""
    residual, violation = _length(left), _length(moved)
    missed = residual - ROUNDING * _length(f)
    by_rows = violation - ROUNDING * structure.size * (_length(a) + (v * v).sum() + FALL)
    excess = select(missed < by_rows, by_rows, missed)
    return array([residual, violation, excess, _if_finite(residual + violation, reduce(_smaller, conditioning))])


def contact_motion(
    model: Model,
    q: Array,
    v: Array,
    tau: Array,
    structure: Structure,
    correction: Array | None = None,
    rate: Array | None = None,
    forces: Mapping[str, Array] = {},
    recursion: Recursion = inverse_dynamics,
    inertia: Recursion = mass_matrix,
) -> Found:
    """Accelerations under the torques `tau`, and the contact forces: M a + h = Sᵀ tau + Jᵀ λ, J a + J̇ v = 0.

    `tau` may also be all generalized forces; `correction` is the acceleration wanted in the directions of the contacts
    in place of 0; `rate` that at which velocities of the contacts die out, 1/s.
    """
    if len(tau) < model.nv:
        motors, tau = tau, zeros(model.nv)
        tau[list(structure.actuated)] = motors
    factors = factor_spd(inertia(model, q))
    free = solve_factored(factors, tau - recursion(model, q, v, zeros(model.nv), forces))
    axes = RowAxes(model, q, structure.contacts)
    settling = zeros(model.nv) if rate is None else rate[0] * v
    wanted = -constraint_acceleration(model, axes.q, v, settling, structure.contacts)
    if correction is not None:
        wanted = wanted + axes.from_world(correction)
    return held(axes, structure, factors, free, lambda J: wanted)


def contact_impact(
    model: Model,
    q: Array,
    v: Array,
    restitution: Array,
    structure: Structure,
    inertia: Recursion = mass_matrix,
) -> Found:
    """Velocities after the contacts have been made, and the impulses: M (v₊ - v) = Jᵀ λ, J v₊ = -restitution J v."""
    axes = RowAxes(model, q, structure.contacts)
    return held(axes, structure, factor_spd(inertia(model, q)), v, lambda J: -restitution[0] * (J @ v))


def contact_acceleration(model: Model, q: Array, v: Array, a0: Array, structure: Structure) -> Nearest:
    """The acceleration nearest to `a0` for which the contacts stay where they are: J⁺ b + (I - J⁺ J) a0 (S3.23)."""
    q = RowAxes(model, q, structure.contacts).q
    missing = -constraint_acceleration(model, q, v, a0, structure.contacts)
    held = Decomposition(constraint_jacobian(model, q, structure.contacts), structure.rank, structure.size)
    step = held.solve(missing)
    return Nearest(a0 + step, array([_if_finite((step * step).sum(), _fitting(structure, held))]))


def held(
    axes: RowAxes, structure: Structure, factors: tuple[Array, list], free: Array, wanted: Callable[[Array], Array]
) -> Found:
    """The x nearest to `free` in kinetic energy with J x = wanted(J), and λ with M (x - free) = Jᵀ λ.

    In coordinates y in which the mass matrix is 1 (M = Lᵀ D L, y = √D L x) both are pseudo-inverses of one matrix W.
    `free` may have columns.
    """
    J = constraint_jacobian(axes.model, axes.q, structure.contacts)
    # no contact feels more than the heaviest joint's inertia
    size = structure.size * sqrt(reduce(_smaller, factors[1]))
    W = _whitened(factors, J.T).T
    parts, missing = Decomposition(W, structure.rank, size), wanted(J) - J @ free
    if free.ndim > 1 and structure.rank == len(J):
        # W Wᵀ = Rᵀ R: fewer operations for each column, and zeros of W survive
        forces = backward(parts.R, forward(parts.R, missing))
        y = W.T @ forces
    else:
        y = parts.solve(missing)
        forces = parts.solve_transposed(y)
    checks = array([_if_finite((y * y).sum(), _fitting(structure, parts))])
    return Found(free + _unwhitened(factors, y), axes.to_world(forces), checks)


def _whitened(factors: tuple[Array, list], b: Array) -> Array:
    """The columns of b, forces, in the coordinates y: D^-½ L⁻ᵀ b."""
    L, inverse = factors
    return np.array([sqrt(d) for d in inverse], object)[:, None] * solve_upper(L, b)


def _unwhitened(factors: tuple[Array, list], y: Array) -> Array:
    """The motion with coordinates y: L⁻¹ D^-½ y."""
    L, inverse = factors
    return solve_lower(L, (np.array([sqrt(d) for d in inverse], object) * y.T).T)


def _scaled(weight: Array, rows: Array) -> Array:
    """Rows whose squares then have these weights."""
    return np.array([sqrt(w) * row for w, row in zip(weight, rows, strict=True)], object).reshape(rows.shape)


def _length(x: Array) -> Scalar:
    squared = (x * x).sum() if len(x) else 0
    return 0 if is_zero(squared) else sqrt(squared)


def _fitting(structure: Structure, *parts: Decomposition) -> Scalar:
    """The conditioning of the decompositions; 0 where more rank is there than that of a special structure."""
    conditioning = reduce(_smaller, [part.conditioning for part in parts])
    if structure.special:
        for part in parts:
            conditioning = select(part.left_over < TOLERANCE, conditioning, 0)
    return conditioning


def _if_finite(shown: Scalar, conditioning: Scalar) -> Scalar:
    """The conditioning, the one number that is looked at, made 0 if a NaN anywhere in the state shows in `shown`."""
    return select(shown < 1e300, conditioning, 0)


def _smaller(a: Scalar, b: Scalar) -> Scalar:
    return select(b < a, b, a)


#: the same in fewer operations, on the regrouped model (see algorithms/fast)
FORMULATIONS: dict[Callable[..., Any], Callable[..., Any]] = {
    contact_torques: partial(contact_torques, recursion=inverse_dynamics_by_moments),
    contact_motion: partial(contact_motion, recursion=inverse_dynamics_by_moments, inertia=mass_matrix_by_moments),
    contact_impact: partial(contact_impact, inertia=mass_matrix_by_moments),
    contact_acceleration: contact_acceleration,
}
