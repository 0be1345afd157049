"""States in the order and the coordinates of other libraries, and back.

    q, v = art.conventions.to_mujoco(robot, q, v)

Each function takes and returns as many of q, v, a, tau as it is given (a NamedTuple, or the array
if it is q alone); leading axes are a batch; `out=` takes such a tuple.  They are compiled like any
method of the robot.  What differs, base first:

    here, Pinocchio   q = x y z, qx qy qz qw      v = linear, angular, both in body axes
    MuJoCo            q = x y z, qw qx qy qz      v = linear in world axes, angular in body axes
    Drake             q = qw qx qy qz, x y z      v = angular, linear, both in world axes

Pinocchio stores a continuous joint as (cos, sin) and sorts the joints of each link by name;
MuJoCo and Drake keep the order of the document, as we do.  A free joint is placed somewhere
(`<origin>`) here, in Pinocchio and in Drake, and its coordinates begin there; those of MuJoCo
are the pose in the world.
"""

from __future__ import annotations  # help shows types as they are written here

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..algebra.rotations import cross, quaternion, quaternion_product, to_quaternion
from ..algebra.scalars import Array, array, atan2, cos, exact_array, eye, sin, zeros
from ..errors import ArticulatedError, ShapeError
from ..joints import JOINTS
from ..model import Body, Link, Model
from ..text import shortened
from .arguments import choose
from .components import joint_components
from .kernels import Kernel, Kernels
from .results import as_given, returning_as_given

Floats = NDArray[np.floating]
VECTORS = ("q", "v", "a", "tau")


class Robot(Protocol):
    """Anything that holds a model and the kernels made of it."""

    model: Model
    kernels: Kernels


class Codec(NamedTuple):
    """How one library writes one kind of joint; every function takes the joint's body, too.

    With the orthogonal matrix B(q) of our q: v' = B v, tau' = B tau and a' = B (a + drift(v)).
    """

    q_out: Callable[[Body, Array], Array] = lambda b, q: q
    q_in: Callable[[Body, Array], Array] = lambda b, q: q
    basis: Callable[[Body, Array], Array] | None = None
    drift: Callable[[Array], Array] = lambda v: zeros(len(v))
    width: Callable[[int], int] = lambda nq: nq  # of their q


AS_HERE = Codec()


def _blocks(*rows: tuple[Any, ...]) -> Array:
    return np.block([[zeros(3, 3) if part is None else part for part in row] for row in rows])


def _swirl(v: Array) -> Array:
    """What world axes see of a body-axes velocity that turns with the body: omega × linear."""
    return np.concatenate([cross(v[3:], v[:3]), zeros(3)])


# -- MuJoCo: a free joint holds the pose in the world -----------------------------------------


def _in_the_world(b: Body) -> tuple[Array, Array, Array]:
    """Where a free joint begins: rotation, position, quaternion; MuJoCo frees only what hangs on the world."""
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


_CIRCLE = Codec(
    lambda b, q: array([*q[:-1], cos(q[-1]), sin(q[-1])]),
    lambda b, q: array([*q[:-2], atan2(q[-1], q[-2])]),
    width=lambda nq: nq + 1,
)
_PLANAR_IN_PARENT = Codec(basis=_turn, drift=_planar_swirl)

#: library -> kind of joint -> codec; the kinds of JOINTS that are not listed are written as here
LIBRARIES: dict[str, dict[str, Codec]] = {
    "pinocchio": {"continuous": _CIRCLE, "planar": _CIRCLE},
    "mujoco": {
        "floating": Codec(_free_out, _free_in, _world_linear, _swirl),
        "spherical": Codec(_pick(3, 0, 1, 2), _pick(1, 2, 3, 0)),
        "planar": _PLANAR_IN_PARENT,
    },
    "drake": {
        "floating": Codec(_pick(6, 3, 4, 5, 0, 1, 2), _pick(4, 5, 6, 1, 2, 3, 0), _angular_first, _swirl),
        "planar": _PLANAR_IN_PARENT,
    },
}


def joint_order(model: Model, library: str) -> list[str]:
    """The moving joints in the order of another library."""
    choose("permutation", "library", library, LIBRARIES)
    if library != "pinocchio":
        return list(model.joint_names)
    children: dict[str | None, list[Link]] = {}
    for link in model.links:
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
    order = [np.arange(b.dofs.start, b.dofs.stop) for b, _ in _joints(robot.model, library, refusing=False)]
    return np.concatenate([np.arange(0), *order])


