"""Terms of an expression put in groups, common factors in front."""

from collections import Counter
from collections.abc import Callable
from functools import reduce

import sympy

from ..ring.convert import expanded
from ..ring.elimination import tidied
from ..ring.polynomial import BITS, Ring, Terms
from ..ring.state import State

LINE = 8  # a sum of so many terms is written out


def collected(state: State, terms: Terms) -> sympy.Expr:
    """Terms grouped by what they have in common: velocities, or the function of q, whichever groups more."""
    if not terms:
        return sympy.Integer(0)
    if len(terms) == 1:
        return expanded(state.ring, terms)
    moving, changing = _masks(state)
    keys: list[Callable[[int], int]] = [lambda m: m & changing, lambda m: m & moving, lambda m: m & ~moving]
    partitions = []
    for key in keys:
        groups: dict[int, Terms] = {}
        for m, c in terms.items():
            groups.setdefault(key(m), {})[m] = c
        partitions.append(list(groups.values()))
    return sympy.Add(*(_factored(state.ring, group, changing) for group in min(partitions, key=len)))


def _masks(state: State) -> tuple[int, int]:
    """Bits of velocities and accelerations, and of everything that depends on q or t."""
    moving = changing = 0
    own = {*state.symbols["v"], *state.symbols["a"]}
    for k, atom in enumerate(state.ring.atoms):
        if atom in own:
            moving |= 0xFF << BITS * k
        if atom in own or atom.free_symbols & set(state.symbols["q"]):
            changing |= 0xFF << BITS * k
    return moving, changing


def _factored(ring: Ring, terms: Terms, changing: int) -> sympy.Expr:
    """A sum with its common factors in front."""
    if len(terms) == 1:
        return expanded(ring, terms)
    common = reduce(_common, terms)
    inside, content = tidied({m - common: c for m, c in terms.items()})
    return sympy.Mul(expanded(ring, {common: content}), _nested(ring, inside, changing))


def _nested(ring: Ring, terms: Terms, changing: int) -> sympy.Expr:
    """A long sum by the parameter most of its terms share, then the next, as one sorts by masses."""
    parts = []
    while len(terms) > LINE:
        counts = Counter(k for m in terms for k, _ in ring.exponents(m & ~changing))
        best, count = min(counts.items(), key=lambda item: (-item[1], item[0]), default=(0, 0))
        if count < 3 or count == len(terms):
            break
        group = {m: c for m, c in terms.items() if (m >> BITS * best) & 0xFF}
        parts.append(_factored(ring, group, changing))
        terms = {m: c for m, c in terms.items() if m not in group}
    return sympy.Add(*parts, expanded(ring, terms))


def _common(a: int, b: int) -> int:
    """The greatest monomial that divides both."""
    out = shift = 0
    while a and b:
        out |= min(a & 0xFF, b & 0xFF) << shift
        a, b, shift = a >> BITS, b >> BITS, shift + BITS
    return out
