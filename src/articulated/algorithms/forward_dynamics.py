"""Forward dynamics by articulated bodies (Pisa lecture; Featherstone 2008, table 7.1) and by composite bodies."""

from typing import Any, NamedTuple

import numpy as np

from ..algebra.linalg import factor_spd, solve_factored, solve_spd
from ..algebra.scalars import Array, eye, stack, zeros
from ..algebra.spatial import cross_force, cross_motion
from ..model import Body, Model
from .inverse_dynamics import external_forces, friction_forces, inverse_dynamics
from .kinematics import ByBody, Forces, upwards, velocities
from .mass_matrix import mass_matrix
from .mimic import geared


class ArticulatedBodies(NamedTuple):
    """What the three passes find, by body, in the body's axes; wrench = inertia @ acceleration + bias."""

    a: Array  # joint accelerations, (nv,)
    inertia: Array  # Mhat: what a hand holding the body feels of it and all beyond, (nb, 6, 6)
    bias: Array  # bhat: the force it takes not to accelerate the body, (nb, 6)
    projected: Array  # Mbar: what passes through the joint, (nb, 6, 6)
    acceleration: Array  # of each body, in a world that accelerates upwards (gravity is in it), (nb, 6)
    wrench: Array  # the force each joint transmits, (nb, 6)


def forward_dynamics(model: Model, q: Array, v: Array, tau: Array, **outside: Any) -> Array:
    """Joint accelerations under the generalized forces `tau`; `outside` as in `articulated_bodies`."""
    return articulated_bodies(model, q, v, tau, **outside).a


def articulated_bodies(
    model: Model,
    q: Array,
    v: Array,
    tau: Array,
    forces: Forces = {},
    base_velocity: Array | None = None,
    base_acceleration: Array | None = None,
) -> ArticulatedBodies:
    """The articulated-body algorithm with everything it finds on the way."""
    outside = (forces, base_velocity, base_acceleration)
    free, q, v, tau = geared(model, q, v, tau, lambda *state: _three_passes(*state).a, outside)
    found = _three_passes(free, q, v, tau, *outside)
    own = [free.bodies[b.index - 1].dofs for b in model.bodies if b.leader is b]
    return found._replace(a=np.concatenate([zeros(0), *(found.a[dofs] for dofs in own)]))


def _three_passes(
    model: Model, q: Array, v: Array, tau: Array, forces: Forces, V0: Array | None, A0: Array | None
) -> ArticulatedBodies:
    tau = tau - friction_forces(model, v)
    pushed = external_forces(model, forces)

    # outward: poses and twists, and the force each body needs not to accelerate
    X, V = velocities(model, q, v, V0)
    M = {b: b.inertia.exact_matrix() for b in model.bodies}
    p = {b: cross_force(V[b], b.inertia @ V[b]) - pushed.get(b, zeros(6)) for b in model.bodies}

    # inward: what a hand at each body feels; the part its own joint gives way to does not pass
    U, D, u, drift, projected = {}, {}, {}, {}, {}
    for b in reversed(model.bodies):
        S = b.S
        U[b] = M[b] @ S
        D[b] = factor_spd(S.T @ U[b] + b.armature * eye(b.joint.nv))
        u[b] = tau[b.dofs] - S.T @ p[b]
        drift[b] = cross_motion(V[b], S @ v[b.dofs])
        given_way = solve_factored(D[b], U[b].T)
        projected[b] = without(M[b], U[b], given_way)
        if b.parent:
            M[b.parent] = M[b.parent] + X[b].symmetric_out(projected[b])
            p[b.parent] = p[b.parent] + X[b].force_out(p[b] + projected[b] @ drift[b] + given_way.T @ u[b])

    # outward: each joint answers the acceleration of the body below it
    a = zeros(model.nv)
    A: ByBody = {None: upwards(model) + (zeros(6) if A0 is None else A0)}
    for b in model.bodies:
        A[b] = X[b].motion_in(A[b.parent]) + drift[b]
        a[b.dofs] = solve_factored(D[b], u[b] - U[b].T @ A[b])
        A[b] = A[b] + b.S @ a[b.dofs]
    wrench = {b: M[b] @ A[b] + p[b] for b in model.bodies}
    return ArticulatedBodies(
        a,
        _stacked(model, M, 6, 6),
        _stacked(model, p, 6),
        _stacked(model, projected, 6, 6),
        _stacked(model, A, 6),
        _stacked(model, wrench, 6),
    )


def without(M: Array, U: Array, given_way: Array) -> Array:
    """M - U D⁻¹ Uᵀ, given D⁻¹ Uᵀ; each entry of the symmetric result computed once."""
    out = M.copy()
    for i in range(6):
        for j in range(i, 6):
            out[i, j] = out[j, i] = M[i, j] - given_way[:, i] @ U[j]
    return out


def _stacked(model: Model, by_body: dict[Body, Array] | ByBody, *shape: int) -> Array:
    return stack([by_body[b] for b in model.bodies], *shape)


def forward_dynamics_by_composite_bodies(model: Model, q: Array, v: Array, tau: Array, **outside: Any) -> Array:
    """a = M⁻¹ (tau - h), M factored without fill-in between branches (Rennes lecture)."""
    h = inverse_dynamics(model, q, v, zeros(model.nv), **outside)
    return solve_spd(mass_matrix(model, q), tau - h)


#: `method=` of `Robot.forward_dynamics`
METHODS = {"articulated_body": forward_dynamics, "composite_body": forward_dynamics_by_composite_bodies}
