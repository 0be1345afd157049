"""A robot as the text of a TOML file with [[link]] tables; reading it back gives the same robot."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from math import inf
from typing import Any

from ...joints import JOINTS, Joint, Limits
from ...joints.data import RESISTANCES
from ...model import Link, Model
from ...model.lines import Line, Spring
from ...model.shapes import Hull, Mesh, Shape
from ..writers import Written, inertia_numbers, kind_in, numbers, pose_numbers, without_tails, word_and_sizes
from .poses import FREE_BASE


def write_toml(model: Model) -> Written:
    """Everything a robot holds can be said."""
    lines = [f"name = {_text(model.name)}", f"gravity = {_row(numbers(model.gravity, model.name).tolist())}"]
    if model.allowed_collisions:
        pairs = sorted(sorted(map(_text, pair)) for pair in model.allowed_collisions)
        lines.append(f"allowed_collisions = [{', '.join(f'[{a}, {b}]' for a, b in pairs)}]")
    for link in without_tails(model.links):
        lines += ["", "[[link]]", *_link(link)]
    for spring in model.springs:
        lines += ["", "[[spring]]", _ends(spring)]
        values = zip(Spring._fields[2:], spring[2:], strict=True)
        lines += [f"{key} = {float(numbers(x, key))!r}" for key, x in values if x]
    for actuator in model.actuators:
        lines += ["", "[[actuator]]", *([f"name = {_text(actuator.name)}"] if actuator.name else []), _ends(actuator)]
    for name, pose in model.poses.items():
        lines += ["", f"[poses.{_text(name)}]", *_pose_of_joints(model, pose)]
    return Written("\n".join([*lines, ""]), ())


def _ends(line: Line) -> str:
    ends = (_text(end) if isinstance(end, str) else _row(numbers(end, "a point").tolist()) for end in line[:2])
    return f"ends = [{', '.join(ends)}]"


def _pose_of_joints(model: Model, pose: Mapping[str, Sequence[float]]) -> Iterator[str]:
    """Named poses of the joints this robot has; the place of a base that could be freed is kept."""
    for joint, values in pose.items():
        if joint in model.joint_names or joint == FREE_BASE:
            yield f"{_text(joint)} = {_row(values) if len(values) > 1 else repr(float(values[0]))}"


def _link(link: Link) -> Iterator[str]:
    yield f"name = {_text(link.name)}"
    if link.parent is not None:
        yield f"parent = {_text(link.parent)}"
    yield from _pose(link.placement, link.name)
    yield from _joint(link)
    body = inertia_numbers(link.inertia, link.name)
    if any(body.values()):
        yield f"mass = {body['mass']!r}"
        yield f"com = {_row([body[x] for x in 'xyz'])}"
        yield f"inertia = {_row([x for name, x in body.items() if name.startswith('i')])}"
    if link.shapes:
        yield f"shapes = [{', '.join(_shape(shape, link.name) for shape in link.shapes)}]"
    if link.frames:
        rows = (f"{{{', '.join([f'name = {_text(name)}', *_pose(X, link.name)])}}}" for name, X in link.frames)
        yield f"frames = [{', '.join(rows)}]"


def _pose(X: Any, owner: str) -> Iterator[str]:
    for key, values in zip(("xyz", "rpy"), pose_numbers(X, owner), strict=True):
        if any(values):
            yield f"{key} = {_row(values)}"


def _joint(link: Link) -> Iterator[str]:
    joint = link.joint
    if joint.nv:
        yield f"joint = {_text(kind_in('TOML', joint, JOINTS))}"
    if joint.name and joint.name != link.name:
        yield f"joint_name = {_text(joint.name)}"
    common = {field.name for field in fields(Joint)}
    for name in (field.name for field in fields(joint) if field.name not in common):
        value = numbers(getattr(joint, name), link.name)
        yield f"{name} = {_row(value.tolist()) if value.ndim else repr(float(value))}"
    for name in RESISTANCES:
        if getattr(joint, name):
            yield f"{name} = {float(numbers([getattr(joint, name)], link.name)[0])!r}"
    if not (type(joint.rest) is int and joint.rest == 0):
        rest = numbers(joint.rest, link.name)
        yield f"rest = {_row(rest.tolist()) if rest.ndim else repr(float(rest))}"
    if joint.limits != Limits():
        known = {name: x for name, x in joint.limits._asdict().items() if abs(x) != inf}
        yield f"limits = {{{', '.join(f'{name} = {float(x)!r}' for name, x in known.items())}}}"
    if joint.mimic:
        leader, multiplier, offset = joint.mimic
        numbers_ = f"multiplier = {float(multiplier)!r}, offset = {float(offset)!r}"
        yield f"mimic = {{joint = {_text(leader)}, {numbers_}}}"


def _shape(shape: Shape, owner: str) -> str:
    word, sizes = word_and_sizes(shape)
    parts = [f"{word} = {_row(sizes) if len(sizes) > 1 else repr(sizes[0])}"] if sizes else []
    if isinstance(shape, Hull):
        parts = [f"hull = [{', '.join(map(_row, shape.points))}]"]
    elif isinstance(shape, Mesh):
        parts = [f"mesh = {_text(shape.address)}", f"scale = {_row(shape.scale)}"]
    parts += _pose(shape.placement, owner)
    if shape.color:
        parts.append(f"color = {_row(shape.color)}")
    if not shape.visual:
        parts.append("visual = false")
    if shape.collision:
        parts.append("collision = true")
    return f"{{{', '.join(parts)}}}"


def _row(values: Sequence[float]) -> str:
    return f"[{', '.join(repr(float(x)) for x in values)}]"


def _text(text: str) -> str:
    # a JSON string is a TOML basic string, except for pairs of surrogates and DEL
    shown = json.dumps(text, ensure_ascii=False)
    return shown.replace("\x7f", "\\u007f")
