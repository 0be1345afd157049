"""The motion near a state as a linear system, on the tangent space."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...algebra.spatial import cross_motion
from ...inputs.choices import number
from ...model import Model

Floats = NDArray[np.floating]
#: squarings that any matrix of finite numbers needs at most
LARGEST = 1030
#: 1!, 2!, 3! …
FACTORIALS = np.cumprod(np.arange(1.0, 17.0))


class LinearSystem(NamedTuple):
    """d/dt x = A x + B u, or x_next = A x + B u: x = [dq; dv] near a state, dq as `difference` has it, and u = dtau."""

    A: Floats  # (…, 2 nv, 2 nv)
    B: Floats  # (…, 2 nv, nv)


def linearize(robot: Any, q: ArrayLike, v: ArrayLike, tau: ArrayLike, dt: float | None, forces: Any) -> LinearSystem:
    """The linear system of `robot.forward_dynamics` at a state."""
    found = robot.derivatives("forward_dynamics")(q, v, tau, forces=forces)
    n = robot.nv
    batch = found.q.shape[:-2]
    A, B = np.zeros((*batch, 2 * n, 2 * n)), np.zeros((*batch, 2 * n, n))
    A[..., :n, :n] = _carried(robot, np.asarray(v, float))
    A[..., :n, n:] = np.eye(n)
    A[..., n:, :n], A[..., n:, n:], B[..., n:, :] = found.q, found.v, found.tau
    if dt is None:
        return LinearSystem(A, B)
    dt = number("linearize: dt", dt, "a time step in seconds, or None")
    # sampled every dt, its input constant in between: e^X and (e^X - 1)/X B dt with X = A dt
    with np.errstate(over="ignore", invalid="ignore"):  # what overflows shows in the result
        power, mean = exponential(A * dt)
        return LinearSystem(power, dt * (mean @ B))


def _carried(robot: Any, v: Floats) -> Floats:
    """Rate of a difference of configurations that both move with v: -v × dq for joints that do not commute."""
    out = np.zeros((*v.shape, robot.nv))
    for dofs, bracket in robot.kernels.once("brackets", lambda: _brackets(robot.model)):
        out[..., dofs, dofs] = -np.einsum("...i,ijk->...kj", v[..., dofs], bracket)
    return out


def _brackets(model: Model) -> list[tuple[slice, Floats]]:
    """Lie brackets of joints with several velocities: S e_i × S e_j = Σ_k S e_k bracket_ijk; a joint is a subgroup."""
    found = []
    for b in model.bodies:
        S = np.array(b.joint.S, float)
        if b.leader is b and S.shape[1] > 1:
            products = np.array([[cross_motion(x, y) for y in S.T] for x in S.T], float)
            found.append((b.dofs, products @ np.linalg.pinv(S).T))
    return found


def exponential(X: Floats) -> tuple[Floats, Floats]:
    """e^X and (e^X - 1)/X of square matrices: the Taylor series of a fraction of X, doubled again."""
    size = np.abs(X).sum(-1).max(-1, initial=0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        doublings = np.clip(np.nan_to_num(np.ceil(np.log2(size)) + 1), 0, LARGEST).astype(int)
    X = np.ldexp(X, -doublings[..., None, None])  # at most 1/2: sixteen terms are exact to rounding
    unit = np.eye(X.shape[-1])
    # Σ X^k / (k + 1)! by four powers (Paterson and Stockmeyer 1973)
    powers = [unit, X, X @ X]
    powers += [powers[2] @ X, powers[2] @ powers[2]]
    mean = np.zeros_like(X)
    for first in (12, 8, 4, 0):
        mean = mean @ powers[4] + sum(powers[k] / FACTORIALS[first + k] for k in range(4))
    total = unit + X @ mean
    for k in range(int(doublings.max(initial=0))):
        more = (doublings > k)[..., None, None]
        mean = np.where(more, (total + unit) @ mean / 2, mean)
        total = np.where(more, total @ total, total)
    return total, mean
