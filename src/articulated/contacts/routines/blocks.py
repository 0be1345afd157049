"""Straight-line code on four numbers, or four by four, of which statements on matrices are made; any scalar."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from ...algebra.scalars import Array, Scalar, array, select, sqrt, total, zeros

#: rows of a group
GROUP = 4


def zero() -> Array:
    """One zero."""
    return array([0.0])


def nothing() -> Array:
    """Four zeros."""
    return array([0.0] * GROUP)


def unlimited() -> Array:
    """No length yet: the smallest and the largest."""
    return array([1e300, 0.0])


def turned(c0: Array, c1: Array, c2: Array, c3: Array) -> tuple[Array, ...]:
    """A block transposed."""
    return tuple(array(list(row)) for row in zip(c0, c1, c2, c3, strict=True))


def dot(a: Sequence[Any] | Array, b: Sequence[Any] | Array, start: Scalar = 0) -> Scalar:
    """A product of vectors, added to `start`."""
    return total((x * y for x, y in zip(a, b, strict=True)), start=start)


def without(A: Array, B: Array, c0: Array, c1: Array, c2: Array, c3: Array) -> Array:
    """A - Cᵀ B."""
    return array([a - dot(c, B) for a, c in zip(A, (c0, c1, c2, c3), strict=True)])


def left(b: Array, x: Array, c0: Array, c1: Array, c2: Array, c3: Array) -> Array:
    """b - C x."""
    return array([s - dot(c, x) for s, *c in zip(b, c0, c1, c2, c3, strict=True)])


def product(a: Array, b: Array) -> Array:
    """a b."""
    return array([dot(a, b)])


def more(s: Array, a: Array, b: Array) -> Array:
    """s + a b."""
    return array([dot(a, b, s[0])])


def less(s: Array, a: Array, b: Array) -> Array:
    """s - a b."""
    return array([s[0] - dot(a, b)])


def factored(c0: Array, c1: Array, c2: Array, c3: Array, largest: Array) -> tuple[Array, Array]:
    """The inverse of the factor Rᵀ of a block, and the largest pivot."""
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


def scaled(A: Array, T: Array) -> Array:
    """T A for lower triangular T."""
    return array([dot(T[GROUP * i : GROUP * i + i + 1], A[: i + 1]) for i in range(GROUP)])


@cache
def begun(s: int) -> Callable[..., Any]:
    """The vector of a reflection without its first `s` numbers, and its square."""

    def begun(a: Array) -> tuple[Array, Array]:
        u = array([0.0] * s + list(a[s:]))
        return u, array([dot(a[s:], a[s:])])

    return begun


@cache
def squared(skipped: int) -> Callable[..., Array]:
    """Squares of all but the first numbers, added up."""
    return lambda a, total: array([dot(a[skipped:], a[skipped:], total[0])])


def longer(a: Array, squared: Array) -> tuple[Array, Array]:
    """Four more numbers of such a vector."""
    return a, array([dot(a, a, squared[0])])


@cache
def pivoted(s: int) -> Callable[..., Any]:
    """The reflection that moves a column to its number `s`."""

    def pivoted(u: Array, squared: Array, extremes: Array) -> tuple[Array, Array, Array]:
        length, (least, most), out = sqrt(squared[0]), extremes, u.copy()
        signed = select(u[s] < 0, -length, length)  # towards the sign it has, so that nothing cancels
        out[s] = u[s] + signed
        extremes = array([select(length < least, length, least), select(most < length, length, most)])
        return out, array([1 / (squared[0] + u[s] * signed)]), extremes

    return pivoted


def reflected(x: Array, u: Array, along: Array, factor: Array) -> Array:
    """x without its part along u."""
    step = factor[0] * along[0]
    return array([a - b * step for a, b in zip(x, u, strict=True)])


@cache
def lower(some: int) -> Callable[..., Array]:
    """`some` unknowns of Rᵀ x = b."""

    def lower(b: Array, c0: Array, c1: Array, c2: Array, c3: Array) -> Array:
        columns, x = (c0, c1, c2, c3), list[Scalar]()
        for i in range(some):
            x.append((b[i] - dot(columns[i][:i], x)) / columns[i][i])
        return array([*x, *[0.0] * (GROUP - some)])

    return lower


@cache
def upper(some: int) -> Callable[..., Array]:
    """`some` unknowns of R x = b."""

    def upper(b: Array, c0: Array, c1: Array, c2: Array, c3: Array) -> Array:
        columns, x = (c0, c1, c2, c3), [0.0] * GROUP
        for i in reversed(range(some)):
            known = total(columns[j][i] * x[j] for j in range(i + 1, some))
            x[i] = (b[i] - known) / columns[i][i]
        return array(x)

    return upper


def same(x: Array) -> Array:
    """x."""
    return x


def weighted(x: Array, w: Array) -> Array:
    """Rows of x by weights."""
    return x * w


@cache
def changed(some: int) -> Callable[..., tuple[Array, Array]]:
    """The first `some` numbers of y replaced, and how they change."""

    def changed(x: Array, y: Array) -> tuple[Array, Array]:
        return array([*x[:some], *y[some:]]), extended((x - y)[:some], GROUP)

    return changed


@cache
def apart(some: int) -> Callable[..., tuple[Array, ...]]:
    """Numbers, each a result."""
    return lambda x: tuple(x[s : s + 1] for s in range(some))


def extended(x: Sequence[Any], size: int) -> Array:
    """A vector with zeros behind it."""
    return array([*x, *[0.0] * (size - len(x))])
