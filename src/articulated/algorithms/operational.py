"""A frame as a hand feels it: its manipulability (Yoshikawa 1985), and the dynamics seen at it (Khatib 1987)."""

import math
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from ..algebra.linalg import factor_spd, invert_spd, solve_factored
from ..algebra.orthogonal import volume
from ..algebra.scalars import Array, Scalar, array, select
from ..model import Model
from .inverse_dynamics import bias_forces
from .jacobians import jacobian, jacobian_rate
from .mass_matrix import mass_matrix

#: a component of a velocity, [linear; angular]
Direction = Literal["x", "y", "z", "rx", "ry", "rz"]
DIRECTIONS: tuple[Direction, ...] = ("x", "y", "z", "rx", "ry", "rz")


def manipulability(
    model: Model, q: Array, frame: str, axes: str = "world", directions: Sequence[Direction] = DIRECTIONS
) -> Scalar:
    """√det(J Jᵀ) of the rows of the Jacobian that `directions` name: the product of its singular values.

    It is 0 where some direction is lost.  With fewer velocities than directions it is √det(Jᵀ J).
    """
    rows = [DIRECTIONS.index(name) for name in directions]
    J = jacobian(model, q, frame, axes)[rows]
    # by reflections: the product J Jᵀ would lose half the digits near 0
    return volume(J if J.shape[0] >= J.shape[1] else J.T)


#: the least part of a direction's mobility that the others may leave of it, beside which rounding is small
LEAST = 1e-13


class OperationalSpace(NamedTuple):
    """F = inertia @ (rate of the frame's velocity) + bias, in the chosen axes."""

    inertia: Array  # Λ, (6, 6)
    bias: Array  # μ, (6,)


def operational_space(
    model: Model, q: Array, v: Array, frame: str, axes: str = "world", least: float = LEAST
) -> OperationalSpace:
    """Λ = (J M⁻¹ Jᵀ)⁻¹ and μ = Λ (J M⁻¹ h - J̇ v); NaN where the frame cannot move in all six directions."""
    J, J_rate = jacobian(model, q, frame, axes), jacobian_rate(model, q, v, frame, axes)
    factors = factor_spd(mass_matrix(model, q))
    mobility = J @ solve_factored(factors, J.T)
    try:
        regular = _regular(mobility, least)
        inertia = regular * invert_spd(mobility) / regular  # compiled, 0 / 0 is NaN
    except ZeroDivisionError:
        return OperationalSpace(np.full((6, 6), math.nan, object), np.full(6, math.nan, object))
    bias = inertia @ (J @ solve_factored(factors, bias_forces(model, q, v)) - J_rate @ v)
    return OperationalSpace(inertia, bias)


def is_regular(mobility: Any, least: float) -> bool:
    """True if a frame with this mobility, of numbers, can move in all six directions."""
    try:
        return bool(_regular(array(mobility), least))
    except ZeroDivisionError:
        return False


def _regular(A: Array, least: float) -> Scalar:
    """1, or 0 if elimination leaves next to nothing of a diagonal entry of A."""
    found: Scalar = 1.0
    for diagonal, inverse in zip(A.diagonal(), factor_spd(A)[1], strict=True):
        # the part that is left, inverted; written so that a NaN, too, is not regular
        lost = least * diagonal * inverse
        found = select(lost < 1, select(lost > 0, found, 0.0), 0.0)
    return found
