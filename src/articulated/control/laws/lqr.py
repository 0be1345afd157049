"""The linear quadratic regulator: Riccati equations by doubling (Chu, Fan and Lin 2005), for a batch of systems."""

from typing import Any, NamedTuple

import numpy as np

from ...errors import ShapeError, SingularModelError
from ...inputs.choices import flag
from ..checks import Floats, array

#: each step squares the error: what has not converged after so many never will
_STEPS = 60
_TOLERANCE = 1e-13
#: of the largest gain: two of Newton's steps that differ by less have arrived; where rounding is larger, because some
#: motions are far faster than others, those that differ by less than this and come no nearer
_AGREE, _ROUNDING = 1e-9, 1e-5
_TINY = np.finfo(float).tiny


class Regulator(NamedTuple):
    """u = -K x keeps the integral (the sum) of xᵀ Q x + uᵀ R u smallest; xᵀ P x is what it costs from x."""

    K: Floats  # (…, m, n)
    P: Floats  # (…, n, n)


def lqr(A: Any, B: Any, Q: Any, R: Any, discrete: bool = False) -> Regulator:
    """The regulator u = -K x of a linear system, whose quadratic cost is smallest; leading axes are a batch.

    Parameters
    ----------
    A : (…, n, n) of d/dt x = A x + B u
    B : (…, n, m)
    Q : (n, n), what x costs, xᵀ Q x, not negative; n numbers are its diagonal
    R : (m, m), what u costs, uᵀ R u, positive; m numbers are its diagonal
    discrete : True if A and B are of x_next = A x + B u

    Returns
    -------
    Regulator(K (…, m, n), P (…, n, n)), xᵀ P x being the cost from x

    Examples
    --------
    >>> import articulated as art
    >>> art.lqr([[0, 1], [0, 0]], [[0], [1]], [1, 1], [1]).K.round(6).tolist()
    [[1.0, 1.732051]]
    """
    A, B = (array(f"lqr: {name}", x, "a matrix, or a batch of them") for name, x in (("A", A), ("B", B)))
    n, m = _sizes(A, B)
    Q, R = _weight("Q", Q, n), _weight("R", R, m)
    if np.linalg.eigvalsh(R).min(initial=np.inf) <= 0:
        raise ShapeError("lqr: R must be positive definite")
    if np.linalg.eigvalsh(Q).min(initial=0) < -1e-12 * abs(Q).max(initial=1.0):
        raise ShapeError("lqr: Q must be positive semidefinite")
    with np.errstate(over="ignore", invalid="ignore"):  # overflow is reported as: no regulator
        try:
            return _regulator(A, B, Q, R, flag("lqr: discrete", discrete))
        except np.linalg.LinAlgError:
            raise _none() from None


def _regulator(A: Floats, B: Floats, Q: Floats, R: Floats, discrete: bool) -> Regulator:
    back = np.swapaxes(B, -1, -2)
    G = B @ np.linalg.solve(R, back)
    A, G = np.broadcast_arrays(A, G)
    P = _doubled(*((A, G, np.broadcast_to(Q, A.shape)) if discrete else _cayley(A, G, Q)))
    found = _gains(A, B, R, P, discrete)
    before, arrived = np.inf, np.zeros(found.K.shape[:-2], bool)
    for _ in range(_STEPS):
        better = _improved(A, B, Q, R, found.K, discrete)
        change = abs(better.K - found.K).max(axis=(-1, -2)) / np.maximum(abs(better.K).max(axis=(-1, -2)), _TINY)
        # systems of the batch that have converged are kept
        found = Regulator(*(np.where(arrived[..., None, None], x, y) for x, y in zip(found, better, strict=True)))
        arrived = arrived | (change <= _AGREE) | ((change <= _ROUNDING) & (change >= before / 2))
        if arrived.all():
            return found
        before = change
    raise _none()


