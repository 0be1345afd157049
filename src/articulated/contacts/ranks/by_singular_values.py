"""The laws of laws.py with ranks found from singular values, and as the lecture writes them; NumPy on a batch.

Where a contact set is not what it usually is (coincident feet, a stretched leg), where a weight is a matrix or zero,
and for whoever wants to see the lecture's formulas: f = M a + h, J (…, k, nv), tau0 (…, n).
"""

from typing import Any, NamedTuple

import numpy as np

from ...errors import ShapeError
from ..laws import ROUNDING
from .structure import Structure
from .subspaces import TOLERANCE, Floats, apply, kept, projector, pseudo_inverse


class Torques(NamedTuple):
    """Torques that give a robot an acceleration while its contacts hold; see `Contacts.inverse_dynamics`."""

    tau: Floats  # of the actuated joints, (…, n)
    forces: Floats  # of the ground (or the other frame) on the robot, one per row of the contacts, (…, k)
    residual: Any  # length of the part of f_u no contact force can supply; the acceleration is feasible if it is 0
    violation: Any  # length of J a + J̇ v; the acceleration leaves the contacts where they are if it is 0
    conditioning: Any  # smallest over largest pivot; below 1e-8 ranks were found from singular values
    feasible: Any  # whether some torque gives the acceleration asked for: residual and violation are rounding errors
    a: Floats  # what the torques are for: the acceleration asked for, or the nearest that is feasible, (…, nv)


def torques(
    f: Floats,
    J: Floats,
    moved: Floats,
    negligible: Floats,
    a: Floats,
    structure: Structure,
    method: str,
    tau0: Any = 0.0,
    weight: Any = None,
    force_weight: Any = None,
) -> Torques:
    """`laws.contact_torques` from f, J and `moved` = J a + J̇ v, by one of the routes below.

    Accelerations of contacts below `negligible` are rounding errors.
    """
    tau0 = np.broadcast_to(tau0, (*np.shape(tau0)[:-1], len(structure.actuated)))
    if method == "qr":
        tau, forces = split(f, J, structure, tau0, weight, force_weight)
    elif force_weight is not None:
        raise ShapeError(f'force_weight does not apply to method="{method}"; leave method out')
    else:
        tau, forces = by_projector(f, J, structure, tau0, weight)
    u = list(structure.unactuated)
    residual = np.linalg.norm(f[..., u] - apply(np.swapaxes(J[..., u], -1, -2), forces), axis=-1)
    values = np.linalg.svd(J, compute_uv=False)
    counted = kept(values, TOLERANCE, structure.size)
    least = np.min(values, axis=-1, where=counted, initial=np.inf)
    conditioning = np.where(counted.any(axis=-1), least / np.max(values, axis=-1, initial=structure.size or 1.0), 1.0)
    violation = np.linalg.norm(moved, axis=-1)
    feasible = (residual <= ROUNDING * np.linalg.norm(f, axis=-1)) & (violation <= negligible)
    violation, conditioning = (np.broadcast_to(x, residual.shape)[()] for x in (violation, conditioning))
    a = np.array(np.broadcast_to(a, (*residual.shape, a.shape[-1])))
    return Torques(tau, forces, residual, violation, conditioning, feasible, a)


