"""The mass matrix with composite bodies held as moments of mass (docs/formulations.md)."""

from ...algebra.linalg import invert_spd
from ...algebra.scalars import Array
from ...algebra.spatial import Inertia, joined
from ...model import Model
from ..mass_matrix import enter, rotor_inertia


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
