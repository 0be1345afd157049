"""Minimal dynamic coefficients: tau = Y a with the fewest a."""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import sympy

from ...algebra.scalars import Array, zeros
from ...errors import unknown
from ...model import Model
from ..ring.convert import free_symbols, in_ring, plain
from ..ring.elimination import Vector, combinations_of, primitive
from ..ring.expressions import symbol
from ..ring.notebook import formula
from ..ring.polynomial import Polynomial, Ring, terms_of
from ..ring.state import State, partial_derivative
from .base_parameters import reduced_columns, regrouped
from .notation import has_letter
from .presentation import readable, shown

#: of coefficients: the first that the robot has not
LETTERS = ("a", "p", "pi", "coefficient")


class Coefficient(NamedTuple):
    """One coefficient: its name and what it stands for."""

    name: str
    expression: sympy.Expr


@formula("expressions")
class Coefficients(Sequence):
    """The coefficients in order, the matrix Y with tau = Y a, and the model written in them."""

    def __init__(self, state: State, letter: str, expressions: list[sympy.Expr], Y: Array, values: Any = None):
        self.state, self.polynomials = state, Y
        symbols = [*state.parameters, *(s for group in state.symbols.values() for s in group)]
        self.letter = next(x for x in (letter, *LETTERS) if not has_letter(symbols, x))
        self.items = [Coefficient(f"{self.letter}_{j + 1}", x) for j, x in enumerate(expressions)]
        self.values = values  # where the robot's numbers are known
        self.symbols = [symbol(c.name) for c in self.items]

    def __getitem__(self, k: Any) -> Any:
        return self.items[k]

    def __len__(self) -> int:
        return len(self.items)

    @property
    def expressions(self) -> sympy.Matrix:
        """a, as expressions of the robot's parameters."""
        return sympy.ImmutableMatrix([c.expression for c in self.items])

    @cached_property
    def Y(self) -> sympy.Matrix:
        """The regressor, (nv, len(a))."""
        return shown(self.state, self.polynomials)

    @cached_property
    def _tau(self) -> Array:
        return self.polynomials @ np.array([self.state.ring.generator(s) for s in self.symbols], object)

    @cached_property
    def M(self) -> sympy.Matrix:
        """The inertia matrix, written in the coefficients."""
        rates = self.state.symbols["a"]
        return shown(self.state, np.array([[partial_derivative(t, s) for s in rates] for t in self._tau], object))

    @cached_property
    def c(self) -> sympy.Matrix:
        """Centrifugal and Coriolis forces, written in the coefficients."""
        return self._part(lambda degree, friction: degree >= 2 and not friction)

    @cached_property
    def g(self) -> sympy.Matrix:
        """Gravity forces, written in the coefficients."""
        return self._part(lambda degree, friction: degree == 0 and not friction)

    @cached_property
    def friction(self) -> sympy.Matrix:
        """Joint friction, written in the coefficients."""
        return self._part(lambda degree, friction: degree == 1 or friction)

    @property
    def tau(self) -> sympy.Matrix:
        """The whole model, written in the coefficients."""
        return sympy.ImmutableMatrix(self.M * sympy.Matrix(self.state.symbols["a"]) + self.c + self.g + self.friction)

    def _part(self, wanted: Callable[[int, bool], bool]) -> sympy.Matrix:
        """The terms without accelerations, chosen by their degree in v and whether a sign of v is in them."""
        ring, symbols = self.state.ring, self.state.symbols
        a, signs = ring.bits(lambda atom: atom in symbols["a"]), ring.bits(lambda atom: atom.has(sympy.sign))
        v = {ring.index[s] for s in symbols["v"] if s in ring.index}
        out = []
        for t in self._tau:
            terms = {
                m: c
                for m, c in terms_of(t).items()
                if not m & a and wanted(sum(e for k, e in ring.exponents(m) if k in v), bool(m & signs))
            }
            out.append(readable(self.state, Polynomial(ring, terms) if terms else 0))
        return sympy.ImmutableMatrix(out)

    def __repr__(self) -> str:
        return "\n".join(f"{c.name} = {c.expression}" for c in self.items)

    def latex(self) -> str:
        """The coefficients as an aligned block."""
        from ..pages.document import aligned
        from ..pages.latex import by_factor, latex

        lines = [c.expression if self.values is None else by_factor(c.expression) for c in self.items]
        return aligned([(latex(s), x) for s, x in zip(self.symbols, lines, strict=True)])


