"""Q3 of the lecture: where the inertia matrix is positive definite, proven for every configuration.

2 T is a sum of squares with masses and moments of inertia as weights, so M is never indefinite.  It is definite where
all squares vanish only for v = 0.  Velocities are settled one after the other: one that stands alone in squares which
together never vanish is zero at rest, for every q, and then drops out of the others.  What is left is a block of M
whose determinant says where M is singular; its factors are what must not vanish.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy

from ...algebra.rotations import cross
from ...algebra.scalars import Array
from ...model import Body
from ..ring.convert import in_ring, plain
from ..ring.polynomial import Polynomial, terms_of
from ..ring.signs import positive
from ..ring.state import State, partial_derivative
from .cofactors import determinant
from .moving_frames import Step, parts
from .presentation import chopped, readable, shown

SMALL = 3  # up to so many velocities a determinant is written out
SENTENCE = 25  # operations of exceptions that are named in a sentence
LONGEST = 400  # terms of a determinant that is still factored


@dataclass(frozen=True)
class Definiteness:
    """The set of configurations in which M is positive definite, with its proof."""

    squares: tuple[tuple[Any, Any], ...]  # (weight, linear form in v): 2 T = Σ weight · form²; 3×3 and 3 for a link
    minors: tuple[sympy.Expr, ...]  # leading principal minors, for small robots
    identity: bool  # whether Σ weight · form² is 2 T, exactly, with no weight a negative number
    settled: tuple[sympy.Symbol, ...]  # velocities that are zero where T is, whatever the configuration
    rest: tuple[sympy.Symbol, ...]  # the others; the determinant of their block of M decides
    exceptions: tuple[sympy.Expr, ...] | None  # M is definite exactly where none of these vanishes; None: not known

    @property
    def positive_definite(self) -> bool:
        """True if it is proven for all q, for positive weights."""
        return self.identity and self.exceptions == ()

    @property
    def long(self) -> bool:
        """True if the exceptions are too long for a sentence."""
        return sum(int(x.count_ops()) for x in self.exceptions or ()) > SENTENCE

    @property
    def verdict(self) -> str:
        """The verdict in words; formulas between dollars."""
        from ..pages.latex import latex

        if not self.identity:
            return "nothing is claimed: the squares are not those of $2 @T$, or a weight is negative"
        if self.exceptions is None:
            return "positive semidefinite for all $q$; where it is singular, if anywhere, is not known here"
        if not self.exceptions:
            return "positive definite for all $q$"
        where = "an equation below holds" if self.long else " or ".join(f"${latex(x)} = 0$" for x in self.exceptions)
        return f"positive definite except where {where}: there it is singular"

    def __str__(self) -> str:
        from ..pages.document import words
        from ..pages.terminal import in_words

        squares = f"2 T is {self.counted} weighted with masses and inertias; " if self.identity else ""
        return f"{squares}M: {in_words(words(self.verdict))}"

    @property
    def counted(self) -> str:
        """The squares in words."""
        return "one square" if len(self.squares) == 1 else f"a sum of {len(self.squares)} squares"


def positive_definiteness(equations: Any) -> Definiteness:
    """2 T as a sum of squares: weights are masses and moments of inertia, forms are velocities."""
    state, v = equations.state, equations.state.symbols["v"]
    squares = weighted_squares(equations)
    total = sum((x @ (w @ x) if isinstance(x, np.ndarray) else w * x * x for w, x in squares), start=0)
    energy = sum((step.T for step in equations.steps), start=0) * 2
    scale = max((abs(c) for c in terms_of(energy).values()), default=1)
    identity = all(abs(c) < 1e-12 * scale for c in terms_of(total - energy).values())
    identity = identity and not any(_negative(w) for w, _ in squares)
    settled, rest = _settled(state, squares)
    forms = tuple((shown(equations.state, w), shown(equations.state, x)) for w, x in squares)
    return Definiteness(
        forms,
        _minors(equations),
        identity,
        tuple(v[k] for k in settled),
        tuple(v[k] for k in rest),
        _exceptions(state, equations.polynomials["M"], rest),
    )


def weighted_squares(equations: Any) -> list[tuple[Any, Any]]:
    """Weights and forms; a link whose inertia is no diagonal is one form of three entries, its weight 3×3."""
    steps = zip(equations.steps, equations.state.model.bodies, strict=True)
    return [square for step, b in steps for square in squares_of(equations.state, step, b)]


def squares_of(state: State, step: Step, b: Body) -> list[tuple[Any, Any]]:
    """Squares that sum to 2 T of one body."""
    squares: list[tuple[Any, Any]] = []
    for X, inertia in parts(state.model, b):
        squares += [(inertia.mass, x) for x in step.v + cross(step.omega, X.point(inertia.com))]
        squares += _turning(inertia.about_com, X.R.T @ step.omega)
    squares += [(b.armature, b.multiplier * x) for x in state.v[b.dofs]]
    return [(w, x) for w, x in squares if isinstance(x, np.ndarray) or (terms_of(w) and terms_of(x))]


def _turning(about: Array, omega: Array) -> list[tuple[Any, Any]]:
    """ωᵀ I ω as squares along the axes of a diagonal I, or as one form with I as its weight."""
    if any(terms_of(about[i, j]) for i in range(3) for j in range(3) if i != j):
        return [(about, omega)]
    return [(about[k, k], omega[k]) for k in range(3)]


def _numbers(weight: Any) -> np.ndarray | None:
    """A weight as floats; None if it holds symbols."""
    entries = np.ravel(np.array(weight, object))
    if any(isinstance(x, Polynomial) for x in entries):
        return None
    return np.array([float(x) for x in entries]).reshape(np.shape(weight))


def _negative(weight: Any) -> bool:
    found = _numbers(weight)
    if found is None:
        return False
    eigenvalues = np.linalg.eigvalsh(found) if found.ndim else np.array([found])
    return bool(eigenvalues.min() < -1e-12 * abs(eigenvalues).max())


def _definite(weight: Any) -> bool:
    """Definiteness of a positive weight; a 3×3 of symbols is definite unless its determinant is zero for all."""
    found = _numbers(weight)
    if not np.ndim(weight):
        return True
    if found is None:
        return bool(terms_of(determinant(weight)))
    eigenvalues = np.linalg.eigvalsh(found)
    return bool(eigenvalues.min() > 1e-12 * eigenvalues.max())


def _settled(state: State, squares: list[tuple[Any, Any]]) -> tuple[list[int], list[int]]:
    """The velocities that are zero where T is, in the order of the proof, and those left."""
    v = state.symbols["v"]
    forms = [y for w, x in squares if _definite(w) for y in (x if isinstance(x, np.ndarray) else [x])]
    rows = [{j: d for j, s in enumerate(v) if terms_of(d := partial_derivative(x, s))} for x in forms]
    order: list[int] = []
    while True:
        alone: dict[int, list[Any]] = {}
        for row in rows:
            present = [j for j in row if j not in order]
            if len(present) == 1:
                alone.setdefault(present[0], []).append(row[present[0]] * row[present[0]])
        found = [j for j, x in alone.items() if any(positive(state, y) for y in x) or positive(state, sum(x, start=0))]
        if not found:
            return order, [j for j in range(len(v)) if j not in order]
        order += found


def _exceptions(state: State, M: Array, rest: list[int]) -> tuple[sympy.Expr, ...] | None:
    """Expressions that must not vanish: the factors of the determinant that are not proven positive."""
    if not rest:
        return ()
    if len(rest) > SMALL:
        return None
    found = determinant(M[np.ix_(rest, rest)])
    if positive(state, found):
        return ()
    terms = chopped(terms_of(found))
    if not terms:
        return (sympy.Integer(0),)
    if len(terms) > LONGEST or any(isinstance(c, float) for c in terms.values()):
        return None
    short = Polynomial(state.ring, terms)
    factored = min((sympy.factor(x) for x in (plain(short), readable(state, short))), key=sympy.count_ops)
    bases = [base for base, _ in (f.as_base_exp() for f in sympy.Mul.make_args(factored))]
    left = [x for x in bases if not _one_sign(state, x)]
    return tuple(dict.fromkeys(-x if x.could_extract_minus_sign() else x for x in left))


def _one_sign(state: State, x: sympy.Expr) -> bool:
    y = in_ring(state.ring, x)
    return positive(state, y) or positive(state, -y)


def _minors(equations: Any) -> tuple[sympy.Expr, ...]:
    M = equations.polynomials["M"]
    if len(M) > SMALL:
        return ()
    return tuple(readable(equations.state, determinant(M[: k + 1, : k + 1])) for k in range(len(M)))
