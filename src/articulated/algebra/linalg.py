"""Dense linear algebra on object arrays: unrolled, square-root free, any scalar."""

from .scalars import Array, is_zero, total, zeros


def factor_spd(A: Array) -> tuple[Array, list]:
    """A = Lᵀ D L with unit lower-triangular L; returns L and the inverses of D.

    Eliminates the last row first, so that on a mass matrix each pivot is the inertia a joint
    feels with every joint beyond it free (the ABA's), and zeros between branches survive.
    """
    n = len(A)
    L, inverse = A.copy(), [0] * n
    for k in reversed(range(n)):
        inverse[k] = 1 / L[k, k]
        used = [i for i in range(k) if not is_zero(L[k, i])]
        for i in reversed(used):
            ratio = L[k, i] * inverse[k]
            for j in used:
                if j <= i:
                    L[i, j] = L[i, j] - ratio * L[k, j]
            L[k, i] = ratio
    return L, inverse


def solve_factored(factors: tuple[Array, list], b: Array) -> Array:
    """x with A x = b, from the factors of A; b a vector or a matrix."""
    L, inverse = factors
    x = solve_upper(L, b)
    for i in range(len(L)):
        x[i] = x[i] * inverse[i]
    return solve_lower(L, x)


def solve_upper(L: Array, b: Array) -> Array:
    """x with Lᵀ x = b, L unit lower triangular: the first half of a solution by factors."""
    x = b.copy()
    for i in reversed(range(len(L))):
        for j in range(i):
            if not is_zero(L[i, j]):
                x[j] = x[j] - L[i, j] * x[i]
    return x


def solve_lower(L: Array, b: Array) -> Array:
    """x with L x = b: the last part."""
    x = b.copy()
    for i in range(len(L)):
        for j in range(i):
            if not is_zero(L[i, j]):
                x[i] = x[i] - L[i, j] * x[j]
    return x


def solve_spd(A: Array, b: Array) -> Array:
    """x with A x = b for symmetric positive definite A; b a vector or a matrix."""
    return solve_factored(factor_spd(A), b)


def invert_spd(A: Array) -> Array:
    """The inverse of a symmetric positive definite matrix, computed once per entry."""
    return invert_factored(factor_spd(A))


def invert_factored(factors: tuple[Array, list]) -> Array:
    """The inverse of a matrix from its factors, computed once per entry."""
    L, inverse = factors
    n = len(L)
    # columns of L⁻ᵀ-weighted identity: X = L⁻¹, A⁻¹ = X D⁻¹ Xᵀ
    X = zeros(n, n)
    for i in range(n):
        X[i, i] = 1
        for j in range(i):
            X[i, j] = -total(L[i, k] * X[k, j] for k in range(j, i) if not is_zero(L[i, k]))
    out = zeros(n, n)
    for i in range(n):
        for j in range(i, n):
            out[i, j] = out[j, i] = total(X[i, k] * inverse[k] * X[j, k] for k in range(i + 1))
    return out
