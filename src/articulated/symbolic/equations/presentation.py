"""Short expressions of normal forms: s² for 1 - c², c_12 for sums of angles, terms collected."""

from functools import reduce
from operator import or_
from typing import Any

import numpy as np
import sympy

from ..ring.angles import difference
from ..ring.convert import number
from ..ring.notebook import NotebookMatrix
from ..ring.polynomial import BITS, Polynomial, Ring, Terms
from ..ring.state import State
from .collecting import collected
from .progress import progress

LONG = 300  # terms up to which sums of velocities are looked for
LARGE = 20000  # terms beyond which only the cheap steps are taken


def shown(state: State, values: Any) -> Any:
    """A polynomial as a SymPy expression, an array of them as a matrix; a vector is a column."""
    if not isinstance(values, np.ndarray):
        return readable(state, values)
    with progress(f"simplifying {state.source.name}"):
        found: dict[int, sympy.Expr] = {}  # both halves of a symmetric matrix hold the same polynomials
        for x in values.ravel():
            if id(x) not in found:
                found[id(x)] = readable(state, x)
    rows, columns = values.shape if values.ndim == 2 else (len(values), 1)
    return NotebookMatrix(rows, columns, [found[id(x)] for x in values.ravel()])


def readable(state: State, x: Any) -> sympy.Expr:
    """A polynomial as a SymPy expression, as short as the known identities make it."""
    if not isinstance(x, Polynomial):
        return number(x, state.ring.decimals)
    terms = shortest(state, x)
    if not state.ring.divisors:
        found = collected(state, terms)
        summed = _in_velocity_sums(state, x) if len(x.terms) <= LONG else None
        if summed is None:
            return found
        rates = {state.ring.index[s] for s in state.symbols["v"]}
        together = collected(state, shortest(state, summed))
        linear = all(sum(e for k, e in state.ring.exponents(m) if k in rates) == 1 for m in x.terms)
        return min(*((together, found) if linear else (found, together)), key=sympy.count_ops)
    over = sum(0xFF * _bit(state.ring, 1 / divisor.symbol) for divisor in state.ring.divisors)
    groups: dict[int, Terms] = {}
    for m, c in terms.items():
        groups.setdefault(m & over, {})[m & ~over] = c
    return sympy.Add(*(collected(state, group) * collected(state, {m: 1}) for m, group in groups.items()))


def shortest(state: State, x: Polynomial) -> Terms:
    """The terms of an equal expression; s² and sums of angles may be among them."""
    candidates = [_merged(state, chopped(x.terms))]
    if state.runs and not state.sums_are_generators and len(x.terms) < LARGE:
        summed = x
        for run in state.runs:
            for k in range(len(run) - 1, 0, -1):
                summed = _in_sums(state.ring, summed, run[k], sum(run[:k]), sum(run[: k + 1]))
        if isinstance(summed, Polynomial):
            candidates.append(_merged(state, chopped(summed.terms)))
    return min(candidates, key=len)


def chopped(terms: Terms) -> Terms:
    """Terms without what rounding left of floats that cancelled."""
    largest = max((abs(c) for c in terms.values()), default=0)
    return {m: c for m, c in terms.items() if not isinstance(c, float) or abs(c) > 1e-13 * largest}


def _in_sums(ring: Ring, x: Any, last: sympy.Expr, rest: sympy.Expr, total: sympy.Expr) -> Any:
    """x with the last angle written as total - rest."""
    sign = 1 if last.is_Symbol else -1
    if sympy.cos(sign * last) not in ring.index:
        return x
    c_new, s_new = difference(ring, rest, total, sign)
    kc, ks = (BITS * ring.index[f(sign * last)] for f in (sympy.cos, sympy.sin))
    groups: dict[tuple[int, int], Terms] = {}
    for m, coefficient in (x.terms if isinstance(x, Polynomial) else {0: x}).items():
        powers = (m >> kc) & 0xFF, (m >> ks) & 0xFF
        groups.setdefault(powers, {})[m - (powers[0] << kc) - (powers[1] << ks)] = coefficient
    parts = [Polynomial(ring, terms) * c_new**i * s_new**j for (i, j), terms in groups.items()]
    return sum(parts, start=0)


def _in_velocity_sums(state: State, x: Polynomial) -> Any:
    """x with q̇_2 as (q̇_1 + q̇_2) - q̇_1 along parallel axes, the sums as generators; None where there is no q̇_2."""
    found: Any = x
    for rates in _runs_of_rates(state):
        for k in range(len(rates) - 1, 0, -1):
            symbol = next(iter(rates[k].free_symbols))  # the rate itself, without its sign
            shift = BITS * state.ring.index[symbol]
            if isinstance(found, Polynomial) and any((m >> shift) & 0xFF for m in found.terms):
                total, before = (state.ring.generator(sum(rates[: n + 1])) for n in (k, k - 1))
                rate = (total - before) * (1 if rates[k].is_Symbol else -1)
                groups: dict[int, Terms] = {}
                for m, c in found.terms.items():
                    power = (m >> shift) & 0xFF
                    groups.setdefault(power, {})[m - (power << shift)] = c
                found = sum((Polynomial(state.ring, terms) * rate**e for e, terms in groups.items()), start=0)
    return None if found is x or not isinstance(found, Polynomial) else found


