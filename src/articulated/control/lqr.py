"""The linear quadratic regulator: Riccati equations by doubling (Chu, Fan and Lin 2005), for a batch of systems."""

from typing import Any, NamedTuple

import numpy as np

from ..algebra.asked import flag
from ..errors import ShapeError, SingularModelError
from .checks import Floats, array

#: each step squares the error: what has not converged after so many never will
_STEPS = 60
_TOLERANCE = 1e-13


class Regulator(NamedTuple):
    """u = -K x keeps the integral (the sum) of xᵀ Q x + uᵀ R u smallest; xᵀ P x is what it costs from x."""

    K: Floats  # (…, m, n)
    P: Floats  # (…, n, n)


def lqr(A: Any, B: Any, Q: Any, R: Any, discrete: bool = False) -> Regulator:
    """The regulator u = -K x of a linear system, whose quadratic cost is smallest; leading axes are a batch.

        A: (…, n, n) of d/dt x = A x + B u
        B: (…, n, m)
        Q: (n, n), what x costs, xᵀ Q x, not negative; n numbers are its diagonal
        R: (m, m), what u costs, uᵀ R u, positive; m numbers are its diagonal
        discrete: True if A and B are of x_next = A x + B u

    Returns: Regulator(K (…, m, n), P (…, n, n)), xᵀ P x being the cost from x.

    >>> import articulated as art
    >>> art.lqr([[0, 1], [0, 0]], [[0], [1]], [1, 1], [1]).K.round(6).tolist()
    [[1.0, 1.732051]]
    """
    A, B = (array(f"lqr: {name}", x, "a matrix, or a batch of them") for name, x in (("A", A), ("B", B)))
    n, m = _sizes(A, B)
    Q, R = _weight("Q", Q, n), _weight("R", R, m)
    if np.linalg.eigvalsh(R).min(initial=np.inf) <= 0:
        raise ShapeError("lqr: R must be positive: an input that costs nothing has no best value")
    if np.linalg.eigvalsh(Q).min(initial=0) < -1e-12 * abs(Q).max(initial=1.0):
        raise ShapeError("lqr: Q must not be negative in any direction")
    with np.errstate(over="ignore", invalid="ignore"):  # what overflows is no regulator, which is said
        try:
            return _regulator(A, B, Q, R, flag("lqr: discrete", discrete))
        except np.linalg.LinAlgError:
            raise _none() from None


def _regulator(A: Floats, B: Floats, Q: Floats, R: Floats, discrete: bool) -> Regulator:
    back = np.swapaxes(B, -1, -2)
    G = B @ np.linalg.solve(R, back)
    A = np.broadcast_to(A, np.broadcast_shapes(A.shape, G.shape))
    P = _doubled(*((A, G, np.broadcast_to(Q, A.shape)) if discrete else _cayley(A, G, Q)))
    K = np.linalg.solve(R + back @ P @ B, back @ P @ A) if discrete else np.linalg.solve(R, back @ P)
    if not np.isfinite(K).all():
        raise _none()
    _check_stable(A - B @ K, discrete)
    return Regulator(K, P)


def _doubled(A: Floats, G: Floats, H: Floats) -> Floats:
    """The solution of H + Aᵀ P (1 + G P)⁻¹ A = P that stabilises: 1, 2, 4, … steps to go."""
    one = np.eye(A.shape[-1])
    for _ in range(_STEPS):
        left = np.linalg.solve(one + G @ H, np.concatenate([A, G], axis=-1))
        A_left, G_left = np.split(left, 2, axis=-1)
        back = np.swapaxes(A, -1, -2)
        step = back @ H @ A_left
        A, G, H = A @ A_left, G + A @ G_left @ back, H + step
        G, H = _symmetric(G), _symmetric(H)
        if not np.isfinite(H).all():
            break
        if (abs(step).max(axis=(-1, -2)) <= _TOLERANCE * abs(H).max(axis=(-1, -2))).all():
            return H
    raise _none()


def _none() -> SingularModelError:
    return SingularModelError(
        "lqr: no regulator was found; a motion that grows must be within reach of the inputs, one that neither grows "
        "nor decays must count in Q, and the numbers must not be too large to compute with"
    )


def _cayley(A: Floats, G: Floats, Q: Floats) -> tuple[Floats, Floats, Floats]:
    """A system in discrete time whose Riccati equation has the same solution."""
    n = A.shape[-1]
    gamma = (1.0 + abs(A).sum(-1).max(-1))[..., None, None]  # larger than any eigenvalue
    shifted = A - gamma * np.eye(n)
    inverse = np.linalg.inv(shifted)
    W = np.linalg.inv(np.swapaxes(shifted, -1, -2) + Q @ inverse @ G)
    return (
        np.eye(n) + 2 * gamma * np.swapaxes(W, -1, -2),
        _symmetric(2 * gamma * inverse @ G @ W),
        _symmetric(2 * gamma * W @ Q @ inverse),
    )


def _check_stable(closed: Floats, discrete: bool) -> None:
    values = np.linalg.eigvals(closed)
    worst = abs(values).max(initial=0.0) - 1 if discrete else values.real.max(initial=-np.inf)
    if worst >= 0:
        raise SingularModelError(
            "lqr: a motion that does not decay is out of reach of the inputs, or does not count in Q"
        )


def _symmetric(X: Floats) -> Floats:
    return X / 2 + np.swapaxes(X, -1, -2) / 2


def _sizes(A: Floats, B: Floats) -> tuple[int, int]:
    if A.ndim < 2 or A.shape[-1] != A.shape[-2]:
        raise ShapeError(f"lqr: A has shape {A.shape}; it is square, (…, n, n)")
    if B.ndim < 2 or B.shape[-2] != A.shape[-1] or not B.shape[-1]:
        raise ShapeError(f"lqr: B has shape {B.shape}; beside A {A.shape} it is (…, {A.shape[-1]}, m)")
    try:
        np.broadcast_shapes(A.shape[:-2], B.shape[:-2])
    except ValueError:
        raise ShapeError(f"lqr: the leading axes of A {A.shape} and B {B.shape} do not broadcast") from None
    for name, x in (("A", A), ("B", B)):
        if not np.isfinite(x).all():
            raise ShapeError(f"lqr: {name} holds a number that is not finite")
    return A.shape[-1], B.shape[-1]


def _weight(name: str, given: Any, size: int) -> Floats:
    """A weight as a symmetric matrix; from its diagonal, if it is a vector."""
    x = array(f"lqr: {name}", given, f"a matrix ({size}, {size}) or {size} numbers on its diagonal")
    x = np.diag(x) if x.ndim == 1 else x
    if x.shape != (size, size) or not np.isfinite(x).all():
        raise ShapeError(f"lqr: {name} is a finite matrix ({size}, {size}), or {size} numbers; got shape {x.shape}")
    with np.errstate(over="ignore"):
        if abs(x - x.T).max(initial=0.0) > 1e-12 * abs(x).max(initial=0.0):
            raise ShapeError(f"lqr: {name} must be symmetric")
        return _symmetric(x)
