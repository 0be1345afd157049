"""Linear equations y = A x: ranks, null spaces, pseudo-inverses, projectors (USP lecture, S3.1-S3.10).

NumPy on arrays (…, m, n).  A singular value below `tolerance` times the largest counts as zero: the numbers of
robot files have some eight digits, so nothing finer means anything.  `scale` is a size that the largest is expected to
have; a matrix that is all rounding errors beside it has rank 0.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...errors import ArticulatedError, ShapeError
from ...inputs.choices import floats, number

Floats = NDArray[np.floating]

TOLERANCE = 1e-8
#: of an entry of a matrix: its square is still a number
LARGEST = 1e150
#: decorator that silences floating-point warnings: overflow shows in the result
quietly = np.errstate(over="ignore", invalid="ignore")


class RankError(ArticulatedError, ValueError):
    """A formula for full rank was asked of a matrix that has not."""


def rank(A: ArrayLike, tolerance: float = TOLERANCE, scale: float = 0.0) -> NDArray[np.intp] | int:
    """Number of linearly independent rows."""
    found = kept(np.linalg.svd(_matrix(A), compute_uv=False), tolerance, scale).sum(axis=-1)
    return int(found) if np.ndim(found) == 0 else found


def nullity(A: ArrayLike, tolerance: float = TOLERANCE) -> NDArray[np.intp] | int:
    """Dimension of the null space: columns minus rank."""
    return _matrix(A).shape[-1] - rank(A, tolerance)


def null_space(A: ArrayLike, tolerance: float = TOLERANCE, scale: float = 0.0) -> Floats:
    """Orthonormal columns that A (m, n) takes to zero.  (n, nullity)."""
    A = _one("null_space", A)
    return np.linalg.svd(A)[2][rank(A, tolerance, scale) :].T


def left_pseudo_inverse(A: ArrayLike, tolerance: float = TOLERANCE) -> Floats:
    """(Aᵀ A)⁻¹ Aᵀ for A of full column rank."""
    A, size = _full(A, -1, "column", tolerance)
    return _solved(_transposed(A) @ A, _transposed(A)) / size


def right_pseudo_inverse(A: ArrayLike, tolerance: float = TOLERANCE) -> Floats:
    """Aᵀ (A Aᵀ)⁻¹ for A of full row rank."""
    A, size = _full(A, -2, "row", tolerance)
    return _transposed(_solved(A @ _transposed(A), A)) / size


def pseudo_inverse(A: ArrayLike, tolerance: float = TOLERANCE, scale: float = 0.0) -> Floats:
    """Moore and Penrose's, for any rank."""
    U, values, V = np.linalg.svd(_matrix(A), full_matrices=False)
    with np.errstate(divide="ignore"):
        inverse = np.where(kept(values, tolerance, scale), 1 / values, 0)
    return _transposed(V) @ (inverse[..., None] * _transposed(U))


@quietly
def general_solution(A: ArrayLike, b: ArrayLike, w: ArrayLike, tolerance: float = TOLERANCE) -> Floats:
    """x = A⁺ b + (I - A⁺ A) w: the solution of A x = b (or the best there is) nearest to w."""
    A = _matrix(A)
    b, w = _vectors("b", b, A.shape[-2]), _vectors("w", w, A.shape[-1])
    try:
        np.broadcast_shapes(A.shape[:-2], b.shape[:-1], w.shape[:-1])
    except ValueError:
        shapes = f"A {A.shape}, b {b.shape}, w {w.shape}"
        raise ShapeError(f"general_solution: the leading axes do not broadcast: {shapes}") from None
    return w + apply(pseudo_inverse(A, tolerance), b - apply(A, w))


def projector(A: ArrayLike, tolerance: float = TOLERANCE, scale: float = 0.0) -> Floats:
    """I - A⁺ A: the orthogonal projection on the null space of A.  (…, n, n)."""
    A = _matrix(A)
    return np.eye(A.shape[-1]) - pseudo_inverse(A, tolerance, scale) @ A


