"""States by the names of joints: where each joint is in q and v, and arrays from names and back."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...algorithms import configuration
from ...algorithms.configuration import ranges
from ...errors import NoSuchAttribute, ShapeError, unknown
from ...inputs.choices import choose, floats
from ...model import Model
from ...text import aligned, html_block, html_table, shortened
from ..numeric import numbers, numeric
from .arrays import Vector, as_vectors, check_batches
from .state_names import component_names

Floats = NDArray[np.floating]


class JointIndex(NamedTuple):
    """Place of a joint: its coordinates in q, its velocities in v, a and tau."""

    q: slice
    v: slice


class JointLimits(NamedTuple):
    """Limits of every coordinate and velocity; infinite where there is none."""

    lower: Floats  # (nq,), rad or m
    upper: Floats  # (nq,)
    velocity: Floats  # (nv,), rad/s or m/s
    effort: Floats  # (nv,), N m or N


def joint_index(model: Model, name: Any) -> JointIndex:
    """The slices of a joint; those of the joint it follows for a mimic joint."""
    joints = {b.joint.name: b for b in model.bodies}
    if not isinstance(name, str) or name not in joints:
        raise unknown("joint", name, model.name, joints)
    return JointIndex(joints[name].coords, joints[name].dofs)


def joint_limits(model: Model) -> JointLimits:
    """The limits of the joints that have coordinates of their own; a joint that others follow keeps to theirs."""
    lower, upper, velocity, effort = [], [], [], []
    for b, own in numeric(model, ranges)(model=model).items():
        lower += [own.lower] * b.joint.nq
        upper += [own.upper] * b.joint.nq
        velocity += [own.velocity] * b.joint.nv
        effort += [b.joint.limits.effort] * b.joint.nv
    return JointLimits(*(numbers(model, x) for x in (lower, upper, velocity, effort)))


def from_names(model: Model, method: str, values: Any, start: Any, kind: Literal["q", "v"]) -> Floats:
    """The array with these values by joint, or by component (`floating_base_z`); the rest as in `start`.

    Values may be arrays: their leading axes broadcast.
    """
    if not isinstance(values, Mapping):
        raise ShapeError(f"{method} takes values by joint, {{joint: value}}; got {shortened(repr(values))}")
    size = model.nq if kind == "q" else model.nv
    first = _start(model, method, start, kind, size)
    places = _places(model, kind)
    parts = {}
    given: dict[int, str] = {}
    for name, value in values.items():
        if name not in places:
            for b in model.bodies:
                if b.joint.mimic and b.joint.name == name:
                    raise ShapeError(f"{method}: {name!r} follows {b.joint.mimic.joint!r}; give the value of that")
            raise unknown("joint", name, model.name, places)
        for k in range(places[name].start, places[name].stop):
            if given.setdefault(k, name) != name:
                raise ShapeError(f"{method}: {name!r} and {given[k]!r} give the same number")
        parts[name] = _part(method, name, value, places[name])
    shape = check_batches(method, {"start": first, **parts})
    out = np.array(np.broadcast_to(first, (*shape, size)))
    for name, x in parts.items():
        out[..., places[name]] = x
    return out


def by_names(model: Model, method: str, x: Any, kind: Literal["q", "v"]) -> dict[str, Any]:
    """The part of each joint: a float, or an array for a batch or a joint with several numbers."""
    choose(method, "kind", kind, ("q", "v"))
    size, what = (model.nq, "coordinates") if kind == "q" else (model.nv, "one per velocity")
    names = tuple(component_names(model, kind))
    array = as_vectors(method, model.name, kind, x, Vector(size, what, names=names))
    found: dict[str, Any] = {}
    for b in model.independent:
        part = array[..., b.coords if kind == "q" else b.dofs]
        part = part[..., 0] if part.shape[-1] == 1 else part
        found[b.joint.name] = float(part) if part.ndim == 0 else part.copy()
    return found


class Poses(Mapping[str, Floats]):
    """The named poses of a robot: `robot.poses["home"]` is a configuration, (nq,)."""

    def __init__(self, model: Model):
        self._model = model

    def __getitem__(self, name: str) -> Floats:
        if not isinstance(name, str) or name not in self._model.poses:
            raise unknown("pose", name, self._model.name, self._model.poses)
        q = numbers(self._model, configuration.neutral(self._model))
        pose = self._model.poses[name]
        for b in self._model.independent:
            if len(pose.get(b.joint.name, ())) == b.joint.nq:
                q[b.coords] = pose[b.joint.name]
        return q

    def _missing(self, name: str) -> Any:
        poses = self._model.poses if "_model" in vars(self) else ()  # while it is copied there is none
        raise NoSuchAttribute("Poses", name, [], {pose: f"robot.poses[{pose!r}]" for pose in poses})

    if not TYPE_CHECKING:  # a type checker would take it for every name there could be
        __getattr__ = _missing

    def __iter__(self) -> Iterator[str]:
        return iter(self._model.poses)

    def __len__(self) -> int:
        return len(self._model.poses)

    def _repr_html_(self) -> str:
        """The states in a notebook: a column for each pose."""
        columns = [[f"{x:.6g}" for x in self[name]] for name in self]
        rows = [list(row) for row in zip(component_names(self._model, "q"), *columns, strict=True)]
        return html_block("", html_table(["", *self], rows)) if columns else "no poses"

    def __repr__(self) -> str:
        columns = [[f"{x:.6g}" for x in self[name]] for name in self]
        rows = list(zip(map(shortened, component_names(self._model, "q")), *columns, strict=True))
        return "\n".join(aligned(["", *map(shortened, self)], rows)) if columns else "no poses"


def _places(model: Model, kind: str) -> dict[str, slice]:
    """Slices of joints and of single components."""
    single = {name: slice(k, k + 1) for k, name in enumerate(component_names(model, kind))}
    return {**single, **{b.joint.name: b.coords if kind == "q" else b.dofs for b in model.independent}}


def _start(model: Model, method: str, start: Any, kind: str, size: int) -> Floats:
    if start is None:
        return numbers(model, configuration.neutral(model)) if kind == "q" else np.zeros(size)
    names = tuple(component_names(model, kind))
    return as_vectors(method, model.name, "start", start, Vector(size, f"the {kind} to start from", names=names))


def _part(method: str, name: str, value: Any, place: slice) -> Floats:
    """Values of one joint, (…, its numbers)."""
    x, count = floats(f"{method}: {name}", value), place.stop - place.start
    if count == 1:
        return x[..., None]
    if x.ndim == 0 or x.shape[-1] != count:
        raise ShapeError(f"{method}: {name} has {count} numbers, (…, {count}); got {x.shape}")
    return x
