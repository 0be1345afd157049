"""Q4 of the lecture: matrices C with C v = c, and whether dM/dt - 2 C is skew."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import permutations, product
from numbers import Number
from typing import Any

import numpy as np
import sympy

from ...algebra.scalars import Array, zeros
from ...algorithms import coriolis
from ...errors import ShapeError
from ...text import shortened
from ..ring.convert import each, in_ring
from ..ring.polynomial import largest, terms_of, without_rounding
from ..ring.signs import vanishes, where_seen
from .presentation import shown
from .substitution import in_own_symbols

ROUNDING = 1e-12  # relative to the largest coefficient in a row


@dataclass(frozen=True)
class Factorization:
    """One C; `skew` says whether dM/dt - 2 C is skew for all q and v, `gives_c` whether C v = c for all q and v."""

    name: str
    equations: Any
    polynomials: Array
    skew: bool
    gives_c: bool
    remark: str = ""  # how it was made, where the name does not say it
    proven: bool = True  # or seen at random states, where the normal form leaves it open
    where: str = "for all q and v"  # a verdict that C is right holds

    @cached_property
    def C(self) -> sympy.Matrix:
        """The matrix, typeset."""
        return self._shown(self.polynomials)

    @cached_property
    def difference(self) -> sympy.Matrix:
        """dM/dt - 2 C, typeset."""
        return self._shown(inertia_rate(self.equations) - 2 * self.polynomials)

    def _shown(self, matrix: Array) -> sympy.Matrix:
        """The matrix without what rounding left of entries that cancelled."""
        size = 100 * max(largest(x.ravel()) for x in (inertia_rate(self.equations), self.polynomials))
        return shown(self.equations.state, each(matrix, lambda x: without_rounding(x, size)))

    def __bool__(self) -> bool:
        return self.gives_c

    def __str__(self) -> str:
        return f"{self.name}: {self.verdict('C')}"

    def verdict(self, letter: str) -> str:
        """Both verdicts in words, on a matrix of that letter; how they were found is said of what holds."""
        gives = f"{letter} v = c" if self.gives_c else f"{letter} v is NOT c"
        gives += f" {self.where}" if self.gives_c and not self.skew else ""
        skew = f"skew{',' if self.gives_c else ''} {self.where}" if self.skew else "not skew"
        return f"{gives}, and dM/dt - 2 {letter} is {skew}"


def coriolis_matrix(equations: Any, name: str) -> Array:
    """C in the factorization of that name, in normal form."""
    state = equations.state
    if name != "body_jacobian" and state.simple:
        symbols = equations.polynomials["christoffel"]
        return symbols @ state.v if name == "christoffel" else coriolis.lumped_matrix(symbols, state.v)
    return coriolis.coriolis_matrix(state.model, state.q, state.v, name)


def inertia_rate(equations: Any) -> Array:
    """dM/dt along the motion, in normal form."""
    state, M = equations.state, equations.polynomials["M"]
    return sum((state.along_array(k, M) * state.v[k] for k in range(len(M))), start=np.zeros_like(M))


def factorizations(equations: Any) -> list[Factorization]:
    """Factorizations by Christoffel symbols, by body Jacobians, and one that is not skew, if any; each proven."""
    found = [judged(equations, name, coriolis_matrix(equations, name)) for name in ("christoffel", "body_jacobian")]
    lumped = judged(equations, "nonskew", coriolis_matrix(equations, "nonskew"), "each product of rates once")
    return [*found, *([lumped] if not lumped.skew else _made_nonskew(equations, found[0]))]


def judged(equations: Any, name: str, C: Array, remark: str = "") -> Factorization:
    """One matrix with both verdicts, computed."""
    rate, M, c = inertia_rate(equations), equations.polynomials["M"], equations.polynomials["c"]
    left = rate - 2 * C
    # rounding is relative to what the robot has in a row: M, dM/dt and c, never to what a reader's C has
    felt = np.array([largest([*M[k], *rate[k], c[k]]) for k in range(len(M))])
    skewness = _residue(left + left.T, np.minimum.outer(felt, felt))
    difference = _residue(C @ equations.state.v - c, felt)
    verdicts = bool(skewness <= ROUNDING), bool(difference <= ROUNDING)
    rounded = any(0 < x <= ROUNDING for x in (skewness, difference))
    found = Factorization(name, equations, C, *verdicts, remark)
    rounding = f"up to rounding ({ROUNDING:.0e} of the largest coefficient in a row)"
    return replace(found, where=f"{found.where} {rounding}") if rounded else found


def factorization(equations: Any, C: Any) -> Factorization:
    """Your own C, judged: whether C v = c and whether dM/dt - 2 C is skew, for all q and v.

    Parameters
    ----------
    C : your own matrix (nv, nv), in the symbols of `eq`

    Returns
    -------
    a Factorization that says both, with what is left over

    Notes
    -----
    Source: De Luca, Robotics 2 (Lagrangian dynamics, moving frames).

    Examples
    --------
    >>> import articulated as art
    >>> eq = art.derive("2r")
    >>> bool(eq.factorization(eq.C))
    True
    """
    n = len(equations.v)
    entries = np.array(C.tolist() if isinstance(C, sympy.MatrixBase) else C, dtype=object)
    if entries.shape != (n, n) or not all(isinstance(x, (Number, sympy.Expr)) for x in entries.ravel()):
        raise ShapeError(f"factorization takes an {n} × {n} matrix of expressions; got {shortened(repr(C))}")
    given = sympy.Matrix(n, n, list(entries.ravel()))
    given = in_own_symbols(equations, "factorization", given)
    matrix = np.array([in_ring(equations.state.ring, x) for x in given], object).reshape(n, n)
    return _seen(judged(equations, "yours", matrix), given)


def _seen(found: Factorization, C: sympy.Matrix) -> Factorization:
    """The verdict, with what is not zero in normal form looked at in numbers: half angles have no normal form."""
    if found.skew and found.gives_c:
        return found
    equations = found.equations
    left = shown(equations.state, inertia_rate(equations)) - 2 * C
    skew = found.skew or all(vanishes(x) for x in left + left.T)
    gives = found.gives_c or all(vanishes(x) for x in C * equations.v - equations.c)
    if (skew, gives) == (found.skew, found.gives_c):
        return found
    return replace(found, skew=skew, gives_c=gives, proven=False, where=where_seen(*left, *equations.c))


def _made_nonskew(equations: Any, right: Factorization) -> list[Factorization]:
    """S + N with N v = 0, N not skew; N has an entry of the Christoffel symbols, so that dimensions are right."""
    v, n = equations.state.v, len(equations.v)
    if n < 2:
        return []  # c = C v has one solution with C linear in v
    for symbol, (a, b, c) in _placed(equations):
        N = zeros(n, n)
        N[a, b], N[a, c] = symbol * v[c], -(symbol * v[b])
        remark = (
            f"the first plus $N$, which has in row {a + 1} a factor times $@v_{c + 1}$ and $-@v_{b + 1}$: $N @v = 0$"
        )
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


def _residue(values: Array, felt: np.ndarray) -> float:
    """The largest coefficient, relative to the scale of its entry."""
    parts = [(largest([x]), size) for x, size in zip(values.ravel(), felt.ravel(), strict=True)]
    return max((x / size if size else np.inf for x, size in parts if x), default=0.0)
