"""Zero test of SymPy expressions at random values of their symbols, where no normal form proves it."""

import random
from collections.abc import Iterable
from typing import Any

import sympy

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
