"""Inverse and forward dynamics, one body at a time."""

from typing import Any

import numpy as np

from ...algebra.scalars import Array, array, zeros
from ...algebra.spatial import cross_force, cross_motion, symmetric_out
from ..forward_dynamics import without
from .rows import Pass, Recursion, unpacked

#: the entries of a symmetric 6×6 matrix that are kept
UPPER = [(i, j) for i in range(6) for j in range(i, 6)]


def newton_euler_outward(row: Array, q: Array, v: Array, a: Array, below_V: Array, below_A: Array) -> Any:
    """Angle, twist and acceleration of a body, and the force that takes."""
    b = unpacked(row)
    angle = b.angle(q[0])
    X = b.pose(angle)
    own = b.along(v[0])
    V = X.motion_in(below_V) + own
    A = X.motion_in(below_A) + b.along(a[0]) + cross_motion(V, own)
    return angle, V, A, b.inertia @ A + cross_force(V, b.inertia @ V)


def gravity_outward(row: Array, q: Array, below_A: Array) -> Any:
    """Angle of a body at rest, the acceleration that stands in for gravity, and the force that takes."""
    b = unpacked(row)
    angle = b.angle(q[0])
    A = b.pose(angle).motion_in(below_A)
    return angle, A, b.inertia @ A


def gravity_inward(row: Array, angle: Array, F: Array, below_F: Array) -> Any:
    """The torque that holds a joint, and what it hands on to the body below."""
    b = unpacked(row)
    return array([b.felt(F)]), below_F + b.pose(angle).force_out(F)


def newton_euler_inward(row: Array, q: Array, v: Array, a: Array, angle: Array, F: Array, below_F: Array) -> Any:
    """The torque of a joint, and what it hands on to the body below."""
    b = unpacked(row)
    tau = b.felt(F) + b.armature * a[0] + b.resistance(q[0], v[0])
    return array([tau]), below_F + b.pose(angle).force_out(F)


# -- forward dynamics ----------------------------------------------------------------------


def articulated_outward(row: Array, q: Array, v: Array, below_V: Array) -> Any:
    """Angle and twist of a body, its own inertia, and the force it needs not to accelerate."""
    b = unpacked(row)
    angle = b.angle(q[0])
    V = b.pose(angle).motion_in(below_V) + b.along(v[0])
    return angle, V, _upper(b.inertia.exact_matrix()), cross_force(V, b.inertia @ V)


def articulated_inward(
    row: Array,
    q: Array,
    v: Array,
    tau: Array,
    angle: Array,
    V: Array,
    M: Array,
    p: Array,
    below_M: Array,
    below_p: Array,
) -> Any:
    """The articulated inertia and bias force of a body; the part along its joint does not pass to the body below."""
    b, inertia = unpacked(row), _symmetric(M)
    U = b.slide * inertia[:, 2] + b.turn * inertia[:, 5]
    D = b.felt(U) + b.armature
    u = tau[0] - b.resistance(q[0], v[0]) - b.felt(p)
    given_way = U * (1 / D)  # one division: there are six numbers
    projected = without(inertia, U[:, None], given_way[None, :])
    pose = b.pose(angle)
    hand = p + projected @ cross_motion(V, b.along(v[0])) + given_way * u
    joint = np.concatenate([U, array([D, u])])
    return joint, below_M + _upper(symmetric_out(pose, projected)), below_p + pose.force_out(hand)


def articulated_answer(row: Array, v: Array, angle: Array, V: Array, joint: Array, below_A: Array) -> Any:
    """The acceleration of a joint, and of its body."""
    b, U, D, u = unpacked(row), joint[:6], joint[6], joint[7]
    A = b.pose(angle).motion_in(below_A) + cross_motion(V, b.along(v[0]))
    a = (u - U @ A) / D
    return array([a]), A + b.along(a)


def factors(angle: Array, joint: Array) -> Array:
    """Factors of an elimination: angle, U and D."""
    return np.concatenate([angle, joint[:7]])


def at_rest() -> Array:
    """No force."""
    return zeros(6)


def response_inward(row: Array, factors: Array, tau: Array, p: Array, below_p: Array) -> Any:
    """The torque that is left to accelerate a joint, and the force on the body below."""
    b, U, D = unpacked(row), factors[3:9], factors[9]
    u = tau[0] - b.felt(p)
    return array([u]), below_p + b.pose(factors[:3]).force_out(p + U * (u / D))


