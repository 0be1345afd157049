"""Physically consistent least squares: every link has a positive definite pseudo-inertia.

J = [[½ tr(I) 1 - I, m c], [m cᵀ, m]] is positive definite for bodies of some density and for no others (Wensing, Kim,
Slotine 2018).  Unknowns are z = svec(L⁻¹ J L⁻ᵀ) with J0 = L Lᵀ of the prior, so that the prior is z = svec(1) and
one number, `trust`, weighs all of it: trust/2 |z - svec 1|² is the entropic divergence to second order (Lee, Wensing
and Park 2020).  Newton on a logarithmic barrier solves it.
"""

from __future__ import annotations  # help shows types as they are written here

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating]

_UPPER = tuple((i, j) for j in range(4) for i in range(j + 1))
_SCALE = np.array([1.0 if i == j else 2**0.5 for i, j in _UPPER])
ONE = np.array([float(i == j) for i, j in _UPPER])
#: smallest eigenvalue that a link may have, in units of its prior
LEAST = 1e-3
#: weight of the barrier at the end, and from one to the next
LAST, WEAKER = 1e-5, 0.05
#: part of a step from which on rounding ends a search
SHORTEST = 1e-9


def svec(s: Floats) -> Floats:
    """The ten numbers of symmetric matrices (…, 4, 4), with the same scalar product."""
    return np.stack([s[..., i, j] for i, j in _UPPER], -1) * _SCALE


def smat(z: Floats) -> Floats:
    """The inverse of `svec`."""
    s = np.zeros((*z.shape[:-1], 4, 4))
    for k, (i, j) in enumerate(_UPPER):
        s[..., i, j] = s[..., j, i] = z[..., k] / _SCALE[k]
    return s


def pseudo_inertia(parameters: Floats) -> Floats:
    """(…, 4, 4) of the ten parameters (…, 10)."""
    xx, xy, yy, xz, yz, zz = np.moveaxis(parameters[..., 4:], -1, 0)
    tensor = np.stack([xx, xy, xz, xy, yy, yz, xz, yz, zz], -1).reshape(*parameters.shape[:-1], 3, 3)
    J = np.zeros((*parameters.shape[:-1], 4, 4))
    J[..., :3, :3] = (xx + yy + zz)[..., None, None] / 2 * np.eye(3) - tensor
    J[..., :3, 3] = J[..., 3, :3] = parameters[..., 1:4]
    J[..., 3, 3] = parameters[..., 0]
    return J


_TO_SVEC = svec(pseudo_inertia(np.eye(10))).T
_UNITS = smat(np.eye(10))


def softened(J: Floats, share: float = 0.1, shortest: float = 0.02) -> Floats:
    """Priors (nb, 4, 4) with a tenth of a ball of the same mass and center, so that none is nearly flat."""
    out = []
    for one in J:
        m, h = max(one[3, 3], 1e-3), one[:3, 3]
        spread = one[:3, :3] - np.outer(h, h) / m
        ball = np.zeros((4, 4))
        ball[:3, :3] = np.outer(h, h) / m + np.eye(3) * max(np.trace(spread) / 3, m * shortest**2)
        ball[:3, 3] = ball[3, :3] = h
        ball[3, 3] = m
        mixed = (1 - share) * one + share * ball
        out.append(mixed if np.linalg.eigvalsh(mixed)[0] > 0 else ball)
    return np.array(out).reshape(-1, 4, 4)


def coordinates(J: Floats) -> Floats:
    """T (10 nb, 10 nb) with parameters = T z, for priors J (nb, 4, 4)."""
    out = np.zeros((10 * len(J), 10 * len(J)))
    for k, root in enumerate(np.linalg.cholesky(J)):
        own = slice(10 * k, 10 * k + 10)
        out[own, own] = np.linalg.solve(_TO_SVEC, svec(root @ _UNITS @ root.T).T)
    return out


