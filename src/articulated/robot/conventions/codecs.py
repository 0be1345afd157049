"""Coordinates of each kind of joint as other libraries write them, and their order: the tables of conventions.py."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ...algebra.rotations import cross, quaternion, quaternion_product, to_quaternion
from ...algebra.scalars import Array, array, atan2, cos, exact_array, eye, sin, zeros
from ...errors import ArticulatedError
from ...joints import JOINTS
from ...model import Body, Link, Model
from ..arguments.arrays import choose


class Codec(NamedTuple):
    """Coordinates of one kind of joint in one library; every function takes the joint's body, too.

    With the orthogonal matrix B(q) of our q: v' = B v, tau' = B tau and a' = B (a + drift(v)).
    """

    q_out: Callable[[Body, Array], Array] = lambda b, q: q
    q_in: Callable[[Body, Array], Array] = lambda b, q: q
    basis: Callable[[Body, Array], Array] | None = None
    drift: Callable[[Array], Array] = lambda v: zeros(len(v))
    width: Callable[[int], int] = lambda nq: nq  # of their q
    quaternion: int | None = None  # where it begins in their q, if not where it does in ours


AS_HERE = Codec()


def _blocks(*rows: tuple[Any, ...]) -> Array:
    return np.block([[zeros(3, 3) if part is None else part for part in row] for row in rows])


def _swirl(v: Array) -> Array:
    """Rate of a body-axes velocity in world axes due to rotation: omega × linear."""
    return np.concatenate([cross(v[3:], v[:3]), zeros(3)])


# -- MuJoCo: a free joint holds the pose in the world -----------------------------------------


def _in_the_world(b: Body) -> tuple[Array, Array, Array]:
    """Start of a free joint: rotation, position, quaternion; MuJoCo frees only what hangs on the world."""
    if b.parent is not None or not (b.placement.p.any() or (b.placement.R - eye(3)).any()):
        return eye(3), zeros(3), array([0, 0, 0, 1])
    return b.placement.R, b.placement.p, exact_array(to_quaternion(b.placement.R), 1e-15)


def _free_out(b: Body, q: Array) -> Array:
    R, p, turn = _in_the_world(b)
    x, y, z, w = quaternion_product(turn, q[3:])
    return array([*(p + R @ q[:3]), w, x, y, z])


def _free_in(b: Body, q: Array) -> Array:
    R, p, (x, y, z, w) = _in_the_world(b)
    return np.concatenate([R.T @ (q[:3] - p), quaternion_product((-x, -y, -z, w), (q[4], q[5], q[6], q[3]))])


def _world_linear(b: Body, q: Array) -> Array:
    """Linear velocity in world axes, angular as it is."""
    return _blocks((_in_the_world(b)[0] @ quaternion(q[3:]), None), (None, eye(3)))


# -- the others ------------------------------------------------------------------------------


def _angular_first(b: Body, q: Array) -> Array:
    """Both velocities in world axes, the angular one first."""
    R = quaternion(q[3:])
    return _blocks((None, R), (R, None))


def _turn(b: Body, q: Array) -> Array:
    """Planar velocities in the axes of the parent."""
    c, s = cos(q[2]), sin(q[2])
    return array([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def _planar_swirl(v: Array) -> Array:
    return array([-v[2] * v[1], v[2] * v[0], 0])


def _pick(*order: int) -> Callable[[Body, Array], Array]:
    return lambda b, q: q[list(order)]


CIRCLE = Codec(
    lambda b, q: array([*q[:-1], cos(q[-1]), sin(q[-1])]),
    lambda b, q: array([*q[:-2], atan2(q[-1], q[-2])]),
    width=lambda nq: nq + 1,
)
_PLANAR_IN_PARENT = Codec(basis=_turn, drift=_planar_swirl)

#: library -> kind of joint -> codec; the kinds of JOINTS that are not listed are written as here
LIBRARIES: dict[str, dict[str, Codec]] = {
    "pinocchio": {"continuous": CIRCLE, "planar": CIRCLE},
    "mujoco": {
        "floating": Codec(_free_out, _free_in, _world_linear, _swirl),
        "spherical": Codec(_pick(3, 0, 1, 2), _pick(1, 2, 3, 0)),
        "planar": _PLANAR_IN_PARENT,
    },
    "drake": {
        "floating": Codec(_pick(6, 3, 4, 5, 0, 1, 2), _pick(4, 5, 6, 1, 2, 3, 0), _angular_first, _swirl, quaternion=0),
        "planar": _PLANAR_IN_PARENT,
    },
}


def joint_order(model: Model, library: str) -> list[str]:
    """The moving joints of a tree without mimic joints in the order of another library."""
    choose("permutation", "library", library, LIBRARIES)
    if library != "pinocchio":
        return list(model.joint_names)
    children: dict[str | None, list[Link]] = {}
    for link in model.links:
        children.setdefault(link.parent, []).append(link)
    order, stack = [], children[None][:]
    while stack:
        link = stack.pop()
        if link.joint.nv:
            order.append(link.joint.name or link.name)
        stack += sorted(children.get(link.name, ()), key=lambda k: k.joint.name or k.name, reverse=True)
    return order


def joints_of(model: Model, library: str, mimic: bool = False) -> list[tuple[Body, Codec]]:
    """The joints in the order of the library, and how it writes each; an error for one it writes in no known way.

    All of them, for a mimic joint has numbers of its own there; with `mimic` those that follow none.
    """
    free = model.unmimicked
    bodies = {b.joint.name: b for b in (model if mimic else free).independent}
    found = [bodies[name] for name in joint_order(free, library) if name in bodies]
    for name, joint in ((b.joint.name, b.joint) for b in found):
        if joint.kind not in JOINTS:
            raise ArticulatedError(f"joint {name!r} is {joint.kind}; nothing is known of how {library} writes that")
        if library == "drake" and joint.quaternion is not None and not joint.floats:
            raise ArticulatedError(f"Drake writes the ball joint {name!r} in roll-pitch-yaw; no converter for that")
    return [(b, LIBRARIES[library].get(b.joint.kind, AS_HERE)) for b in found]
