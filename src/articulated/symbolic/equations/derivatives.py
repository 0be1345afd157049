"""Derivatives of the equations of motion in closed form, and the equations near a place of rest."""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import sympy

from ...algebra.scalars import zeros
from ...inputs.choices import choose
from ..ring.state import partial_derivative
from .configurations import coordinates

#: what can be differentiated, and by what
Quantity = Literal["tau", "c", "g", "friction", "M", "T", "U"]
By = Literal["q", "v", "a"]
QUANTITIES, BY = get_args(Quantity), get_args(By)


def derivative(equations: Any, what: Quantity, by: By) -> Any:
    """∂`what`/∂`by` as SymPy; by q along the velocities, as `Robot.derivatives` has it.

    Of a vector a matrix, a column for each entry of `by`; of an energy a vector; of M a list of matrices.
    """
    choose("derivative", "what", what, QUANTITIES)
    choose("derivative", "by", by, BY)
    state, values = equations.state, equations.polynomials[what]
    whole = values if isinstance(values, np.ndarray) else np.array([values], object)
    n = len(state.v)
    found = zeros(n, *whole.shape)
    for k in range(n):
        for index, x in np.ndenumerate(whole):
            found[(k, *index)] = state.along(k, x) if by == "q" else partial_derivative(x, state.symbols[by][k])
    if what == "M":
        return [equations.shown(matrix) for matrix in found]
    return equations.shown(found[:, 0] if whole is not values else found.T)


class Linearized(NamedTuple):
    """d/dt x = A x + B u near rest at q0, x = [dq; dv], u what is added to the torques that hold it there."""

    A: sympy.Matrix
    B: sympy.Matrix
    tau: sympy.Matrix  # the torques that hold it

    def latex(self) -> str:
        """LaTeX of both matrices, for math mode."""
        from ..pages.latex import latex

        return rf"A = {latex(self.A)}, \quad B = {latex(self.B)}"

    def _repr_latex_(self) -> str | None:
        from ..pages.notebook import bounded

        return bounded(self.A, self.B, write=self.latex)


def linearize(equations: Any, q0: Any) -> Linearized:
    """A = [[0, 1], [-M⁻¹ ∂g/∂q, -M⁻¹ ∂friction/∂v]] and B = [0; M⁻¹], at q0 and v = 0."""
    values = coordinates("linearize: q0", equations.q, q0)
    at = {**dict(zip(equations.q, values, strict=True)), **dict.fromkeys(equations.v, 0)}

    def there(matrix: sympy.Matrix) -> sympy.Matrix:
        return sympy.Matrix(matrix).subs(at).applyfunc(sympy.nsimplify if _exact(at) else lambda x: x)

    inverse = there(equations.M).inv().applyfunc(sympy.simplify)
    n = len(equations.v)
    stiffness, damping = (there(derivative(equations, *pair)) for pair in (("g", "q"), ("friction", "v")))
    below = (-inverse * stiffness).row_join(-inverse * damping).applyfunc(sympy.simplify)
    A = sympy.zeros(n, n).row_join(sympy.eye(n)).col_join(below)
    B = sympy.zeros(n, n).col_join(inverse)
    return Linearized(sympy.ImmutableMatrix(A), sympy.ImmutableMatrix(B), sympy.ImmutableMatrix(there(equations.g)))


def _exact(at: Mapping[Any, Any]) -> bool:
    return not any(isinstance(x, sympy.Float) for x in at.values())
