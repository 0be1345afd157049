"""Mimic joints in the articulated-body algorithm: a gear is a pair of joint torques.

Every other algorithm adds the bodies of a shared coordinate up and needs nothing special.
Articulated bodies are eliminated joint by joint, so there the followers are set free, and
the torques of the gears are found that make them follow all the same.
"""

from collections.abc import Callable

import numpy as np

from ..algebra.linalg import solve_spd
from ..algebra.scalars import Array, zeros
from ..model import Model
from ..model.with_numbers import slack
from .kinematics import upwards


def geared(
    model: Model, q: Array, v: Array, tau: Array, accelerate: Callable[..., Array], outside: tuple
) -> tuple[Model, Array, Array, Array]:
    """The tree without mimic joints, and the state and torques for which it moves as if it had them.

    `accelerate(model, q, v, tau, *outside)` is forward dynamics on a tree without mimic joints.
    """
    free = model.unmimicked
    if free is model:
        return model, q, v, tau
    pairs = list(zip(model.bodies, free.bodies, strict=True))
    q_free, v_free, tau_free = (zeros(n) for n in (free.nq, free.nv, free.nv))
    for b, f in pairs:
        q_free[f.coords] = b.position(q)
        v_free[f.dofs] = b.rate(v)
        if b.leader is b:
            tau_free[f.dofs] = tau[b.dofs]

    # one row per gear: acceleration of the follower minus what its leader asks of it
    followers = [(b, f) for b, f in pairs if b.leader is not b]
    K = zeros(len(followers), free.nv)
    for row, (b, f) in zip(K, followers, strict=True):
        row[f.dofs], row[free.bodies[b.leader.index - 1].dofs] = 1, -b.multiplier

    slip = K @ accelerate(free, q_free, v_free, tau_free, *outside)
    alone: tuple = ({}, None, -upwards(free))  # no forces, no gravity, no springs
    responses = np.stack([accelerate(slack(free), q_free, zeros(free.nv), row, *alone) for row in K], axis=1)
    return free, q_free, v_free, tau_free - K.T @ solve_spd(K @ responses, slip)


def own_accelerations(model: Model, free: Array) -> Array:
    """Values of the joints that follow no other, from those of the tree without mimic joints."""
    if model.unmimicked is model:
        return free
    own = [model.unmimicked.bodies[b.index - 1].dofs for b in model.bodies if b.leader is b]
    return np.concatenate([zeros(0), *(free[dofs] for dofs in own)])
