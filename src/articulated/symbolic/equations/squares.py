"""Squares completed: x² ± 2xy + y² as (x ± y)²."""

from collections.abc import Iterator
from fractions import Fraction
from math import isqrt
from typing import Any

from ..ring.polynomial import Terms
from .trees import Form, Forms

ODD = int("01" * 1024, 16)  # the lowest bit of every exponent
MANY = 60  # terms beyond which none are looked for


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
    return forms.square({first // 2: x, second // 2: y if terms[cross] > 0 else -y})


def _triples(terms: Terms) -> Iterator[tuple[int, int, int]]:
    """x², y², xy with fitting coefficients."""
    roots = {m: root for m, c in terms.items() if not m & ODD and (root := _root(c))}
    for first in roots:
        for second in roots:
            cross = (first + second) // 2
            if first < second and cross in terms and abs(terms[cross]) == 2 * roots[first] * roots[second]:
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