def coefficients(equations: Any, known: Any = (), letter: str = "a") -> Coefficients:
    """The minimal dynamic coefficients a and Y with tau = Y a; symbols in `known` go into Y.

    A known symbol is left in a coefficient only as a factor of what is regrouped into it, as l_1**2*m_2 into I_1.

    Parameters
    ----------
    known : symbols, or their names, that are not part of a coefficient; "geometry": lengths and gravity
    letter : theirs, a_1 …; where the robot has it, too, as a length a_2, the first of a, p, pi that it has not

    Returns
    -------
    Coefficients: named expressions a (p,), with .Y (nv, p) such that tau = Y a

    Notes
    -----
    Source: De Luca, Robotics 2 (Lagrangian dynamics, moving frames).

    Examples
    --------
    >>> import articulated as art
    >>> len(art.derive("2r").coefficients())
    5
    """
    state = equations.state
    names = _known_names(equations, known)
    unknowns = [p for p in state.parameters if p.name not in names]
    if unknowns and names:
        return Coefficients(state, letter, *_with_known(state, equations.polynomials["tau"], unknowns))
    if unknowns:
        return Coefficients(state, letter, *_of_symbols(state, equations.polynomials["tau"], unknowns))
    return base_parameters(equations, letter)


def base_parameters(equations: Any, letter: str = "a") -> Coefficients:
    """The base parameters of Gautier and Khalil: each one parameter of a link, plus what is regrouped into it.

    Parameters are those of each body in the frame of its joint (before a_i and alpha_i of a standard D-H row):
    m, mx …, Ixx …; lengths and gravity are known.  `values` are theirs for this robot.

    Parameters
    ----------
    letter : theirs, as of `coefficients`

    Returns
    -------
    Coefficients with .Y and .values (p,)

    Notes
    -----
    Source: Gautier and Khalil 1990.

    Examples
    --------
    >>> import articulated as art
    >>> art.derive("2r").base_parameters().Y.shape[0]
    2
    """
    return Coefficients(equations.state, letter, *regrouped(equations.state))


def _known_names(equations: Any, known: Any) -> set[str]:
    """Symbols, or their names, as a list or as one text with commas; each must be one of the robot's."""
    if isinstance(known, str) and known == "geometry":
        return {p.name for p in geometry(equations.model)}
    listed = [x.strip() for x in known.split(",")] if isinstance(known, str) else known
    if not isinstance(listed, (list, tuple, set, frozenset)):
        listed = [listed]
    names = {str(s) for s in listed}
    ours = [p.name for p in equations.parameters]
    for name in sorted(names - set(ours)):
        raise unknown("parameter", name, equations.name, ours)
    return names


def geometry(model: Model) -> set[sympy.Symbol]:
    """Symbols of lengths, angles between axes and gravity: of everything but masses, centers of mass and inertias."""
    places = [X for b in model.bodies for X in (b.placement, b.tail)]
    return free_symbols([*model.gravity, *(x for X in places for x in (*X.R.ravel(), *X.p))])


def _of_symbols(state: State, tau: Array, unknowns: list[sympy.Symbol]) -> tuple[list[sympy.Expr], Array]:
    """The combinations of unknown symbols that tau can tell apart, and Y."""
    ring = state.ring
    rows = parameter_rows(state, tau, unknowns)
    a, v = (ring.bits(state.symbols[name].__contains__) for name in "av")
    order = sorted(rows, key=lambda k: _natural(ring, a, v, *k))
    chosen: list[Vector] = []
    shares = combinations_of([rows[key] for key in order])
    Y = zeros(len(tau), len(shares))
    for j, (pivot, share) in enumerate(shares):
        vector, factor = _normalized(rows[order[pivot]])
        chosen.append(vector)
        for k, weight in share.items():
            i, m = order[k]
            Y[i, j] = Y[i, j] + Polynomial(ring, {m: 1}) * in_ring(ring, weight * factor)
    return [_expression(state, vector) for vector in chosen], Y


