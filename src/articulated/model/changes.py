"""Trees made of trees: a further frame, something attached, a part on its own.  Each is a new tree."""

from dataclasses import replace
from math import pi
from typing import Any

import numpy as np

from ..algebra.spatial import IDENTITY, Inertia, Transform
from ..errors import Diagnostic, ModelError, unknown
from ..joints import Fixed
from ..text import shortened
from . import lines
from .links import Link
from .model import Model
from .shapes import Sphere

#: color of payloads
PAYLOAD = (0.85, 0.45, 0.15)


def with_frame(model: Model, name: Any, on: Any, placement: Any) -> Model:
    """The tree with a frame called `name` at `placement` in the link or frame `on`."""
    if not isinstance(name, str) or not name:
        raise ModelError(f"add_frame: the name of a frame is a text; got {shortened(repr(name))}")
    if name in model.frames:
        raise ModelError(f"add_frame: {model.name} has a frame called {name!r} already")
    link, offset = _place(model, on)
    frame = (name, offset @ placed("add_frame", placement))
    return model.changed(k.replace(frames=(*k.frames, frame)) if k is link else k for k in model.links)


def attached(model: Model, on: Any, what: Any, placement: Any, name: Any, prefix: Any) -> Model:
    """The tree with a payload or with another tree on a link or frame."""
    if not isinstance(name, str) or not name or not isinstance(prefix, str):
        raise ModelError(f"attach: name and prefix are texts; got {shortened(repr(name))}, {shortened(repr(prefix))}")
    if isinstance(what, Inertia):
        return _with_payload(model, on, what, placement, name)
    if isinstance(what, Model):
        return _with_tree(model, on, what, placement, prefix)
    raise ModelError(f"attach takes what: an Inertia or a Robot; got {shortened(repr(what))}")


def _with_payload(model: Model, on: Any, inertia: Inertia, placement: Any, name: str) -> Model:
    """The tree with a body welded to the link or frame `on`; it is a link called `name`."""
    link, offset = _place(model, on)
    payload = Link(
        name, link.name, Fixed(name=name), offset @ placed("attach", placement), inertia, shapes=_ball(inertia)
    )
    _refuse_taken(model, [payload], "name")
    return model.changed([*model.links, payload])


def _ball(inertia: Inertia) -> tuple[Sphere, ...]:
    """Shape of a payload: a ball of water of its mass at its center of mass; none for symbols."""
    try:
        mass, center = float(inertia.mass), [float(x) for x in inertia.com]
    except (TypeError, ZeroDivisionError):
        return ()
    radius = (3 * max(mass, 0.0) / (4 * pi * 1000.0)) ** (1 / 3)
    return (Sphere(radius, placement=Transform(p=center), color=PAYLOAD),) if radius else ()


def _with_tree(model: Model, on: Any, other: Model, placement: Any, prefix: str) -> Model:
    """The tree with another one whose root hangs on the link or frame `on` as it hung on the world."""
    link, offset = _place(model, on)
    grafted = renamed(other, prefix, link.name, offset @ placed("attach", placement))
    _refuse_taken(model, grafted, "prefix")
    poses = {name: dict(pose) for name, pose in model.poses.items()}
    for name, pose in other.poses.items():
        poses[name] = {**{prefix + joint: x for joint, x in pose.items()}, **poses.get(name, {})}
    theirs = (renamed_finding(d, prefix) for d in other.report)
    report = (*model.report, *(d for d in theirs if d not in model.report))
    allowed = [*model.allowed_collisions, *({prefix + x for x in pair} for pair in other.allowed_collisions)]
    more = {"poses": poses, "report": report, "allowed_collisions": allowed, **_lines(model, other, prefix)}
    return model.changed([*model.links, *grafted], **more)


def _lines(model: Model, other: Model, prefix: str) -> dict[str, Any]:
    """Springs and actuators of both; a point of the other's world would have to move along."""
    found: dict[str, Any] = {}
    for kind in lines.LINES:
        for line in getattr(other, kind):
            if not all(isinstance(end, str) for end in line[:2]):
                raise ModelError(f"attach: {shortened(repr(line))} ends at a point of the world; add a frame for it")
        found[kind] = (*getattr(model, kind), *(lines.renamed(line, prefix) for line in getattr(other, kind)))
    return found


