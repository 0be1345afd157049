"""Converters between our states and those of other libraries."""

from __future__ import annotations  # help shows types as they are written here

from collections.abc import Iterator, Mapping, Sequence
from inspect import signature
from typing import Any

import numpy as np

from ...algebra.scalars import Array, zeros
from ...errors import ArticulatedError, ShapeError
from ...inputs.choices import flag
from ...model import Body, Model
from ...text import shortened
from ..arguments.arrays import vectors_of
from ..arguments.state_names import component_names
from ..kernels import Kernel
from ..request import as_given, returning_as_given
from . import mimic_joints
from .codecs import AS_HERE, CIRCLE, Codec, joint_order, joints_of

VECTORS = ("q", "v", "a", "tau")


def permutation(robot: Any, library: str) -> Array:
    """Indices p with v_theirs = v[..., p], as far as only the order of the joints differs; mimic joints not counted."""
    own = {b.joint.name: np.arange(b.dofs.start, b.dofs.stop) for b in robot.model.independent}
    order = joint_order(robot.model.unmimicked, library)
    return np.concatenate([np.arange(0), *(own[name] for name in order if name in own)])


# -- the algorithms: as many vectors out as were given ----------------------------------------


@returning_as_given
def theirs(model: Model, q: Array, library: str, mimic: bool, v: Any = None, a: Any = None, tau: Any = None) -> Any:
    """Our q, v, a, tau in their coordinates; with `mimic` joints that follow another have none there, either."""
    given = _given(q, v, a, tau)
    given = given if mimic else mimic_joints.spread(model, given)
    parts: dict[str, list[Array]] = {name: [zeros(0)] for name in given}
    for b, codec in joints_of(model, library, mimic):
        own = given["q"][b.coords]
        parts["q"].append(codec.q_out(b, own))
        rest = {name: x[b.dofs] for name, x in given.items() if name != "q"}
        if "a" in rest and codec.basis:
            rest["a"] = rest["a"] + codec.drift(rest["v"])
        B = codec.basis(b, own) if codec.basis and rest else None
        for name, x in rest.items():
            parts[name].append(x if B is None else B @ x)
    return as_given({name: np.concatenate(part) for name, part in parts.items()})


@returning_as_given
def ours(model: Model, q: Array, library: str, mimic: bool, v: Any = None, a: Any = None, tau: Any = None) -> Any:
    """The other library's q, v, a, tau in our coordinates."""
    given, free = _given(q, v, a, tau), model if mimic else model.unmimicked
    joints = joints_of(model, library, mimic)
    found = {name: zeros(free.nq if name == "q" else free.nv) for name in given}
    for b, codec, theirs_q, theirs_v in _places(joints):
        own = codec.q_in(b, given["q"][theirs_q])
        rest = {name: x[theirs_v] for name, x in given.items() if name != "q"}
        if codec.basis and rest:
            B = codec.basis(b, own)
            rest = {name: B.T @ x for name, x in rest.items()}
            if "a" in rest:
                rest["a"] = rest["a"] - codec.drift(rest["v"])
        for name, x in {"q": own, **rest}.items():
            found[name][b.coords if name == "q" else b.dofs] = x
    circles = {b.joint.name for b, codec in joints if codec is CIRCLE}  # their angles have no whole turns there
    return as_given(found if mimic else mimic_joints.gathered(model, found, circles))


def _places(joints: Sequence[tuple[Body, Codec]]) -> Iterator[tuple[Body, Codec, slice, slice]]:
    """Each joint with its parts of their q and of their v."""
    at_q = at_v = 0
    for b, codec in joints:
        width, nv = codec.width(b.joint.nq), b.joint.nv
        yield b, codec, slice(at_q, at_q + width), slice(at_v, at_v + nv)
        at_q, at_v = at_q + width, at_v + nv


def _given(*vectors: Any) -> Mapping[str, Array]:
    return {name: x for name, x in zip(VECTORS, vectors, strict=True) if x is not None}


# -- arrays in, arrays out --------------------------------------------------------------------


def _converter(
    robot: Any, method: str, names: tuple[str, ...], mimic: bool, tolerance: float
) -> Kernel | mimic_joints.Following:
    """The kernel for those of q, v, a and tau that are given."""
    way, _, library = method.partition("_")
    model, joints = robot.model, joints_of(robot.model, library, mimic)
    if "a" in names and "v" not in names and any(codec.basis for _, codec in joints):
        raise ArticulatedError("converting accelerations of a floating base takes the velocity v as well")
    vectors, choices = robot.kernels.vectors, {"library": library, "mimic": mimic}
    if way == "to":
        kernels = robot.kernels.under("conventions.", vectors)
        return kernels.kernel(kernels.request(method, theirs, names, choices=choices))
    free = model if mimic else model.unmimicked
    vectors = {name: vectors_of(free)[name]._replace(names=_their_names(free, joints, name)) for name in names}
    vectors["q"] = vectors["q"]._replace(size=sum(codec.width(b.joint.nq) for b, codec in joints))
    kernels = robot.kernels.under("conventions.", vectors)
    kernel = kernels.kernel(kernels.request(method, ours, names, choices=choices))
    if free is model:
        return kernel
    # forces are added up, they cannot disagree
    back = _converter(robot, f"to_{library}", names, mimic, tolerance)
    leaders = {b.joint.name: b for b in model.bodies}
    followers = [
        mimic_joints.Follower(name, theirs_q if name == "q" else theirs_v, leaders[b.joint.name])
        for b, _, theirs_q, theirs_v in _places(joints)
        if leaders[b.joint.name].leader is not leaders[b.joint.name]
        for name in names
        if name != "tau"
    ]
    return mimic_joints.Following(kernel, back, followers, tolerance)


