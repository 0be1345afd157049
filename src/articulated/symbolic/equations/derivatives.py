"""Derivatives of the equations of motion in closed form, and their linearization about an equilibrium."""

from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import sympy

from ...algebra.scalars import zeros
from ...inputs.choices import choose
from ..ring.convert import in_ring, plain
from ..ring.notebook import formula
from ..ring.state import partial_derivative
from .cofactors import cofactors, refuse_long
from .presentation import shown
from .substitution import coordinates

#: what can be differentiated, and by what
Quantity = Literal["tau", "c", "g", "friction", "M", "T", "U"]
By = Literal["q", "v", "a"]
SHORT = 100  # operations of a quotient that SymPy is asked to simplify
QUANTITIES, BY = get_args(Quantity), get_args(By)


def derivative(equations: Any, what: Quantity, by: By) -> Any:
    """∂what/∂by in closed form: `eq.derivative("tau", "q")`, of tau, c, g, friction, M, T or U by q, v or a.

    Parameters
    ----------
    what : "tau", "c", "g", "friction", "M", "T" or "U"
    by : "q", "v" or "a"

    Returns
    -------
    SymPy: of a vector (nv, nv), of M (nv, nv) per coordinate, of T and U (nv,)

    Examples
    --------
    >>> import articulated as art
    >>> art.derive("2r").derivative("g", "q").shape
    (2, 2)
    """
    choose("derivative", "what", what, QUANTITIES)
    choose("derivative", "by", by, BY)
    found = _by(equations, what, by)
    return [shown(equations.state, matrix) for matrix in found] if what == "M" else shown(equations.state, found)


def _by(equations: Any, what: str, by: str) -> Any:
    """`derivative` in normal form."""
    state, values = equations.state, equations.polynomials[what]
    whole = values if isinstance(values, np.ndarray) else np.array([values], object)
    n = len(state.v)
    found = zeros(n, *whole.shape)
    for k in range(n):
        for index, x in np.ndenumerate(whole):
            found[(k, *index)] = state.along(k, x) if by == "q" else partial_derivative(x, state.symbols[by][k])
    if what == "M":
        return found
    return found[:, 0] if whole is not values else found.T


@formula("A", "B")
class Linearized(NamedTuple):
    """d/dt x = A x + B u near rest at q0, x = [dq; dv], u what is added to the torques that hold it there."""

    A: sympy.Matrix
    B: sympy.Matrix
    tau: sympy.Matrix  # the torques that hold it

    def latex(self) -> str:
        """LaTeX of both matrices, for math mode."""
        from ..pages.latex import latex

        return rf"A = {latex(self.A)}, \quad B = {latex(self.B)}"


def linearize(equations: Any, q0: Any) -> Linearized:
    """A and B of the motion near rest at q0, held there by its gravity forces; typeset by `.latex()`.

    Parameters
    ----------
    q0 : configuration (nq,), rad or m: numbers or symbols

    Returns
    -------
    Linearized(A (2 nv, 2 nv), B (2 nv, nv), …): d/dt [δq; v] = A [δq; v] + B δtau

    Examples
    --------
    >>> import articulated as art
    >>> eq = art.derive("2r")
    >>> art.derive("acrobot").linearize([0, 0]).A.shape
    (4, 4)
    """
    values = coordinates("linearize: q0", equations.q, q0)
    at = {**dict(zip(equations.q, values, strict=True)), **dict.fromkeys(equations.v, 0)}

    state, n = equations.state, len(equations.v)

    def there(values: Any) -> Any:
        found = [in_ring(state.ring, plain(x).subs(at)) for x in np.ravel(values)]
        return np.array([*found, None], object)[:-1].reshape(np.shape(values))

    def over(above: Any) -> sympy.Matrix:
        """The quotient by the determinant, in lowest terms where it is short."""
        found = shown(state, above) / shown(state, determinant)
        return found.applyfunc(lambda x: sympy.simplify(x) if x.count_ops() <= SHORT else x)

    M = there(equations.polynomials["M"])
    refuse_long(f"linearize {equations.name}", M)
    adjugate, determinant = cofactors(M)
    stiffness, damping = (there(_by(equations, *pair)) for pair in (("g", "q"), ("friction", "v")))
    below = over(-adjugate @ stiffness).row_join(over(-adjugate @ damping))
    A = sympy.zeros(n, n).row_join(sympy.eye(n)).col_join(below)
    B = sympy.zeros(n, n).col_join(over(adjugate))
    return Linearized(*map(sympy.ImmutableMatrix, (A, B, shown(state, there(equations.polynomials["g"])))))
