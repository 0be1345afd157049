"""Polynomials proven positive as their symbols are declared, and expressions seen to vanish."""

import random
from collections.abc import Iterable
from typing import Any

import sympy

from .convert import expanded
from .polynomial import Ring, Terms, terms_of
from .state import State

ROUNDING = 1e-12  # relative to the largest coefficient: floats above it count as positive


def positive(state: State, x: Any) -> bool:
    """Whether x > 0 is proven; False means only that this proof does not do.

    Terms are sorted by their product of parameters.  Each product must be positive or a square as its symbols are
    declared, and the function of q it is multiplied with must be bounded from below by zero: sines and cosines by one,
    squares by zero.  One of them has to be above.
    """
    terms = terms_of(x)
    groups: dict[int, Terms] = {}
    own = set(state.symbols["q"])
    moving = state.ring.bits(lambda atom: atom.free_symbols & own)
    for m, c in terms.items():
        groups.setdefault(m & ~moving, {})[m & moving] = c
    strict = False
    largest = max((abs(c) for c in terms.values()), default=0)
    for product, group in groups.items():
        bound = _lower_bound(state.ring, group)
        if bound is None:
            return False
        exact = not any(isinstance(c, float) for c in group.values())
        above = bound > (0 if exact else ROUNDING * largest)
        sign = expanded(state.ring, {product: 1})
        if not above and not (exact and bound == 0):
            return False
        if not (sign.is_positive or sign.is_nonnegative):
            return False
        strict = strict or bool(above and sign.is_positive)
    return strict


def _lower_bound(ring: Ring, terms: Terms) -> Any:
    """A number no value of the terms is below; None where a coordinate without bounds is in the way."""
    total: Any = 0
    for m, c in terms.items():
        powers = list(ring.exponents(m))
        if not m:
            total = total + c
        elif c > 0 and all(e % 2 == 0 for _, e in powers):
            continue
        elif all(ring.atoms[k].is_Function for k, _ in powers):
            total = total - abs(c)
        else:
            return None
    return total


ROUNDED, EXACT = 1e-12, 1e-30  # rounding error of a zero sum relative to its terms: of decimals, of fractions
STATES = 24  # random values of the symbols: that a sign which matters is the same in all of them happens once in 2^23


def vanishes(x: Any) -> bool:
    """Whether an expression is zero for all values of its symbols: it is at random ones, as `where_seen` says.

    Values have both signs, unless a symbol is positive, and go round the circle; those at which the expression is not
    defined count for nothing.
    """
    terms = sympy.Add.make_args(sympy.expand(sympy.sympify(x)))
    symbols = sorted({s for term in terms for s in term.free_symbols}, key=lambda s: s.name)
    rounding = ROUNDED if _rounded(terms) else EXACT
    rng, seen, wanted = random.Random(1), 0, STATES if symbols else 1
    for _ in range(4 * wanted):
        at = {s: sympy.Float(_value(s, rng), 60) for s in symbols}
        values = [sympy.N(term.subs(at), 60) for term in terms]
        if not all(value.is_finite for value in values):
            continue
        if abs(sum(values)) > rounding * sum(map(abs, values)):
            return False
        seen += 1
        if seen == wanted:
            return True
    return False


def where_seen(*expressions: Any) -> str:
    """At how many states `vanishes` looks, and to how many digits: decimals have fewer."""
    digits = "twelve" if _rounded(expressions) else "thirty"
    return f"at {STATES} random states, to {digits} digits"


def _rounded(expressions: Iterable[Any]) -> bool:
    return any(sympy.sympify(x).has(sympy.Float) for x in expressions)


def _value(symbol: sympy.Symbol, rng: random.Random) -> float:
    if symbol.is_nonnegative:
        return rng.uniform(0.2, 1.4)
    return rng.uniform(0.2, 3.1) * (-1 if symbol.is_nonpositive else rng.choice((1, -1)))
