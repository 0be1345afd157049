"""The mass matrix by composite bodies (Rennes lecture; Featherstone 2008, table 6.2), its inverse, rate and parts."""

from ..algebra.linalg import invert_spd
from ..algebra.scalars import Array, stack, zeros
from ..algebra.spatial import Inertia, mirrored
from ..model import Body, Model
from .coriolis import coriolis_matrix
from .kinematics import world_poses


def mass_matrix(model: Model, q: Array) -> Array:
    """M(q); zero between joints of different branches."""
    X = {b: b.transform(q) for b in model.bodies}
    M, composite = rotor_inertia(model), composite_bodies(model, X)
    for b in model.bodies:
        enter(M, b, composite[b], X)
    return M


def enter(M: Array, b: Body, composite: Inertia, X: dict) -> None:
    """Row and column of a body: the force that accelerates it and all beyond as one, felt at every joint below."""
    F = composite @ b.S
    M[b.dofs, b.dofs] += mirrored(b.S.T @ F)
    F = X[b].force_out(F)
    for j in b.parent.support() if b.parent else ():
        felt = j.S.T @ F
        M[j.dofs, b.dofs] += felt
        M[b.dofs, j.dofs] += felt.T
        F = X[j].force_out(F)


def composite_bodies(model: Model, X: dict) -> dict[Body, Inertia]:
    """Inertia of each body with everything beyond it frozen to it, in the body's axes."""
    composite = {b: b.inertia for b in model.bodies}
    for b in reversed(model.bodies):
        if b.parent:
            composite[b.parent] = composite[b.parent] + composite[b].moved_out(X[b])
    return composite


def rotor_inertia(model: Model) -> Array:
    """The diagonal matrix of armatures, to which the links' part is added."""
    M = zeros(model.nv, model.nv)
    for k, inertia in enumerate(model.armature):
        M[k, k] = inertia
    return M


def mass_matrix_inverse(model: Model, q: Array) -> Array:
    """Inverse of M(q), through its branch-sparse factors."""
    return invert_spd(mass_matrix(model, q))


def mass_matrix_rate(model: Model, q: Array, v: Array) -> Array:
    """dM/dt while the robot moves with v: C + Cᵀ for any C with dM/dt - 2C skew."""
    C = coriolis_matrix(model, q, v, "body_jacobian")
    return C + C.T


def screws(model: Model, q: Array) -> Array:
    """Motion per unit of each velocity in world coordinates at the world's origin, [linear; angular]."""
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
    return stack([I[b].exact_matrix() for b in model.bodies], 6, 6)
