"""Determinants and adjugates of small matrices of polynomials, with a bound on what is multiplied out."""

from typing import Any

import numpy as np

from ...algebra.scalars import Array, zeros
from ...errors import ModelError
from ..ring.polynomial import Polynomial

ROUNDING = 1e-12  # singular value of a scaled matrix that counts as zero
MOST = 100_000  # products of terms that are multiplied out: some ten seconds


def determinant(M: Array) -> Any:
    """Determinant of a small matrix, expanded along its first row."""
    if not len(M):
        return 1
    rest = [np.delete(M[1:], k, axis=1) for k in range(len(M))]
    return sum(((-1) ** k * M[0, k] * determinant(rest[k]) for k in range(len(M))), start=0)


def cofactors(M: Array) -> tuple[Array, Any]:
    """Adjugate and determinant of a symmetric matrix, each cofactor once."""
    n = len(M)
    adjugate = zeros(n, n)
    for i in range(n):
        for j in range(i, n):
            minor = np.delete(np.delete(M, i, axis=0), j, axis=1)
            adjugate[i, j] = adjugate[j, i] = (-1) ** (i + j) * determinant(minor)
    return adjugate, sum((M[0, j] * adjugate[j, 0] for j in range(n)), start=0)


def regular(M: np.ndarray) -> bool:
    """True if a symmetric matrix of numbers is regular, scaled by its diagonal: rows have units, kg and kg m²."""
    size = np.sqrt(abs(np.diag(M)))
    size = np.where(size > 0, size, np.sqrt(abs(M).max(axis=0, initial=0)))
    return bool(size.all() and np.linalg.svd(M / size / size[:, None], compute_uv=False).min() > ROUNDING)


def refuse_long(what: str, M: Array, most: int = MOST) -> None:
    """Refuse a determinant whose expansion has too many products: the permanent of the numbers of terms."""
    counts = np.array([[len(x.terms) if isinstance(x, Polynomial) else int(x != 0) for x in row] for row in M], object)
    products = _permanent(counts)
    if products > most:
        raise ModelError(
            f"{what}: the determinant of M has {products:.1e} products of terms, and up to {most} are multiplied out; "
            "give some of the letters numbers"
        )


def _permanent(counts: Array) -> float:
    if not len(counts):
        return 1
    return sum(counts[0, k] * _permanent(np.delete(counts[1:], k, axis=1)) for k in range(len(counts)) if counts[0, k])
