"""Numbers for polynomials and expressions."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np
import sympy

from ...algebra.scalars import Array
from ...algorithms.configuration import neutral
from .polynomial import Polynomial, Ring
from .state import State

Values = Mapping[sympy.Symbol, Any]


def evaluated(ring: Ring, x: Any, values: Values) -> Any:
    """A polynomial at the given values of its symbols; arrays broadcast."""
    if not isinstance(x, Polynomial):
        return float(x)
    at: dict[int, Any] = {}
    total: Any = 0.0
    for m, c in x.terms.items():
        product: Any = float(c)
        for k, e in ring.exponents(m):
            if k not in at:
                at[k] = _atom(ring.atoms[k], values)
            product = product * at[k] ** e
        total = total + product
    return total


def _atom(atom: sympy.Expr, values: Values) -> Any:
    if atom in values:
        return values[atom]
    symbols, function = _function(atom)
    return function(*(values[s] for s in symbols))


@lru_cache(maxsize=1000)
def _function(atom: sympy.Expr) -> tuple[list[sympy.Symbol], Any]:
    symbols = sorted(atom.free_symbols, key=lambda s: s.name)
    return symbols, sympy.lambdify(symbols, atom, "numpy")


def random_values(state: State, seed: int = 0, count: int | None = None) -> dict[sympy.Symbol, Any]:
    """Random parameters (one set) and states (`count` of them)."""
    rng = np.random.default_rng(seed)
    values: dict[sympy.Symbol, Any] = {p: float(rng.uniform(0.3, 1.5)) for p in state.parameters}
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


def evaluated_array(ring: Ring, polynomials: Array, values: Values, states: int | None = None) -> np.ndarray:
    """An array of polynomials at the given values; a first axis for several states."""
    out = np.empty((*(() if states is None else (states,)), *polynomials.shape))
    for index, x in np.ndenumerate(polynomials):
        out[(..., *index)] = evaluated(ring, x, values)
    return out


def function_of(expressions: Any, symbols: list[sympy.Symbol]) -> Any:
    """A NumPy function of SymPy expressions, with common subexpressions."""
    return sympy.lambdify(symbols, list(expressions), "numpy", cse=True)
