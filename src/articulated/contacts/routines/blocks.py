"""Straight-line code on blocks of four numbers, or four by four: the inner steps of panels.py; any scalar.

A block C of four by four is given as its columns c0 … c3.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from ...algebra.scalars import Array, Scalar, array, select, sqrt, total, zeros

#: rows of a group
GROUP = 4


def zero() -> Array:
    """A single 0."""
    return array([0.0])


def zeros_of_four() -> Array:
    """Four zeros."""
    return array([0.0] * GROUP)


def no_extremes() -> Array:
    """The smallest and the largest of no lengths."""
    return array([1e300, 0.0])


def transposed(c0: Array, c1: Array, c2: Array, c3: Array) -> tuple[Array, ...]:
    """Cᵀ, as its columns."""
    return tuple(array(list(row)) for row in zip(c0, c1, c2, c3, strict=True))


def dot(a: Sequence[Any] | Array, b: Sequence[Any] | Array, start: Scalar = 0) -> Scalar:
    """Inner product of two vectors, added to `start`."""
    return total((x * y for x, y in zip(a, b, strict=True)), start=start)


def minus_transposed_product(A: Array, B: Array, c0: Array, c1: Array, c2: Array, c3: Array) -> Array:
    """A - Cᵀ B."""
    return array([a - dot(c, B) for a, c in zip(A, (c0, c1, c2, c3), strict=True)])


def minus_product(b: Array, x: Array, c0: Array, c1: Array, c2: Array, c3: Array) -> Array:
    """b - C x."""
    return array([s - dot(c, x) for s, *c in zip(b, c0, c1, c2, c3, strict=True)])


def inner_product(a: Array, b: Array) -> Array:
    """aᵀ b."""
    return array([dot(a, b)])


def plus_inner_product(s: Array, a: Array, b: Array) -> Array:
    """s + aᵀ b."""
    return array([dot(a, b, s[0])])


def minus_inner_product(s: Array, a: Array, b: Array) -> Array:
    """s - aᵀ b."""
    return array([s[0] - dot(a, b)])


def inverse_cholesky(c0: Array, c1: Array, c2: Array, c3: Array, largest: Array) -> tuple[Array, Array]:
    """R⁻ᵀ of a positive definite block C = Rᵀ R, row by row, and the largest pivot so far."""
    A, T, most = [list(row) for row in zip(c0, c1, c2, c3, strict=True)], zeros(GROUP, GROUP), largest[0]
    for k in range(GROUP):
        T[k, k] = 1
    for k in range(GROUP):
        pivot = A[k][k]
        most = select(most < pivot, pivot, most)
        inverse = 1 / sqrt(pivot)
        for i in range(k + 1, GROUP):
            ratio = A[k][i] / pivot
            for j in range(i, GROUP):
                A[i][j] = A[i][j] - ratio * A[k][j]
            for j in range(k + 1):
                T[i, j] = T[i, j] - ratio * T[k, j]
        T[k] = T[k] * inverse
    return T.ravel(), array([most])


def lower_product(A: Array, T: Array) -> Array:
    """T A for a lower triangular T, which is given row by row."""
    return array([dot(T[GROUP * i : GROUP * i + i + 1], A[: i + 1]) for i in range(GROUP)])


@cache
def below(s: int) -> Callable[..., Any]:
    """The first block of a column from its entry `s` on, zeros above, and the sum of its squares."""

    def below(a: Array) -> tuple[Array, Array]:
        u = array([0.0] * s + list(a[s:]))
        return u, array([dot(a[s:], a[s:])])

    return below


@cache
def squares_below(skipped: int) -> Callable[..., Array]:
    """A sum of squares with those of a block added, but for its first numbers."""
    return lambda a, total: array([dot(a[skipped:], a[skipped:], total[0])])


def further_rows(a: Array, squared: Array) -> tuple[Array, Array]:
    """A further block of the column, and the sum of squares with it."""
    return a, array([dot(a, a, squared[0])])


@cache
def householder(s: int) -> Callable[..., Any]:
    """The Householder reflection that moves a column to its entry `s`: first block of u, factor, extreme lengths."""

    def householder(u: Array, squared: Array, extremes: Array) -> tuple[Array, Array, Array]:
        length, (least, most), out = sqrt(squared[0]), extremes, u.copy()
        signed = select(u[s] < 0, -length, length)  # towards the sign it has, so that nothing cancels
        out[s] = u[s] + signed
        extremes = array([select(length < least, length, least), select(most < length, length, most)])
        return out, array([1 / (squared[0] + u[s] * signed)]), extremes

    return householder


def reflected(x: Array, u: Array, along: Array, factor: Array) -> Array:
    """x - factor along u: a block reflected, if `along` is uᵀ x."""
    step = factor[0] * along[0]
    return array([a - b * step for a, b in zip(x, u, strict=True)])


@cache
def solve_lower(some: int) -> Callable[..., Array]:
    """The first `some` unknowns of Cᵀ x = b, C upper triangular."""

    def solve_lower(b: Array, c0: Array, c1: Array, c2: Array, c3: Array) -> Array:
        columns, x = (c0, c1, c2, c3), list[Scalar]()
        for i in range(some):
            x.append((b[i] - dot(columns[i][:i], x)) / columns[i][i])
        return array([*x, *[0.0] * (GROUP - some)])

    return solve_lower


@cache
def solve_upper(some: int) -> Callable[..., Array]:
    """The first `some` unknowns of C x = b, C upper triangular."""

    def solve_upper(b: Array, c0: Array, c1: Array, c2: Array, c3: Array) -> Array:
        columns, x = (c0, c1, c2, c3), [0.0] * GROUP
        for i in reversed(range(some)):
            known = total(columns[j][i] * x[j] for j in range(i + 1, some))
            x[i] = (b[i] - known) / columns[i][i]
        return array(x)

    return solve_upper


def weighted(x: Array, w: Array) -> Array:
    """Entries of x times weights."""
    return x * w


@cache
def replaced(some: int) -> Callable[..., tuple[Array, Array]]:
    """y with its first `some` entries from x, and how much that changes them."""

    def replaced(x: Array, y: Array) -> tuple[Array, Array]:
        return array([*x[:some], *y[some:]]), padded((x - y)[:some], GROUP)

    return replaced


@cache
def split(some: int) -> Callable[..., tuple[Array, ...]]:
    """The first `some` entries, each a result."""
    return lambda x: tuple(x[s : s + 1] for s in range(some))


def padded(x: Sequence[Any], size: int) -> Array:
    """A vector padded with zeros to a size."""
    return array([*x, *[0.0] * (size - len(x))])
