"""The lecture's four questions, for any robot with symbols (Sapienza, Q1 to Q4)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import sympy

from ...algebra.scalars import Array
from ...model import Model
from ..ring.convert import plain
from ..ring.elimination import combinations_of, tidied
from ..ring.polynomial import BITS, Polynomial, terms_of
from ..ring.state import State
from .coefficients import combined, parameter_rows
from .definiteness import Definiteness, positive_definiteness
from .factorizations import Factorization, factorizations
from .presentation import chopped
from .substitution import solved_numbers

#: conditions up to which SymPy is asked for solutions; it may take forever for more, and for two with letters as angles
SOLVED = 6
LEGIBLE = 40  # operations of an equation that is not linear whose roots are still worth a line


@dataclass(frozen=True)
class Condition:
    """A condition: independent expressions of the parameters that must vanish; none: it always holds."""

    vanishing: tuple[sympy.Expr, ...]
    solutions: tuple[dict[sympy.Symbol, sympy.Expr], ...] | None  # values of parameters that do it, none: impossible;
    # None: not solved
    without: tuple[sympy.Symbol, ...] = ()  # it holds, too, if these are zero: the size of the gravity
    of: sympy.Expr | None = None  # where it is impossible: ± the function of q with the factor that does not vanish

    @property
    def always(self) -> bool:
        """True if nothing must vanish."""
        return not self.vanishing

    def __str__(self) -> str:
        if self.always:
            return "always"
        also = "".join(f"; or {x} = 0" for x in self.without)
        words = " and ".join(f"{x} = 0" for x in self.vanishing)
        if self.solutions is None:
            return words + also
        if not self.solutions:
            return f"{words}, which is impossible for positive masses and lengths{also}"
        ways = " or ".join(" and ".join(f"{k} = {v}" for k, v in s.items()) for s in self.solutions)
        return (words if ways == words else f"{words}, as for {ways}") + also


def constant_inertia(equations: Any) -> Condition:
    """Q1: when M does not depend on q; then c = 0 where v is the rate of q."""
    state = equations.state
    return _vanishing(state, equations.polynomials["M"].ravel(), keep_constant=True)


def no_gravity(equations: Any) -> Condition:
    """Q2: when the robot is balanced in every configuration, g(q) = 0."""
    state, g = equations.state, equations.polynomials["g"]
    return replace(_vanishing(state, g, keep_constant=False), without=_sizes_of_gravity(state, g))


def has_springs(model: Model) -> bool:
    """True if g holds more than gravity."""
    return bool(model.springs) or any(b.stiffness != 0 for b in model.bodies)


def _sizes_of_gravity(state: State, g: Array) -> tuple[sympy.Symbol, ...]:
    """A symbol that is a factor of every term of g, and of nothing but the gravity."""
    gravity = {s for x in state.source.gravity if isinstance(x, sympy.Basic) for s in x.free_symbols}
    terms = [m for x in g for m in terms_of(x)]
    return tuple(
        s
        for s in sorted(gravity, key=str)
        if terms and s in state.ring.index and all((m >> BITS * state.ring.index[s]) & 0xFF for m in terms)
    )


def _vanishing(state: State, values: Array, keep_constant: bool) -> Condition:
    found, stuck = [], []
    given = sorted(parameter_rows(state, values, state.parameters).items())
    rows = [(m, row) for (_, m), row in given if not (keep_constant and m == 0)]
    for k, _ in combinations_of([row for _, row in rows]):
        m, row = rows[k]
        found.append(sympy.factor(combined(state.ring, tidied(row)[0])))
        if found[-1].is_positive or found[-1].is_negative:
            stuck.append((sympy.factor_terms(combined(state.ring, row)), plain(Polynomial(state.ring, {m: 1}))))
    if stuck:
        factor, of = min(stuck, key=lambda pair: [int(x.count_ops()) for x in pair])
        return Condition((abs(factor),), (), of=-of if factor.is_negative else of)
    needed = list(dict.fromkeys(_unsigned(x) for x in found))
    if not needed:
        return Condition((), ())
    in_angles = any(x.has(sympy.cos, sympy.sin) for x in needed)
    if len(needed) > (1 if in_angles else SOLVED):
        return Condition(tuple(needed), None)
    return Condition(tuple(needed), _solved(needed, state))


def _solved(needed: list[sympy.Expr], state: State) -> tuple[dict, ...] | None:
    """Values that make all of them vanish, of symbols that may be zero if that does; None if SymPy finds none.

    That it finds none proves nothing: only factors of one sign are said to be impossible.
    """
    present = [p for p in state.parameters if any(p in x.free_symbols for x in needed)]
    for free in ([p for p in present if not p.is_positive], present):
        real = [s for s in _ways(needed, free) if _vanish(needed, s, solved_numbers(state, s))]
        real = [s for k, s in enumerate(real) if not any(x.items() < s.items() for x in real) and s not in real[:k]]
        if real:
            return tuple(real)
    return None


def _vanish(needed: list[sympy.Expr], solution: Mapping[Any, Any], at: Mapping[sympy.Symbol, Any] | None) -> bool:
    """True if all vanish at numbers for their letters; decimals term by term: a solution may be made of rounding."""
    for x in needed if at else ():
        if x.has(sympy.Float):
            if sympy.expand(sympy.together(x.subs(solution)).as_numer_denom()[0]) != 0:
                return False
            continue
        terms = [t.subs(at) for t in sympy.Add.make_args(sympy.expand(x))]
        if abs(sum(terms)) > 1e-9 * sum(map(abs, terms)):
            return False
    return bool(at)


def _ways(needed: list[sympy.Expr], free: list[sympy.Symbol]) -> list[dict[sympy.Symbol, sympy.Expr]]:
    """Letters that make all vanish: one equation after the other, by the first letter that solves a factor of it.

    Gröbner bases, which SymPy asks for a system, may take forever where a number is irrational.
    """
    if not needed:
        return [{}]
    out = []
    for factor in sympy.Mul.make_args(needed[0]):
        for p in (p for p in free if factor.has(p)):
            found = []
            for x in _roots(factor, p):
                others = [sympy.factor(y.subs(p, x)) for y in needed[1:]]
                rest = _ways([_unsigned(y) for y in others if y != 0], [f for f in free if f != p])
                found += [{p: sympy.factor(x.subs(way)), **way} for way in rest]
            if found:
                out += found
                break
    return out


def _roots(x: sympy.Expr, p: sympy.Symbol) -> list[sympy.Expr]:
    """Values of one letter at which an expression vanishes: of quadratic polynomials, and of functions of angles."""
    if x.is_polynomial(p):  # by formula: SymPy checks its solutions, which takes minutes where roots stand in roots
        a, *more = sympy.Poly(x, p).all_coeffs()
        if len(more) == 1:
            return [sympy.factor(-more[0] / a)]
        return list(sympy.roots([a, *more])) if len(more) == 2 and x.count_ops() < LEGIBLE else []
    if not x.has(sympy.cos, sympy.sin) or x.count_ops() > LEGIBLE:
        return []
    try:
        return sympy.solve(x, p)
    except NotImplementedError:
        return []


def depends_on(state: State, values: Array) -> list[sympy.Symbol]:
    """The coordinates that move any of the polynomials; what rounding left of floats that cancelled moves nothing."""
    rounding = 1e-13 * max((abs(c) for x in np.ravel(values) for c in terms_of(x).values()), default=0)
    present = {
        symbol
        for x in np.ravel(values)
        for m, c in terms_of(x).items()
        if not isinstance(c, float) or abs(c) > rounding
        for k, _ in state.ring.exponents(m)
        for symbol in state.ring.atoms[k].free_symbols
    }
    return [s for s in state.symbols["q"] if s in present]


def in_a_plane(equations: Any) -> bool:
    """True if some axis of the world is that of every hinge and at right angles to every slide and to gravity."""
    state, turned, seen = equations.state, {None: np.eye(3, dtype=object)}, set()
    for step, b in zip(equations.steps, state.model.bodies, strict=True):
        turned[b] = turned[b.parent] @ step.R
        if step.sigma is None:
            return False
        axis = turned[b] @ (b.S[3:, 0] if step.sigma == 0 else b.S[:3, 0])
        along = tuple(bool(chopped(terms_of(x))) for x in axis)
        seen.add((step.sigma, along))
    return any(
        equations.model.gravity[k] == 0
        and (0, tuple(j == k for j in range(3))) in seen
        and all(not along[k] if sigma else along == tuple(j == k for j in range(3)) for sigma, along in seen)
        for k in range(3)
    )


def _unsigned(x: sympy.Expr) -> sympy.Expr:
    """The expression without factors that cannot vanish, in the sign that SymPy prefers."""
    rest = sympy.Mul(*(f for f in sympy.Mul.make_args(x) if not f.is_positive and not f.is_number))
    return -rest if rest.could_extract_minus_sign() else rest


class Answers(NamedTuple):
    """Q1 to Q4 of the lecture."""

    constant_inertia: Condition
    no_gravity: Condition
    positive_definiteness: Definiteness
    factorizations: list[Factorization]

    @property
    def table(self) -> Any:
        """Questions and answers in sentences, each with its second way; shown in a notebook, and by `print`."""
        from ..pages.answers import questions_table
        from ..pages.derivation import LONGEST

        return questions_table(self.factorizations[0].equations, LONGEST)

    def __str__(self) -> str:
        from ..pages.terminal import in_words

        return "\n".join(f"{in_words(question)}\n  {in_words(answer)}" for question, answer in self.table.rows)

    def _repr_html_(self) -> str:
        from ..pages.html import fragment, table_of

        return fragment(table_of(self.table))


def questions(equations: Any) -> Answers:
    """The lecture's four questions: constant inertia, balance, positive definiteness, factorizations of c.

    Returns
    -------
    Answers; prints as sentences

    Notes
    -----
    Source: De Luca, Robotics 2 (Lagrangian dynamics, moving frames).

    Examples
    --------
    >>> import articulated as art
    >>> len(str(art.derive("2r").questions())) > 0
    True
    """
    known = equations.__dict__  # a page and its reader ask the same
    if "answers" not in known:
        conditions = constant_inertia(equations), no_gravity(equations)
        known["answers"] = Answers(*conditions, positive_definiteness(equations), factorizations(equations))
    return known["answers"]
