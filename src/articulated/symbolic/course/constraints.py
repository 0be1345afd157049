"""Constraints among the coordinates, and the dynamics that are left (Sapienza: constrained robots; USP lecture)."""

from collections.abc import Sequence
from itertools import combinations
from typing import Any, NamedTuple

import sympy

from ...errors import ModelError, ShapeError, unknown
from ...text import shortened
from ..pages.document import aligned
from ..pages.latex import latex
from ..ring.letters import unused
from ..ring.notebook import formula
from ..ring.signs import vanishes
from .system import System, short, system_of

CANCELLED = 400  # operations up to which common factors are looked for
SMALL = 60  # operations of a determinant that is worth SymPy's time


@formula("A", "F", "M", "bias", "multipliers")
class Constrained(NamedTuple):
    """A(q) v = 0 holds: v = F(q) u, and Fᵀ(M dv/dt + c + g + friction - B tau) = 0 is all the motion can be.

    `u` are the independent velocities, `du` their rates; M, bias, inputs are those of M du/dt + bias = inputs tau.
    Constraint forces act as Aᵀ `multipliers`; they are given in q, u, du and tau.  Nothing is said where `singular`
    vanishes: there the velocities chosen do not determine the others.
    """

    A: sympy.Matrix
    F: sympy.Matrix
    u: sympy.Matrix
    du: sympy.Matrix
    tau: sympy.Matrix
    M: sympy.Matrix
    bias: sympy.Matrix
    inputs: sympy.Matrix
    velocities: sympy.Matrix  # v = F u
    accelerations: sympy.Matrix  # dv/dt = F du + (dF/dt) u
    multipliers: sympy.Matrix
    singular: sympy.Expr

    def latex(self) -> str:
        """LaTeX of A, F and the reduced dynamics, for math mode."""
        names = {"A": self.A, "F": self.F, "F^T M F": self.M, "h": self.bias, r"\lambda": self.multipliers}
        return aligned((name, latex(x)) for name, x in names.items())


def constrain(equations: Any, constraints: Any, independent: Any = None) -> Constrained:
    """Reduced dynamics; each constraint is an expression that stays zero: of q, or of q and v, linear in v."""
    system = system_of(equations)
    A = _matrix(system, constraints)
    dependent, singular = _dependent(system, A, independent)
    free = [k for k in range(A.cols) if k not in dependent]
    u, du = ([vector[k] for k in free] for vector in (system.v, system.a))
    inverse = A.extract(list(range(A.rows)), dependent).inv(method="ADJ").applyfunc(_quotient)
    follows = (-inverse * A.extract(list(range(A.rows)), free)).applyfunc(_quotient)
    n = A.cols
    F, E = sympy.zeros(n, len(free)), sympy.zeros(n, A.rows)  # A F = 0, A E = 1
    for row, k in enumerate(dependent):
        F[k, :], E[k, :] = follows[row, :], inverse[row, :]
    for column, k in enumerate(free):
        F[k, column] = 1
    v = F * sympy.Matrix(u)
    rate = sum((F.diff(x) * v[k] for k, x in enumerate(system.q)), start=sympy.zeros(*F.shape))
    a = F * sympy.Matrix(du) + rate * sympy.Matrix(u)
    moving = dict(zip(system.v, v, strict=True))
    force = sympy.Matrix(system.c + system.g + system.friction).subs(moving, simultaneous=True)
    taken = {p.name for p in (*system.parameters, *A.free_symbols)}
    tau = sympy.Matrix([sympy.Symbol(unused(f"tau_{k + 1}", taken), real=True) for k in range(system.inputs.cols)])
    found = {
        "A": A, "F": F, "u": sympy.Matrix(u), "du": sympy.Matrix(du), "tau": tau,
        "M": F.T * system.M * F,
        "bias": F.T * (system.M * rate * sympy.Matrix(u) + force),
        "inputs": F.T * system.inputs,
        "velocities": v, "accelerations": a,
        "multipliers": E.T * (system.M * a + force - system.inputs * tau),
    }  # fmt: skip
    shown = {name: sympy.ImmutableMatrix(x.applyfunc(_quotient)) for name, x in found.items()}
    return Constrained(**shown, singular=singular)


