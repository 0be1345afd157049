"""Quotients of polynomials in lowest terms, where sums that something was divided by have names."""

from collections import defaultdict
from fractions import Fraction
from typing import Any

import sympy
from sympy.polys.domains import QQ
from sympy.polys.rings import PolyRing

from .elimination import primitive
from .polynomial import Divisor, Polynomial, Ring, Terms, whole


class Quotients:
    """Polynomials in 1/D_1, 1/D_2 … as one numerator over one denominator, neither of which holds these."""

    def __init__(self, ring: Ring):
        self.ring = ring
        self.free = PolyRing([f"g_{k}" for k in range(len(ring.atoms))], QQ)
        #: generators that are one over something, each as a numerator and a denominator
        self._inverses = {inverse: (self.free.one, self.free.gens[k]) for k, inverse in ring.inverses}
        for divisor in ring.divisors:  # each may hold inverses of those before it
            above, below = self._quotient(divisor.meaning)
            self._inverses[ring.index[1 / divisor.symbol]] = below, above

    def of(self, x: Any) -> tuple[Any, Any]:
        """Numerator and denominator; one where nothing is divided."""
        if not isinstance(x, Polynomial):
            return x, 1
        above, below = self._in_ring(*self._quotient(x))
        if not isinstance(above, Polynomial) or not isinstance(below, Polynomial):
            return above, below
        # s² + c² = 1 is known to the ring only: what it has shortened may have common factors again
        return self._in_ring(*_cancelled(self._quotient(above)[0], self._quotient(below)[0]))

    def _quotient(self, x: Polynomial) -> tuple[Any, Any]:
        """Numerator and denominator in lowest terms, s² + c² = 1 aside."""
        sums: dict[tuple[int, ...], dict[Any, Any]] = defaultdict(dict)  # by the powers of the inverses
        order = tuple(self._inverses)
        for m, c in x.terms.items():
            powers = [0] * self.free.ngens
            for k, e in self.ring.exponents(m):
                powers[k] = e
            key = tuple(powers[k] for k in order)
            for k in order:
                powers[k] = 0
            exact = Fraction(c)
            sums[key][tuple(powers)] = QQ(exact.numerator, exact.denominator)
        most = [max(e) for e in zip(*sums, strict=True)]
        above, below = self.free.zero, self.free.one
        for key, terms in sums.items():
            part = self.free.from_dict(terms)
            for k, e, highest in zip(order, key, most, strict=True):
                over, under = self._inverses[k]
                part *= over**e * under ** (highest - e)
            above += part
        for k, highest in zip(order, most, strict=True):
            for _ in range(highest):
                above, under = _cancelled(above, self._inverses[k][1])
                below *= under
        return above, below

    def _in_ring(self, above: Any, below: Any) -> tuple[Any, Any]:
        """Both in the normal form of the ring, numbers taken out."""
        (top, first), (bottom, second) = (primitive(_terms(part)) for part in (above, below))
        scale = whole(Fraction(first) / Fraction(second)) if top else 0
        return self._polynomial(top) * scale, self._polynomial(bottom)

    def _polynomial(self, terms: dict[Any, Any]) -> Any:
        total: Any = 0
        for m, c in terms.items():
            product: Any = c
            for k, e in enumerate(m):
                if e:
                    product = product * self.ring.generator(self.ring.atoms[k]) ** e
            total = total + product
        return total


def _cancelled(above: Any, below: Any) -> tuple[Any, Any]:
    if not above or below.is_ground:
        return above, below
    _, above, below = above.cofactors(below)
    return above, below


def _terms(part: Any) -> dict[Any, Any]:
    return {m: whole(Fraction(int(c.numerator), int(c.denominator))) for m, c in part.terms()} if part else {}


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
