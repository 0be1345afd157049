"""Gaussian elimination of sparse rows, exact on fractions, tolerant on floats."""

from collections.abc import Iterable
from fractions import Fraction
from functools import reduce
from math import gcd, lcm
from operator import add, mul
from typing import Any

import numpy as np
import sympy
from sympy.polys.constructor import construct_domain
from sympy.polys.matrices import DomainMatrix

from .polynomial import whole

Vector = dict[int, Any]
SMALL_NUMBER = 12  # a common factor is taken out if what it leaves is whole and not larger
SMALL = 1e-9  # of a row's largest entry, what is no pivot among floats
LEFT = 1e-12  # what rounding leaves of terms that cancel


def combinations_of(rows: list[Vector]) -> list[tuple[int, Vector]]:
    """Rows that are no combination of those before them: the index of each, and its share in every row."""
    by_entry: dict[int, Vector] = {}
    for k, row in enumerate(rows):
        for j, c in row.items():
            by_entry.setdefault(j, {})[k] = c
    return reduced_rows(by_entry.values())


def reduced_rows(rows: Iterable[Vector]) -> list[tuple[int, Vector]]:
    """The reduced row echelon form: (pivot column, row), pivot one, zero in the other pivots' columns.

    Entries are numbers, or expressions of known symbols: then those of the form are quotients of polynomials.
    """
    given = list({frozenset(row.items()): row for row in rows}.values())
    if any(isinstance(c, float) for row in given for c in row.values()):
        return _reduced_floats(given)
    places = [(i, j) for i, row in enumerate(given) for j in row]
    columns = sorted({j for _, j in places})
    factors = [with_fractions(sympy.sympify(given[i][j])) for i, j in places]
    # π of a helical joint is like a letter: no polynomial of fractions vanishes there
    letters = {x: sympy.Dummy(real=True) for c in factors for x in c.atoms(sympy.NumberSymbol)}
    names = {letter: x for x, letter in letters.items()}
    field, elements = _in_a_field([c.xreplace(letters) for c in factors])
    entries: dict[int, dict[int, Any]] = {}
    for (i, j), x in zip(places, elements, strict=True):
        if x:  # SymPy takes what is listed for not zero
            entries.setdefault(i, {})[columns.index(j)] = x
    reduced, pivots = DomainMatrix(entries, (len(given), len(columns)), field).rref()
    found = reduced.to_sparse().rep
    return [
        (columns[k], {columns[j]: _written(field, x, names) for j, x in found[i].items()}) for i, k in enumerate(pivots)
    ]


def _in_a_field(given: list[sympy.Expr]) -> tuple[Any, list[Any]]:
    """The smallest field that holds the expressions, and they in it; roots of numbers are adjoined to the rationals."""
    roots = {x for c in given for x in c.atoms(sympy.Pow) if x.is_number and not x.is_Rational}
    if not roots:
        return construct_domain(given, field=True)
    field = sympy.QQ.algebraic_field(*roots)
    if symbols := sorted({s for c in given for s in c.free_symbols}, key=str):
        field = field.frac_field(*symbols)
    known = {
        x: field.from_sympy(x) for x in roots
    }  # SymPy looks for the minimal polynomial of a root wherever it stands
    return field, [_element(field, c, known) for c in given]


def _element(field: Any, x: sympy.Expr, known: dict[sympy.Expr, Any]) -> Any:
    """An expression in a field, by its parts, which are kept."""
    if x not in known:
        if x.is_Add or x.is_Mul:
            known[x] = reduce(add if x.is_Add else mul, [_element(field, y, known) for y in x.args])
        elif x.is_Pow and x.exp.is_Integer:
            known[x] = _element(field, x.base, known) ** int(x.exp)
        else:
            known[x] = field.from_sympy(x)
    return known[x]


def with_fractions(x: sympy.Expr) -> sympy.Expr:
    """Decimals by their digits; SymPy's nsimplify takes 0.249999984375 sqrt(3) for sqrt(3)/4."""
    return x.xreplace({number: sympy.Rational(f"{float(number):.15g}") for number in x.atoms(sympy.Float)})


def _written(field: Any, x: Any, names: dict[sympy.Symbol, sympy.Expr]) -> Any:
    """An element of the field: a fraction, or an expression of known symbols."""
    if field.is_QQ:
        return Fraction(int(x.numerator), int(x.denominator))
    if field.is_FractionField and field.domain.is_Algebraic:  # roots stay above the line
        lead = x.denom.LC
        x = field.field.raw_new(x.numer.quo_ground(lead), x.denom.quo_ground(lead))
    return sympy.factor_terms(field.to_sympy(x).xreplace(names))


def _reduced_floats(rows: list[Vector]) -> list[tuple[int, Vector]]:
    """`reduced_rows` of floats: the largest pivot of each column, and a threshold for zero."""
    columns = sorted({j for row in rows for j in row})
    at = {j: k for k, j in enumerate(columns)}
    A = np.zeros((len(rows), len(columns)))
    for i, row in enumerate(rows):
        for j, c in row.items():
            A[i, at[j]] = c
    A[abs(A) < LEFT * abs(A).max(initial=0)] = 0
    A /= np.maximum(abs(A).max(axis=1, keepdims=True), 1e-300)
    done: list[tuple[int, int]] = []
    free = np.ones(len(A), bool)
    for k, column in enumerate(columns):
        i = int(np.argmax(np.where(free, abs(A[:, k]), -1)))
        if not free.any() or abs(A[i, k]) < SMALL:
            continue
        A[i] /= A[i, k]
        others = np.arange(len(A)) != i
        A[others] -= A[others, k : k + 1] * A[i]
        free[i] = False
        done.append((column, i))
    return [(column, {j: float(x) for j, x in zip(columns, A[i], strict=True) if abs(x) > LEFT}) for column, i in done]


def primitive(row: Vector) -> tuple[Vector, Any]:
    """The row divided by its content, first term positive; and the content."""
    scale = 1
    for c in row.values():
        if isinstance(c, Fraction):
            scale = lcm(scale, c.denominator)
        elif not isinstance(c, int):
            return dict(row), 1
    scaled = {
        j: int(c * scale) if isinstance(c, int) else c.numerator * (scale // c.denominator) for j, c in row.items()
    }
    content = gcd(*scaled.values())
    if sum(1 if c > 0 else -1 for c in scaled.values()) < 0:
        content = -content
    return {j: c // content for j, c in scaled.items()}, content if scale == 1 else whole(Fraction(content, scale))


def tidied(row: Vector) -> tuple[Vector, Any]:
    """`primitive`, unless it makes large numbers of decimals; then only the minus that all of them share."""
    inside, content = primitive(row)
    large = max((abs(c) for c in inside.values() if not isinstance(c, sympy.Basic)), default=0) > SMALL_NUMBER
    if not large:
        return inside, content
    if all(not isinstance(c, sympy.Basic) and c < 0 for c in row.values()):
        return {m: -c for m, c in row.items()}, -1
    return dict(row), 1
