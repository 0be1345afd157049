"""The pieces of a link in TOML: pose, inertia, joint data, shapes, frames."""

from collections.abc import Collection
from dataclasses import fields
from math import inf
from typing import Any

import numpy as np

from ...algebra.scalars import Scalar, exact, zeros
from ...algebra.spatial import Inertia, Transform
from ...errors import ModelError
from ...joints import JOINTS, Fixed, Joint, Limits, Mimic
from ...joints.data import RESISTANCES
from ...model.lines import LinearActuator, Spring
from ...model.parameters import about_point, from_gyration, inertia_defects, nearest_physical
from ...model.shapes import MOST_POINTS, Hull, Mesh, Shape
from ..description import Position
from ..writers import SOLIDS, solid
from .tables import Table, shown

ORIGIN = (0.0, 0.0, 0.0)
#: keys that are angles, or their rates, if the joint turns
ANGULAR = {"limits", "lower", "upper", "velocity", "offset", "rest"}


def read_pose(table: Table) -> Transform:
    """`xyz` and `rpy`."""
    return Transform.from_rpy(table.scalars("rpy", [3], ORIGIN), table.scalars("xyz", [3], ORIGIN))


def read_inertia(table: Table, name: str) -> Inertia:
    """`mass`, `com`, and `inertia` about `inertia_about` (com, origin) or `gyration`, radii about the frame's axes."""
    mass, com = table.scalar("mass"), table.scalars("com", [3], ORIGIN)
    entries = table.scalars("inertia", [3, 6], ORIGIN)
    about = table.word("inertia_about", "com", ["com", "origin"])
    radii = table.scalars("gyration", [3], ())
    if negative(mass):
        table.add("TOML008", f"{mass} kg is negative", "mass")
        mass = -mass  # the finding stops the reader, but only after the others
    if radii and table.get("inertia") is not None:
        table.add("TOML008", "give inertia or gyration, not both", "gyration")
    if radii:
        inertia = from_gyration(mass, com, [k * k for k in radii])
    else:
        inertia = about_point(mass, com, _tensor(entries), com if about == "com" else ORIGIN)
    if not all(isinstance(x, float) for x in (mass, *com, *entries, *radii)):
        return inertia  # of symbols nothing can be said
    if defects := inertia_defects(inertia):
        mended, at = nearest_physical(inertia), Position(table.line, 1)
        old, new = (np.array(body.about_com, float).tolist() for body in (inertia, mended))
        if table.report.mend("TOML009", "; ".join(defects), at, f"link {name!r}", old, new):
            return mended
    return inertia


def negative(x: Scalar) -> bool:
    """True if it is below zero for certain: a number, or what the signs of its symbols say."""
    return x < 0 if isinstance(x, (int, float)) else bool(getattr(x, "is_negative", False))


def _tensor(entries: tuple[Scalar, ...]) -> Any:
    if len(entries) == 3:
        entries = (entries[0], 0.0, 0.0, entries[1], 0.0, entries[2])
    tensor = zeros(3, 3)
    for (i, j), value in zip([(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)], entries, strict=True):
        tensor[i, j] = tensor[j, i] = value
    return tensor


def read_joint(table: Table, name: str) -> Joint:
    """`joint` is one of JOINTS; its own keys are the fields of that class (axis, pitch, first, second)."""
    kind = JOINTS[table.word("joint", "fixed", list(JOINTS))]
    data = read_joint_data(table, kind())
    common = {field.name for field in fields(Joint)}
    for field in fields(kind):
        if field.name in common or table.get(field.name) is None:
            continue
        one = isinstance(field.default, (int, float))
        data[field.name] = table.number(field.name) if one else table.numbers(field.name, [3], (0, 0, 1))
    try:
        return kind(name=name, **data)
    except ModelError as error:
        table.add("TOML008", str(error))
        return Fixed(name=name)


def turning(joint: Joint) -> list[bool]:
    """Mask of the velocities of a joint that are rates of turning."""
    return [any(joint.S[3:, k]) for k in range(joint.nv)]


def read_joint_data(table: Table, joint: Joint) -> dict[str, Any]:
    """Data of any joint: `damping`, `friction`, `armature`, `stiffness`, `rest`, `limits`, `mimic`."""
    if all(turning(joint)):
        table.angles |= ANGULAR
    data: dict[str, Any] = {key: exact(table.scalar(key), 0.0) for key in RESISTANCES}
    for key, value in data.items():
        if negative(value):
            table.add("TOML008", f"{value} is negative", key)
    if isinstance(table.get("rest"), list):
        data["rest"] = table.scalars("rest", [joint.nq or 2], ())  # a universal joint has two
    elif table.get("rest") is not None:
        data["rest"] = table.scalar("rest")
    data["limits"], data["mimic"] = _limits(table), _mimic(table)
    return data


