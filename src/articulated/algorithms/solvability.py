"""Which joints move no mass: the pivots of the articulated-body algorithm, at one configuration."""

import numpy as np

from ..linalg import solve_spd
from ..model import Model
from ..scalars import Array, array, eye
from .forward_dynamics import without
from .mass_matrix import composite_bodies


def massless_joints(model: Model, q: Array, tolerance: float = 1e-13) -> list[str]:
    """Joints whose acceleration no torque determines, in body order; q is any numeric configuration."""
    q = array(q)
    X = {b: b.transform(q) for b in model.bodies}
    if _all_heavy(model, X, tolerance):
        return []
    composite = composite_bodies(model, X)
    M = {b: b.inertia.matrix() for b in model.bodies}
    found = []
    for b in reversed(model.bodies):
        S = b.joint_subspace
        U = M[b] @ S
        D = S.T @ U + b.armature * eye(b.joint.nv)
        # compare with what the joint would move if everything beyond it were frozen
        rigid = np.array(S.T @ (composite[b] @ S), float) + float(b.armature) * np.eye(b.joint.nv)
        scale = abs(rigid).max()
        if scale == 0 or np.linalg.eigvalsh(np.array(D, float))[0] <= tolerance * scale:
            found.append(b.joint.name)
        else:
            M[b] = without(M[b], U, solve_spd(D, U.T))
        if b.parent:
            M[b.parent] = M[b.parent] + X[b].symmetric_out(M[b])
    return found[::-1]


def _all_heavy(model: Model, X: dict, tolerance: float) -> bool:
    """Whether every body alone is inertia enough for its joint: a quick look that settles most robots."""
    reach = 1 + sum(float(np.linalg.norm(np.array(pose.p, float))) for pose in X.values())
    total = 4 * reach**2 * sum(float(np.trace(b.inertia.matrix())) for b in model.bodies)  # no joint moves more
    for b in model.bodies:
        S = np.array(b.joint_subspace, float)
        own = S.T @ np.array(b.inertia.matrix(), float) @ S + float(b.armature) * np.eye(b.joint.nv)
        least = own[0, 0] if len(own) == 1 else np.linalg.eigvalsh(own)[0] if len(own) else np.inf
        if not least > tolerance * (total * (S**2).sum() + float(b.armature)):
            return False
    return True
