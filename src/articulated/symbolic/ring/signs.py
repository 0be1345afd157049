"""Polynomials proven positive, for every configuration and all parameters as they are declared."""

from typing import Any

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
