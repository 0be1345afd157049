"""Terms of an expression put in groups, as a person would: by masses, by velocities that stay together.

Several ways to group are tried and the one with the fewest operations is kept.  In each, terms are split into two
factors, what the group is named by and the rest; groups with the same rest are one, so that (q̇₁ + q̇₂)² and (m₃ + m₄)
come out.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache, reduce
from math import isqrt
from typing import Any

import sympy

from ..ring.convert import expanded
from ..ring.elimination import tidied
from ..ring.polynomial import BITS, Ring, Terms
from ..ring.state import State

LINE = 6  # a sum of so many terms is written out
LONG = 150  # terms beyond which only the cheapest grouping is made
BY_MASS = 1.12  # so much longer an entry of M may be for being sorted by masses, as in every textbook
DEPTH = 2  # groups within groups


def collected(state: State, terms: Terms) -> sympy.Expr:
    """The shortest of several groupings; without velocities, by masses where that is about as short."""
    if not terms:
        return sympy.Integer(0)
    if len(terms) == 1:
        return expanded(state.ring, terms)
    masks = _masks(state)
    if len(terms) > LONG:
        return _by_fewest_groups(state.ring, terms, masks)
    found = [_by_fewest_groups(state.ring, terms, masks)]
    found += [_grouped(state.ring, terms, key, masks) for key in masks.values() if _splits(terms, key)]
    best = min(found, key=_length)
    if not any(m & masks["moving"] for m in terms) and _splits(terms, masks["inertial"]):
        by_mass = _grouped(state.ring, terms, masks["inertial"], masks)
        best = by_mass if _length(by_mass) <= BY_MASS * _length(best) else best
    return best


def _masks(state: State) -> dict[str, int]:
    """Bits of velocities and accelerations, of masses and inertias, and of everything that depends on q or t."""
    known = state.__dict__.setdefault("masks", {})
    count = len(state.ring.atoms)
    if known.get("atoms") != count:
        moving, q = {*state.symbols["v"], *state.symbols["a"]}, set(state.symbols["q"])
        inertial = _inertial(state)
        masks = dict.fromkeys(("moving", "inertial", "changing"), 0)
        for k, atom in enumerate(state.ring.atoms):
            bits, free = 0xFF << BITS * k, atom.free_symbols
            masks["moving"] |= bits if free & moving else 0
            masks["inertial"] |= bits if atom in inertial else 0
            masks["changing"] |= bits if free & (moving | q) else 0
        state.__dict__["masks"] = known = {"atoms": count, "masks": masks}
    return known["masks"]


def _inertial(state: State) -> set[sympy.Symbol]:
    """Symbols the energy is linear in: masses, and moments of inertia that are one letter."""
    found: set[sympy.Symbol] = set()
    for link in state.source.links:
        found |= {s for s in [link.inertia.mass, *link.inertia.about_com.ravel()] if isinstance(s, sympy.Symbol)}
    return found


@lru_cache(maxsize=100_000)
def _length(x: sympy.Expr) -> int:
    """Operations to write it down; as SymPy counts them, but each part only once."""
    own = len(x.args) - 1 if x.is_Add or x.is_Mul else 1 if x.args else 0
    return own + sum(_length(part) for part in x.args)


def _splits(terms: Terms, key: int) -> bool:
    return any(m & key for m in terms) and any(m & ~key for m in terms)


def _by_fewest_groups(ring: Ring, terms: Terms, masks: dict[str, int]) -> sympy.Expr:
    """By velocities, or by the function of q, whichever makes fewer groups."""
    moving, changing = masks["moving"], masks["changing"]
    keys: list[Callable[[int], int]] = [lambda m: m & changing, lambda m: m & moving, lambda m: m & ~moving]
    partitions = []
    for key in keys:
        groups: dict[int, Terms] = {}
        for m, c in terms.items():
            groups.setdefault(key(m), {})[m] = c
        partitions.append(list(groups.values()))
    best = min(partitions, key=len)
    if len(terms) > LONG:
        return sympy.Add(*(_nested(ring, group, ~changing) for group in best))
    return sympy.Add(*(_factored(ring, group, masks) for group in best))


def _grouped(ring: Ring, terms: Terms, key: int, masks: dict[str, int], depth: int = 0) -> sympy.Expr:
    """Σ (named by `key`) (rest), with equal rests together; then, of what is left, the same by the other keys."""
    by_name: dict[int, Terms] = {}
    for m, c in terms.items():
        by_name.setdefault(m & key, {})[m & ~key] = c
    merged: dict[frozenset, tuple[Terms, Terms]] = {}
    for name, rest in by_name.items():
        unit, factor = _monic(rest)
        names, _ = merged.setdefault(frozenset(unit.items()), ({}, unit))
        names[name] = factor
    parts = []
    for names, unit in merged.values():
        if len(names) == 1 and len(unit) == 1:
            ((a, x),), ((b, y),) = names.items(), unit.items()
            parts.append(expanded(ring, {a + b: _exact(x * y)}))
        else:
            parts.append(_product(ring, names, unit, masks, depth))
    return sympy.Add(*parts)


def _product(ring: Ring, names: Terms, unit: Terms, masks: dict[str, int], depth: int) -> sympy.Expr:
    """Two sums with their numbers and signs brought together in front."""
    (left, a), (right, b) = tidied(names), tidied(unit)
    content = _exact(a * b)
    if len(left) == 1:  # one name: into the common factor of the other
        ((m, c),) = left.items()
        return _factored(ring, {m + n: _exact(content * c * d) for n, d in right.items()}, masks, depth + 1)
    if len(right) == 1:
        ((m, c),) = right.items()
        return _factored(ring, {m + n: _exact(content * c * d) for n, d in left.items()}, masks, depth + 1)
    return sympy.Mul(
        expanded(ring, {0: content}), _factored(ring, left, masks, depth + 1), _factored(ring, right, masks, depth + 1)
    )


def _monic(terms: Terms) -> tuple[Terms, Any]:
    """Divided by the coefficient of its greatest monomial."""
    lead = terms[max(terms)]
    if isinstance(lead, float):
        return terms, 1
    return {
        m: _exact(c / Fraction(lead)) if not isinstance(c, float) else c / float(lead) for m, c in terms.items()
    }, lead


def _exact(c: Any) -> Any:
    return c.numerator if isinstance(c, Fraction) and c.denominator == 1 else c


def _factored(ring: Ring, terms: Terms, masks: dict[str, int], depth: int = 0) -> sympy.Expr:
    """A sum with its common factors in front, the rest the shortest of its groupings."""
    if len(terms) == 1:
        return expanded(ring, terms)
    common = reduce(_common, terms)
    inside, content = tidied({m - common: c for m, c in terms.items()})
    front = expanded(ring, {common: content})
    if square := _square(ring, inside):
        return sympy.Mul(front, square)
    candidates = [_with_squares(ring, inside)]
    if len(inside) > LINE:
        candidates += [_nested(ring, inside, -1), _nested(ring, inside, ~masks["changing"])]
    if depth < DEPTH and len(inside) > 2:
        candidates += [_grouped(ring, inside, key, masks, depth + 1) for key in masks.values() if _splits(inside, key)]
    return sympy.Mul(front, min(candidates, key=_length))


def _nested(ring: Ring, terms: Terms, among: int) -> sympy.Expr:
    """By the factor most of the terms share, then the next, as one sorts by masses."""
    parts = []
    while len(terms) > LINE:
        counts = Counter(k for m in terms for k, _ in ring.exponents(m & among if among != -1 else m))
        best, count = min(counts.items(), key=lambda item: (-item[1], item[0]), default=(0, 0))
        if count < 2:
            break
        group = {m: c for m, c in terms.items() if (m >> BITS * best) & 0xFF}
        common = reduce(_common, group)
        inside, content = tidied({m - common: c for m, c in group.items()})
        parts.append(sympy.Mul(expanded(ring, {common: content}), _nested(ring, inside, among)))
        terms = {m: c for m, c in terms.items() if m not in group}
    return sympy.Add(*parts, _with_squares(ring, terms))


def _with_squares(ring: Ring, terms: Terms) -> sympy.Expr:
    """x² ± 2xy + y² as (x ± y)², wherever three terms are that."""
    left, parts = dict(terms), []
    for triple in _triples(ring, terms):
        if all(m in left for m in triple):
            square = _square(ring, {m: left.pop(m) for m in triple})
            parts.append(square)
    return sympy.Add(*parts, expanded(ring, left))


def _square(ring: Ring, terms: Terms) -> sympy.Expr | None:
    """The square that three terms are; None if they are none."""
    if len(terms) != 3:
        return None
    triple = next(_triples(ring, terms), None)
    if triple is None:
        return None
    first, second, cross = triple
    x, y = _root(terms[first]), _root(terms[second])
    sign = 1 if terms[cross] > 0 else -1
    return sympy.Pow(expanded(ring, {_half(first): x, _half(second): sign * y}), 2)


def _triples(ring: Ring, terms: Terms) -> Iterator[tuple[int, int, int]]:
    """x², y², xy with fitting coefficients."""
    roots = {m: _root(c) for m, c in terms.items() if _even(m) and _root(c)}
    for first in roots:
        for second in roots:
            cross = (first + second) // 2
            if first < second and cross in terms and abs(terms[cross]) == 2 * roots[first] * roots[second]:
                yield first, second, cross


def _even(monomial: int) -> bool:
    while monomial:
        if monomial & 1:
            return False
        monomial >>= BITS
    return True


def _half(monomial: int) -> int:
    return monomial // 2


def _root(c: Any) -> Any:
    """The square root of a fraction that has one; zero else."""
    if isinstance(c, float) or c <= 0:
        return 0
    exact = Fraction(c)
    p, q = isqrt(exact.numerator), isqrt(exact.denominator)
    return _exact(Fraction(p, q)) if p * p == exact.numerator and q * q == exact.denominator else 0


def _common(a: int, b: int) -> int:
    """The greatest monomial that divides both."""
    out = shift = 0
    while a and b:
        out |= min(a & 0xFF, b & 0xFF) << shift
        a, b, shift = a >> BITS, b >> BITS, shift + BITS
    return out