def _without_followers(robot: Any, method: str, q: Any, mimic: Any) -> bool:
    """True if mimic joints have no numbers in their vectors: Pinocchio can do both, and which is seen from their q."""
    if method == "to_pinocchio":
        return flag("conventions.to_pinocchio: mimic", True if mimic is None else mimic)
    if mimic is not None:
        raise TypeError(f"{method}() got an unexpected keyword argument 'mimic'")
    if not _of_two_lengths(robot, method):
        return False
    few = joints_of(robot.model, "pinocchio", mimic=True)
    return _length(q) == sum(codec.width(b.joint.nq) for b, codec in few)


def _of_two_lengths(robot: Any, method: str) -> bool:
    """True if their q may have numbers for mimic joints, or not."""
    return method == "from_pinocchio" and robot.model.unmimicked is not robot.model


def _length(q: Any) -> int:
    """Length of the last axis of arrays and nested lists; 0 for anything else, which is refused later."""
    while isinstance(q, (list, tuple)) and q and (isinstance(q[0], (list, tuple)) or getattr(q[0], "shape", ())):
        q = q[0]
    shape = (len(q),) if isinstance(q, (list, tuple)) else getattr(q, "shape", ())
    return shape[-1] if shape else 0


def _their_names(model: Model, joints: Sequence[tuple[Body, Codec]], name: str) -> tuple[str, ...]:
    """Component names in their order; none where a joint has other components there than here."""
    if any(codec is not AS_HERE for _, codec in joints):
        return ()
    ours = component_names(model, name)
    return tuple(part for b, _ in joints for part in ours[b.coords if name == "q" else b.dofs])


def _converted(method: str, robot: Any, q: Any, v: Any, a: Any, tau: Any, out: Any, tolerance: Any, mimic: Any) -> Any:
    """The long way: the converter for these vectors is looked up, or made, and the options are checked."""
    if tolerance is not None and not method.startswith("from"):
        raise TypeError(f"{method}() got an unexpected keyword argument 'tolerance'")
    try:
        converters = robot.kernels.converters
    except AttributeError:
        raise ShapeError(f"{method} takes a robot first; got {shortened(repr(robot))}") from None
    given = {name: x for name, x in zip(VECTORS, (q, v, a, tau), strict=True) if name == "q" or x is not None}
    few = _without_followers(robot, method, q, mimic)
    # keys without options are those that `function` below looks up; it never may where q has two possible lengths
    usual = mimic is None and not _of_two_lengths(robot, method)
    key = f"{method}: {' '.join(given)}" + ("" if usual else f" {few}")
    options = {} if out is None else {"out": out}
    if key in converters and tolerance is None:
        return converters[key](*given.values(), **options)
    kernel = _converter(robot, method, tuple(given), few, mimic_joints.tolerated(method, tolerance))
    found = kernel.call(*given.values(), **options)
    if tolerance is None:
        converters[key] = kernel.call  # machine code by now, where there is any
    return found


def _function(method: str, title: str) -> Any:
    """A converter under its public name, which Python's messages, `help` and pickle know it by."""
    state, motion = f"{method}: q v", f"{method}: q v a"

    # `out` is not for its name alone: Python takes longer for such an argument than for the rest of this function
    def function(
        robot: Any,
        q: Any,
        v: Any = None,
        a: Any = None,
        tau: Any = None,
        out: Any = None,
        tolerance: Any = None,
        mimic: Any = None,
    ) -> Any:
        # the usual questions are recognized first: a dict and a text take longer than the conversion of a state
        if v is not None and tau is None and tolerance is None and mimic is None:
            given = (q, v) if a is None else (q, v, a)
            try:
                fast = robot.kernels.converters[state if a is None else motion]
            except (AttributeError, KeyError):
                pass
            else:
                return fast(*given) if out is None else fast(*given, out=out)
        return _converted(method, robot, q, v, a, tau, out, tolerance, mimic)

    function.__name__ = function.__qualname__ = method
    function.__doc__ = _help(method, title)
    taken = signature(function)
    own = {"tolerance": method.startswith("from"), "mimic": method == "to_pinocchio"}
    kept = [p for p in taken.parameters.values() if own.get(p.name, True)]
    function.__signature__ = taken.replace(parameters=kept)  # type: ignore[attr-defined]
    return function


HELP = """

    robot: the Robot whose state it is
    q: configuration, (…, nq): {given}
    v: velocity, (…, nv)
    a: acceleration, (…, nv)
    tau: generalized forces, (…, nv)
    out: arrays for the results, as they are returned{more}

Returns: {found}: q alone, or a NamedTuple of what was given.

>>> dog = art.load("quadruped", floating_base=True)
>>> q, v = art.conventions.{name}(dog, {q}, [0.0] * 18)
>>> q[:7].tolist()
{seen}
"""
MORE = {
    "to_pinocchio": "\n    mimic: as Pinocchio was told when it read the model; False: mimic joints are as any other",
    "from": "\n    tolerance: by how much a mimic joint may not follow, relative to 1 + its size; 1e-6 if not given",
}
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
    return sentence + HELP.format(
        given=given, found=found, name=name, q=q, seen=seen, more=MORE.get(name, MORE.get(way, ""))
    )


to_pinocchio = _function("to_pinocchio", "Pinocchio")
from_pinocchio = _function("from_pinocchio", "Pinocchio")
to_mujoco = _function("to_mujoco", "MuJoCo")
from_mujoco = _function("from_mujoco", "MuJoCo")
to_drake = _function("to_drake", "Drake")
from_drake = _function("from_drake", "Drake")