def plain_qr(A: ArrayLike) -> tuple[Floats, Floats]:
    """A = Q R without pivoting: Q (…, m, m) orthogonal, R (…, m, n) upper triangular, its diagonal not negative.

    With full column rank there is one such R; its lower m - n rows are zero.
    """
    A = _matrix(A)
    if A.shape[-1] == 0:
        return np.broadcast_to(np.eye(A.shape[-2]), (*A.shape[:-1], A.shape[-2])).copy(), A.copy()
    Q, R = np.linalg.qr(A, mode="complete")
    signs = np.ones((*A.shape[:-2], A.shape[-2]))
    diagonal = np.diagonal(R, axis1=-2, axis2=-1)
    signs[..., : diagonal.shape[-1]] = np.where(diagonal < 0, -1.0, 1.0)
    return Q * signs[..., None, :], R * signs[..., None]


class QR(NamedTuple):
    """A[:, order] = Q @ R, columns taken in the order of what they add, the longest first."""

    Q: Floats  # (m, m), orthogonal
    R: Floats  # (m, n), upper triangular; zero below row `rank`
    order: NDArray[np.intp]
    rank: int


def qr(A: ArrayLike, tolerance: float = TOLERANCE, scale: float = 0.0) -> QR:
    """QR of one matrix with column pivoting, so that it reveals the rank."""
    R, tolerance = _one("qr", A).copy(), _tolerance(tolerance)
    m, n = R.shape
    Q, order = np.eye(m), np.arange(n)
    found = 0
    for i in range(min(m, n)):
        lengths = np.linalg.norm(R[i:, i:], axis=0)
        j = i + int(lengths.argmax())
        if lengths.max() <= tolerance * max(scale, abs(R[0, 0] if i else lengths.max())):
            break
        R[:, [i, j]], order[[i, j]] = R[:, [j, i]], order[[j, i]]
        u = R[i:, i].copy()
        u[0] += np.copysign(np.linalg.norm(u), u[0])
        u /= np.linalg.norm(u)
        R[i:] -= 2 * np.outer(u, u @ R[i:])
        Q[:, i:] -= 2 * np.outer(Q[:, i:] @ u, u)
        R[i + 1 :, i] = 0
        found += 1
    R[found:] = 0
    return QR(Q, R, order, found)


def kept(singular_values: Floats, tolerance: float, scale: float = 0.0) -> NDArray[np.bool_]:
    """Mask of those that count."""
    tolerance = _tolerance(tolerance)
    return (singular_values > tolerance * np.maximum(singular_values[..., :1], scale)) & (singular_values > 0)


@quietly
def apply(A: Floats, x: Floats) -> Floats:
    """A x for arrays (…, m, n) and (…, n)."""
    return (A @ x[..., None])[..., 0]


def _transposed(A: Floats) -> Floats:
    return np.swapaxes(A, -1, -2)


def _matrix(A: ArrayLike) -> Floats:
    A = floats("the matrix A", A, rows=())
    if A.ndim < 2:
        raise RankError(f"a matrix has two axes; got shape {A.shape}")
    if not (abs(A) < LARGEST).all():
        raise RankError("the matrix A holds NaN or infinity, or numbers whose squares are too large to compute with")
    return A


def _one(function: str, A: ArrayLike) -> Floats:
    A = _matrix(A)
    if A.ndim > 2:
        raise RankError(f"{function} takes one matrix A (m, n); got shape {A.shape}")
    return A


def _vectors(name: str, x: ArrayLike, size: int) -> Floats:
    found = floats(name, x)
    if found.ndim == 0 or found.shape[-1] != size:
        raise RankError(f"{name} has shape {found.shape}; for this matrix it is (…, {size})")
    return found


def _tolerance(given: float) -> float:
    return number("tolerance", given, "a number, not negative", most=1.0)


def _solved(squared: Floats, A: Floats) -> Floats:
    """A matrix may pass a tolerance of nearly nothing though its square is singular."""
    try:
        return np.linalg.solve(squared, A)
    except np.linalg.LinAlgError:
        raise RankError("the matrix has full rank only by rounding errors; use pseudo_inverse") from None


def _full(A: ArrayLike, axis: int, kind: str, tolerance: float) -> tuple[Floats, Any]:
    """A over its largest entry, and that; squares of very small numbers are 0."""
    A = _matrix(A)
    if np.any((least := rank(A, tolerance)) < A.shape[axis]):
        raise RankError(
            f"this pseudo-inverse needs full {kind} rank {A.shape[axis]}, but the matrix has rank {np.min(least)}; "
            "pseudo_inverse is right for any rank"
        )
    size = abs(A).max(axis=(-2, -1), keepdims=True, initial=np.finfo(float).tiny)
    return A / size, size
