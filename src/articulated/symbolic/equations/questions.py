"""The lecture's four questions, for any robot with symbols (Sapienza, Q1 to Q4)."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import sympy

from ...algebra.rotations import cross
from ...algebra.scalars import Array
from ..ring.convert import plain
from ..ring.elimination import Echelon, tidied
from ..ring.polynomial import Polynomial, terms_of
from ..ring.state import State, partial_derivative
from ..ring.values import at_random
from .coefficients import parameter_rows
from .moving_frames import parts
from .tidy import readable

SOLVED = 6  # conditions up to which SymPy is asked for solutions; it may take forever for more
SMALL = 3  # up to so many joints the minors are written out


@dataclass(frozen=True)
class Condition:
    """What must vanish, as independent expressions of the parameters; none: it always holds."""

    vanishing: tuple[sympy.Expr, ...]
    solutions: tuple[dict[sympy.Symbol, sympy.Expr], ...] | None  # values of parameters that do it; None: not solved

    @property
    def always(self) -> bool:
        """Whether there is nothing to ask for."""
        return not self.vanishing

    def __str__(self) -> str:
        if self.always:
            return "always"
        words = " and ".join(f"{x} = 0" for x in self.vanishing)
        if self.solutions is None:
            return words
        if not self.solutions:
            return f"{words}, which is impossible for positive masses and lengths"
        ways = " or ".join(", ".join(f"{k} = {v}" for k, v in s.items()) for s in self.solutions)
        return words if ways == words else f"{words}; that is {ways}"


def constant_inertia(equations: Any) -> Condition:
    """Q1: when M does not depend on q (then c = 0)."""
    state = equations.state
    return _vanishing(state, equations.polynomials["M"].ravel(), keep_constant=True)


def no_gravity(equations: Any) -> Condition:
    """Q2: when the robot is balanced in every configuration, g(q) = 0."""
    return _vanishing(equations.state, equations.polynomials["g"], keep_constant=False)


def _vanishing(state: State, values: Array, keep_constant: bool) -> Condition:
    echelon, found = Echelon(), []
    for (_, m), row in sorted(parameter_rows(state, values, state.parameters).items()):
        if not (keep_constant and m == 0) and echelon.combination(row) is None:
            vector = tidied(row)[0]
            echelon.add(vector)
            found.append(sympy.factor(plain(Polynomial(state.ring, dict(vector)))))
    if stuck := [x for x in found if x.is_positive or x.is_negative]:
        return Condition((abs(min(stuck, key=sympy.count_ops)),), ())
    needed = list(dict.fromkeys(_unsigned(x) for x in found))
    if not needed:
        return Condition((), ())
    if len(needed) > SOLVED:
        return Condition(tuple(needed), None)
    free = [p for p in state.parameters if not p.is_positive]
    solutions = sympy.solve(needed, free, dict=True) if free else []
    return Condition(tuple(needed), tuple(solutions))


def depends_on(state: State, values: Array) -> list[sympy.Symbol]:
    """The coordinates that move any of the polynomials."""
    present = {
        symbol
        for x in np.ravel(values)
        for m in terms_of(x)
        for k, _ in state.ring.exponents(m)
        for symbol in state.ring.atoms[k].free_symbols
    }
    return [s for s in state.symbols["q"] if s in present]


def _unsigned(x: sympy.Expr) -> sympy.Expr:
    """Without the factors that cannot vanish, of either sign the one SymPy prefers."""
    rest = sympy.Mul(*(f for f in sympy.Mul.make_args(x) if not f.is_positive and not f.is_number))
    return -rest if rest.could_extract_minus_sign() else rest


@dataclass(frozen=True)
class Definiteness:
    """Q3: M is positive definite for all q, and why."""

    squares: tuple[tuple[Any, Any], ...]  # (weight, linear form in v): 2 T = Σ weight · form²; 3×3 and 3 for a link
    minors: tuple[sympy.Expr, ...]  # leading principal minors, for small robots
    identity: bool  # whether Σ weight · form² is 2 T, exactly
    rank: int  # of the forms, at a random configuration: n means definite

    size: int

    @property
    def positive_definite(self) -> bool:
        """Whether it holds for positive weights."""
        return self.identity and self.rank == self.size

    def __str__(self) -> str:
        verdict = "positive definite" if self.positive_definite else "positive semidefinite"
        count = len(self.squares)
        return f"2 T is a sum of {count} squares weighted with masses and inertias, of rank {self.rank}: M is {verdict}"


def positive_definiteness(equations: Any) -> Definiteness:
    """2 T as a sum of squares: weights are masses and moments of inertia, forms are velocities."""
    state = equations.state
    squares: list[tuple[Any, Any]] = []
    for step, b in zip(equations.steps, state.model.bodies, strict=True):
        for X, inertia in parts(state.model, b):
            squares += [(inertia.mass, x) for x in step.v + cross(step.omega, X.point(inertia.com))]
            squares += _turning(inertia.about_com, X.R.T @ step.omega)
        squares += [(b.armature, b.multiplier * x) for x in state.v[b.dofs]]
    squares = [(w, x) for w, x in squares if isinstance(x, np.ndarray) or (terms_of(w) and terms_of(x))]
    total = sum((x @ (w @ x) if isinstance(x, np.ndarray) else w * x * x for w, x in squares), start=0)
    energy = sum((step.T for step in equations.steps), start=0) * 2
    identity = all(abs(c) < 1e-9 for c in terms_of(total - energy).values())
    forms = _forms(state, [y for _, x in squares for y in (x if isinstance(x, np.ndarray) else [x])])
    shown = tuple((equations.shown(w), equations.shown(x)) for w, x in squares)
    rank = int(np.linalg.matrix_rank(forms, tol=1e-9))
    return Definiteness(shown, _minors(equations), identity, rank, len(state.v))


def _turning(about: Array, omega: Array) -> list[tuple[Any, Any]]:
    """ωᵀ I ω as squares along the axes of a diagonal I, or as one form with I as its weight."""
    if any(terms_of(about[i, j]) for i in range(3) for j in range(3) if i != j):
        return [(about, omega)]
    return [(about[k, k], omega[k]) for k in range(3)]


def _forms(state: State, forms: list[Any]) -> np.ndarray:
    rows = [[partial_derivative(x, s) for s in state.symbols["v"]] for x in forms]
    return at_random(state, np.array(rows, object).reshape(len(rows), len(state.v)))


def _minors(equations: Any) -> tuple[sympy.Expr, ...]:
    M = equations.polynomials["M"]
    if len(M) > SMALL:
        return ()
    return tuple(readable(equations.state, _determinant(M[: k + 1, : k + 1])) for k in range(len(M)))


def _determinant(M: Array) -> Any:
    if len(M) == 1:
        return M[0, 0]
    rest = [np.delete(M[1:], k, axis=1) for k in range(len(M))]
    return sum(((-1) ** k * M[0, k] * _determinant(rest[k]) for k in range(len(M))), start=0)


@dataclass(frozen=True)
class Factorization:
    """Q4: one C with C v = c; `skew` says whether dM/dt - 2 C is skew for all q and v."""

    name: str
    equations: Any
    polynomials: Array
    skew: bool
    gives_c: bool

    @cached_property
    def C(self) -> sympy.Matrix:
        """The matrix, typeset."""
        return self.equations.shown(self.polynomials)


def factorizations(equations: Any) -> list[Factorization]:
    """Three factorisations, two of them skew (for one-dof joints), each proven."""
    state, M = equations.state, equations.polynomials["M"]
    rate = sum((state.along_array(k, M) * state.v[k] for k in range(len(M))), start=np.zeros_like(M))
    out = []
    for name in ("christoffel", "body_jacobian", "nonskew"):
        C = equations.coriolis_polynomials(name)
        left = rate - 2 * C
        skew = all(_zero(x) for x in (left + left.T).ravel())
        gives = all(_zero(x) for x in C @ state.v - equations.polynomials["c"])
        out.append(Factorization(name, equations, C, skew, gives))
    return out


def _zero(x: Any) -> bool:
    return all(abs(c) < 1e-12 for c in terms_of(x).values())


class Answers(NamedTuple):
    """Q1 to Q4 of the lecture."""

    constant_inertia: Condition
    no_gravity: Condition
    positive_definiteness: Definiteness
    factorizations: list[Factorization]


def answers(equations: Any) -> Answers:
    """All four."""
    return Answers(
        constant_inertia(equations),
        no_gravity(equations),
        positive_definiteness(equations),
        factorizations(equations),
    )
