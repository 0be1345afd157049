"""Reciprocals: divisors that are sums get names, so that quotients stay polynomials."""

from fractions import Fraction
from typing import Any

import sympy

from .polynomial import Divisor, Polynomial, Terms, whole

LETTERS = ("D", "Delta", "divisor")


def reciprocal(x: Polynomial) -> Any:
    """One over x; a product of symbols is inverted as it is, a sum is named D_1, D_2 … as they come."""
    ring = x.ring
    for divisor in ring.divisors:
        if divisor.meaning == x:
            return ring.generator(1 / divisor.symbol)
    if len(x.terms) == 1:
        ((m, c),) = x.terms.items()
        factors = [(ring.atoms[k], e) for k, e in ring.exponents(m)]
        if all(atom.is_Symbol or atom in ring.roots for atom, _ in factors):
            out: Any = 1 / _exact(c)
            for symbol, e in factors:
                out = ring.inverse(symbol) ** e * out
            return out
    one_over = ring.generator(1 / _name(x))
    ring.divisors.append(Divisor(_name(x), x, *_rule(one_over, x)))
    return one_over


def _name(x: Polynomial) -> sympy.Symbol:
    """The next name, in a letter that no parameter has."""
    taken = {atom.name for atom in x.ring.atoms if atom.is_Symbol}
    letter = next(a for a in LETTERS if not any(name.startswith(f"{a}_") for name in taken))
    return sympy.Symbol(f"{letter}_{len(x.ring.divisors) + 1}", real=True)


def _rule(one_over: Polynomial, x: Polynomial) -> tuple[int, Terms]:
    """The rewriting rule m/D = 1/c - …/(c D) of D = c m + …; m is the greatest monomial, so that rewriting ends."""
    (bit,) = one_over.terms
    greatest = max(x.terms)
    c = _exact(x.terms[greatest])
    rest = {m + bit: whole(-d / c) for m, d in x.terms.items() if m != greatest}
    return greatest + bit, {0: whole(1 / c), **rest}


def _exact(c: Any) -> Any:
    return Fraction(c) if isinstance(c, int) else c
