"""Terms of an expression put in groups, as a person would: by masses, by velocities that stay together.

Several ways to group are tried and the one with the fewest operations is kept.  In each, terms are split into two
factors, what the group is named by and the rest; groups with the same rest are one, so that (q̇₁ + q̇₂)² and (m₃ + m₄)
come out.
"""

from collections import Counter
from fractions import Fraction
from itertools import chain
from typing import Any

import sympy

from ..ring.convert import expanded
from ..ring.elimination import tidied
from ..ring.polynomial import BITS, Terms, whole
from ..ring.state import State
from .trees import Form, Forms, common, square_of, with_squares

LINE = 6  # a sum of so many terms is written out
LONG = 60  # terms beyond which groups are not searched for within groups
PAGES = 600  # terms beyond which one way to group is tried, and factors are taken out down to the last two terms
WORTH = 0.85  # so much shorter a short sum must become to be taken apart down to its last two terms
BY_MASS = 1.12  # so much longer an entry of M may be for being sorted by masses, as in every textbook
DEPTH = 2  # groups within groups


def collected(state: State, terms: Terms) -> sympy.Expr:
    """The shortest of several groupings; without velocities, by masses where that is about as short."""
    if not terms:
        return sympy.Integer(0)
    if len(terms) == 1:
        return expanded(state.ring, terms)
    return Search(state).written(terms)


class Search:
    """The search for the shortest form of terms; sums met again are not searched again."""

    def __init__(self, state: State):
        self.ring, self.masks = state.ring, masks_of(state)
        self.forms = state.__dict__.setdefault("forms", Forms(state.ring))
        self.known: dict[tuple[int, frozenset], Form] = {}

    def written(self, terms: Terms) -> sympy.Expr:
        """The best form as a SymPy expression."""
        return self.forms.written(self.best(terms))

    def best(self, terms: Terms) -> Form:
        """The shortest form found, or the one by masses."""
        depth = 0 if len(terms) <= LONG else DEPTH - 1 if len(terms) <= PAGES else DEPTH
        keys = [key for key in self.masks.values() if _splits(terms, key)]
        if depth == DEPTH:
            moving = self.masks["moving"]
            return self.grouped(terms, moving, depth) if _splits(terms, moving) else self.factored(terms, depth)
        found = [self.grouped(terms, key, depth) for key in keys]
        if len(terms) <= LONG or not found:
            found.append(self.by_fewest_groups(terms, depth))
        best = min(found, key=_length)
        if not any(m & self.masks["moving"] for m in terms) and _splits(terms, self.masks["inertial"]):
            by_mass = self.grouped(terms, self.masks["inertial"], depth)
            best = by_mass if by_mass.length <= BY_MASS * best.length else best
        return best

    def by_fewest_groups(self, terms: Terms, depth: int) -> Form:
        """Terms grouped by velocities or by the function of q, whichever makes fewer groups."""
        moving, changing = self.masks["moving"], self.masks["changing"]
        best: list[Terms] = []
        for key in (changing, moving, ~moving):
            groups: dict[int, Terms] = {}
            for m, c in terms.items():
                groups.setdefault(m & key, {})[m] = c
            if not best or len(groups) < len(best):
                best = list(groups.values())
        return self.forms.total(self.factored(group, depth) for group in best)

    def grouped(self, terms: Terms, key: int, depth: int) -> Form:
        """Σ (named by `key`) (rest), with equal rests together; then, of what is left, the same by the other keys."""
        by_name: dict[int, Terms] = {}
        for m, c in terms.items():
            by_name.setdefault(m & key, {})[m & ~key] = c
        merged: dict[frozenset, tuple[Terms, Terms]] = {}
        for name, rest in by_name.items():
            unit, factor = _monic(rest)
            names, _ = merged.setdefault(frozenset(unit.items()), ({}, unit))
            names[name] = factor
        return self.forms.total(self.product(names, unit, depth) for names, unit in merged.values())

    def product(self, left: Terms, right: Terms, depth: int) -> Form:
        """Two sums with their numbers and signs brought together in front."""
        if len(left) == 1 or len(right) == 1:  # a term: into the common factor of the other
            (m, c), *_ = (left if len(left) == 1 else right).items()
            other = right if len(left) == 1 else left
            return self.factored({m + n: whole(c * d) for n, d in other.items()}, depth + 1)
        (left, a), (right, b) = self.tidied(left), self.tidied(right)
        content = whole(a * b)
        if self.ring.decimals and any(_unwieldy(c) for c in right.values()):  # 0.3 x + 0.1 y, not 0.1 (3 x + y)
            right, content = tidied({m: whole(content * c) for m, c in right.items()})
        if content < 0 and (_balanced(left) or _balanced(right)):  # (y - x) rather than -(x - y)
            left, right = (_negated(left), right) if _balanced(left) else (left, _negated(right))
            content = -content
        return self.forms.product(0, content, self.factored(left, depth + 1), self.factored(right, depth + 1))

    def factored(self, terms: Terms, depth: int = 0) -> Form:
        """A sum with its common factors in front, the rest the shortest of its groupings."""
        if len(terms) == 1:
            return self.forms.flat(terms)
        front = common(self.ring, terms)
        inside, content = self.tidied({m - front: c for m, c in terms.items()})
        key = depth, frozenset(inside.items())
        if key not in self.known:
            self.known[key] = self.shortest(inside, depth)
        return self.forms.product(front, content, self.known[key])

    def tidied(self, terms: Terms) -> tuple[Terms, Any]:
        """Terms and a number before them; of decimals 0.35 (x + 0.3) or 0.105 c + 0.09, not 0.035 (10 x + 3)."""
        inside, content = tidied(terms)
        if not self.ring.decimals or not isinstance(content, Fraction) or content.denominator <= 4:
            return inside, content
        lead = inside[max(inside)]
        unit = {m: whole(Fraction(c) / lead) for m, c in inside.items()}
        if all(not isinstance(c, Fraction) or len(str(float(c))) <= 6 for c in unit.values()):
            return unit, whole(content * lead)
        return (_negated(terms), -1) if all(c < 0 for c in terms.values()) else (terms, 1)

    def shortest(self, terms: Terms, depth: int) -> Form:
        """The shortest of the terms as they are, with squares, nested, or in groups."""
        if (square := square_of(self.forms, terms)) is not None:
            return square
        if len(terms) > 2 * LINE or depth > DEPTH:
            candidates = [self.nested(terms, -1, LINE if len(terms) <= LINE else 1)]
        else:
            candidates = [self.nested(terms, -1), self.nested(terms, ~self.masks["changing"])]
            further = self.nested(terms, -1, 1) if len(terms) > 3 else candidates[0]
            if further.length < WORTH * min(map(_length, candidates)):
                candidates.append(further)
        if depth < DEPTH and len(terms) > 2:
            keys = [key for key in self.masks.values() if _splits(terms, key)]
            candidates += [self.grouped(terms, key, depth + 1) for key in keys]
        return min(candidates, key=_length)

    def nested(self, terms: Terms, among: int, line: int = LINE) -> Form:
        """Terms nested by the factor most of them share, then the next, as one sorts by masses; a square as such."""
        if (square := square_of(self.forms, terms)) is not None:
            return square
        parts: dict[frozenset, tuple[Terms, Terms]] = {}  # what is inside → fronts with their numbers, and the inside
        while len(terms) > line:
            shown = terms if among == -1 else (m & among for m in terms)
            counts = Counter(chain.from_iterable(map(self.ring.generators, shown)))
            best, count = min(counts.items(), key=lambda item: (-item[1], item[0]), default=(0, 0))
            if count < 2:
                break
            bits = 0xFF << BITS * best
            group = {m: c for m, c in terms.items() if m & bits}
            terms = {m: c for m, c in terms.items() if not m & bits}
            front = common(self.ring, group)
            inside, content = self.tidied({m - front: c for m, c in group.items()})
            fronts, _ = parts.setdefault(frozenset(inside.items()), ({}, inside))
            fronts[front] = content
        found = (self.forms.times(fronts, self.nested(inside, among, line)) for fronts, inside in parts.values())
        return self.forms.total([*found, *with_squares(self.forms, terms)])


