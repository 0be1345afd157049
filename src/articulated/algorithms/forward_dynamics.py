"""Forward dynamics by articulated bodies (Pisa lecture; Featherstone 2008, table 7.1) and by composite bodies.

A mimic joint is a pair of joint torques here.  Every other algorithm adds the bodies of a shared coordinate up and
needs nothing special.  Articulated bodies are eliminated joint by joint, so the followers are set free, and the torques
of the gears are found that make them follow all the same.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..algebra.linalg import factor_spd, solve_factored, solve_spd
from ..algebra.scalars import Array, array, eye, stack, zeros
from ..algebra.spatial import cross_force, cross_motion, symmetric_out
from ..model import Body, Model
from ..model.with_numbers import slack
from .inverse_dynamics import acting, inverse_dynamics, resistance
from .kinematics import ByBody, Forces, upwards, velocities
from .mass_matrix import composite_bodies, mass_matrix


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
    own = [model.unmimicked.bodies[b.index - 1].dofs for b in model.independent]
    return np.concatenate([zeros(0), *(free[dofs] for dofs in own)])


def forward_dynamics(model: Model, q: Array, v: Array, tau: Array, **outside: Any) -> Array:
    """Joint accelerations under the generalized forces `tau`; `outside` as in `articulated_bodies`.

    Defined by articulated bodies; what is compiled in its place is the shortest of fast/formulations.py.
    """
    return forward_dynamics_by_articulated_bodies(model, q, v, tau, **outside)


def forward_dynamics_by_articulated_bodies(model: Model, q: Array, v: Array, tau: Array, **outside: Any) -> Array:
    """In three passes over the bodies, no mass matrix formed (Pisa lecture)."""
    return _passes(model, q, v, tau, **outside)[1].a


def forward_dynamics_by_composite_bodies(model: Model, q: Array, v: Array, tau: Array, **outside: Any) -> Array:
    """a = M⁻¹ (tau - h), M factored without fill-in between branches (Rennes lecture)."""
    h = inverse_dynamics(model, q, v, zeros(model.nv), **outside)
    return solve_spd(mass_matrix(model, q), tau - h)


#: `method=` of `Robot.forward_dynamics`
METHODS = {
    "fastest": forward_dynamics,
    "articulated_body": forward_dynamics_by_articulated_bodies,
    "composite_body": forward_dynamics_by_composite_bodies,
}


class ArticulatedBodies(NamedTuple):
    """Results of the three passes, by body, in the body's axes; wrench = inertia @ acceleration + bias.

    The bias of a body is its own plus projected_bias + actuation + coriolis of each child, moved to its axes.
    Mimic joints are free here, and driven by the torques their gears need: inertias do not know of the gears.
    """

    a: Array  # joint accelerations, (nv,)
    inertia: Array  # Mhat: what a hand holding the body feels of it and all beyond, (nb, 6, 6)
    bias: Array  # bhat: the force it takes not to accelerate the body, (nb, 6)
    projected: Array  # Mbar: what passes through the joint, (nb, 6, 6)
    acceleration: Array  # of each body, in a world that accelerates upwards (gravity is in it), (nb, 6)
    wrench: Array  # the force each joint transmits, (nb, 6)
    #: mhat = Sᵀ Mhat S, with the armature added: a block for each joint on the diagonal, mimic joints included;
    #: (nv, nv) without mimic joints.  The diagonal is the lecture's m̂_i where all joints have one velocity
    joint_inertia: Array
    own_bias: Array  # b of the body alone, V ×* M V, minus external forces and springs on it, (nb, 6)
    projected_bias: Array  # bbar = bhat - Mhat S mhat⁻¹ Sᵀ bhat, (nb, 6)
    actuation: Array  # Mhat S mhat⁻¹ tau, friction and springs of joints taken from tau, (nb, 6)
    coriolis: Array  # Mbar (V × S v), (nb, 6)


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
    free, found = _passes(model, q, v, tau, forces, base_velocity, base_acceleration)
    M, p, given_way = found.inertia, found.bias, found.given_way
    joint_inertia = zeros(free.nv, free.nv)
    for b in free.bodies:
        joint_inertia[b.dofs, b.dofs] = found.joint_inertia[b]

    def stacked(by_body: dict[Body, Array] | ByBody, *shape: int) -> Array:
        return stack([by_body[b] for b in free.bodies], *shape)

    return ArticulatedBodies(
        found.a,
        stacked(M, 6, 6),
        stacked(p, 6),
        stacked(found.projected, 6, 6),
        stacked(found.acceleration, 6),
        stacked({b: M[b] @ found.acceleration[b] + p[b] for b in free.bodies}, 6),
        joint_inertia,
        stacked(found.own_bias, 6),
        stacked({b: p[b] - given_way[b].T @ (b.S.T @ p[b]) for b in free.bodies}, 6),
        stacked({b: given_way[b].T @ found.tau[b.dofs] for b in free.bodies}, 6),
        stacked({b: found.projected[b] @ found.drift[b] for b in free.bodies}, 6),
    )


class _Passes(NamedTuple):
    """State of the three passes, by body."""

    a: Array
    tau: Array  # without friction and springs of joints
    inertia: dict[Body, Array]
    bias: dict[Body, Array]
    own_bias: dict[Body, Array]
    projected: dict[Body, Array]
    joint_inertia: dict[Body, Array]
    given_way: dict[Body, Array]  # mhat⁻¹ Sᵀ Mhat: how the joint answers an acceleration of the body below it
    drift: dict[Body, Array]  # V × S v
    acceleration: ByBody


def _passes(
    model: Model,
    q: Array,
    v: Array,
    tau: Array,
    forces: Forces = {},
    base_velocity: Array | None = None,
    base_acceleration: Array | None = None,
) -> tuple[Model, _Passes]:
    """The tree without mimic joints, and the passes on it; `a` is that of the tree with them."""
    outside = (forces, base_velocity, base_acceleration)
    free, q, v, tau = geared(model, q, v, tau, lambda *state: _three_passes(*state).a, outside)
    found = _three_passes(free, q, v, tau, *outside)
    return free, found._replace(a=own_accelerations(model, found.a))


def _three_passes(
    model: Model, q: Array, v: Array, tau: Array, forces: Forces, V0: Array | None, A0: Array | None
) -> _Passes:
    tau = tau - resistance(model, q, v)
    pushed = acting(model, q, v, forces)

    # outward: poses and twists, and the force each body needs not to accelerate
    X, V = velocities(model, q, v, V0)
    M = {b: b.inertia.exact_matrix() for b in model.bodies}
    p = {b: cross_force(V[b], b.inertia @ V[b]) - pushed.get(b, zeros(6)) for b in model.bodies}
    own_bias = dict(p)

    # inward: what a hand at each body feels; the part its own joint gives way to does not pass
    m, U, D, u, drift, given_way, projected = {}, {}, {}, {}, {}, {}, {}
    for b in reversed(model.bodies):
        S = b.S
        U[b] = M[b] @ S
        m[b] = S.T @ U[b] + b.armature * eye(b.joint.nv)
        D[b] = factor_spd(m[b])
        u[b] = tau[b.dofs] - S.T @ p[b]
        drift[b] = cross_motion(V[b], S @ v[b.dofs])
        given_way[b] = solve_factored(D[b], U[b].T)
        projected[b] = without(M[b], U[b], given_way[b])
        if b.parent:
            M[b.parent] = M[b.parent] + symmetric_out(X[b], projected[b])
            p[b.parent] = p[b.parent] + X[b].force_out(p[b] + projected[b] @ drift[b] + given_way[b].T @ u[b])

    # outward: each joint answers the acceleration of the body below it
    a = zeros(model.nv)
    A: ByBody = {None: upwards(model) + (zeros(6) if A0 is None else A0)}
    for b in model.bodies:
        A[b] = X[b].motion_in(A[b.parent]) + drift[b]
        a[b.dofs] = solve_factored(D[b], u[b] - U[b].T @ A[b])
        A[b] = A[b] + b.S @ a[b.dofs]
    return _Passes(a, tau, M, p, own_bias, projected, m, given_way, drift, A)


def without(M: Array, U: Array, given_way: Array) -> Array:
    """M - U D⁻¹ Uᵀ, given D⁻¹ Uᵀ; each entry of the symmetric result computed once."""
    out = M.copy()
    for i in range(6):
        for j in range(i, 6):
            out[i, j] = out[j, i] = M[i, j] - given_way[:, i] @ U[j]
    return out


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
