"""States in the order and the coordinates of other libraries, and back.

    q, v = art.conventions.to_mujoco(robot, q, v)

Each function takes and returns as many of q, v, a, tau as it is given (a NamedTuple); leading
axes are a batch.  What differs, base first:

    here, Pinocchio   q = x y z, qx qy qz qw      v = linear, angular, both in body axes
    MuJoCo            q = x y z, qw qx qy qz      v = linear in world axes, angular in body axes
    Drake             q = qw qx qy qz, x y z      v = angular, linear, both in world axes

Pinocchio stores a continuous joint as (cos, sin) and sorts the joints of each link by name;
MuJoCo and Drake keep the order of the document, as we do.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np

from ..errors import ArticulatedError
from ..joints import JOINTS, Joint
from ..model import Body, Link, Model
from .arguments import Vector, as_vectors, check_batches, choose, vectors_of
from .results import result_type

Array = np.ndarray


class Robot(Protocol):
    """Anything that holds a model."""

    model: Model


class Codec(NamedTuple):
    """How one library writes one kind of joint.

    With the orthogonal matrix B(q): v' = B v, tau' = B tau and a' = B (a + drift(v)).
    """

    q_out: Callable[[Array], Array] = lambda q: q
    q_in: Callable[[Array], Array] = lambda q: q
    basis: Callable[[Array], Array] | None = None
    drift: Callable[[Array], Array] = np.zeros_like


def _rotation(q: Array) -> Array:
    """Rotation matrices (…, 3, 3) of quaternions x y z w: where the unit vectors go."""
    q = (q / np.linalg.norm(q, axis=-1, keepdims=True))[..., None, :]
    u, w = q[..., :3], q[..., 3:]
    twice = 2 * np.cross(u, np.eye(3))
    return np.swapaxes(np.eye(3) + w * twice + np.cross(u, twice), -1, -2)


def _world_linear(q: Array) -> Array:
    """Linear velocity in world axes, angular as it is."""
    B = np.zeros((*q.shape[:-1], 6, 6))
    B[..., :3, :3], B[..., 3:, 3:] = _rotation(q[..., 3:]), np.eye(3)
    return B


def _angular_first(q: Array) -> Array:
    """Both velocities in world axes, the angular one first."""
    B = np.zeros((*q.shape[:-1], 6, 6))
    B[..., :3, 3:] = B[..., 3:, :3] = _rotation(q[..., 3:])
    return B


def _swirl(v: Array) -> Array:
    """What world axes see of a body-axes velocity that turns with the body: omega × linear."""
    return np.concatenate([np.cross(v[..., 3:], v[..., :3]), np.zeros_like(v[..., 3:])], axis=-1)


def _turn(q: Array) -> Array:
    """Planar velocities in the axes of the parent."""
    B = np.zeros((*q.shape[:-1], 3, 3))
    B[..., 0, 0] = B[..., 1, 1] = np.cos(q[..., 2])
    B[..., 1, 0] = np.sin(q[..., 2])
    B[..., 0, 1] = -B[..., 1, 0]
    B[..., 2, 2] = 1
    return B


def _planar_swirl(v: Array) -> Array:
    return np.stack([-v[..., 2] * v[..., 1], v[..., 2] * v[..., 0], np.zeros(v.shape[:-1])], axis=-1)


def _pick(*order: int) -> Callable[[Array], Array]:
    return lambda q: q[..., list(order)]


def _to_circle(q: Array) -> Array:
    return np.concatenate([q[..., :-1], np.cos(q[..., -1:]), np.sin(q[..., -1:])], axis=-1)


def _from_circle(q: Array) -> Array:
    return np.concatenate([q[..., :-2], np.arctan2(q[..., -1:], q[..., -2:-1])], axis=-1)


_CIRCLE = Codec(_to_circle, _from_circle)
_PLANAR_IN_PARENT = Codec(basis=_turn, drift=_planar_swirl)

#: library -> kind of joint -> codec; the kinds of JOINTS that are not listed are written as here
LIBRARIES: dict[str, dict[str, Codec]] = {
    "pinocchio": {"continuous": _CIRCLE, "planar": _CIRCLE},
    "mujoco": {
        "floating": Codec(_pick(0, 1, 2, 6, 3, 4, 5), _pick(0, 1, 2, 4, 5, 6, 3), _world_linear, _swirl),
        "spherical": Codec(_pick(3, 0, 1, 2), _pick(1, 2, 3, 0)),
        "planar": _PLANAR_IN_PARENT,
    },
    "drake": {
        "floating": Codec(_pick(6, 3, 4, 5, 0, 1, 2), _pick(4, 5, 6, 1, 2, 3, 0), _angular_first, _swirl),
        "planar": _PLANAR_IN_PARENT,
    },
}


def joint_order(robot: Robot, library: str) -> list[str]:
    """The moving joints in the order of another library."""
    choose("permutation", "library", library, LIBRARIES)
    if library != "pinocchio":
        return list(robot.model.joint_names)
    children: dict[str | None, list[Link]] = {}
    for link in robot.model.links:
        children.setdefault(link.parent, []).append(link)
    order, stack = [], children[None][:]
    while stack:
        link = stack.pop()
        if link.joint.nv and not link.joint.mimic:
            order.append(link.joint.name or link.name)
        stack += sorted(children.get(link.name, ()), key=lambda k: k.joint.name or k.name, reverse=True)
    return order


def permutation(robot: Robot, library: str) -> Array:
    """Indices p with v_theirs = v[..., p], as far as only the order of the joints differs."""
    dofs = {b.joint.name: b.dofs for b in _own(robot)}
    order = [np.arange(dofs[name].start, dofs[name].stop) for name in joint_order(robot, library)]
    return np.concatenate([np.arange(0), *order])


def _own(robot: Robot) -> list[Body]:
    return [b for b in robot.model.bodies if b.leader is b]


def _codec(joint: Joint, library: str) -> Codec:
    if joint.kind not in JOINTS:
        raise ArticulatedError(f"joint {joint.name!r} is {joint.kind}; nothing is known of how {library} writes that")
    if library == "drake" and joint.kind == "spherical":
        raise ArticulatedError(f"Drake writes the ball joint {joint.name!r} in roll-pitch-yaw; no converter for that")
    return LIBRARIES[library].get(joint.kind, Codec())


def _width(joint: Joint, library: str) -> int:
    """How many coordinates the other library gives a joint."""
    return _codec(joint, library).q_out(np.array(joint.neutral(), float)).shape[-1]


def _vectors(robot: Robot, library: str, values: dict[str, Any], restored: bool) -> dict[str, Array]:
    """What was given, checked: in our sizes, or to be `restored` in those of the other library."""
    sizes = vectors_of(robot.model)
    if restored:
        theirs = sum(_width(b.joint, library) for b in _own(robot))
        sizes["q"] = Vector(theirs, f"coordinates as {library} writes them")
    given = {
        name: as_vectors(f"{'from' if restored else 'to'}_{library}", robot.model.name, name, x, sizes[name])
        for name, x in values.items()
        if x is not None
    }
    check_batches(f"{'from' if restored else 'to'}_{library}", given)
    if "a" in given and "v" not in given and any(b.joint.kind in ("floating", "planar") for b in _own(robot)):
        raise ArticulatedError("converting accelerations of a floating base takes the velocity v as well")
    return given


def _converted(robot: Robot, library: str, values: dict[str, Any]) -> Any:
    given = _vectors(robot, library, values, restored=False)
    parts = {name: [x[..., :0]] for name, x in given.items()}
    bodies = {b.joint.name: b for b in _own(robot)}
    for name in joint_order(robot, library):
        b, codec = bodies[name], _codec(bodies[name].joint, library)
        q = given["q"][..., b.coords]
        rest = {key: given[key][..., b.dofs] for key in given if key != "q"}
        if codec.basis and rest:
            B = codec.basis(q)
            if "a" in rest:
                rest["a"] = rest["a"] + codec.drift(rest["v"])
            rest = {key: (B @ x[..., None])[..., 0] for key, x in rest.items()}
        for key, x in {"q": codec.q_out(q), **rest}.items():
            parts[key].append(x)
    return _state({key: np.concatenate(x, axis=-1) for key, x in parts.items()})


def _restored(robot: Robot, library: str, values: dict[str, Any]) -> Any:
    given = _vectors(robot, library, values, restored=True)
    found = {
        key: np.empty((*x.shape[:-1], robot.model.nq if key == "q" else robot.model.nv)) for key, x in given.items()
    }
    bodies = {b.joint.name: b for b in _own(robot)}
    at_q = at_v = 0
    for name in joint_order(robot, library):
        b, codec = bodies[name], _codec(bodies[name].joint, library)
        width = _width(b.joint, library)
        q = codec.q_in(given["q"][..., at_q : at_q + width])
        rest = {key: given[key][..., at_v : at_v + b.joint.nv] for key in given if key != "q"}
        at_q, at_v = at_q + width, at_v + b.joint.nv
        if codec.basis and rest:
            B = np.swapaxes(codec.basis(q), -1, -2)
            rest = {key: (B @ x[..., None])[..., 0] for key, x in rest.items()}
            if "a" in rest:
                rest["a"] = rest["a"] - codec.drift(rest["v"])
        found["q"][..., b.coords] = q
        for key, x in rest.items():
            found[key][..., b.dofs] = x
    return _state(found)


def _state(parts: dict[str, Array]) -> Any:
    """The single array, or a NamedTuple of those that were given."""
    return next(iter(parts.values())) if len(parts) == 1 else result_type("State", tuple(parts))(**parts)


def _function(library: str, convert: Callable[..., Any], text: str) -> Callable[..., Any]:
    def function(robot: Robot, q: Any, v: Any = None, a: Any = None, tau: Any = None) -> Any:
        return convert(robot, library, {"q": q, "v": v, "a": a, "tau": tau})

    function.__doc__ = text
    return function


to_pinocchio = _function("pinocchio", _converted, "A state as Pinocchio writes it.")
from_pinocchio = _function("pinocchio", _restored, "A state that Pinocchio wrote.")
to_mujoco = _function("mujoco", _converted, "A state as MuJoCo writes it.")
from_mujoco = _function("mujoco", _restored, "A state that MuJoCo wrote.")
to_drake = _function("drake", _converted, "A state as Drake writes it.")
from_drake = _function("drake", _restored, "A state that Drake wrote.")
