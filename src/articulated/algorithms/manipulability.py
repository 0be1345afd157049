"""Manipulability of a frame (Yoshikawa 1985)."""

from collections.abc import Sequence
from typing import Literal

from ..algebra.orthogonal import volume
from ..algebra.scalars import Array, Scalar
from ..model import Model
from .jacobians import jacobian

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
