"""Dynamics seen at a frame (Khatib 1987): what a hand pushing there would feel."""

from typing import NamedTuple

from ..algebra.linalg import factor_spd, invert_spd, solve_factored
from ..algebra.scalars import Array
from ..model import Model
from .inverse_dynamics import bias_forces
from .jacobians import jacobian, jacobian_rate
from .mass_matrix import mass_matrix


class OperationalSpace(NamedTuple):
    """F = inertia @ (rate of the frame's velocity) + bias, in the chosen axes."""

    inertia: Array  # Λ, (6, 6)
    bias: Array  # μ, (6,)


def operational_space(model: Model, q: Array, v: Array, frame: str, axes: str = "world") -> OperationalSpace:
    """Λ = (J M⁻¹ Jᵀ)⁻¹ and μ = Λ (J M⁻¹ h - J̇ v); the frame must be free to move in all six directions."""
    J, J_rate = jacobian(model, q, frame, axes), jacobian_rate(model, q, v, frame, axes)
    factors = factor_spd(mass_matrix(model, q))
    mobility = J @ solve_factored(factors, J.T)
    inertia = invert_spd(mobility)
    bias = inertia @ (J @ solve_factored(factors, bias_forces(model, q, v)) - J_rate @ v)
    return OperationalSpace(inertia, bias)
