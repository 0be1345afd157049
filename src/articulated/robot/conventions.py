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

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..algebra.scalars import Array, zeros
from ..errors import ArticulatedError, ShapeError
from ..model import Body, Model
from ..text import shortened
from .codecs import AS_HERE, Codec, joints_of
from .components import component_names
from .kernels import Kernel, Kernels
from .results import as_given, returning_as_given

Floats = NDArray[np.floating]
VECTORS = ("q", "v", "a", "tau")


class Robot(Protocol):
    """Anything that holds a model and the kernels made of it."""

    model: Model
    kernels: Kernels


def permutation(robot: Robot, library: str) -> Array:
    """Indices p with v_theirs = v[..., p], as far as only the order of the joints differs."""
    order = [np.arange(b.dofs.start, b.dofs.stop) for b, _ in joints_of(robot.model, library, refusing=False)]
    return np.concatenate([np.arange(0), *order])


# -- the algorithms: as many vectors out as were given ----------------------------------------


@returning_as_given
def theirs(model: Model, q: Array, library: str, v: Any = None, a: Any = None, tau: Any = None) -> Any:
    """Our q, v, a, tau in their coordinates."""
    given = {name: x for name, x in (("v", v), ("a", a), ("tau", tau)) if x is not None}
    parts: dict[str, list[Array]] = {name: [zeros(0)] for name in ("q", *given)}
    for b, codec in joints_of(model, library):
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
    for b, codec in joints_of(model, library):
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
    joints = joints_of(model, library)
    if "a" in names and "v" not in names and any(codec.basis for _, codec in joints):
        raise ArticulatedError("converting accelerations of a floating base takes the velocity v as well")
    width = sum(codec.width(b.joint.nq) for b, codec in joints)
    sizes = {name: model.nv if name != "q" else width if algorithm is ours else model.nq for name in names}
    vectors = robot.kernels.vectors
    if algorithm is ours:
        vectors = {name: vectors[name]._replace(names=_their_names(model, joints, name)) for name in names}
        vectors["q"] = vectors["q"]._replace(quaternions=_their_quaternions(joints))
    kernels = robot.kernels.under("conventions.", vectors)
    return kernels.kernel(kernels.request(method, algorithm, sizes, choices={"library": library}))


def _their_names(model: Model, joints: Sequence[tuple[Body, Codec]], name: str) -> tuple[str, ...]:
    """Component names in their order; none where a joint has other components there than here."""
    if any(codec is not AS_HERE for _, codec in joints):
        return ()
    ours = component_names(model, name)
    return tuple(part for b, _ in joints for part in ours[b.coords if name == "q" else b.dofs])


def _their_quaternions(joints: Sequence[tuple[Body, Codec]]) -> tuple[int, ...]:
    """Where quaternions begin in their q."""
    found, at = [], 0
    for b, codec in joints:
        if b.joint.quaternion is not None:
            found.append(at + (b.joint.quaternion.start if codec.quaternion is None else codec.quaternion))
        at += codec.width(b.joint.nq)
    return tuple(found)


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
    state, motion = f"{method}: q v", f"{method}: q v a"

    # `out` is not for its name alone: Python takes longer for such an argument than for the rest of this function
    def function(robot: Robot, q: Any, v: Any = None, a: Any = None, tau: Any = None, out: Any = None) -> Any:
        # the usual questions are recognised first: a dict and a text take longer than the conversion of a state
        if tau is None:
            if a is not None:
                if v is not None:
                    try:
                        fast = robot.kernels.converters[motion]
                    except (AttributeError, KeyError):
                        pass
                    else:
                        return fast(q, v, a) if out is None else fast(q, v, a, out=out)
            elif v is not None:
                try:
                    fast = robot.kernels.converters[state]
                except (AttributeError, KeyError):
                    pass
                else:
                    return fast(q, v) if out is None else fast(q, v, out=out)
        return general(robot, q, v, a, tau, out)

    def general(robot: Robot, q: Any, v: Any, a: Any, tau: Any, out: Any) -> Any:
        try:
            converters = robot.kernels.converters
        except AttributeError:
            raise ShapeError(f"{method} takes a robot first; got {shortened(repr(robot))}") from None
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
