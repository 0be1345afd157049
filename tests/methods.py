"""The methods that compute, read from `Robot` and `Contacts`, and arguments for them by name.

A method that is new is in every test that runs on all of them; if it takes something unknown, they fail until its name
is listed here.
"""

import inspect
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

import articulated as art
from articulated.algorithms.forward_dynamics import METHODS
from articulated.model.shapes import Sphere
from articulated.robot.quantities import OPTIONS as EVERY
from articulated.robot.quantities import QUANTITIES

Owner = art.Robot | art.Contacts
Shape = tuple[int, ...]

CONFIGURATIONS = ("q", "q0", "q1")
VELOCITIES = ("v", "dv", "a", "a0", "tau")
#: other values of optional arguments than the default, or how they are made
OPTIONS: dict[str, Any] = {
    "axes": ["frame", "spatial"],
    "at": ["center_of_mass"],
    "by_body": [True],
    "spatial": [True],
    "method": list(METHODS),
    "factorization": ["body_jacobian", "nonskew"],
    "force_axes": ["world", "spatial"],
    "directions": [("x", "y", "z"), ("rz",)],
    "kind": [],
    "friction": [["viscous", "coulomb", "offset", "armature", "spring", "stribeck"], True],
    "wrenches": lambda robot, rng, shape: [[robot.frame_names[-1]]],
    "sensors": lambda robot, rng, shape: [[k.name for k in robot.links if k.parent and not k.joint.nv][:1]],
    "obstacles": [(Sphere(0.1, placement=art.Transform(p=(2, 0, 0))),)],
    "start": lambda robot, rng, shape: [],
    "dt": [0.01],
    "frames": lambda robot, rng, shape: [robot.frame_names[-2:], []],
    "a": lambda robot, rng, shape: [rng.normal(size=(*shape, robot.nv))],
    "forces": lambda robot, rng, shape: [{robot.frame_names[-1]: rng.normal(size=(*shape, 6))}],
    "base_velocity": lambda robot, rng, shape: [rng.normal(size=(*shape, 6))],
    "base_acceleration": lambda robot, rng, shape: [rng.normal(size=(*shape, 6))],
}

#: public methods for who writes a recursion or a joint: their help is a sentence
FOR_RECURSIONS = {
    "arrival", "bending", "computed", "exact", "exact_matrix", "from_spread", "halfway", "midway", "momenta", "sample",
    "split", "steadied", "straight", "stretch", "tensor_out",
}  # fmt: skip


def public(kind: type) -> dict[str, list[inspect.Parameter]]:
    """The parameters of its public methods."""
    members = [(n, f) for n, f in inspect.getmembers(kind, inspect.isfunction) if n[0] != "_"]
    own = [(n, f) for n, f in members if f.__module__.startswith("articulated")]  # not those of Python's base classes
    return {n: list(inspect.signature(f).parameters.values())[1:] for n, f in own}


def methods(kind: type) -> dict[str, list[inspect.Parameter]]:
    """Public methods that cannot be called without an array."""
    return {name: taken for name, taken in public(kind).items() if any(map(_is_array, taken))}


def _is_array(parameter: inspect.Parameter) -> bool:
    return parameter.annotation in (ArrayLike, "ArrayLike") and parameter.default is parameter.empty


ROBOT, CONTACTS = methods(art.Robot), methods(art.Contacts)
#: those that kernels evaluate: any leading shape, out=, dtype=, threads=
EVALUATED = list(QUANTITIES)


def arguments(owner: Owner, name: str, rng: np.random.Generator, shape: Shape = ()) -> dict[str, Any]:
    """Random values for what a method cannot do without; contacts are pulled to their anchors."""
    kind = art.Robot if isinstance(owner, art.Robot) else art.Contacts
    given = {needed: _value(owner, needed, rng, shape) for needed in required(kind, name)}
    pulled = "anchors" in given and any(p.name == "baumgarte" for p in methods(kind)[name])
    return {**given, "baumgarte": 5.0} if pulled else given


def required(kind: type, name: str) -> list[str]:
    """The arguments a method cannot do without; where the contacts were made is one of them."""
    positional = [p for p in methods(kind)[name] if p.kind is p.POSITIONAL_OR_KEYWORD]
    return [p.name for p in positional if p.default is p.empty or p.name == "anchors"]


def _value(owner: Owner, name: str, rng: np.random.Generator, shape: Shape) -> Any:
    robot = owner if isinstance(owner, art.Robot) else owner.robot
    if name in CONFIGURATIONS:
        return robot.random(rng, shape)
    if name == "frame":
        return robot.frame_names[-1]
    if isinstance(owner, art.Contacts):
        if name == "anchors":
            return owner.poses(robot.random(rng, shape))
        sizes = {**dict.fromkeys(VELOCITIES, robot.nv), "tau": len(owner.actuated), "forces": owner.k}
    else:
        sizes = dict.fromkeys(VELOCITIES, robot.nv)
    if name == "x":
        return robot.random(rng, shape)
    if name not in sizes:
        raise KeyError(f"a method takes {name}; give it a value in tests/methods.py")
    return rng.normal(size=(*shape, sizes[name]))


def variants(robot: art.Robot, name: str, rng: np.random.Generator, shape: Shape = ()) -> Iterator[dict[str, Any]]:
    """Each optional argument of a robot's method with each value that is not its default."""
    for p in (p for p in ROBOT[name] if p.default is not p.empty and p.name not in (*EVERY, "parameters")):
        if p.name not in OPTIONS:
            raise KeyError(f"{name} takes {p.name}=; give it values in tests/methods.py")
        values = OPTIONS[p.name]
        choices = values(robot, rng, shape) if callable(values) else values
        yield from ({p.name: x} for x in choices if p.default is None or x != p.default)


def results(found: Any) -> tuple[np.ndarray, ...]:
    """Results of a method as a tuple of arrays, whether it is one or many."""
    found = tuple(found.values()) if isinstance(found, dict) else found
    return tuple(map(np.asarray, found)) if isinstance(found, tuple) else (np.asarray(found),)