def _joints(model: Model, library: str, refusing: bool = True) -> list[tuple[Body, Codec]]:
    """The joints in the order of the library, and how it writes each; an error for one it writes in no known way."""
    bodies = {b.joint.name: b for b in model.bodies if b.leader is b}
    found = [bodies[name] for name in joint_order(model, library)]
    for name, kind in ((b.joint.name, b.joint.kind) for b in found if refusing):
        if kind not in JOINTS:
            raise ArticulatedError(f"joint {name!r} is {kind}; nothing is known of how {library} writes that")
        if library == "drake" and kind == "spherical":
            raise ArticulatedError(f"Drake writes the ball joint {name!r} in roll-pitch-yaw; no converter for that")
    return [(b, LIBRARIES[library].get(b.joint.kind, AS_HERE)) for b in found]


# -- the algorithms: as many vectors out as were given ----------------------------------------


@returning_as_given
def theirs(model: Model, q: Array, library: str, v: Any = None, a: Any = None, tau: Any = None) -> Any:
    """Our q, v, a, tau in their coordinates."""
    given = {name: x for name, x in (("v", v), ("a", a), ("tau", tau)) if x is not None}
    parts: dict[str, list[Array]] = {name: [zeros(0)] for name in ("q", *given)}
    for b, codec in _joints(model, library):
        parts["q"].append(codec.q_out(b, q[b.coords]))
        rest = {name: x[b.dofs] for name, x in given.items()}
        if "a" in rest and codec.basis:
            rest["a"] = rest["a"] + codec.drift(rest["v"])
        B = codec.basis(b, q[b.coords]) if codec.basis and rest else None
        for name, x in rest.items():
            parts[name].append(x if B is None else B @ x)
    return as_given({name: np.concatenate(part) for name, part in parts.items()})


@returning_as_given
def ours(model: Model, q: Array, library: str, v: Any = None, a: Any = None, tau: Any = None) -> Any:
    """Their q, v, a, tau in our coordinates."""
    given = {name: x for name, x in (("v", v), ("a", a), ("tau", tau)) if x is not None}
    found = {"q": zeros(model.nq), **{name: zeros(model.nv) for name in given}}
    at_q = at_v = 0
    for b, codec in _joints(model, library):
        width, nv = codec.width(b.joint.nq), b.joint.nv
        own = codec.q_in(b, q[at_q : at_q + width])
        rest = {name: x[at_v : at_v + nv] for name, x in given.items()}
        if codec.basis and rest:
            B = codec.basis(b, own)
            rest = {name: B.T @ x for name, x in rest.items()}
            if "a" in rest:
                rest["a"] = rest["a"] - codec.drift(rest["v"])
        for name, x in {"q": own, **rest}.items():
            found[name][b.coords if name == "q" else b.dofs] = x
        at_q, at_v = at_q + width, at_v + nv
    return as_given(found)


# -- arrays in, arrays out --------------------------------------------------------------------


def _converter(robot: Robot, method: str, names: tuple[str, ...]) -> Kernel:
    """The kernel for those of q, v, a and tau that are given."""
    library = method.partition("_")[2]
    model, algorithm = robot.model, ours if method.startswith("from") else theirs
    joints = _joints(model, library)
    if "a" in names and "v" not in names and any(codec.basis for _, codec in joints):
        raise ArticulatedError("converting accelerations of a floating base takes the velocity v as well")
    width = sum(codec.width(b.joint.nq) for b, codec in joints)
    sizes = {name: model.nv if name != "q" else width if algorithm is ours else model.nq for name in names}
    vectors = robot.kernels.vectors
    if algorithm is ours:
        vectors = {name: vectors[name]._replace(names=_their_names(joints, name)) for name in names}
    kernels = robot.kernels.under("conventions.", vectors)
    return kernels.kernel(kernels.request(method, algorithm, sizes, choices={"library": library}))


def _their_names(joints: Sequence[tuple[Body, Codec]], name: str) -> tuple[str, ...]:
    """Component names in their order; none where a joint has other components there than here."""
    if any(codec is not AS_HERE for _, codec in joints):
        return ()
    return tuple(part for b, _ in joints for part in joint_components(b.joint, name))


class TwoVectors(NamedTuple):
    """A state of two vectors."""

    q: Floats
    v: Floats


