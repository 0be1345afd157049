"""The regressor of adaptive control (Slotine and Li 1987): M a_r + C(q, v) v_r + g + friction = Y(q, v, v_r, a_r) a."""

from typing import Any, NamedTuple

import numpy as np
import sympy

from ...algebra.scalars import Array, zeros
from ...errors import ModelError
from ..equations.coefficients import Coefficients
from ..equations.lagrange import coriolis_matrix
from ..equations.presentation import shown
from ..pages.latex import latex
from ..ring.notebook import NotebookMatrix, formula
from ..ring.state import State, partial_derivative


@formula("Y")
class AdaptiveRegressor(NamedTuple):
    """Y_r for the coefficients `a` of `eq.coefficients()`, in the same order; C is that of Christoffel symbols.

    Friction is at v.  With v_r = v and a_r = a it is the Y of the coefficients.
    """

    Y: sympy.Matrix
    coefficients: Coefficients
    v_r: sympy.Matrix
    a_r: sympy.Matrix
    polynomials: Array

    def latex(self) -> str:
        """LaTeX of the coefficients and of Y, for math mode."""
        return rf"Y(q, \dot{{q}}, \dot{{q}}_r, \ddot{{q}}_r) = {latex(self.Y)}"


def adaptive_regressor(equations: Any, known: Any = ()) -> AdaptiveRegressor:
    """Column by column: each coefficient has an inertia matrix of its own, and that its Christoffel symbols."""
    state = equations.state
    for b in state.source.bodies:
        if b.armature != 0 and not b.joint.rates:
            raise ModelError(
                f"adaptive_regressor: joint {b.joint.name!r} has an armature, and velocities that are not rates of "
                "its coordinates; remove the armature"
            )
    found = equations.coefficients(known)
    v_r, a_r = (_reference(equations, vector) for vector in (equations.v, equations.a))
    reference_v, reference_a = (np.array([state.ring.generator(s) for s in group], object) for group in (v_r, a_r))
    Y = zeros(*found.polynomials.shape)
    for j in range(Y.shape[1]):
        column = found.polynomials[:, j]
        M = _inertia(state, column)
        C = coriolis_matrix(state, M)
        rest = column - M @ state.a - C @ state.v  # gravity and friction
        Y[:, j] = M @ reference_a + C @ reference_v + rest
    return AdaptiveRegressor(shown(equations.state, Y), found, NotebookMatrix(v_r), NotebookMatrix(a_r), Y)


def _inertia(state: State, column: Array) -> Array:
    """The inertia matrix of one coefficient: the factors of the accelerations."""
    M = zeros(len(column), len(column))
    for i, x in enumerate(column):
        for k, symbol in enumerate(state.symbols["a"]):
            M[i, k] = partial_derivative(x, symbol)
    return M


def _reference(equations: Any, symbols: Any) -> list[sympy.Symbol]:
    """qd_1 → qd_r1: of the reference."""
    taken = {p.name for p in equations.parameters}
    out = []
    for s in symbols:
        head, _, index = s.name.partition("_")
        name = f"{head}_r{index}"
        out.append(sympy.Symbol(name if name not in taken else f"{head}_ref{index}", real=True))
    return out
