"""Joints that move no mass: the pivots of the articulated-body algorithm, at one configuration."""

import numpy as np

from ..algebra.linalg import solve_spd
from ..algebra.scalars import Array, array, eye
from ..algebra.spatial import symmetric_out
from ..model import Body, Model
from .forward_dynamics import without
from .mass_matrix import composite_bodies


def massless_joints(model: Model, q: Array, tolerance: float = 1e-13) -> list[str]:
    """Joints whose acceleration no torque determines, in body order; q is any numeric configuration."""
    q = array(q)
    # none of those that are inertia enough by themselves is among them: that settles most robots at once
    heavy = {b for b, inertia in zip(model.bodies, _matrices(model), strict=True) if _is_heavy(b, inertia, tolerance)}
    if len(heavy) == len(model.bodies):
        return []
    X = {b: b.transform(q) for b in model.bodies}
    composite = composite_bodies(model, X)
    M = {b: b.inertia.exact_matrix() for b in model.bodies}
    found = []
    for b in reversed(model.bodies):
        S = b.joint_subspace
        U = M[b] @ S
        D = S.T @ U + b.armature * eye(b.joint.nv)
        # compare with what the joint would move if everything beyond it were frozen
        rigid = np.array(S.T @ (composite[b] @ S), float) + float(b.armature) * np.eye(b.joint.nv)
        if _least(np.array(D, float), rigid.diagonal()) <= tolerance:
            if b in heavy:
                # what is far beyond it hides its own inertia in rounding; that alone is enough, and is taken on
                M[b] = b.inertia.exact_matrix()
                U = M[b] @ S
                M[b] = without(M[b], U, solve_spd(S.T @ U + b.armature * eye(b.joint.nv), U.T))
            else:
                found.append(b.joint.name)
        else:
            M[b] = without(M[b], U, solve_spd(D, U.T))
        if b.parent:
            M[b.parent] = M[b.parent] + symmetric_out(X[b], M[b])
    return found[::-1]


def _is_heavy(b: Body, inertia: np.ndarray, tolerance: float) -> bool:
    """True if a body alone is inertia enough for its joint: with others beyond it there is only more."""
    S, armature = np.array(b.joint_subspace, float), float(b.armature)
    own = S.T @ inertia @ S + armature * np.eye(b.joint.nv)
    return _least(own, (abs(S).T @ abs(inertia) @ abs(S)).diagonal() + armature) > tolerance


def _least(D: np.ndarray, scale: np.ndarray) -> float:
    """Least eigenvalue of an inertia whose rows and columns are measured by `scale`: kg and kg m² do not compare."""
    if not (scale > 0).all():
        return 0.0
    root = np.sqrt(scale)
    return float(np.linalg.eigvalsh(D / np.outer(root, root)).min(initial=np.inf))


def _matrices(model: Model) -> np.ndarray:
    """`Inertia.matrix` of all bodies, in numbers.  (nb, 6, 6)."""
    out = np.zeros((len(model.bodies), 6, 6))
    out[:, range(3), range(3)] = np.array([b.inertia.mass for b in model.bodies], float)[:, None]
    out[:, 3:, 3:] = np.array([b.inertia.second for b in model.bodies], float).reshape(-1, 3, 3)
    x, y, z = np.array([b.inertia.first for b in model.bodies], float).reshape(-1, 3).T
    for (i, j), entry in {(1, 0): z, (2, 1): x, (0, 2): y}.items():
        out[:, 3 + i, j] = out[:, j, 3 + i] = entry
        out[:, 3 + j, i] = out[:, i, 3 + j] = -entry
    return out
