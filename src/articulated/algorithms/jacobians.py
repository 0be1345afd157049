"""Jacobians of bodies and frames, their rates, and who supports whom (SUSTech ch. 9, section 3)."""

from collections.abc import Collection, Sequence

import numpy as np

from ..algebra.scalars import Array, eye, stack, zeros
from ..algebra.spatial import Transform, cross_motion
from ..model import Model
from .kinematics import relative_poses, velocities


def jacobian(model: Model, q: Array, frame: str, axes: str = "world") -> Array:
    """Velocity of a frame per unit v, [linear; angular]."""
    named = model.frame(frame)
    seen = relative_poses(model, q, named, axes)
    J = zeros(6, model.nv)
    for b in named.body.support() if named.body else ():
        J[:, b.dofs] += seen[b].motion_out(b.S)
    return J


def jacobian_rate(model: Model, q: Array, v: Array, frame: str, axes: str = "world") -> Array:
    """Time derivative of the Jacobian of a frame while the robot moves with v."""
    named = model.frame(frame)
    seen = relative_poses(model, q, named, axes)
    _, V = velocities(model, q, v)
    # a column carried by body b turns with b, seen from axes that move themselves
    frame_motion = seen[named.body].motion_out(V[named.body])
    observer = {
        "world": np.concatenate([frame_motion[:3], zeros(3)]),
        "frame": frame_motion,
        "spatial": zeros(6),
    }[axes]
    J_rate = zeros(6, model.nv)
    for b in named.body.support() if named.body else ():
        J_rate[:, b.dofs] += cross_motion(seen[b].motion_out(V[b]) - observer, seen[b].motion_out(b.S))
    return J_rate


def body_jacobians(model: Model, q: Array, at: str = "origin") -> Array:
    """J_i of every body in its own axes, V_i = J_i v; at its origin or its "center_of_mass".  (nb, 6, nv)."""
    place = {b: Transform(p=b.inertia.com) if at == "center_of_mass" else Transform() for b in model.bodies}
    return stack([place[b].motion_in(jacobian(model, q, b.name, "frame")) for b in model.bodies], 6, model.nv)


def force_map(model: Model, q: Array, frames: Sequence[str], force_axes: str = "frame") -> Array:
    """E with tau_ext = E f for the forces f on frames, one after the other.  (nv, 6 · number of frames)."""
    columns = [jacobian(model, q, frame, force_axes).T for frame in frames]
    return np.concatenate([zeros(model.nv, 0), *columns], axis=1)


def actuation_map(model: Model, passive: Collection[str] = ()) -> Array:
    """B with tau = B u for the motors u: one per velocity, but none on free bases and passive joints.  (nv, motors)."""
    driven = [b for b in model.independent if not b.joint.floats and b.joint.name not in passive]
    return np.concatenate([zeros(model.nv, 0), *(eye(model.nv)[:, b.dofs] for b in driven)], axis=1)


def support(model: Model) -> Array:
    """delta[i, j] = 1 if the velocity j moves body i.  (nb, nv)."""
    delta = zeros(len(model.bodies), model.nv)
    for b in model.bodies:
        for carrier in b.support():
            delta[b.index - 1, carrier.dofs] = 1
    return delta