def masks_of(state: State) -> dict[str, int]:
    """Bits of velocities and accelerations, of masses and inertias, and of everything that depends on q or t."""
    known = state.__dict__.setdefault("masks", {})
    count = len(state.ring.atoms)
    if known.get("atoms") != count:
        moving, q = {*state.symbols["v"], *state.symbols["a"]}, set(state.symbols["q"])
        inertial = _inertial(state)
        masks = {
            "moving": state.ring.bits(lambda atom: atom.free_symbols & moving),
            "inertial": state.ring.bits(lambda atom: atom in inertial),
            "changing": state.ring.bits(lambda atom: atom.free_symbols & (moving | q)),
        }
        state.__dict__["masks"] = known = {"atoms": count, "masks": masks}
    return known["masks"]


def _inertial(state: State) -> set[sympy.Symbol]:
    """Symbols the energy is linear in: masses, and moments of inertia that are one letter."""
    found: set[sympy.Symbol] = set()
    for link in state.source.links:
        found |= {s for s in [link.inertia.mass, *link.inertia.about_com.ravel()] if isinstance(s, sympy.Symbol)}
    return found


def _length(form: Form) -> int:
    return form.length


def _splits(terms: Terms, key: int) -> bool:
    return any(m & key for m in terms) and any(m & ~key for m in terms)


def _balanced(terms: Terms) -> bool:
    return 2 * sum(c > 0 for c in terms.values()) == len(terms)


def _negated(terms: Terms) -> Terms:
    return {m: -c for m, c in terms.items()}


def _monic(terms: Terms) -> tuple[Terms, Any]:
    """Divided by the coefficient of its greatest monomial."""
    lead = terms[max(terms)]
    if lead == 1 or isinstance(lead, float):
        return terms, 1
    if lead == -1:
        return _negated(terms), -1
    return {
        m: whole(c / Fraction(lead)) if not isinstance(c, float) else c / float(lead) for m, c in terms.items()
    }, lead


def _unwieldy(c: Any) -> bool:
    """Whether a number is no decimal: it came from dividing decimals by each other."""
    return isinstance(c, Fraction) and 10**18 % c.denominator != 0
