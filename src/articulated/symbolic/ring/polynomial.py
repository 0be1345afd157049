"""Sparse polynomials in sines, cosines, coordinates and parameters: the scalar of the closed forms.

A polynomial is a dict from monomials to numbers.  A monomial is one integer with eight bits
per generator, so that monomials multiply by adding.  A sine is a generator with the rule
s² = 1 - c², a quaternion's w one with w² = 1 - x² - y² - z²; every polynomial is kept in the
normal form these rules give.  Two expressions are equal exactly if their dicts are: zero is
known to be zero, and an identity of dynamics is proven by computing both sides.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from math import inf
from typing import Any, NamedTuple

import sympy

from ...errors import ModelError

Number = int | Fraction | float
Terms = dict[int, Any]
SIMPLE = 12  # the largest denominator of a fraction a person divides out
BITS = 8
LARGEST_POWER = 100  # well below 2⁸, so that products of powers fit, too
ROUNDING = 1e-14  # rounding error of a cancelled float, relative
MOST = 12_000  # terms over sums: those of a general arm of two joints would take minutes


class Divisor(NamedTuple):
    """A sum with a name, and the rule by which it cancels with its inverse: leading term / D = rest."""

    symbol: sympy.Symbol
    meaning: "Polynomial"
    leading: int
    rest: Terms


def _divides(divisor: int, monomial: int) -> bool:
    """Divisibility of monomials: no exponent of one is above that of the other."""
    while divisor:
        if divisor & 0xFF > monomial & 0xFF:
            return False
        divisor, monomial = divisor >> BITS, monomial >> BITS
    return True


class Ring:
    """The generators known so far; it grows as expressions need more."""

    def __init__(self) -> None:
        self.atoms: list[sympy.Expr] = []  # what each generator stands for
        self.index: dict[sympy.Expr, int] = {}
        self.squares: dict[int, Terms] = {}  # generator → its square, where a rule says so
        self.mask = 0  # bits set in a monomial that a rule applies to
        self.turns: dict[sympy.Expr, tuple[Any, Any]] = {}  # angle → cosine and sine, where they are no generators
        self.parts: dict[sympy.Expr, int] = {}  # angle → how many equal parts its sine and cosine are made of
        self.inverses: list[tuple[int, int]] = []  # generators with product one
        self.divisors: list[Divisor] = []  # sums that something was divided by
        self.roots: dict[sympy.Expr, Polynomial] = {}  # square root → what it is of, where that is no number
        self.decimals = False  # whether a decimal number was given
        self.circles: dict[sympy.Expr, tuple[Polynomial, Polynomial]] = {}  # angle → its cosine and sine

    def generator(self, atom: sympy.Expr) -> "Polynomial":
        """The generator that stands for `atom`."""
        if atom not in self.index:
            self.index[atom] = len(self.atoms)
            self.atoms.append(atom)
        return Polynomial(self, {1 << BITS * self.index[atom]: 1})

    def bits(self, wanted: Callable[[sympy.Expr], Any]) -> int:
        """Bits of the generators that are wanted: a monomial & these is its part made of them."""
        return sum(0xFF << BITS * k for k, atom in enumerate(self.atoms) if wanted(atom))

    def rule(self, atom: sympy.Expr, square: "Polynomial") -> None:
        """The rule atom² = `square`, which must not hold atom."""
        k = self.index[atom]
        self.squares[k] = square.terms
        self.mask |= 0xFE << BITS * k

    def inverse(self, symbol: sympy.Symbol) -> "Polynomial":
        """One over a symbol, as a generator that cancels with it."""
        known = 1 / symbol in self.index
        self.generator(symbol)
        found = self.generator(1 / symbol)
        if not known:
            self.inverses.append((self.index[symbol], self.index[1 / symbol]))
        return found

    def cancelled(self, terms: Terms) -> Terms:
        """Terms without symbols that meet their inverses, or sums that meet theirs."""
        if self.divisors and len(terms) > MOST:
            raise ModelError(
                f"a quotient of sums has {len(terms)} terms, and up to {MOST} are worked out; give some of the letters "
                "numbers"
            )
        out: Terms = {}
        todo = list(terms.items())
        while todo:
            m, c = todo.pop()
            for i, j in self.inverses:
                if both := min((m >> BITS * i) & 0xFF, (m >> BITS * j) & 0xFF):
                    m -= (both << BITS * i) + (both << BITS * j)
            divisor = next((d for d in self.divisors if _divides(d.leading, m)), None)
            if divisor is None:
                _accumulate(out, m, c)
            else:
                todo += [(m - divisor.leading + n, c * d) for n, d in divisor.rest.items()]
        return out

    def circle(self, angle: sympy.Expr) -> "tuple[Polynomial, Polynomial]":
        """Cosine and sine of an angle, as generators; of the two signs of an angle, SymPy chooses one."""
        if angle.is_number:  # π/3, the offset of a mimic joint; π/7, which has no roots, as a decimal number
            from .convert import in_ring

            exact = sympy.cos(angle), sympy.sin(angle)
            rounded = any(x.has(sympy.cos, sympy.sin) for x in exact)
            c, s = (in_ring(self, x.evalf() if rounded else x) for x in exact)
            return c, s
        if sympy.sin(angle).is_Mul:
            c, s = self.circle(-angle)
            return c, -s
        if angle not in self.circles:
            c, s = self.generator(sympy.cos(angle)), self.generator(sympy.sin(angle))
            self.rule(sympy.sin(angle), 1 - c * c)
            self.circles[angle] = c, s
        return self.circles[angle]

    @staticmethod
    @lru_cache(maxsize=1 << 15)
    def exponents(monomial: int) -> tuple[tuple[int, int], ...]:
        """(generator, exponent) of a monomial."""
        found = []
        while monomial:
            k = ((monomial & -monomial).bit_length() - 1) // BITS
            power = (monomial >> BITS * k) & 0xFF
            found.append((k, power))
            monomial -= power << BITS * k
        return tuple(found)

    @staticmethod
    @lru_cache(maxsize=1 << 15)
    def generators(monomial: int) -> tuple[int, ...]:
        """The generators of a monomial."""
        return tuple(k for k, _ in Ring.exponents(monomial))

    def reduced(self, terms: Terms) -> Terms:
        """The normal form."""
        mask = self.mask
        todo = [(m, c) for m, c in terms.items() if m & mask]
        for m, _ in todo:
            del terms[m]
        while todo:
            m, c = todo.pop()
            high = m & mask
            if not high:
                _accumulate(terms, m, c)
                continue
            k = ((high & -high).bit_length() - 1) // BITS
            rest = m - (2 << BITS * k)
            todo += [(rest + n, c * d) for n, d in self.squares[k].items()]
        return terms


def _accumulate(terms: Terms, m: int, c: Any) -> None:
    old = terms.get(m)
    if old is None:
        terms[m] = c
        return
    total = old + c
    if not total or (isinstance(total, float) and abs(total) < ROUNDING * abs(c)):
        del terms[m]
    else:
        terms[m] = total


class Polynomial:
    """An element of a ring; results that are numbers are returned as numbers."""

    __slots__ = ("ring", "terms")

    def __init__(self, ring: Ring, terms: Terms):
        self.ring, self.terms = ring, terms

    def _made(self, terms: Terms) -> Any:
        if not terms:
            return 0
        if len(terms) == 1 and 0 in terms:
            return terms[0]
        return Polynomial(self.ring, terms)

    def __add__(self, other: Any) -> Any:
        other = _terms(other)
        if other is None:
            return NotImplemented
        small, large = sorted((self.terms, other), key=len)
        out = dict(large)
        for m, c in small.items():
            _accumulate(out, m, c)
        return self._made(out)

    __radd__ = __add__

    def __neg__(self) -> "Polynomial":
        return Polynomial(self.ring, {m: -c for m, c in self.terms.items()})

    def __sub__(self, other: Any) -> Any:
        return self + (-other)

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __mul__(self, other: Any) -> Any:
        factor = _terms(other)
        if factor is None:
            return NotImplemented
        if len(factor) == 1 and 0 in factor:
            c = factor[0]
            return self if c == 1 else Polynomial(self.ring, {m: whole(d * c) for m, d in self.terms.items()})
        small, large = sorted((self.terms, factor), key=len)
        out: Terms = {}
        seen = out.get
        for m, c in small.items():
            one = type(c) is int and c == 1
            for n, d in large.items():
                k = m + n
                old = seen(k)
                # most numbers are 1, and fractions multiply slowly
                product = d if one else c if type(d) is int and d == 1 else c * d
                out[k] = product if old is None else old + product
        if any(k & self.ring.mask for k in out):
            out = self.ring.reduced(out)
        if self.ring.inverses or self.ring.divisors:
            out = self.ring.cancelled({k: c for k, c in out.items() if c})
        return self._made({k: c for k, c in out.items() if c})

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        if not isinstance(other, (int, float, Fraction)):
            return NotImplemented
        return self * (1 / fraction(other))

    def __rtruediv__(self, other: Any) -> Any:
        from .quotients import reciprocal

        return other * reciprocal(self)

    def __pow__(self, exponent: int) -> Any:
        if exponent > LARGEST_POWER:
            raise OverflowError(f"powers up to {LARGEST_POWER} fit a monomial; got {exponent}")
        out: Any = 1
        for _ in range(exponent):
            out = out * self
        return out

    def __eq__(self, other: object) -> bool:
        terms = _terms(other)
        return terms is not None and self.terms == terms

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Polynomial({len(self.terms)} terms)"


def _terms(x: Any) -> Terms | None:
    if isinstance(x, Polynomial):
        return x.terms
    if isinstance(x, (int, float, Fraction)):
        return {0: fraction(x)} if x else {}
    return None


def fraction(x: Number) -> Number:
    """A float that someone wrote down in a few digits, or as 1 / 3, as the fraction it means; others as they are."""
    if isinstance(x, float):
        written = repr(float(x))
        if "n" in written:  # infinite or not a number
            return float(x)
        if len(written) <= 14:
            return whole(Fraction(written))
        simple = Fraction(x).limit_denominator(SIMPLE)
        return simple if float(simple) == x else float(x)
    return x


def whole(x: Any) -> Any:
    """A fraction that is an integer as that."""
    return x.numerator if isinstance(x, Fraction) and x.denominator == 1 else x


def largest(values: Any) -> float:
    """The largest coefficient of polynomials; infinite if no float holds it."""
    try:
        return max((float(abs(c)) for x in values for c in terms_of(x).values()), default=0.0)
    except OverflowError:
        return inf


def symbols_of(x: Any) -> set[sympy.Symbol]:
    """The symbols in a polynomial."""
    generators = {k for m in terms_of(x) for k in Ring.generators(m)}
    return {s for k in generators for s in x.ring.atoms[k].free_symbols}


def without_rounding(x: Any, size: float) -> Any:
    """x without what rounding left of floats of that size that cancelled."""
    if not isinstance(x, Polynomial):
        return 0 if isinstance(x, float) and abs(x) <= ROUNDING * size else x
    return x._made({m: c for m, c in x.terms.items() if not isinstance(c, float) or abs(c) > ROUNDING * size})


def terms_of(x: Any) -> Terms:
    """The terms of a polynomial or a number."""
    found = _terms(x)
    if found is None:
        raise TypeError(f"{x!r} is not a polynomial")
    return found