def split(f: Floats, J: Floats, structure: Structure, tau0: Floats, weight: Any, force_weight: Any) -> tuple:
    """tau and forces: contact forces carry the base, internal ones bring the torques to tau0."""
    u, c = list(structure.unactuated), list(structure.actuated)
    J_uT, J_cT = np.swapaxes(J[..., u], -1, -2), np.swapaxes(J[..., c], -1, -2)
    inverse = pseudo_inverse(J_uT, scale=structure.size)
    carrying, internal = apply(inverse, f[..., u]), np.eye(J.shape[-2]) - inverse @ J_uT
    excess, effect = f[..., c] - apply(J_cT, carrying) - tau0, J_cT @ internal
    scale = root(weight, len(c))
    size = structure.size * (1.0 if weight is None else _norm(scale))
    rows, wanted = [scale @ effect], [apply(scale, excess)]
    if force_weight is not None:
        scale = root(force_weight, J.shape[-2])
        rows, wanted, size = [*rows, -scale @ internal], [*wanted, apply(scale, carrying)], max(size, _norm(scale))
    # where there are no internal forces, `internal` is all rounding errors
    states = np.broadcast_shapes(*(x.shape[:-1] for x in wanted))
    goal = np.concatenate([np.broadcast_to(x, (*states, x.shape[-1])) for x in wanted], -1)
    chosen = apply(pseudo_inverse(np.concatenate(rows, -2), scale=size), goal)
    forces = carrying + apply(internal, chosen)
    return f[..., c] - apply(J_cT, forces), forces


def by_projector(f: Floats, J: Floats, structure: Structure, tau0: Floats, weight: Any) -> tuple:
    """tau = (P Sᵀ)⁺ P f + (I - (P Sᵀ)⁺ P Sᵀ) tau0 with P = I - J⁺ J (S3.25, S3.26), and the forces (S3.32)."""
    P, S_T = projector(J, scale=structure.size), selection(structure)
    tau = _nearest(P @ S_T, apply(P, f), tau0, weight)
    J_T = np.swapaxes(J, -1, -2)
    return tau, apply(pseudo_inverse(J_T, scale=structure.size), f - apply(S_T, tau))


def held(M: Floats, J: Floats, free: Floats, wanted: Floats, structure: Structure) -> tuple:
    """The x nearest to `free` in kinetic energy with J x = wanted, and λ with M (x - free) = Jᵀ λ."""
    L = np.linalg.cholesky(M)
    size = structure.size / np.sqrt(np.max(M, initial=np.finfo(float).tiny))
    inverse = pseudo_inverse(np.linalg.solve(L, np.swapaxes(J, -1, -2)), scale=size)
    y = apply(np.swapaxes(inverse, -1, -2), wanted - apply(J, free))
    return free + np.linalg.solve(np.swapaxes(L, -1, -2), y[..., None])[..., 0], apply(inverse, y)


def selection(structure: Structure) -> Floats:
    """Sᵀ: which generalized force each torque is.  (nv, n)."""
    nv = len(structure.unactuated) + len(structure.actuated)
    return np.eye(nv)[:, list(structure.actuated)]


def root(weight: Any, size: int) -> Floats:
    """A matrix with rootᵀ root = weight, for a vector or a positive semidefinite matrix."""
    if weight is None:
        return np.eye(size)
    W = np.asarray(weight, float)
    if W.ndim == 1:
        return np.diag(np.sqrt(W))
    if W.ndim != 2 or not np.allclose(W, W.T, rtol=1e-10, atol=1e-12 * abs(W).max()):
        raise ShapeError("a weight is a number, one number per component, or one symmetric matrix")
    values, vectors = np.linalg.eigh(W)
    if values[0] < -1e-10 * abs(values).max():
        raise ShapeError(f"a weight must be positive semidefinite; it has the eigenvalue {values[0]:.3g}")
    return np.sqrt(np.maximum(values, 0))[:, None] * vectors.T


def _nearest(A: Floats, b: Floats, tau0: Floats, weight: Any) -> Floats:
    """The tau with the least |A tau - b| that is nearest to tau0 as `weight` measures it; A a part of a projector."""
    scale = root(weight, A.shape[-1])
    if np.linalg.cond(scale) > 1 / TOLERANCE:
        raise ShapeError("this method needs a positive definite weight; leave method out")
    unscale = np.linalg.inv(scale)
    return tau0 + apply(unscale @ pseudo_inverse(A @ unscale, scale=_norm(unscale)), b - apply(A, tau0))


def _norm(A: Floats) -> float:
    return float(np.linalg.norm(A, 2)) if A.size else 0.0