def _runs_of_rates(state: State) -> list[list[sympy.Expr]]:
    """Velocities along parallel axes, with the signs of their angles."""
    q, v = state.symbols["q"], state.symbols["v"]
    rate = {q[b.coords][-1]: v[b.dofs][-1] for b in state.source.bodies if b.joint.nv}
    return [[x.xreplace(rate) for x in run] for run in state.runs]


def _merged(state: State, terms: Terms) -> Terms:
    """Every identity that makes it shorter, applied once."""
    ring, best = state.ring, terms
    for run in state.runs:
        for a, b, total, sign in _triples(state, run):
            best = _sum_of_angles(ring, best, a, b, total, sign)
    present = reduce(or_, best, 0)
    for angle in list(ring.circles):
        if present & (0xFE * _bit(ring, sympy.cos(angle))):
            best = _sine_squares(ring, best, angle)
    return best


Triple = tuple[list[tuple[int, int]], list[tuple[int, int]], list[tuple[int, int]], int]


def _triples(state: State, run: list[sympy.Expr]) -> list[Triple]:
    """Pairs of partial sums of a run whose sum or difference is one, too: generators of a, b and a ± b."""
    known = state.__dict__.setdefault("triples", {})
    key = tuple(run)
    if key not in known:
        angles = [sum(run[i : k + 1]) for i in range(len(run)) for k in range(i, len(run))]
        known[key] = [
            (*(_signed_bits(state.ring, x) for x in (a, b, total)), sign)
            for a in angles
            for b in angles
            for total, sign in ((a + b, 1), (a - b, -1))
            if total in angles
        ]
    return known[key]


def _bit(ring: Ring, atom: sympy.Expr) -> int:
    return 1 << BITS * ring.index[atom]


def _sine_squares(ring: Ring, terms: Terms, angle: sympy.Expr) -> Terms:
    """x - x c² is x s²."""
    cc, ss = 2 * _bit(ring, sympy.cos(angle)), 2 * _bit(ring, sympy.sin(angle))
    k = BITS * ring.index[sympy.cos(angle)]
    out = dict(terms)
    for m in sorted(terms, reverse=True):
        if (m >> k) & 0xFE and m in out and m - cc in out and _equal(out[m - cc], -out[m]):
            out[m - cc + ss] = out.pop(m - cc)
            del out[m]
    return out


def _sum_of_angles(ring: Ring, terms: Terms, a: Any, b: Any, total: Any, sign: int) -> Terms:
    """c_a c_b ∓ s_a s_b is the cosine of a ± b, s_a c_b ± c_a s_b its sine."""
    (ca, sa), (cb, sb), (ct, st) = a, b, total
    present = reduce(or_, terms, 0)
    if not all(present & (0xFF * x[0]) for x in (ca, cb, sb)) and not present & (0xFF * sa[0]):
        return terms
    out = dict(terms)
    for one, two, three, four, factor, relative, merged in (
        (ca, cb, sa, sb, 1, -sign * sa[1] * sb[1], ct),
        (sa, cb, ca, sb, sa[1], sign * sa[1] * sb[1], st),
    ):
        i, j = one[0].bit_length() - 1, two[0].bit_length() - 1
        for m in [m for m in out if (m >> i) & 0xFF and (m >> j) & 0xFF]:
            rest = m - one[0] - two[0]
            partner = rest + three[0] + four[0]
            if m in out and partner in out and partner != m and _equal(out[partner], relative * out[m]):
                coefficient = out.pop(m) * factor * merged[1]
                del out[partner]
                target = rest + merged[0]
                if left := out.pop(target, 0) + coefficient:
                    out[target] = left
    return out


def _equal(x: Any, y: Any) -> bool:
    return x == y or (isinstance(x, float) and abs(x - y) < 1e-13 * abs(x))


def _signed_bits(ring: Ring, angle: sympy.Expr) -> list[tuple[int, int]]:
    """The generators of an angle's cosine and sine, each with the sign of a negative angle."""
    negative = sympy.sin(angle).is_Mul
    shown = -angle if negative else angle
    ring.circle(shown)
    return [(_bit(ring, sympy.cos(shown)), 1), (_bit(ring, sympy.sin(shown)), -1 if negative else 1)]