def fitted(
    A: Floats, b: Floats, precision: Floats, prior: Floats, bodies: int, positive: NDArray[np.bool_]
) -> tuple[Floats, int]:
    """The least of ½ xᵀ A x - bᵀ x + ½ precision (x - prior)², and the number of Newton steps.

    The first unknowns are ten numbers z of each body, above LEAST; those that are `positive` are above 0.  In the
    eigenvectors of A, rounding of what the data show does not reach what they do not show.
    """
    n, nz = len(b), 10 * bodies
    at = np.flatnonzero(positive)
    values, V = np.linalg.eigh(A)
    seen = values > 1e-15 * n * max(values.max(initial=0.0), 1e-300)
    floor = np.r_[np.tile(LEAST * ONE, bodies), np.zeros(n - nz)]
    values, target = values * seen, (V.T @ b) * seen - values * seen * (V.T @ floor)
    x = np.where(positive, 0.1, 0.0)
    x[:nz] = np.tile((1 - LEAST) * ONE, bodies)
    u, steps = V.T @ x, 0
    # strong enough at first to keep away from the ends of what is possible
    mu = max(1.0, float(abs(V @ (values * u - target)).max(initial=0.0)))
    ridge = 1e-14 * np.eye(n)  # for links near the end of what is possible
    while True:
        for _ in range(60):
            x = V @ u
            root = np.linalg.inv(np.linalg.cholesky(smat(x[:nz].reshape(-1, 10))))
            inverse = np.swapaxes(root, 1, 2) @ root
            pull = precision * (x + floor - prior)
            barrier, H = np.zeros(n), np.diag(precision)
            barrier[:nz] = svec(inverse).ravel()
            barrier[at] = 1 / x[at]
            turned = np.einsum("bij,kjl->bkil", inverse, _UNITS)
            for k, own in enumerate(np.einsum("bkij,blji->bkl", turned, turned)):
                H[10 * k : 10 * k + 10, 10 * k : 10 * k + 10] += mu * own
            H[at, at] += mu / x[at] ** 2
            H = V.T @ H @ V
            H[range(n), range(n)] += values
            slope = values * u - target + V.T @ pull
            g = slope - mu * (V.T @ barrier)
            d = 1 / np.sqrt(np.diag(H))
            du = -d * np.linalg.solve(H * d * d[:, None] + ridge, d * g)
            steps += 1
            if -(g @ du) < (1e-6 if mu <= LAST else 1e-2) * mu:
                break
            dx = V @ du
            moved = root @ smat(dx[:nz].reshape(-1, 10)) @ np.swapaxes(root, 1, 2)
            e = np.r_[np.linalg.eigvalsh(moved).ravel(), dx[at] / x[at]]
            step = _step(e, slope @ du, values @ du**2 + precision @ dx**2, mu)
            # torques that ask for bodies without mass: rounding of V u may leave the cone
            while step > SHORTEST and not _possible(V @ (u + step * du), nz, at):
                step /= 2
            if step <= SHORTEST:
                break
            u = u + step * du
        if mu <= LAST:
            return x + floor, steps
        mu = max(LAST, WEAKER * mu)


def _possible(x: Floats, nz: int, at: NDArray[np.integer]) -> bool:
    """Whether bodies are positive definite and what is positive is so."""
    return bool(np.linalg.eigvalsh(smat(x[:nz].reshape(-1, 10))).min(initial=1.0) > 0 and x[at].min(initial=1.0) > 0)


def _step(e: Floats, slope: float, curvature: float, mu: float) -> float:
    """The length of a step: the least of a parabola and of -mu log(1 + step e), whose e are eigenvalues."""
    most = step = 1.0 if e.min(initial=0.0) > -0.95 else -0.95 / e.min()
    for _ in range(8):
        s = e / (1 + step * e)
        newton = step - (slope + step * curvature - mu * s.sum()) / (curvature + mu * s @ s)
        step = min(max(newton, 0.05 * step), most)
    return step
