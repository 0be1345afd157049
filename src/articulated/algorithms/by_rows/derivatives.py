"""Derivatives of inverse dynamics, one pair of a joint and a body it carries at a time, in world coordinates.

The formulas, and the meaning of S', S'' and the rest, are those of ../inverse_dynamics_derivatives.py.
"""

from typing import Any

import numpy as np

from ...algebra.scalars import Array, array
from ...algebra.spatial import cross_force, cross_motion
from ..coriolis import SKEW
from .matrices import coriolis_inward
from .passes import Pass, Recursion
from .rows import entries, inertia, pose, ten, unpacked


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
INVERSE_DYNAMICS = Recursion(
    {"D": ("v", "v", 2)},
    Pass(motions, "angle W V A F C B screws"),
    Pass(force_inward, "below_F", "inward"),
    Pass(coriolis_inward, "below_C below_B", "inward"),
    Pass(forces, "forces"),
    Pass(products, "entry mirror", "pairs"),
    Pass(diagonal, "diagonal"),
    scattered="D",
)