def _limits(table: Table) -> Limits:
    if isinstance(table.get("limits"), dict):
        row = table.tables("limits")[0]
        limits = Limits(*(row.number(key, bound, True) for key, bound in Limits()._asdict().items()))
        row.finish()
    else:
        limits = Limits(*table.numbers("limits", [2], (-inf, inf), unlimited=True))
    if limits.lower > limits.upper:
        table.add("TOML008", f"lower {limits.lower:g} is greater than upper {limits.upper:g}", "limits")
    if limits.velocity < 0 or limits.effort < 0:
        table.add("TOML008", "velocity or effort is negative", "limits")
    return limits


def _mimic(table: Table) -> Mimic | None:
    for row in table.tables("mimic"):
        mimic = Mimic(row.text("joint", needed=True), row.scalar("multiplier", 1), row.scalar("offset"))
        row.finish()
        return mimic
    return None


def read_line(table: Table, kind: type, known: Collection[str]) -> Any:
    """A [[spring]] or [[actuator]]: `ends`, names of frames or points of the world, and its own keys."""
    ends = table.get("ends")
    row = list(ends) if isinstance(ends, list) and len(ends) == 2 else []
    ends = [end if isinstance(end, str) else table.point(end, "ends") for end in row]
    if not ends or None in ends:
        text = 'two ends are expected, each the name of a frame or [x, y, z]: ends = ["tip", [0, 0, 1]]'
        table.add("TOML003", text, "ends")
        ends = ["", ""]
    for end in ends:
        if isinstance(end, str) and end and end not in known:
            hint = table.report.did_you_mean(end, known)
            table.add("TOML006", f"{shown(end)} is neither a link nor a frame{hint}", "ends")
    if kind is Spring:
        line: Any = Spring(*ends, *(exact(table.scalar(key), 0.0) for key in Spring._fields[2:]))
        for key in Spring._fields[2:]:
            if negative(getattr(line, key)):
                table.add("TOML008", f"{getattr(line, key)} is negative", key)
    else:
        line = LinearActuator(ends[0], ends[1], table.text("name"))
    table.finish()
    return line


def read_frames(table: Table) -> tuple[tuple[str, Transform], ...]:
    """`frames = [{name = "tool", xyz = […], rpy = […]}]`."""
    frames = []
    for row in table.tables("frames"):
        frames.append((row.text("name", needed=True), read_pose(row)))
        row.finish()
    return tuple(frames)


def read_shapes(table: Table) -> tuple[Shape, ...]:
    """`shapes = [{box = [x, y, z]}, {sphere = r}, {cylinder = [r, l]}, {capsule = [r, l]},
    {ellipsoid = [x, y, z]}, {mesh = "…"}, {hull = [[x, y, z], …]}]`: edges of a box, axes of an ellipsoid.

    Each may have `xyz`, `rpy`, `color`, `visual = false` and `collision = true`.
    """
    return tuple(shape for row in table.tables("shapes") if (shape := _shape(row)))


def _shape(row: Table) -> Shape | None:
    row.symbols = {}  # what is drawn has a size
    color = row.numbers("color", [3], ())
    purposes = {"visual": row.flag("visual", True), "collision": row.flag("collision", False)}
    placed: dict[str, Any] = {"placement": read_pose(row), "color": color or None, **purposes}
    words = (*SOLIDS, "mesh", "hull")
    names = [name for name in words if row.get(name) is not None]
    scale = row.numbers("scale", [3], (1.0, 1.0, 1.0))
    if len(names) != 1:
        row.add("TOML006", f"a shape is one of {', '.join(words)}; this one has {names or 'none'}")
        return None
    name = names[0]
    if name == "mesh":
        shape: Shape = Mesh(row.text(name), scale, **placed)
    elif name == "hull":
        given = row.get(name)
        points = [row.point(x, name) for x in given] if isinstance(given, list) else []
        if not 0 < len(points) <= MOST_POINTS or None in points:
            row.add("TOML003", f"a list of 1 to {MOST_POINTS} points, each of three numbers, is expected", name)
            return None
        shape = Hull(points=points, **placed)  # type: ignore[arg-type]
    else:
        _, count = SOLIDS[name]
        sizes = (row.number(name),) if count == 1 else row.numbers(name, [count], (0.0,) * count)
        if any(size < 0 for size in sizes):
            row.add("TOML008", "a size is negative", name)
        shape = solid(name, sizes, placed)
    row.finish()
    return shape
