"""Articulated bodies in world coordinates (Rennes lecture): no transforms, everything at the world's origin."""

from typing import NamedTuple

from ...algebra.linalg import invert_spd
from ...algebra.scalars import Array, eye, stack, zeros
from ...algebra.spatial import cross_force, cross_motion
from ...model import Model
from ..inverse_dynamics import external_forces, friction_forces
from ..kinematics import ByBody, Forces, upwards, world_poses


class WorldArticulatedBodies(NamedTuple):
    """f = IA ẋi + pA for each body, in world coordinates."""

    a: Array  # (nv,)
    inertia: Array  # IA, (nb, 6, 6)
    bias: Array  # pA, (nb, 6)


def articulated_bodies_in_world(
    model: Model, q: Array, v: Array, tau: Array, forces: Forces = {}
) -> WorldArticulatedBodies:
    """The articulated-body algorithm of the Rennes lecture, for trees without mimic joints."""
    tau = tau - friction_forces(model, v)
    pushed = external_forces(model, forces)
    W = world_poses(model, q)

    # screws, twists, and the force each body needs not to accelerate
    xi: ByBody = {None: zeros(6)}
    s, s_rate, IA, pA = {}, {}, {}, {}
    for b in model.bodies:
        s[b] = W[b].motion_out(b.S)
        xi[b] = xi[b.parent] + s[b] @ v[b.dofs]
        s_rate[b] = cross_motion(xi[b], s[b])
        inertia = b.inertia.moved_out(W[b])
        IA[b] = inertia.exact_matrix()
        pA[b] = cross_force(xi[b], inertia @ xi[b]) - W[b].force_out(pushed.get(b, zeros(6)))

    # stage 1, from the leaves to the base
    U, D_inverse, u = {}, {}, {}
    for b in reversed(model.bodies):
        U[b] = IA[b] @ s[b]
        D_inverse[b] = invert_spd(s[b].T @ U[b] + b.armature * eye(b.joint.nv))
        drift = s_rate[b] @ v[b.dofs]
        u[b] = tau[b.dofs] - s[b].T @ (IA[b] @ drift + pA[b])
        if b.parent:
            IA[b.parent] = IA[b.parent] + IA[b] - U[b] @ D_inverse[b] @ U[b].T
            pA[b.parent] = pA[b.parent] + pA[b] + IA[b] @ drift + U[b] @ (D_inverse[b] @ u[b])

    # stage 2, from the base to the leaves
    a = zeros(model.nv)
    xi_rate: ByBody = {None: upwards(model)}
    for b in model.bodies:
        a[b.dofs] = D_inverse[b] @ (u[b] - U[b].T @ xi_rate[b.parent])
        xi_rate[b] = xi_rate[b.parent] + s_rate[b] @ v[b.dofs] + s[b] @ a[b.dofs]
    return WorldArticulatedBodies(
        a, stack([IA[b] for b in model.bodies], 6, 6), stack([pA[b] for b in model.bodies], 6)
    )