def _gains(A: Floats, B: Floats, R: Floats, P: Floats, discrete: bool) -> Regulator:
    """The gains that are best if xᵀ P x is what x costs from the next moment on."""
    back = np.swapaxes(B, -1, -2)
    K = np.linalg.solve(R + back @ P @ B, back @ P @ A) if discrete else np.linalg.solve(R, back @ P)
    if not np.isfinite(K).all():
        raise _none()
    return Regulator(K, P)


def _improved(A: Floats, B: Floats, Q: Floats, R: Floats, K: Floats, discrete: bool) -> Regulator:
    """Newton's step (Kleinman 1968; in discrete time Hewer 1971): what these gains cost, and the best after that.

    From stabilizing gains it converges to the regulator, despite rounding.
    """
    closed = A - B @ K
    values = _check_stable(closed, discrete)
    cost = _symmetric(Q + np.swapaxes(K, -1, -2) @ R @ K)
    return _gains(A, B, R, _summed(closed, cost) if discrete else _integrated(closed, cost, values), discrete)


def _integrated(A: Floats, cost: Floats, values: Any) -> Floats:
    """The solution P of Aᵀ P + P A + cost = 0, A with these eigenvalues, all of them decaying."""
    gamma = _between(abs(values))
    inverse = np.linalg.inv(A - gamma * np.eye(A.shape[-1]))
    across = np.eye(A.shape[-1]) + 2 * gamma * inverse  # (A - γ)⁻¹ (A + γ)
    return _summed(across, 2 * gamma * np.swapaxes(inverse, -1, -2) @ cost @ inverse)


def _summed(A: Floats, cost: Floats) -> Floats:
    """cost + Aᵀ cost A + …, the terms of 1, 2, 4, … steps at once."""
    total = cost
    for _ in range(_STEPS):
        step = np.swapaxes(A, -1, -2) @ total @ A
        total, A = _symmetric(total + step), A @ A
        if not np.isfinite(total).all():
            break
        if (abs(A).max(axis=(-1, -2), initial=0.0) <= _TOLERANCE).all():
            return total
    raise _none()


def _between(sizes: Floats) -> Floats:
    """Geometric mean of the slowest and the fastest rate."""
    return np.sqrt(sizes.max(-1) * sizes.min(-1))[..., None, None]


def _doubled(A: Floats, G: Floats, H: Floats) -> Floats:
    """The solution of H + Aᵀ P (1 + G P)⁻¹ A = P that stabilizes: 1, 2, 4, … steps to go."""
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
        "nor decays must count in Q, and the numbers must not be too large, or of speeds too different, to compute with"
    )


def _cayley(A: Floats, G: Floats, Q: Floats) -> tuple[Floats, Floats, Floats]:
    """A system in discrete time whose Riccati equation has the same solution."""
    n = A.shape[-1]
    both = np.block([[A, -G], [-np.broadcast_to(Q, A.shape), -np.swapaxes(A, -1, -2)]])  # Hamilton's matrix
    gamma = np.maximum(_between(abs(np.linalg.eigvals(both))), _TINY**0.25)
    shifted = A - gamma * np.eye(n)
    inverse = np.linalg.inv(shifted)
    W = np.linalg.inv(np.swapaxes(shifted, -1, -2) + Q @ inverse @ G)
    return (
        np.eye(n) + 2 * gamma * np.swapaxes(W, -1, -2),
        _symmetric(2 * gamma * inverse @ G @ W),
        _symmetric(2 * gamma * W @ Q @ inverse),
    )


def _check_stable(closed: Floats, discrete: bool) -> Any:
    """Eigenvalues of a system, all of whose motions decay."""
    values = np.linalg.eigvals(closed)
    worst = abs(values).max(initial=0.0) - 1 if discrete else values.real.max(initial=-np.inf)
    if worst >= 0:
        raise SingularModelError("lqr: (A, B) is not stabilizable, or a mode that does not decay has no cost in Q")
    return values


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