def _with_known(state: State, tau: Array, unknowns: list[sympy.Symbol]) -> tuple[list[sympy.Expr], Array]:
    """Products of unknown symbols, each with what cannot be told from it; known symbols are in Y.

    A known symbol stands in a coefficient only as the factor of something regrouped into it, as l_1² m_2 into I_1;
    products that come with the lowest powers of known symbols are the ones that keep their place, so that nothing is
    divided by a known symbol that may as well multiply.
    """
    ring, columns, factors = state.ring, dict[int, Array](), dict[int, list[Any]]()
    for (i, m), row in parameter_rows(state, tau, unknowns).items():
        for product, factor in row.items():
            entries = columns.setdefault(product, zeros(len(tau)))
            entries[i] = entries[i] + Polynomial(ring, {m: 1}) * in_ring(ring, factor)
            factors.setdefault(product, []).append(factor)
    products = sorted(columns, key=lambda m: (_known_degree(factors[m]), _weight(ring, m), m))
    reduced, Y = reduced_columns(state, [columns[m] for m in products])
    return [_expression(state, {products[k]: factor for k, factor in row.items()}) for _, row in reduced], Y


def _known_degree(factors: list[Any]) -> int:
    """The highest power of known symbols a product is multiplied with."""
    known = free_symbols(factors)
    return max(sympy.Poly(sympy.sympify(x), *known).total_degree() for x in factors) if known else 0


def _weight(ring: Ring, monomial: int) -> int:
    """The degree of a monomial."""
    return sum(e for _, e in ring.exponents(monomial))


def _normalized(row: Vector) -> tuple[Vector, Any]:
    """A row without the twos and halves that come from squares; other numbers, like 9.81, are the robot's."""
    vector, factor = primitive(row)
    small = abs(factor) <= 4 and (factor * 8) % 1 == 0
    return (vector, factor) if small else (dict(row), 1)


def parameter_rows(state: State, values: Array, unknowns: Iterable[sympy.Symbol]) -> dict[tuple[int, int], Vector]:
    """(entry, function of the state) → the combination of unknown parameters it is multiplied with.

    The factors of a combination are numbers, or expressions of the parameters that are known.
    """
    wanted, moving = set(unknowns), {s for group in state.symbols.values() for s in group}
    mask = state.ring.bits(lambda atom: atom.free_symbols & wanted)
    known = state.ring.bits(lambda atom: not atom.free_symbols & (wanted | moving))
    rows: dict[tuple[int, int], Vector] = {}
    for i, x in enumerate(values):
        for m, c in terms_of(x).items():
            row = rows.setdefault((i, m & ~mask & ~known), {})
            factor = c if not m & known else plain(Polynomial(state.ring, {m & known: c}))
            if isinstance(c, float) and not (m & known and factor.free_symbols):
                factor = float(factor)
            row[m & mask] = row.get(m & mask, 0) + factor
    return rows


def _natural(ring: Ring, a: int, v: int, i: int, m: int) -> tuple:
    """Inertia before gravity before velocities, row by row, constants before functions of q."""
    kind = 0 if m & a else 2 if m & v else 1
    return kind, i, m & a, _weight(ring, m), m


def _expression(state: State, vector: Vector) -> sympy.Expr:
    """A combination of parameters by masses; a factor all its terms share, other than a mass, in front."""
    if not any(isinstance(c, sympy.Basic) for c in vector.values()):
        return readable(state, Polynomial(state.ring, dict(vector)))
    total = combined(state.ring, vector)
    common = sympy.gcd_terms(total) if len(vector) > 1 else total
    return common if common.is_Mul and len(common.free_symbols) < 6 else total


def combined(ring: Ring, vector: Vector) -> sympy.Expr:
    """A combination of monomials with numbers, roots or known symbols before them."""
    return sympy.Add(
        *(
            plain(Polynomial(ring, {m: 1})) * c if isinstance(c, sympy.Basic) else plain(Polynomial(ring, {m: c}))
            for m, c in vector.items()
        )
    )
