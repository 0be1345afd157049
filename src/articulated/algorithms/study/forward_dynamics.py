"""Articulated bodies in world coordinates (Rennes lecture): no transforms, everything at the world's origin."""

from typing import Any, NamedTuple

from ...algebra.linalg import invert_spd, solve_spd
from ...algebra.scalars import Array, eye, stack, zeros
from ...algebra.spatial import cross_force, cross_motion
from ...model import Model
from ..forward_dynamics import geared, own_accelerations
from ..inverse_dynamics import acting, inverse_dynamics, resistance
from ..kinematics import ByBody, Forces, upwards, world_poses
from .mass_matrix import mass_matrix_by_unit_accelerations


def forward_dynamics_by_unit_accelerations(model: Model, q: Array, v: Array, tau: Array, **outside: Any) -> Array:
    """a = M⁻¹ (tau - h) with nv + 1 inverse dynamics: h, and M column by column (SUSTech, 4.2)."""
    h = inverse_dynamics(model, q, v, zeros(model.nv), **outside)
    return solve_spd(mass_matrix_by_unit_accelerations(model, q), tau - h)


class WorldArticulatedBodies(NamedTuple):
    """By body, [linear; angular] in world axes at the world's origin; wrench = inertia @ acceleration + bias.

    Mimic joints are free here, and driven by the torques their gears need, as in `ArticulatedBodies`.
    """

    a: Array  # (nv,)
    inertia: Array  # IA, (nb, 6, 6)
    bias: Array  # pA, (nb, 6)
    own_bias: Array  # p_i = xi ×* I xi minus external forces and springs, (nb, 6)
    velocity: Array  # xi, (nb, 6)
    acceleration: Array  # its rate, in a world that accelerates upwards (gravity is in it), (nb, 6)
    wrench: Array  # f: the force each joint transmits, (nb, 6)


def articulated_bodies_in_world(
    model: Model,
    q: Array,
    v: Array,
    tau: Array,
    forces: Forces = {},
    base_velocity: Array | None = None,
    base_acceleration: Array | None = None,
) -> WorldArticulatedBodies:
    """Articulated bodies in world coordinates: IA, pA, p_i, twists and joint forces (Rennes lecture), for trees."""
    outside = (forces, base_velocity, base_acceleration)
    free, q, v, tau = geared(model, q, v, tau, lambda *state: _two_stages(*state).a, outside)
    found = _two_stages(free, q, v, tau, *outside)
    return found._replace(a=own_accelerations(model, found.a))


def _two_stages(
    model: Model, q: Array, v: Array, tau: Array, forces: Forces, V0: Array | None, A0: Array | None
) -> WorldArticulatedBodies:
    tau = tau - resistance(model, q, v)
    pushed = acting(model, q, v, forces)
    W = world_poses(model, q)

    # screws, twists, and the force each body needs not to accelerate
    xi: ByBody = {None: zeros(6) if V0 is None else V0}
    s, drift, IA, pA = {}, {}, {}, {}
    for b in model.bodies:
        s[b] = W[b].motion_out(b.S)
        xi[b] = xi[b.parent] + s[b] @ v[b.dofs]
        drift[b] = cross_motion(xi[b], s[b]) @ v[b.dofs]
        inertia = b.inertia.moved_out(W[b])
        IA[b] = inertia.exact_matrix()
        pA[b] = cross_force(xi[b], inertia @ xi[b]) - W[b].force_out(pushed.get(b, zeros(6)))
    own_bias = dict(pA)

    # stage 1, from the leaves to the base
    U, D_inverse, u = {}, {}, {}
    for b in reversed(model.bodies):
        U[b] = IA[b] @ s[b]
        D_inverse[b] = invert_spd(s[b].T @ U[b] + b.armature * eye(b.joint.nv))
        u[b] = tau[b.dofs] - s[b].T @ (IA[b] @ drift[b] + pA[b])
        if b.parent:
            IA[b.parent] = IA[b.parent] + IA[b] - U[b] @ D_inverse[b] @ U[b].T
            pA[b.parent] = pA[b.parent] + pA[b] + IA[b] @ drift[b] + U[b] @ (D_inverse[b] @ u[b])

    # stage 2, from the base to the leaves
    a = zeros(model.nv)
    xi_rate: ByBody = {None: upwards(model) + (zeros(6) if A0 is None else A0)}
    for b in model.bodies:
        a[b.dofs] = D_inverse[b] @ (u[b] - U[b].T @ xi_rate[b.parent])
        xi_rate[b] = xi_rate[b.parent] + drift[b] + s[b] @ a[b.dofs]
    wrench = {b: IA[b] @ xi_rate[b] + pA[b] for b in model.bodies}
    vectors = (stack([x[b] for b in model.bodies], 6) for x in (pA, own_bias, xi, xi_rate, wrench))
    return WorldArticulatedBodies(a, stack([IA[b] for b in model.bodies], 6, 6), *vectors)
