"""Dynamics by moments of mass (docs/formulations.md).

No linear velocities, no spatial products; composite bodies are held as mass, h and Σ.
"""

from collections.abc import Iterator
from functools import partial
from itertools import takewhile
from operator import is_not
from typing import Any

import numpy as np

from ...algebra.linalg import invert_spd, solve_spd
from ...algebra.rotations import cross
from ...algebra.scalars import Array, array, zeros
from ...algebra.spatial import Inertia, Transform, joined
from ...model import Body, Model
from ...model.with_numbers import slack
from ..forward_dynamics import forward_dynamics_by_articulated_bodies
from ..inverse_dynamics import acting, torques
from ..kinematics import ByBody, Forces, accelerations, upwards
from ..mass_matrix import enter, rotor_inertia


def inverse_dynamics_by_moments(
    model: Model,
    q: Array,
    v: Array,
    a: Array,
    forces: Forces = {},
    base_velocity: Array | None = None,
    base_acceleration: Array | None = None,
) -> Array:
    """Generalized forces that give the robot the acceleration `a`: a point x of a body accelerates by r + U x.

    r is the acceleration of the body's origin and U = [alpha]x + [omega]x [omega]x, so with the
    moments of mass m, h, Σ the force is m r + U h and the moment h × r + ∫ x × U x dm: no linear
    velocities, no spatial products.  Each limb is followed inward as soon as its end is reached.
    """
    pushed = acting(model, q, v, forces)
    X: dict[Body, Transform] = {}
    F: ByBody = {}
    outward = accelerations(model, q, v, a, base_velocity, base_acceleration)
    for (b, X[b], r, U), inward in zip(outward, completed(model), strict=True):
        m, h = b.inertia.mass, b.inertia.first
        F[b] = np.concatenate([m * r + U @ h, cross(h, r) + turning(U, b.inertia.spread)]) - pushed.get(b, zeros(6))
        for c in inward:
            if c.parent:
                F[c.parent] = F[c.parent] + X[c].force_out(F[c])
    return torques(model, q, v, a, F)


def turning(U: Array, spread: Array) -> Array:
    """∫ x × U x dm with Σ = ∫ x xᵀ dm: the axial vector of U Σ."""
    return array(
        [
            U[k, i] * spread[i, j] + U[k, j] * spread[j, j] - U[j, i] * spread[i, k] - U[j, k] * spread[k, k]
            + (U[k, k] - U[j, j]) * spread[j, k]
            for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1))
        ]
    )  # fmt: skip


def completed(model: Model) -> Iterator[list[Body]]:
    """Bodies whose subtree each body in order completes, outermost first; none but at the end of a limb.

    Their forces can go inward at once: fewer values are live than if all limbs were followed outward first.
    """
    following: tuple[Body | None, ...] = (*model.bodies, None)[1:]
    for b, after in zip(model.bodies, following, strict=True):
        # the next body hangs where the limb branches off: everything from b inward to there is complete
        branching = after.parent if after else None
        yield list(takewhile(partial(is_not, branching), b.support()))


def mass_matrix_by_moments(model: Model, q: Array) -> Array:
    """M(q) by composite bodies held as mass, h and Σ: second moments move in fewer operations than inertias.

    A body is entered as soon as nothing is missing beyond it: then it need not be kept.
    """
    X = {b: b.transform(q) for b in model.bodies}
    M = rotor_inertia(model)
    composite = {b: Inertia.from_spread(b.inertia.mass, b.inertia.first, b.inertia.spread) for b in model.bodies}
    for b in reversed(model.bodies):
        enter(M, b, composite[b], X)
        if b.parent:
            composite[b.parent] = joined(composite[b.parent], composite[b], X[b])
    return M


def mass_matrix_inverse_by_moments(model: Model, q: Array) -> Array:
    """The inverse of M(q), through its branch-sparse factors."""
    return invert_spd(mass_matrix_by_moments(model, q))


def forward_dynamics_by_moments(model: Model, q: Array, v: Array, tau: Array, **outside: Any) -> Array:
    """a = M⁻¹ (tau - h), both by moments; the fewest operations while there are few joints."""
    h = inverse_dynamics_by_moments(model, q, v, zeros(model.nv), **outside)
    return solve_spd(mass_matrix_by_moments(model, q), tau - h)


def forward_dynamics_at_rest(model: Model, q: Array, v: Array, tau: Array, **outside: Any) -> Array:
    """Articulated bodies at rest and without gravity, under what the bias leaves of tau."""
    h = inverse_dynamics_by_moments(model, q, v, zeros(model.nv), **outside)
    rest = zeros(model.nv)
    return forward_dynamics_by_articulated_bodies(slack(model), q, rest, tau - h, base_acceleration=-upwards(model))