def renamed(model: Model, prefix: str, on: str, at: Transform) -> list[Link]:
    """Links of a tree with a prefix before their names; its root hangs on the link `on` as it hung on the world."""
    found = []
    for k in model.links:
        mimic = k.joint.mimic and k.joint.mimic._replace(joint=prefix + k.joint.mimic.joint)
        joint = k.joint.replace(name=prefix + (k.joint.name or k.name), mimic=mimic)
        root = k.parent is None
        parent, place = (on, at @ k.placement) if root else (f"{prefix}{k.parent}", k.placement)
        frames = tuple((prefix + name, X) for name, X in k.frames)
        found.append(k.replace(name=prefix + k.name, parent=parent, joint=joint, placement=place, frames=frames))
    return found


def renamed_finding(d: Diagnostic, prefix: str) -> Diagnostic:
    """A finding about a link or joint under the name it has now."""
    if not d.element.startswith(("link '", "joint '")):
        return d
    element = d.element.replace("'", f"'{prefix}", 1)
    return replace(d, element=element, text=d.text.replace(d.element, element, 1))


def subtree(model: Model, root: Any) -> Model:
    """The link `root`, now on the world, and everything it carries."""
    names = [k.name for k in model.links]
    if not isinstance(root, str) or root not in names:
        raise unknown("link", root, model.name, names)
    kept: dict[str, Link] = {}
    for k in model.links:  # each link comes before those it carries
        if k.name == root:
            kept[root] = k.replace(parent=None, joint=Fixed(name=k.joint.name), placement=IDENTITY, tail=IDENTITY)
        elif k.parent in kept:
            kept[k.name] = k
    joints = {k.joint.name or k.name for k in kept.values() if k.joint.nv}
    for k in kept.values():
        if k.joint.mimic and k.joint.mimic.joint not in joints:
            leader = k.joint.mimic.joint
            raise ModelError(
                f"subtree: joint {k.joint.name!r} follows {leader!r}, which {root!r} does not carry; lock it"
            )
    names = [name for k in kept.values() for name in (k.name, k.joint.name)]
    report = [d for d in model.report if any(repr(name) in d.element for name in names)]
    frames = {name for k in kept.values() for name in (k.name, *(frame for frame, _ in k.frames))}
    inside = {kind: [x for x in getattr(model, kind) if frames.issuperset(x[:2])] for kind in lines.LINES}
    return model.changed(kept.values(), report=report, **inside)


def placed(method: str, given: Any) -> Transform:
    """A pose: a Transform, or a homogeneous matrix."""
    if isinstance(given, Transform):
        return given
    try:
        shape = np.shape(given)
    except ValueError:  # rows of different lengths
        shape = ()
    if shape == (3,):
        raise ModelError(
            f"{method}: placement is a Transform or a 4×4 matrix; did you mean art.Transform(p={list(given)})?"
        )
    if shape != (4, 4):
        raise ModelError(f"{method}: placement is a Transform or a 4×4 matrix; got {shortened(repr(given))}")
    return Transform.from_matrix(given)


def _place(model: Model, on: Any) -> tuple[Link, Transform]:
    """The link that holds a link or frame called `on`, and where in it that is."""
    for link in model.links if isinstance(on, str) else ():
        if link.name == on:
            return link, IDENTITY
        for name, X in link.frames:
            if name == on:
                return link, X
    raise unknown("link or frame", on, model.name, model.frames)


def _refuse_taken(model: Model, links: list[Link], remedy: str) -> None:
    """Names are unique: say which is taken, and which argument makes another of it."""
    frames, joints = model.frames, {k.joint.name or k.name for k in model.links}
    example = 'prefix="left_"' if remedy == "prefix" else 'name="payload2"'
    for k in links:
        taken = [name for name in (k.name, *(name for name, _ in k.frames)) if name in frames]
        for name in [*taken, *([k.joint.name] if k.joint.name in joints else [])]:
            raise ModelError(f"attach: {model.name} has a {name!r} already; give another name with {example}")