def response_outward(row: Array, factors: Array, torque: Array, below_A: Array) -> Any:
    """The acceleration of a joint, and of its body."""
    b, U, D = unpacked(row), factors[3:9], factors[9]
    A = b.pose(factors[:3]).motion_in(below_A)
    a = (torque[0] - U @ A) / D
    return array([a]), A + b.along(a)


def _upper(M: Array) -> Array:
    return array([M[i, j] for i, j in UPPER])


def _symmetric(entries: Array) -> Array:
    out = zeros(6, 6)
    for (i, j), x in zip(UPPER, entries, strict=True):
        out[i, j] = out[j, i] = x
    return out


def transmitted(row: Array, F: Array) -> Array:
    """The force that a joint transmits, in the body's own axes."""
    return unpacked(row).own.force_out(F)


def articulated_results(
    row: Array, q: Array, v: Array, tau: Array, V: Array, M: Array, p: Array, joint: Array, A: Array
) -> tuple[Array, ...]:
    """Everything that articulated bodies are known by, in the body's own axes."""
    b, inertia, U, D = unpacked(row), _symmetric(M), joint[:6], joint[6]
    given_way = U * (1 / D)
    projected = without(inertia, U[:, None], given_way[None, :])
    forces = {
        "wrench": inertia @ A + p,
        "own_bias": cross_force(V, b.inertia @ V),
        "projected_bias": p - given_way * b.felt(p),
        "actuation": given_way * (tau[0] - b.resistance(q[0], v[0])),
        "coriolis": projected @ cross_motion(V, b.along(v[0])),
    }
    wrench, *others = (b.own.force_out(F) for F in forces.values())
    matrices = [symmetric_out(b.own, x) for x in (inertia, projected)]
    return matrices[0], b.own.force_out(p), matrices[1], b.own.motion_out(A), wrench, array([D]), *others


INVERSE_DYNAMICS = Recursion(
    {"tau": ("joint",)},
    Pass(newton_euler_outward, "angle V A F"),
    Pass(newton_euler_inward, "out_tau below_F", "inward"),
)
GRAVITY_FORCES = Recursion(
    {"tau": ("joint",)}, Pass(gravity_outward, "angle A F"), Pass(gravity_inward, "out_tau below_F", "inward")
)
WRENCHES = Recursion(
    {"F": ("body", 6)},
    Pass(newton_euler_outward, "angle V A F"),
    Pass(newton_euler_inward, "torque below_F", "inward"),
    Pass(transmitted, "out_F"),
)
BODY_FORCES = Recursion({"F": ("body", 6)}, Pass(newton_euler_outward, "angle V A F"), Pass(transmitted, "out_F"))
_ARTICULATED = (
    Pass(articulated_outward, "angle V M p"),
    Pass(articulated_inward, "joint below_M below_p", "inward"),
    Pass(articulated_answer, "out_a A"),
)
FORWARD_DYNAMICS = Recursion({"a": ("joint",)}, *_ARTICULATED)
FACTORS = Recursion({"factors": ("row", 10)}, *_ARTICULATED[:2], Pass(factors, "out_factors"))
RESPONSE = Recursion(
    {"a": ("joint",)},
    Pass(at_rest, "p"),
    Pass(response_inward, "torque below_p", "inward"),
    Pass(response_outward, "out_a A"),
)
_RESULTS = {
    "inertia": ("body", 6, 6), "bias": ("body", 6), "projected": ("body", 6, 6), "acceleration": ("body", 6),
    "wrench": ("body", 6), "joint_inertia": ("v", "v"), "own_bias": ("body", 6), "projected_bias": ("body", 6),
    "actuation": ("body", 6), "coriolis": ("body", 6),
}  # fmt: skip
_WRITTEN = ["diagonal" if name == "joint_inertia" else f"out_{name}" for name in _RESULTS]
ARTICULATED_BODIES = Recursion(
    {"a": ("joint",), **_RESULTS},
    *_ARTICULATED,
    Pass(articulated_results, " ".join(_WRITTEN)),
    scattered="joint_inertia",
)
