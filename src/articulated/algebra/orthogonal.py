"""Orthogonal decompositions by Householder reflections, for matrices of known rank: unrolled, any scalar.

A rank found in the numbers would be a branch, and a traced program has none.  But the rank of a contact
Jacobian is a matter of structure (which feet, which legs) at all but a few configurations, so it is
given here, and `conditioning` tells whether the matrix at hand has it: the smallest pivot beside the largest, or
beside a `size` that the largest usually has.  Where a matrix may also have more, `left_over` tells what of it is not
in the decomposition.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from .scalars import Array, Scalar, eye, is_zero, select, sqrt, total, zeros


class Reflection(NamedTuple):
    """I - factor u uᵀ, with u zero outside `rows`."""

    rows: tuple[int, ...]
    u: tuple[Scalar, ...]
    factor: Scalar

    def apply(self, x: Array) -> None:
        """Reflect a vector, or the columns of a matrix, in place."""
        along = self.factor * total((u * x[i] for i, u in zip(self.rows, self.u, strict=True)), start=0 * x[0])
        for i, u in zip(self.rows, self.u, strict=True):
            x[i] = x[i] - u * along


class Rotation:
    """An orthogonal matrix Q as a product of reflections, its columns in the order `order`."""

    def __init__(self, size: int):
        self.reflections: list[Reflection] = []
        self.order = list(range(size))

    def transposed(self, x: Array) -> Array:
        """Qᵀ x."""
        x = x.copy()
        for reflection in self.reflections:
            reflection.apply(x)
        return x[self.order]

    def times(self, y: Array) -> Array:
        """Q y for a y that may end early, the rest of it zeros."""
        x = zeros(len(self.order), *y.shape[1:])
        for i, row in zip(self.order, y, strict=False):
            x[i] = row
        for reflection in reversed(self.reflections):
            reflection.apply(x)
        return x

    def columns(self, start: int) -> Array:
        """The columns from `start` on."""
        return self.times(eye(len(self.order))[:, start:])


def reflect(column: Array, rows: Sequence[int], pivot: int) -> tuple[Reflection, Scalar]:
    """The reflection that moves all of `column` (in `rows`) to the row `pivot`, and the length it then has there."""
    squared = total(column[i] * column[i] for i in rows)
    length = sqrt(squared)
    # towards the sign it has, so that nothing cancels
    signed = select(column[pivot] < 0, -length, length)
    u = tuple(column[i] + signed if i == pivot else column[i] for i in rows)
    return Reflection(tuple(rows), u, 1 / (squared + column[pivot] * signed)), length


def triangular(A: Array) -> tuple[Rotation, Array, list[Scalar]]:
    """A = Q [R; 0] for A of full column rank: Q, R upper triangular, and the lengths |R_jj|.

    Each column is gathered in a row where it is not zero and that few of the columns after it use, so that
    the zeros between the legs of a robot survive.
    """
    A, (m, n) = A.copy(), A.shape
    Q, used, left, lengths = Rotation(m), [], list(range(m)), []
    for j in range(n):
        rows = [i for i in left if not is_zero(A[i, j])] or left[:1]
        pivot = min(rows, key=lambda i: sum(not is_zero(x) for x in A[i, j:]))
        if len(rows) > 1:
            reflection, length = reflect(A[:, j], rows, pivot)
            reflection.apply(A[:, j:])
            Q.reflections.append(reflection)
            for i in rows:
                if i != pivot:
                    A[i, j] = 0
        else:
            length = select(A[pivot, j] < 0, -A[pivot, j], A[pivot, j])
        lengths.append(length)
        left.remove(pivot)
        used.append(pivot)
    Q.order = used + left
    return Q, A[used], lengths


def volume(A: Array) -> Scalar:
    """√det(Aᵀ A), the product of the singular values of a tall A, whatever its rank."""
    A, (m, n) = A.copy(), A.shape
    product: Scalar = 1
    for j in range(n):
        squared = total(A[i, j] * A[i, j] for i in range(j, m))
        if is_zero(squared):
            return 0
        length = sqrt(squared)
        signed = select(A[j, j] < 0, -length, length)
        u = [A[i, j] + signed if i == j else A[i, j] for i in range(j, m)]
        whole = squared + A[j, j] * signed
        # of a column that is zero nothing is reflected
        Reflection(tuple(range(j, m)), tuple(u), 1 / (whole + select(whole > 0, 0, 1))).apply(A)
        product = product * length
    return product


def gathered(A: Array, rank: int) -> tuple[Rotation, Array, Array]:
    """A = Q [C; rest] with `rank` rows C: reflections along the longest column that is left, rank times.

    If A has that rank, `rest` is zero.
    """
    A, m = A.copy(), len(A)
    Q = Rotation(m)
    for i in range(rank):
        rows = range(i, m)
        longest, most = A[:, 0], 0
        for column in A.T:
            squared = total(column[k] * column[k] for k in rows)
            if is_zero(squared):
                continue
            better = squared > most
            longest = np.array([*A[:i, 0], *(select(better, column[k], longest[k]) for k in rows)], object)
            most = select(better, squared, most)
        reflection, _ = reflect(longest, rows, i)
        reflection.apply(A)
        Q.reflections.append(reflection)
    return Q, A[:rank], A[rank:]


class Decomposition:
    """A = P [C; 0] and Cᵀ = Q [R; 0]; for A of full column rank A = P [R; 0].

    `solve` is the product with the pseudo-inverse of A, `solve_transposed` with that of its transpose.
    """

    def __init__(self, A: Array, rank: int, size: Scalar = 0):
        m, n = A.shape
        self.shape, self.rank = (m, n), rank
        self.P, self.Q = Rotation(m), Rotation(n)
        self.tall, self.rest = rank == n, zeros(0, n)
        if self.tall:
            self.P, self.R, lengths = triangular(A)
        else:
            C = A
            if rank < m:
                self.P, C, self.rest = gathered(A, rank)
            self.Q, self.R, lengths = triangular(C.T)
        self.least, self.most = _extremes(lengths, size)

    @property
    def conditioning(self) -> Scalar:
        """The smallest pivot over the largest, or over `size` if that is more; 1 if there are none."""
        return self.least / self.most if self.rank else 1

    @property
    def left_over(self) -> Scalar:
        """The length of what is not in the decomposition, in the same measure."""
        squared = (self.rest * self.rest).sum() if self.rest.size else 0
        return 0 if is_zero(squared) else sqrt(squared) / self.most

    def solve(self, b: Array) -> Array:
        """The shortest x among those with the least |A x - b|."""
        c = self.P.transposed(b)[: self.rank]
        if self.tall:
            return backward(self.R, c)
        return self.Q.times(forward(self.R, c))

    def solve_transposed(self, b: Array) -> Array:
        """The shortest x among those with the least |Aᵀ x - b|."""
        c = self.Q.transposed(b)[: self.rank]
        return self.P.times(forward(self.R, c) if self.tall else backward(self.R, c))

    def null_space(self) -> Array:
        """Orthonormal columns that A takes to zero."""
        return self.Q.columns(self.rank)


def backward(R: Array, b: Array) -> Array:
    """x with R x = b, R upper triangular."""
    x = b.copy()
    for i in reversed(range(len(R))):
        x[i] = (x[i] - total((R[i, j] * x[j] for j in range(i + 1, len(R))), start=0 * x[i])) / R[i, i]
    return x


def forward(R: Array, b: Array) -> Array:
    """x with Rᵀ x = b, R upper triangular."""
    x = b.copy()
    for i in range(len(R)):
        x[i] = (x[i] - total((R[j, i] * x[j] for j in range(i)), start=0 * x[i])) / R[i, i]
    return x


def _extremes(lengths: list[Scalar], size: Scalar) -> tuple[Scalar, Scalar]:
    """The smallest and the largest of lengths, or `size` if that is more."""
    least, most = (lengths[0] if lengths else 0), size
    for length in lengths:
        least = select(length < least, length, least)
        most = select(most < length, length, most)
    return least, most
