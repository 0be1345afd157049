"""Q4 of the lecture: matrices C with C v = c, and whether dM/dt - 2 C is skew."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations, product
from numbers import Number
from typing import Any

import numpy as np
import sympy

from ...algebra.scalars import Array, zeros
from ...errors import ShapeError
from ...text import shortened
from ..ring.convert import in_ring
from ..ring.polynomial import terms_of
from .substitution import in_own_symbols


@dataclass(frozen=True)
class Factorization:
    """One C; `skew` says whether dM/dt - 2 C is skew for all q and v, `gives_c` whether C v = c for all q and v."""

    name: str
    equations: Any
    polynomials: Array
    skew: bool
    gives_c: bool
    remark: str = ""  # how it was made, where the name does not say it

    @cached_property
    def C(self) -> sympy.Matrix:
        """The matrix, typeset."""
        return self.equations.shown(self.polynomials)

    @cached_property
    def difference(self) -> sympy.Matrix:
        """dM/dt - 2 C, typeset."""
        return self.equations.shown(inertia_rate(self.equations) - 2 * self.polynomials)

    def __bool__(self) -> bool:
        return self.gives_c

    def __str__(self) -> str:
        gives = "C v = c" if self.gives_c else "C v is NOT c"
        return f"{self.name}: {gives}, and dM/dt - 2 C is {'skew' if self.skew else 'not skew'}, for all q and v"


def inertia_rate(equations: Any) -> Array:
    """dM/dt along the motion, in normal form."""
    state, M = equations.state, equations.polynomials["M"]
    return sum((state.along_array(k, M) * state.v[k] for k in range(len(M))), start=np.zeros_like(M))


def factorizations(equations: Any) -> list[Factorization]:
    """By Christoffel symbols, by body Jacobians, and one that is not skew where there is one; each proven."""
    found = [judged(equations, name, equations.coriolis_polynomials(name)) for name in ("christoffel", "body_jacobian")]
    lumped = judged(equations, "nonskew", equations.coriolis_polynomials("nonskew"), "each product of rates once")
    return [*found, *([lumped] if not lumped.skew else _made_nonskew(equations, found[0]))]


def judged(equations: Any, name: str, C: Array, remark: str = "") -> Factorization:
    """One matrix with both verdicts, computed."""
    left = inertia_rate(equations) - 2 * C
    skew = all(_zero(x) for x in (left + left.T).ravel())
    gives = all(_zero(x) for x in C @ equations.state.v - equations.polynomials["c"])
    return Factorization(name, equations, C, skew, gives, remark)


def judge(equations: Any, C: Any) -> Factorization:
    """A student's own matrix, in the symbols of the equations."""
    n = len(equations.v)
    entries = np.array(C.tolist() if isinstance(C, sympy.MatrixBase) else C, dtype=object)
    if entries.shape != (n, n) or not all(isinstance(x, (Number, sympy.Expr)) for x in entries.ravel()):
        raise ShapeError(f"factorization takes an {n} × {n} matrix of expressions; got {shortened(repr(C))}")
    given = sympy.Matrix(n, n, list(entries.ravel()))
    given = in_own_symbols(equations, "factorization", given)
    matrix = np.array([in_ring(equations.state.ring, x) for x in given], object).reshape(n, n)
    return judged(equations, "yours", matrix)


def _made_nonskew(equations: Any, right: Factorization) -> list[Factorization]:
    """S + N with N v = 0, N not skew; N has an entry of the Christoffel symbols, so that dimensions are right."""
    state, v, n = equations.state, equations.state.v, len(equations.v)
    if n < 2:
        return []  # c = C v has one solution with C linear in v
    for symbol, (a, b, c) in _placed(equations):
        N = zeros(n, n)
        N[a, b], N[a, c] = symbol * v[c], -(symbol * v[b])
        rates = [state.symbols["v"][k] for k in (b, c)]
        remark = f"S + N, row {a + 1} of N with {rates[1]} and -{rates[0]}: N v = 0"
        made = judged(equations, "nonskew", right.polynomials + N, remark)
        if made.gives_c and not made.skew:
            return [made]
    return []


def _placed(equations: Any) -> Iterator[tuple[Any, tuple[int, ...]]]:
    """A number of the robot with three places: Christoffel symbols, or where none will do an entry of M."""
    n = len(equations.v)
    for i, j, k in product(range(n), repeat=3):
        if terms_of(symbol := equations.polynomials["christoffel"][i, j, k]):
            yield from ((symbol, p) for p in permutations((i, j, k)) if p[1] != p[2])
    yield equations.polynomials["M"][0, 0], (0, 0, 1)


def _zero(x: Any) -> bool:
    return all(abs(c) < 1e-12 for c in terms_of(x).values())