def _quotient(x: sympy.Expr) -> sympy.Expr:
    """A quotient without common factors, numerator and denominator shortened separately."""
    if isinstance(x, sympy.Symbol):
        return x
    whole = sympy.together(sympy.sympify(x))
    if sympy.fraction(whole)[1] == 1:
        return short(whole)
    if whole.count_ops() <= CANCELLED and not whole.has(sympy.Float):  # decimals have no common factors
        whole = sympy.cancel(whole)
    above, below = sympy.fraction(whole)
    return short(above) / sympy.factor_terms(below)


def _matrix(system: System, constraints: Any) -> sympy.Matrix:
    """A(q): of h(q) = 0 its derivative, of a combination of velocities its factors."""
    if isinstance(constraints, sympy.Expr):
        constraints = [constraints]
    if not isinstance(constraints, (list, tuple, sympy.MatrixBase)) or not len(constraints):
        raise ShapeError(f"constrain takes expressions that stay zero; got {shortened(repr(constraints))}")
    rows = []
    for given in constraints:
        if not isinstance(given, sympy.Expr):
            raise ShapeError(f"constrain takes expressions that stay zero; one of them is {shortened(repr(given))}")
        h = _own(system, given)
        if not h.free_symbols & {*system.v}:
            row = [h.diff(x) for x in system.q]
        else:
            row = [h.diff(x) for x in system.v]
            left = h - sum(x * y for x, y in zip(row, system.v, strict=True))
            if any(x.free_symbols & {*system.v} for x in row) or not vanishes(left):
                raise ShapeError(f"constrain: {given} is not linear in the velocities")
        rows.append([short(x) for x in row])
    return sympy.Matrix(rows)


def _own(system: System, x: sympy.Expr) -> sympy.Expr:
    """The expression in the system's own symbols of the same names; other letters are constants."""
    known = {s.name: s for s in (*system.q, *system.v, *system.parameters)}
    if x.free_symbols & {*system.a}:
        raise ShapeError(f"constrain: {x} holds accelerations; a constraint is of q, or of q and v")
    return x.xreplace({s: known[s.name] for s in x.free_symbols if s.name in known})


def _dependent(system: System, A: sympy.Matrix, independent: Any) -> tuple[list[int], sympy.Expr]:
    """Velocities that follow from the others: columns of A with a determinant that is not zero everywhere."""
    n, k = A.cols, A.rows
    if k >= n:
        raise ModelError(f"{k} constraints on {n} coordinates leave no degree of freedom")
    if independent is None:
        choices = [list(x) for x in combinations(reversed(range(n)), k)]
    else:
        choices = [_others(system, independent, k)]
    for chosen in choices:
        columns = sorted(chosen)
        determinant = short(A.extract(list(range(k)), columns).det())
        if determinant.count_ops() <= SMALL:
            determinant = sympy.factor_terms(sympy.trigsimp(determinant))
        if not vanishes(determinant):
            return columns, determinant
    if independent is None:
        raise ModelError("constrain: the constraints depend on each other; leave out those that say nothing new")
    raise ModelError("constrain: these coordinates do not determine the others anywhere; choose others")


def _others(system: System, independent: Any, k: int) -> list[int]:
    names = [x.name for x in system.q]
    if isinstance(independent, (str, sympy.Symbol)):
        independent = [independent]
    if not isinstance(independent, Sequence) or len(independent) != len(names) - k:
        raise ShapeError(f"constrain: independent is a list of {len(names) - k} coordinates among {', '.join(names)}")
    for name in independent:
        if str(name) not in names:
            raise unknown("coordinate", str(name), system.name, names)
    wanted = {str(name) for name in independent}
    if len(wanted) != len(independent):
        raise ShapeError(f"constrain: independent names {', '.join(map(str, independent))}: one of them twice")
    return [i for i, name in enumerate(names) if name not in wanted]
