"""Ratio of the inertia a joint would move, were all joints beyond it frozen, to what it feels.

The diagonal of a mass matrix has the former, and so have the torques that hold a robot against gravity; what is left
of them after elimination is the latter.  Where it is k times less, k roundings of the one are lost in the other.
Articulated bodies never form what is frozen: where heavy bodies slide on light ones they lose less, often nothing.
"""

from statistics import median
from typing import NamedTuple

import numpy as np

from ...algebra.scalars import Array, array, eye
from ...model import Model
from ..configuration import integrate, neutral

#: looked at
_CONFIGURATIONS = 3


class Ratio(NamedTuple):
    """Inertia with everything beyond a joint frozen, over that with it free: the largest of all joints."""

    any: float
    sliding: float  # in directions in which a joint slides and does not turn


def frozen_to_felt(model: Model) -> Ratio:
    """In most of a few configurations: hinges that happen to be in line hide the inertia of any robot."""
    rng = np.random.default_rng(0)
    moved = [array(rng.normal(size=model.nv)) for _ in range(_CONFIGURATIONS)]
    found = [_at(model, integrate(model, neutral(model), dv)) for dv in moved]
    return Ratio(*map(median, zip(*found, strict=True)))


def _at(model: Model, q: Array) -> Ratio:
    frozen = {b: np.array(b.inertia.exact_matrix(), float) for b in model.bodies}
    felt, largest = {b: frozen[b].copy() for b in model.bodies}, Ratio(1.0, 1.0)
    for b in reversed(model.bodies):
        if b.leader is b:  # a follower moves as its leader does: here it is held
            S, rotor = np.array(b.joint_subspace, float), float(b.armature) * np.eye(b.joint.nv)
            rigid, free = S.T @ frozen[b] @ S + rotor, S.T @ felt[b] @ S + rotor
            slides = ~S[3:].any(axis=0)
            own = Ratio(_ratio(rigid, free), _ratio(rigid[slides][:, slides], free[slides][:, slides]))
            largest = Ratio(*map(max, largest, own))
            if own.any < np.inf:
                felt[b] -= felt[b] @ S @ np.linalg.solve(free, S.T @ felt[b])
        if b.parent:
            X = np.array(b.transform(q).motion_in(eye(6)), float)
            frozen[b.parent] += X.T @ frozen[b] @ X
            felt[b.parent] += X.T @ felt[b] @ X
    return largest


def _ratio(rigid: np.ndarray, free: np.ndarray) -> float:
    """The largest λ with rigid x = λ free x; infinite if some motion meets no inertia at all."""
    try:
        return float(np.abs(np.linalg.eigvals(np.linalg.solve(free, rigid))).max(initial=1.0))
    except np.linalg.LinAlgError:
        return np.inf
