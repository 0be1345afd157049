"""A tree with other numbers in its bodies, to run algorithms on; its links stay as they are."""

from collections.abc import Callable, Mapping
from typing import Any

from ..algebra.scalars import Array, array, is_zero, zeros
from ..algebra.spatial import Inertia, Transform
from .links import Body, Draft, Frame
from .model import Model
from .parameters import symmetric


def twin(
    model: Model,
    changes: Callable[[Body], Mapping[str, Any]],
    placed: Callable[[Frame], Transform] = lambda frame: frame.placement,
    **settings: Any,
) -> Model:
    """The tree with the fields `changes(body)` of each body, other placements of frames, and its own `settings`."""
    twins: dict[Body | None, Draft] = {}
    for b in model.bodies:
        twins[b] = _draft(b, changes(b))
        twins[b].parent = twins.get(b.parent)
    for b in model.bodies:
        twins[b].leader = twins[b.leader]
    frames = {f.name: Frame(f.name, twins.get(f.body), placed(f)) for f in model.frames.values()}
    # what a model keeps of its own accord is found anew
    fields = {name: getattr(model, name) for name in Model.__annotations__}
    other = object.__new__(Model)
    other.__setstate__({**fields, "bodies": tuple(t.finished() for t in twins.values()), "frames": frames, **settings})
    return other


def with_parameters(model: Model, parameters: Array) -> Model:
    """The tree whose bodies have these inertial parameters, ten each.

    If more numbers follow, the first of them are the armature of every body, then damping, dry friction, stiffness.
    """
    count = len(model.bodies)
    more = parameters[10 * count : 14 * count].reshape(-1, count)

    def inertia(b: Body) -> Mapping[str, Any]:
        mass, mx, my, mz, *second = parameters[10 * b.index - 10 : 10 * b.index]
        resistances = dict(zip(("armature", "damping", "friction", "stiffness"), more[:, b.index - 1], strict=False))
        return {"inertia": Inertia.computed(mass, array([mx, my, mz]), symmetric(second)), **resistances}

    return _both(model, inertia)


def with_armature(model: Model, added: Array) -> Model:
    """The tree with more rotor inertia at its joints, (nv,): of a joint, that of its first velocity."""
    more = {b.index: added[b.dofs.start] for b in model.independent if b.joint.nv}

    def rotor(b: Body) -> Mapping[str, Any]:
        return {"armature": b.armature + more[b.index]} if b.index in more else {}

    return _both(model, rotor)


def slack(model: Model) -> Model:
    """The tree without springs."""
    if not model.springs and all(is_zero(b.stiffness) for b in model.bodies):
        return model
    return _both(model, lambda b: {"stiffness": 0}, springs=())


def weightless(model: Model) -> Model:
    """The tree without gravity and springs: the inverse dynamics of a motion from rest are M a."""
    return _both(slack(model), lambda b: {}, gravity=zeros(3))


def _both(model: Model, changes: Callable[[Body], Mapping[str, Any]], **settings: Any) -> Model:
    """A twin whose tree with free mimic joints, where bodies are the same, is a twin as well."""
    if (free := model.unmimicked) is not model:
        settings |= {"unmimicked": twin(free, changes, **settings)}
    return twin(model, changes, **settings)


def with_outside(model: Model, numbers: Mapping[str, Any]) -> Model:
    """The tree with the `parameters` and the `implicit` gains that a step is given, if it is given any."""
    if "parameters" in numbers:
        model = with_parameters(model, numbers["parameters"])
    return with_armature(model, numbers["implicit"]) if "implicit" in numbers else model


def _draft(b: Body, changes: Mapping[str, Any]) -> Draft:
    """A copy of the body, to be changed until it is finished."""
    draft = Draft()
    for name in Body.__slots__:
        setattr(draft, name, changes[name] if name in changes else getattr(b, name))
    return draft
