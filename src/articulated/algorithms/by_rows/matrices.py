"""Matrices and derivatives, one pair of a joint and a body it carries at a time, in world coordinates.

An entry of M is the product of the screw of the joint and the momentum, per unit velocity, of the body and all beyond
it; the entries of the other matrices are products of the same kind.  The formulas of the derivatives of inverse
dynamics, and the meaning of S', S'' and the rest, are those of ../inverse_dynamics_derivatives.py.
"""

from functools import cache, partial
from typing import Any

import numpy as np

from ...algebra.scalars import Array, array, select, sqrt, zeros
from ...algebra.spatial import cross_force, cross_motion
from ...model.parameters import from_parameters
from ..coriolis import SKEW
from ..kinematics import AXES
from .kinematics import COMPOSITES, MOTIONS, POSES, composite_momentum, jacobian_column, screw
from .rows import Pass, Recursion, entries, inertia, pose, ten, unpacked


def product(carrier_S: Array, F: Array) -> Any:
    """An entry of M, and the one opposite."""
    entry = array([carrier_S @ F])
    return entry, entry


def mass_diagonal(row: Array, C: Array) -> Array:
    """An entry on the diagonal of M, with the rotor of the joint."""
    b = unpacked(row)
    return array([b.felt(inertia(C) @ b.along(1)) + b.armature])


MASS_MATRIX = Recursion(
    {"M": ("v", "v")},
    *COMPOSITES,
    Pass(screw, "S"),
    Pass(composite_momentum, "F"),
    Pass(product, "entry mirror", "pairs"),
    Pass(mass_diagonal, "diagonal"),
    scattered="M",
)


# -- Coriolis matrices ----------------------------------------------------------------------


def coriolis_outward(factorization: str, row: Array, q: Array, v: Array, below_W: Array, below_V: Array) -> Any:
    """Angle, pose and twist, and the inertia and B of the body alone."""
    b = unpacked(row)
    angle = b.angle(q[0])
    X = b.pose(angle)
    V = X.motion_in(below_V) + b.along(v[0])
    return angle, entries(pose(below_W) @ X), V, ten(b.inertia), SKEW[factorization](b.inertia, V).ravel()


def coriolis_inward(row: Array, angle: Array, C: Array, B: Array, below_C: Array, below_B: Array) -> Any:
    """Inertia and B of the body below with everything beyond it."""
    X = unpacked(row).pose(angle)
    return below_C + ten(inertia(C).moved_out(X)), below_B + X.tensor_out(B.reshape(6, 6)).ravel()


def coriolis_factors(row: Array, W: Array, joint_V: Array, C: Array, B: Array) -> Any:
    """Screw and its rate, and the forces whose products with those of the joints below are the entries of C."""
    S, I, own, X = unpacked(row).along(1), inertia(C), B.reshape(6, 6), pose(W)
    rate = cross_motion(joint_V, S)
    forces = (I @ rate + own @ S, I @ S, own.T @ S)
    return X.motion_out(S), X.motion_out(rate), *(X.force_out(F) for F in forces)


def coriolis_product(carrier_S: Array, carrier_rate: Array, column: Array, momentum: Array, across: Array) -> Any:
    """An entry of C, and the one opposite."""
    return array([carrier_S @ column]), array([carrier_rate @ momentum + carrier_S @ across])


def rate_product(carrier_S: Array, carrier_rate: Array, column: Array, momentum: Array, across: Array) -> Any:
    """An entry of dM/dt, and the one opposite."""
    entry = array([carrier_S @ (column + across) + carrier_rate @ momentum])
    return entry, entry


def coriolis_diagonal(times: int, row: Array, joint_V: Array, C: Array, B: Array) -> Array:
    """An entry on the diagonal."""
    b = unpacked(row)
    S = b.along(1)
    return array([times * b.felt(inertia(C) @ cross_motion(joint_V, S) + B.reshape(6, 6) @ S)])


def _coriolis(factorization: str, entry: Any, times: int) -> Recursion:
    return Recursion(
        {"C": ("v", "v")},
        Pass(partial(coriolis_outward, factorization), "angle W V C B"),
        Pass(coriolis_inward, "below_C below_B", "inward"),
        Pass(coriolis_factors, "S rate column momentum across"),
        Pass(entry, "entry mirror", "pairs"),
        Pass(partial(coriolis_diagonal, times), "diagonal"),
        scattered="C",
    )


CORIOLIS_MATRIX = {name: _coriolis(name, coriolis_product, 1) for name in SKEW}
MASS_MATRIX_RATE = _coriolis("body_jacobian", rate_product, 2)


# -- Jacobians of many frames, and the regressor -----------------------------------------------


def frame_column(axes: str, carrier_S: Array, W: Array, place: Array) -> Array:
    """The velocity of a frame per unit velocity of a joint."""
    return AXES[axes](pose(W) @ pose(place)).motion_in(carrier_S)


def body_column(carrier_S: Array, W: Array, place: Array) -> Any:
    """A column of the Jacobian in the axes of the frame, number by number."""
    return tuple(array([x]) for x in frame_column("frame", carrier_S, W, place))


BODY_JACOBIANS = Recursion(
    {"J": ("end", 6, "v")}, POSES, Pass(screw, "S"), Pass(body_column, "columns", "pairs"), scattered="J"
)
FORCE_MAP = {
    axes: Recursion(
        {"E": ("v", "force")},
        POSES,
        Pass(screw, "S"),
        Pass(partial(frame_column, axes), "entry", "pairs"),
        scattered="E",
    )
    for axes in AXES
}


