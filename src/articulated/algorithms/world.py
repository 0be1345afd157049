"""The same dynamics in world coordinates (Rennes lecture): no transforms, everything at the world's origin."""

from typing import NamedTuple

from ..algebra.linalg import invert_spd
from ..algebra.scalars import Array, eye, stack, zeros
from ..algebra.spatial import Inertia, cross_force, cross_motion
from ..model import Body, Model
from .inverse_dynamics import external_forces, friction_forces
from .kinematics import ByBody, Forces, upwards, world_poses
from .mass_matrix import composite_bodies, rotor_inertia


def screws(model: Model, q: Array) -> Array:
    """s of every velocity, (nv, 6): the motion of the bodies beyond per unit v, [linear; angular]."""
    W = world_poses(model, q)
    out = zeros(model.nv, 6)
    for b in model.bodies:
        out[b.dofs] += W[b].motion_out(b.S).T
    return out


def composite_inertias_of(model: Model, q: Array) -> dict[Body, Inertia]:
    """Inertia of each body and all beyond it, at the world's origin: they simply add."""
    W = world_poses(model, q)
    I = {b: b.inertia.moved_out(W[b]) for b in model.bodies}
    for b in reversed(model.bodies):
        if b.parent:
            I[b.parent] = I[b.parent] + I[b]
    return I


def composite_inertias(model: Model, q: Array, axes: str = "spatial") -> Array:
    """I^C of every body, (nb, 6, 6): at the world's origin, or (axes="frame") in each body's own axes."""
    if axes == "frame":
        I = composite_bodies(model, {b: b.transform(q) for b in model.bodies})
    else:
        I = composite_inertias_of(model, q)
    return stack([I[b].matrix() for b in model.bodies], 6, 6)


def mass_matrix_by_screws(model: Model, q: Array) -> Array:
    """H_ij = s_iᵀ I^C_r s_j with r the outer of the two bodies; 0 between branches."""
    W, I = world_poses(model, q), composite_inertias_of(model, q)
    s = {b: W[b].motion_out(b.S) for b in model.bodies}
    H = rotor_inertia(model)
    for b in model.bodies:
        momentum = I[b] @ s[b]
        for j in b.support():
            felt = s[j].T @ momentum
            H[j.dofs, b.dofs] += felt
            if j is not b:
                H[b.dofs, j.dofs] += felt.T
    return H


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
        IA[b] = inertia.matrix()
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
