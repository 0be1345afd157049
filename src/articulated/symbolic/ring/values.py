"""Polynomials and expressions evaluated: on numbers term by term, on other scalars with few operations."""

from collections import Counter
from collections.abc import Callable, Mapping
from math import prod
from numbers import Real
from typing import Any

import numpy as np
import sympy

from ...algebra import scalars
from ...algebra.scalars import Array
from ...algorithms.configuration import neutral
from ...errors import ModelError
from .polynomial import BITS, Ring, Terms, terms_of
from .state import State

Values = Mapping[sympy.Symbol, Any]
DRAWS = 50  # of random parameters, until every mass is positive


def evaluated_array(ring: Ring, polynomials: Array, values: Values) -> np.ndarray:
    """Polynomials at numbers for their symbols."""
    at = generator_values(ring, values)
    out = np.empty(np.shape(polynomials))
    for index, x in np.ndenumerate(polynomials):
        try:
            out[index] = sum(
                float(c) * prod(float(at(k)) ** e for k, e in ring.exponents(m)) for m, c in terms_of(x).items()
            )
        except OverflowError:  # numbers beyond floats
            out[index] = np.inf
    return out


def evaluate(ring: Ring, terms: Terms, at: Callable[[int], Any]) -> Any:
    """The value of the terms; `at(k)` is that of generator k."""
    if not terms:
        return 0
    parts: list[Any] = []
    while len(terms) > 1:
        counts = Counter(k for m in terms for k, _ in ring.exponents(m))
        best, count = min(counts.items(), key=lambda item: (-item[1], item[0]))
        if count < 2:
            break
        bit = 1 << BITS * best
        having = {m: c for m, c in terms.items() if (m >> BITS * best) & 0xFF}
        parts.append(at(best) * evaluate(ring, {m - bit: c for m, c in having.items()}, at))
        terms = {m: c for m, c in terms.items() if m not in having}
    for m, c in terms.items():
        product: Any = 1
        for k, e in ring.exponents(m):
            for _ in range(e):
                product = product * at(k)
        parts.append(product * (int(c) if c == int(c) else float(c)))
    return sum(parts, start=0)


def generator_values(ring: Ring, symbols: Values) -> Callable[[int], Any]:
    """`at` for `evaluate`, from the values of the symbols; each generator is computed once."""
    known: dict[int, Any] = {}

    def at(k: int) -> Any:
        if k not in known:
            known[k] = value(ring.atoms[k], symbols)
        return known[k]

    return at


def value(x: sympy.Expr, symbols: Values) -> Any:
    """A SymPy expression on other scalars."""
    if x in symbols:
        return symbols[x]
    if x.is_Integer:
        return int(x)
    if x.is_number:
        return float(x)
    parts = [value(part, symbols) for part in x.args]
    if x.is_Add:
        return sum(parts, start=0)
    if x.is_Mul:
        out: Any = 1
        for part in parts:
            out = out * part
        return out
    if x.is_Pow and x.exp.is_Integer:
        power = parts[0] ** abs(int(x.exp))
        return power if x.exp > 0 else 1 / power
    if x.is_Pow and abs(x.exp) == sympy.Rational(1, 2):
        root = scalars.sqrt(parts[0])
        return root if x.exp > 0 else 1 / root
    functions: dict[Any, Any] = {sympy.sin: scalars.sin, sympy.cos: scalars.cos, sympy.sign: scalars.sign}
    if x.func in functions:
        return functions[x.func](*parts)
    if all(isinstance(part, Real) for part in parts):
        return float(x.func(*parts))
    raise ModelError(f"{x} cannot be exported: there are sums, products, powers, roots, sines and cosines")


def random_values(state: State, seed: int = 0, count: int | None = None) -> dict[sympy.Symbol, Any]:
    """Random parameters (one set) and states (`count` of them)."""
    rng = np.random.default_rng(seed)
    masses = [m for link in state.source.links if isinstance(m := link.inertia.mass, sympy.Basic)]
    values: dict[sympy.Symbol, Any] = {}
    for _ in range(DRAWS):  # a mass may be a difference
        values = {p: float(rng.uniform(0.3, 1.5)) for p in state.parameters}
        if all(m.subs(values) > 0 for m in masses):
            break
    shape = () if count is None else (count,)
    q = np.zeros((*shape, state.source.nq)) + np.array(neutral(state.source), float)
    for b in state.source.bodies:
        if b.leader is b:
            q[..., b.coords] = b.joint.sample(rng, shape)
    for symbols, numbers in (
        (state.symbols["q"], q),
        (state.symbols["v"], rng.normal(size=(*shape, state.source.nv))),
        (state.symbols["a"], rng.normal(size=(*shape, state.source.nv))),
    ):
        values.update({s: numbers[..., k] for k, s in enumerate(symbols)})
    return values


def function_of(expressions: Any, symbols: list[sympy.Symbol]) -> Any:
    """A NumPy function of SymPy expressions, with common subexpressions."""
    return sympy.lambdify(symbols, list(expressions), "numpy", cse=True)
