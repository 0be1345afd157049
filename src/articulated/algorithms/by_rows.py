"""The recursions for robots of thousands of bodies: one body at a time, its data in a row of numbers.

The textbook recursions are traced body by body, so that their programs grow with the robot.  Here the robot is data,
and the steps below are the same for every body: a loop runs them (robot/long_robots.py).  Frames are those of
`aligned`: each joint turns about, or slides along, the z axis of its body.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..algebra.rotations import aligning_z
from ..algebra.scalars import Array, Scalar, array, cos, sign, sin, zeros
from ..algebra.spatial import Inertia, Transform, cross_force, cross_motion, symmetric_out
from ..model import Body, Model
from .forward_dynamics import without

#: numbers of a body's row: placement 3×4, whether it turns, mass, first and second moments, armature, damping, friction
WIDTH = 12 + 1 + 10 + 3
#: the entries of a symmetric 6×6 matrix that are kept
UPPER = [(i, j) for i in range(6) for j in range(i, 6)]


def served(model: Model) -> bool:
    """Whether every joint turns about or slides along one axis, and follows no other."""
    return all((b.joint.turns or b.joint.slides) and b.leader is b for b in model.bodies)


def aligned(model: Model) -> tuple[np.ndarray, np.ndarray]:
    """The bodies as rows (nb, WIDTH), and the row of each one's parent among V, A, …: 0 is the world."""
    bodies, number = model.bodies, {b: k + 1 for k, b in enumerate(model.bodies)}
    parents = np.array([number[b.parent] if b.parent else 0 for b in bodies], np.int64)
    axes: list[Any] = [getattr(b.joint, "axis") for b in bodies]  # noqa: B009 (joints that turn or slide have one)
    joint = np.array([aligning_z(axis).tolist() for axis in axes], float)
    place_R, place_p = (np.array([getattr(b.placement, x) for b in bodies], float) for x in "Rp")
    tail_R, tail_p = (np.array([getattr(b.tail, x) for b in bodies], float) for x in "Rp")
    # the new frame of each body in its old one, and that of its parent
    R, p = _swapped(tail_R) @ joint, -np.einsum("nji,nj->ni", tail_R, tail_p)
    below_R, below_p = np.concatenate([np.eye(3)[None], R])[parents], np.concatenate([np.zeros((1, 3)), p])[parents]
    new_R = _swapped(below_R) @ place_R @ joint
    new_p = np.einsum("nji,nj->ni", below_R, place_p - below_p)
    facts = np.array([[b.joint.turns, b.armature, b.damping, b.friction] for b in bodies], float)
    moments = _moved(bodies, R, p)
    numbers = [new_R.reshape(-1, 9), new_p, facts[:, :1], moments, facts[:, 1:]]
    return np.ascontiguousarray(np.concatenate(numbers, axis=1)), parents


def _moved(bodies: Sequence[Body], R: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Mass, first and second moments (nb, 10) seen from frames with these poses in the bodies' own."""
    mass = np.array([b.inertia.mass for b in bodies], float)
    first, second = (np.array([getattr(b.inertia, x) for b in bodies], float) for x in ("first", "second"))
    com = first - mass[:, None] * p  # the first moment about the new origin, in the old axes
    dot, outer = np.einsum("ni,ni->n", p, first + com), np.einsum("ni,nj->nij", p, first)
    shift = dot[:, None, None] * np.eye(3) - outer - np.einsum("ni,nj->nij", com, p)
    turned = _swapped(R) @ (second - shift) @ R
    i, j = np.triu_indices(3)
    return np.concatenate([mass[:, None], np.einsum("nji,nj->ni", R, com), turned[:, i, j]], axis=1)


def _swapped(R: np.ndarray) -> np.ndarray:
    return R.swapaxes(1, 2)


class Row(NamedTuple):
    """A body's row, unpacked."""

    place: Transform
    turns: Scalar
    inertia: Inertia
    armature: Scalar
    damping: Scalar
    friction: Scalar

    def angle(self, q: Scalar) -> Array:
        """Cosine, sine and slide: all that the pose of the body needs of q, and what is kept of it."""
        return array([cos(self.turns * q), sin(self.turns * q), (1 - self.turns) * q])

    def pose(self, angle: Array) -> Transform:
        """The pose of the body in its parent."""
        c, s, slide = angle
        x, y, z = (self.place.R[:, k] for k in range(3))
        turned = np.stack([c * x + s * y, c * y - s * x, z], axis=1)
        return Transform.computed(turned, self.place.p + slide * z)

    def along(self, x: Scalar) -> Array:
        """S x."""
        return array([0, 0, (1 - self.turns) * x, 0, 0, self.turns * x])

    def felt(self, F: Array) -> Scalar:
        """Sᵀ F."""
        return (1 - self.turns) * F[2] + self.turns * F[5]

    def resistance(self, v: Scalar) -> Scalar:
        """The torque that overcomes the friction of the joint."""
        return self.damping * v + self.friction * sign(v)


def unpacked(row: Array) -> Row:
    """The numbers of a row by their meaning."""
    xx, xy, xz, yy, yz, zz = row[17:23]
    second = array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    inertia = Inertia.computed(row[13], row[14:17], second)
    return Row(Transform.computed(row[:9].reshape(3, 3), row[9:12]), row[12], inertia, *row[23:26])


# -- inverse dynamics ---------------------------------------------------------------------


def newton_euler_outward(row: Array, q: Array, v: Array, a: Array, below_V: Array, below_A: Array) -> Any:
    """Angle, twist and acceleration of a body, and the force that takes."""
    b = unpacked(row)
    angle = b.angle(q[0])
    X = b.pose(angle)
    own = b.along(v[0])
    V = X.motion_in(below_V) + own
    A = X.motion_in(below_A) + b.along(a[0]) + cross_motion(V, own)
    return angle, V, A, b.inertia @ A + cross_force(V, b.inertia @ V)


def newton_euler_inward(row: Array, v: Array, a: Array, angle: Array, F: Array, below_F: Array) -> Any:
    """The torque of a joint, and what it hands on to the body below."""
    b = unpacked(row)
    tau = b.felt(F) + b.armature * a[0] + b.resistance(v[0])
    return array([tau]), below_F + b.pose(angle).force_out(F)


# -- forward dynamics ----------------------------------------------------------------------


def articulated_outward(row: Array, q: Array, v: Array, below_V: Array) -> Any:
    """Angle and twist of a body, its own inertia, and the force it needs not to accelerate."""
    b = unpacked(row)
    angle = b.angle(q[0])
    V = b.pose(angle).motion_in(below_V) + b.along(v[0])
    return angle, V, _upper(b.inertia.exact_matrix()), cross_force(V, b.inertia @ V)


def articulated_inward(
    row: Array, v: Array, tau: Array, angle: Array, V: Array, M: Array, p: Array, below_M: Array, below_p: Array
) -> Any:
    """The articulated inertia and bias force of a body; the part along its joint does not pass to the body below."""
    b, inertia = unpacked(row), _symmetric(M)
    U = (1 - b.turns) * inertia[:, 2] + b.turns * inertia[:, 5]
    D = b.felt(U) + b.armature
    u = tau[0] - b.resistance(v[0]) - b.felt(p)
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


def _upper(M: Array) -> Array:
    return array([M[i, j] for i, j in UPPER])


def _symmetric(entries: Array) -> Array:
    out = zeros(6, 6)
    for (i, j), x in zip(UPPER, entries, strict=True):
        out[i, j] = out[j, i] = x
    return out
