"""Forms of a sum of terms, compared before one of them becomes a SymPy expression.

A form is a tree of sums and products over terms of the ring that knows how many operations it takes to write down; only
the one that is kept is made.  Squares are completed: x² ± 2xy + y² is (x ± y)².
"""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import isqrt
from typing import Any, NamedTuple

import sympy

from ..ring.convert import expanded
from ..ring.polynomial import BITS, Ring, Terms, whole

ODD = int("01" * 1024, 16)  # the lowest bit of every exponent
MANY = 60  # terms beyond which squares are not looked for


class Form(NamedTuple):
    """Operations, and a tree: `front`, a single term or a plain sum, times `factors`; or the sum of `parts`."""

    length: int
    front: Terms
    factors: "tuple[Form, ...]" = ()
    parts: "tuple[Form, ...]" = ()
    squared: bool = False


class Forms:
    """Forms over one ring."""

    def __init__(self, ring: Ring):
        self.ring = ring
        self.weights: list[int] = []  # operations of each generator
        self.lengths: dict[int, tuple[int, int]] = {}  # monomial → its operations and its factors

    def _measured(self, monomial: int) -> tuple[int, int]:
        found = self.lengths.get(monomial)
        if found is None:
            for atom in self.ring.atoms[len(self.weights) :]:
                self.weights.append(int(atom.count_ops()))
            powers = list(self.ring.exponents(monomial))
            weight = sum(self.weights[k] + (e > 1) for k, e in powers)
            found = self.lengths[monomial] = weight + max(0, len(powers) - 1), len(powers)
        return found

    def _term_length(self, monomial: int, c: Any) -> int:
        length, factors = self._measured(monomial)
        return length if c in (1, -1) else length + (factors > 0) + (not isinstance(c, (int, float)))

    def flat(self, terms: Terms) -> Form:
        """The terms as they are."""
        return Form(sum(self._term_length(m, c) for m, c in terms.items()) + len(terms) - 1, terms)

    def total(self, parts: Iterable[Form]) -> Form:
        """The sum of forms."""
        given = tuple(parts)
        if len(given) == 1:
            return given[0]
        return Form(sum(part.length for part in given) + len(given) - 1, {}, parts=given)

    def product(self, monomial: int, c: Any, *factors: Form) -> Form:
        """A term times sums; numbers before these come to the front, where SymPy does not multiply them in."""
        for f in [f for f in factors if f.factors and set(f.front) == {0}]:
            c = whole(c * f.front[0])
            factors = (*(x for x in factors if x is not f), *f.factors)
        one = monomial == 0 and c in (1, -1)
        own = 0 if one else self._term_length(monomial, c) + 1
        if one and c == 1 and len(factors) == 1:
            return factors[0]
        return Form(own + sum(f.length for f in factors) + len(factors) - 1, {monomial: c}, factors)

    def times(self, terms: Terms, form: Form) -> Form:
        """A plain sum times a form."""
        if len(terms) > 1:
            return self.product(0, 1, self.flat(terms), form)
        ((monomial, c),) = terms.items()
        return self.product(monomial, c, form)

    def square(self, terms: Terms) -> Form:
        """The square of a plain sum."""
        return Form(self.flat(terms).length + 1, terms, squared=True)

    def written(self, form: Form) -> sympy.Expr:
        """The form as a SymPy expression."""
        if form.parts:
            return sympy.Add(*(self.written(part) for part in form.parts))
        front = expanded(self.ring, form.front)
        if form.squared:
            return sympy.Pow(front, 2)
        return sympy.Mul(front, *(x for f in form.factors for x in _signed(self.written(f))))


def _signed(x: sympy.Expr) -> tuple[sympy.Expr, ...]:
    """A factor; of a sum of rates in which the first cancelled, -q̇₂ - q̇₃, the minus before it."""
    negative = x.is_Add and all(term.could_extract_minus_sign() for term in x.args)
    return (sympy.Integer(-1), -x) if negative else (x,)


def common(ring: Ring, terms: Terms) -> int:
    """The greatest monomial that divides all."""
    out = 0
    for k, least in ring.exponents(next(iter(terms))):
        shift = BITS * k
        for m in terms:
            least = min(least, (m >> shift) & 0xFF)
            if not least:
                break
        out |= least << shift
    return out


def with_squares(forms: Forms, terms: Terms) -> list[Form]:
    """Squares wherever three terms are one, and the terms left."""
    left, parts = dict(terms), []
    if 3 <= len(terms) <= MANY:
        for triple in _triples(terms):
            if (
                all(m in left for m in triple)
                and (square := square_of(forms, {m: left[m] for m in triple})) is not None
            ):
                parts.append(square)
                for m in triple:
                    del left[m]
    return [*parts, forms.flat(left)] if left else parts


def square_of(forms: Forms, terms: Terms) -> Form | None:
    """The square that three terms are; None if they are none."""
    if len(terms) != 3:
        return None
    triple = next(_triples(terms), None)
    if triple is None:
        return None
    first, second, cross = triple
    x, y = _root(terms[first]), _root(terms[second])
    if x and y:
        return forms.square({first // 2: x, second // 2: y if terms[cross] > 0 else -y})
    first, second = max(first, second), min(first, second)  # ½ (x + 0.35)², the number behind
    front, ratio = terms[first], _root(Fraction(terms[second]) / Fraction(terms[first]))
    return forms.product(
        0, front, forms.square({first // 2: 1, second // 2: ratio if terms[cross] * front > 0 else -ratio})
    )


def _triples(terms: Terms) -> Iterator[tuple[int, int, int]]:
    """x², y², xy with fitting coefficients."""
    even = [m for m, c in terms.items() if not m & ODD and not isinstance(c, float)]
    for first in even:
        for second in even:
            cross = (first + second) // 2
            square = first < second and cross in terms and terms[cross] ** 2 == 4 * terms[first] * terms[second]
            if square and _root(Fraction(terms[second]) / Fraction(terms[first])):
                yield first, second, cross


def _root(c: Any) -> Any:
    """The square root of a fraction that has one; zero else."""
    if isinstance(c, float) or c <= 0:
        return 0
    exact = Fraction(c)
    p, q = isqrt(exact.numerator), isqrt(exact.denominator)
    if p * p != exact.numerator or q * q != exact.denominator:
        return 0
    return p if q == 1 else Fraction(p, q)