def unit_forces(row: Array, W: Array, V: Array, A: Array) -> Array:
    """Force on a body, at the world's origin, per unit of each of its parameters: (6, 10)."""
    own = unpacked(row).own
    V, A, out = own.motion_out(V), own.motion_out(A), pose(W) @ own.inverse()
    units = [from_parameters(unit) for unit in np.eye(10, dtype=int).tolist()]
    return np.stack([out.force_out(unit @ A + cross_force(V, unit @ V)) for unit in units], axis=1).ravel()


def regressor_entries(carrier_S: Array, Y: Array) -> Array:
    """The part of a joint's torque per unit of each parameter of a body."""
    return carrier_S @ Y.reshape(6, 10)


REGRESSOR = Recursion(
    {"Y": ("v", "parameter")},
    MOTIONS,
    Pass(screw, "S"),
    Pass(unit_forces, "Y"),
    Pass(regressor_entries, "entry", "pairs"),
    scattered="Y",
)


# -- manipulability -------------------------------------------------------------------------------


def rotated_in(
    axes: str, rows: tuple[int, ...], row: Array, W: Array, total_tip: Array, total_R: Array, place: Array
) -> Any:
    """The triangular factor of the columns so far and one more, which rotations take away number by number."""
    column = np.concatenate(jacobian_column(axes, row, W, total_tip, place))[list(rows)]
    R = zeros(6, 6)
    R[np.triu_indices(6)] = total_R
    for i in range(len(rows)):
        length = sqrt(R[i, i] * R[i, i] + column[i] * column[i])
        inverse = 1 / select(length > 0, length, 1.0)
        c, s = select(length > 0, R[i, i] * inverse, 1.0), column[i] * inverse
        kept = R[i, : len(rows)].copy()
        R[i, : len(rows)], column = c * kept + s * column, c * column - s * kept
        column[i] = 0
    return R[np.triu_indices(6)]


def volume(rows: int, total_R: Array) -> Array:
    """The product of the diagonal of a triangular factor."""
    R = zeros(6, 6)
    R[np.triu_indices(6)] = total_R
    product = R[0, 0]
    for i in range(1, rows):
        product = product * R[i, i]
    return array([select(product < 0, -product, product)])


@cache
def manipulability(axes: str, rows: tuple[int, ...]) -> Recursion:
    """The product of the singular values of some rows of a Jacobian."""
    return Recursion(
        {"w": ()},
        POSES,
        Pass(partial(rotated_in, axes, rows), "total_R"),
        Pass(partial(volume, len(rows)), "out_w", "once"),
    )


def motions(row: Array, q: Array, v: Array, a: Array, below_W: Array, below_V: Array, below_A: Array) -> Any:
    """Angle, motion, force, inertia and B of a body alone; S, S', S'' and S' + dS/dt of its joint."""
    b = unpacked(row)
    angle = b.angle(q[0])
    X, own, S = b.pose(angle), b.along(v[0]), b.along(1)
    carried, lifted, W = X.motion_in(below_V), X.motion_in(below_A), pose(below_W) @ X
    V = carried + own
    A = lifted + b.along(a[0]) + cross_motion(V, own)
    F, B = b.inertia @ A + cross_force(V, b.inertia @ V), SKEW["christoffel"](b.inertia, V)
    first = cross_motion(carried, S)
    second = cross_motion(lifted, S) + cross_motion(carried, first)
    screws = [W.motion_out(x) for x in (S, first, second, first + cross_motion(V, S))]
    return angle, entries(W), V, A, F, ten(b.inertia), B.ravel(), np.concatenate(screws)


def force_inward(row: Array, angle: Array, F: Array, below_F: Array) -> Array:
    """The force that a joint hands on to the body below."""
    return below_F + unpacked(row).pose(angle).force_out(F)


def forces(W: Array, F: Array, C: Array, B: Array, screws: Array) -> Array:
    """Forces of a body and all beyond it whose products with screws of the joints below are the derivatives."""
    X, I, B = pose(W), inertia(C), B.reshape(6, 6)
    S, first, second, both = (X.motion_in(x) for x in screws.reshape(4, 6))
    turned = 2 * (B @ first) + I @ second + cross_force(S, F)
    found = (I @ S, 2 * (B.T @ S), turned, 2 * (B @ S) + I @ both)
    return np.concatenate([X.force_out(x) for x in found])


def products(carrier_screws: Array, forces: Array) -> Any:
    """Derivatives by q and v of the torque of a joint below, and of the body's own by those of that joint."""
    S, turned, pushed = carrier_screws[:6], forces[12:18], forces[18:]
    return array([S @ turned, S @ pushed]), outer(carrier_screws, forces)


def outer(screws: Array, forces: Array) -> Array:
    """Derivatives of the torque of the outer joint of a pair by q and v of the inner one."""
    S, first, second, both = screws.reshape(4, 6)
    momentum, row = forces[:6], forces[6:12]
    return array([row @ first + momentum @ second, row @ S + momentum @ both])


def diagonal(row: Array, screws: Array, forces: Array) -> Array:
    """Derivatives of the torque of a joint by its own q and v, with its stiffness and damping."""
    by_q, by_v = outer(screws, forces)
    b = unpacked(row)
    return array([by_q + b.stiffness, by_v + b.damping])


#: by q and v in turn
DERIVATIVES = Recursion(
    {"D": ("v", "v", 2)},
    Pass(motions, "angle W V A F C B screws"),
    Pass(force_inward, "below_F", "inward"),
    Pass(coriolis_inward, "below_C below_B", "inward"),
    Pass(forces, "forces"),
    Pass(products, "entry mirror", "pairs"),
    Pass(diagonal, "diagonal"),
    scattered="D",
)
