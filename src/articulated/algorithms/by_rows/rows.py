"""Recursions for robots of thousands of bodies as data: one body at a time, its data in a row of numbers.

The textbook recursions are traced body by body, so that their programs grow with the robot.  Here the robot is data,
and the steps are the same for every body: a loop runs them (robot/long_robots.py).  Frames are those of `aligned`: each
joint turns about, or slides along, the z axis of its body.  A recursion says which steps it takes, and what each reads
and writes.
"""

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from inspect import signature
from typing import Any, NamedTuple

import numpy as np

from ...algebra.rotations import aligning_z
from ...algebra.scalars import Array, Scalar, array, cos, sign, sin
from ...algebra.spatial import Inertia, Transform
from ...model import Body, Model

#: numbers of a body's row: placement 3×4, whether it turns, how far it slides and turns per unit velocity, mass, first
#: and second moments, armature, damping, friction, stiffness, rest, and its aligned frame in its own, 3×4
WIDTH = 12 + 3 + 10 + 5 + 12
#: where the velocity's slide and turn are, the armature, and damping, friction and stiffness
PER_VELOCITY, ARMATURE, RESISTANCE = slice(13, 15), 25, slice(26, 29)


def served(model: Model) -> bool:
    """True if every joint turns about or slides along one axis, and follows no other."""
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
    turns = np.array([[b.joint.turns] for b in bodies], float)
    facts = np.array([[b.armature, b.damping, b.friction, b.stiffness, b.rest[0]] for b in bodies], float)
    motion = np.concatenate([turns, 1 - turns, turns], axis=1)
    numbers = [new_R.reshape(-1, 9), new_p, motion, _moved(bodies, R, p), facts, R.reshape(-1, 9), p]
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
    slide: Scalar  # along z, per unit velocity
    turn: Scalar  # about z
    inertia: Inertia
    armature: Scalar
    damping: Scalar
    friction: Scalar
    stiffness: Scalar
    rest: Scalar
    own: Transform  # this frame in the body's own

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
        return array([0, 0, self.slide * x, 0, 0, self.turn * x])

    def felt(self, F: Array) -> Scalar:
        """Sᵀ F."""
        return self.slide * F[2] + self.turn * F[5]

    def resistance(self, q: Scalar, v: Scalar) -> Scalar:
        """The torque that overcomes friction and spring of the joint."""
        return self.damping * v + self.friction * sign(v) + self.stiffness * (q - self.rest)


def unpacked(row: Array) -> Row:
    """The numbers of a row by their meaning."""
    (turns, slide, turn), (armature, damping, friction, stiffness, rest) = row[12:15], row[25:30]
    joint = armature, damping, friction, stiffness, rest
    return Row(pose(row[:12]), turns, slide, turn, inertia(row[15:25]), *joint, pose(row[30:]))


def pose(entries: Array) -> Transform:
    """A pose from its twelve numbers."""
    return Transform.computed(entries[:9].reshape(3, 3), entries[9:])


def entries(X: Transform) -> Array:
    """The twelve numbers of a pose."""
    return np.concatenate([X.R.ravel(), X.p])


def ten(I: Inertia) -> Array:
    """Mass, first and second moments."""
    return np.concatenate([array([I.mass]), I.first, I.second[np.triu_indices(3)]])


def inertia(moments: Array) -> Inertia:
    """An inertia from its ten numbers."""
    xx, xy, xz, yy, yz, zz = moments[4:]
    return Inertia.computed(moments[0], moments[1:4], array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]))


#: numbers of an axis for each body, its joint, or each frame ("end") that a quantity is about
AXES = {"body": 1, "row": 1, "joint": 1, "v": 1, "end": 1, "force": 6, "parameter": 10}
#: arrays of a state
STATE = ("q", "v", "a", "tau")
#: numbers for each body that another recursion has found, by name
FOUND = {"factors": 10}
#: numbers of a vector by its name
SIZES = {
    "angle": 3, "V": 6, "A": 6, "F": 6, "M": 21, "p": 6, "joint": 8, "W": 12, "C": 10, "B": 36, "E": 1, "m": 4, "P": 6,
    "tip": 12, "twist": 6, "drift": 6, "torque": 1, "S": 6, "rate": 6, "X": 12, "Y": 60, "R": 21,
    "column": 6, "momentum": 6, "across": 6, "screws": 24, "forces": 24,
}  # fmt: skip


class Pass(NamedTuple):
    """A step for every body, outward or inward, for every pair of a joint and a body it carries, or once after all.

    It reads and writes vectors by name.  `row` is the body's data, `q`, `v`, `a` and `tau` are of its joint, `below_V`
    is the V of its parent, `carrier_S` the S of the joint of a pair, `joint_V` the V of the last axis of its joint in
    the axes of this one, and `total_E` is shared by all bodies; `world` is the acceleration that stands in for gravity,
    `place` the pose of a frame in its body.  `out_` begins the name of a result; of a scattered one `columns`, `entry`,
    `mirror` and `diagonal` are places.
    """

    function: Callable[..., Any]
    writes: str
    way: str = "outward"  # or "inward", "pairs", "once"
    reads: str = ""  # unless it is the names of the function's arguments

    @property
    def arguments(self) -> dict[str, str]:
        """Names of the arrays that the arguments of the function are, by argument."""
        names = list(signature(self.function).parameters)
        return dict(zip(names, self.reads.split() or names, strict=True))


class Recursion:
    """Passes over the bodies, and the axes of the results: names of AXES, or numbers.

    A result is written body by body, or once; the one that is `scattered`, at places of a column or of a pair.
    """

    def __init__(self, shapes: dict[str, tuple[Any, ...]], *passes: Pass, scattered: str = ""):
        self.shapes, self.passes, self.scattered = shapes, passes, scattered

    @property
    def key(self) -> str:
        """Text that identifies what is computed."""
        return repr((self.shapes, self.scattered, [(_named(x.function), *x[1:]) for x in self.passes]))

    @cached_property
    def arrays(self) -> list[str]:
        """The arrays of a state that it reads, and what others have found."""
        read = {name for x in self.passes for name in x.arguments.values()}
        return [name for name in (*STATE, *FOUND) if name in read]


def _named(function: Any) -> str:
    return f"{function.func.__name__}{function.args}" if isinstance(function, partial) else function.__name__


def summed(name: str) -> Pass:
    """The sum of a vector over the bodies."""
    return Pass(_sum, f"total_{name}", reads=f"total_{name} {name}")


def _sum(whole: Any, part: Any) -> Any:
    return whole + part