class ThreeVectors(NamedTuple):
    """A state of three vectors."""

    q: Floats
    v: Floats
    a: Floats


class FourVectors(NamedTuple):
    """A state of four vectors."""

    q: Floats
    v: Floats
    a: Floats
    tau: Floats


class Converter(Protocol):
    """As many of q, v, a and tau as are given."""

    @overload
    def __call__(self, robot: Robot, q: ArrayLike, *, out: Any = None) -> Floats: ...

    @overload
    def __call__(self, robot: Robot, q: ArrayLike, v: ArrayLike, *, out: Any = None) -> TwoVectors: ...

    @overload
    def __call__(self, robot: Robot, q: ArrayLike, v: ArrayLike, a: ArrayLike, *, out: Any = None) -> ThreeVectors: ...

    @overload
    def __call__(
        self, robot: Robot, q: ArrayLike, v: ArrayLike, a: ArrayLike, tau: ArrayLike, *, out: Any = None
    ) -> FourVectors: ...

    @overload
    def __call__(
        self,
        robot: Robot,
        q: ArrayLike,
        v: ArrayLike | None = None,
        a: ArrayLike | None = None,
        tau: ArrayLike | None = None,
        *,
        out: Any = None,
    ) -> Any: ...


def _function(method: str, text: str) -> Converter:
    usual = f"{method}: q v a"

    def function(robot: Robot, q: Any, v: Any = None, a: Any = None, tau: Any = None, *, out: Any = None) -> Any:
        try:
            converters = robot.kernels.converters
        except AttributeError:
            raise ShapeError(f"{method} takes a robot first; got {shortened(repr(robot))}") from None
        # the usual question is recognised first: a dict and a text take longer than the conversion of a state
        if tau is None and a is not None and v is not None and usual in converters:
            return converters[usual](q, v, a) if out is None else converters[usual](q, v, a, out=out)
        given = {name: x for name, x in zip(VECTORS, (q, v, a, tau), strict=True) if name == "q" or x is not None}
        key = f"{method}: {' '.join(given)}"
        options = {} if out is None else {"out": out}
        if key in converters:
            return converters[key](*given.values(), **options)
        kernel = _converter(robot, method, tuple(given))
        found = kernel.call(*given.values(), **options)
        converters[key] = kernel.call  # machine code by now, where there is any
        return found

    function.__name__, function.__doc__ = method, text
    return function


HELP = """

    robot: the Robot whose state it is
    q: configuration, (…, nq): {given}
    v: velocity, (…, nv)
    a: acceleration, (…, nv)
    tau: generalized forces, (…, nv)
    out: arrays for the results, as they are returned

Returns: {found}: q alone, or a NamedTuple of what was given.

>>> import articulated as art
>>> dog = art.load("quadruped", floating_base=True)
>>> q, v = art.conventions.{name}(dog, {q}, [0.0] * 18)
>>> q[:7].tolist()
{seen}
"""
#: a base that is not turned, in the coordinates of each library
UNTURNED = {
    "pinocchio": [0, 0, 0, 0, 0, 0, 1],
    "mujoco": [0, 0, 0, 1, 0, 0, 0],
    "drake": [1, 0, 0, 0, 0, 0, 0],
}


def _help(name: str, title: str) -> str:
    """The text of a converter, with an example."""
    way, _, library = name.partition("_")
    theirs, ours = f"as {title} writes it", "as here"
    given, found = (ours, theirs) if way == "to" else (theirs, ours)
    q = "dog.neutral()" if way == "to" else f"{UNTURNED[library]} + [0.0] * 12"
    seen = [float(x) for x in UNTURNED[library if way == "to" else "pinocchio"]]
    sentence = f"A state as {title} writes it." if way == "to" else f"A state that {title} wrote, as we write it."
    return sentence + HELP.format(given=given, found=found, name=name, q=q, seen=seen)


to_pinocchio = _function("to_pinocchio", _help("to_pinocchio", "Pinocchio"))
from_pinocchio = _function("from_pinocchio", _help("from_pinocchio", "Pinocchio"))
to_mujoco = _function("to_mujoco", _help("to_mujoco", "MuJoCo"))
from_mujoco = _function("from_mujoco", _help("from_mujoco", "MuJoCo"))
to_drake = _function("to_drake", _help("to_drake", "Drake"))
from_drake = _function("from_drake", _help("from_drake", "Drake"))
