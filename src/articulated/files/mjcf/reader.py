"""MJCF to links, through MuJoCo's own compiler: defaults, classes, includes, inertias from shapes are its business."""

from collections.abc import Iterator
from math import inf
from pathlib import Path
from typing import Any

import numpy as np

from ...algebra.scalars import array, exact
from ...algebra.spatial import Inertia, Transform, rotate_symmetric
from ...joints import Floating, Joint, Limits, Prismatic, Revolute, Spherical
from ...model import Link
from ..description import Description, Position, Report
from .findings import note_what_is_left_out
from .places import Places, place_said
from .rules import RULES
from .shapes import pose, read_shapes

FREE, BALL, SLIDE, HINGE = range(4)  # mjtJoint


def read_mjcf(text: str | bytes, file: str = "", *, repair: bool = False) -> Description:
    """The robot of an MJCF file; the world is its root link, and sites are frames.

    A body with several joints becomes as many links, all but the last without mass.  Files it includes and meshes
    are looked for next to `file`, by MuJoCo: read files you trust.  Nothing is repaired: MuJoCo has checked it.
    """
    report = Report(file, RULES)
    spec, model = _compiled(text, file, report)
    places = Places(spec, text)
    if model.nbody < 2:
        raise report.refuse("MJCF003", "the file has no <body>", places.of("worldbody"))
    note_what_is_left_out(model, report, places)
    frames = _frames(model, report, places)
    links = [Link("world", frames=tuple(frames[0]), shapes=tuple(read_shapes(model, 0)))]
    names = _body_names(model)
    for i in range(1, model.nbody):
        links += _links(model, i, names, frames[i])
    gravity = tuple(model.opt.gravity.tolist())
    return Description(links, _name(model) or "robot", tuple(report.findings), gravity)


def _compiled(text: str | bytes, file: str, report: Report) -> tuple[Any, Any]:
    """MuJoCo's specification, which knows the lines of the file, and its model."""
    try:
        import mujoco
    except ImportError:
        raise report.refuse("MJCF002", "this is an MJCF file, and mujoco is not installed", Position(1, 1)) from None
    try:
        if file and Path(file).is_file():
            spec = mujoco.MjSpec.from_file(file)
        else:
            spec = mujoco.MjSpec.from_string(text if isinstance(text, str) else text.decode("utf-8-sig"))
        return spec, spec.compile()
    except (ValueError, RuntimeError, mujoco.FatalError) as problem:  # UnicodeDecodeError is a ValueError
        said = " ".join(str(problem).split())
        raise report.refuse("MJCF001", f"MuJoCo: {said}", place_said(said, text)) from None


def _name(model: Any) -> str:
    return model.names.split(b"\0", 1)[0].decode(errors="replace")


def _body_names(model: Any) -> list[str]:
    """Every body by its name, or by its number."""
    named = [model.body(i).name for i in range(model.nbody)]
    taken = set(named)
    return ["world", *(name or _unused(f"body{i}", taken) for i, name in enumerate(named[1:], start=1))]


def _unused(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    taken.add(name)
    return name


def _links(model: Any, i: int, names: list[str], frames: list[tuple[str, Transform]]) -> Iterator[Link]:
    """The links of one body: one for each joint, or one welded to its parent."""
    parent, placement = names[model.body_parentid[i]], pose(model.body_pos[i], model.body_quat[i])
    body: dict[str, Any] = {
        "inertia": _inertia(model, i),
        "shapes": tuple(read_shapes(model, i)),
        "frames": tuple(frames),
    }
    first, count = int(model.body_jntadr[i]), int(model.body_jntnum[i])
    if not count:
        yield Link(names[i], parent, placement=placement, **body)
    for k in range(count):
        joint, before, after = _joint(model, first + k, names[i], k if count > 1 else None)
        if joint.floats:
            placement = Transform()  # its coordinates are the pose itself
        last = k == count - 1
        name = names[i] if last else f"{names[i]}/{joint.name}"
        yield Link(name, parent, joint, placement @ before, tail=after, **(body if last else {}))
        parent, placement = name, Transform()


def _joint(model: Any, j: int, body: str, k: int | None) -> tuple[Joint, Transform, Transform]:
    """A joint, its place in the body that carries it, and the body's frame after it."""
    kind, dof = int(model.jnt_type[j]), int(model.jnt_dofadr[j])
    name = model.joint(j).name or (body if k is None else f"{body}_joint{k + 1}")
    names = ("damping", "friction", "armature")
    values = (float(x[dof]) for x in (model.dof_damping, model.dof_frictionloss, model.dof_armature))
    data: dict[str, Any] = {"name": name, **{key: exact(x, 0.0) for key, x in zip(names, values, strict=True)}}
    if kind == FREE:
        return Floating(**data), Transform(), Transform()
    there, back = Transform(p=model.jnt_pos[j]), Transform(p=-model.jnt_pos[j])
    if kind == BALL:
        return Spherical(**data), there, back
    limited = bool(model.jnt_limited[j])
    lower, upper = model.jnt_range[j].tolist() if limited else (-inf, inf)
    joint = {SLIDE: Prismatic, HINGE: Revolute}[kind](model.jnt_axis[j], limits=Limits(lower, upper), **data)
    zero = float(model.qpos0[model.jnt_qposadr[j]])  # the coordinate at which the body is as drawn
    return joint, there @ joint.transform(array([exact(-zero, 0.0)])), back


def _inertia(model: Any, i: int) -> Inertia:
    R = pose(model.body_ipos[i], model.body_iquat[i]).R
    about_com = rotate_symmetric(R, array(np.diag(model.body_inertia[i])))
    return Inertia(float(model.body_mass[i]), model.body_ipos[i], about_com)


def _frames(model: Any, report: Report, places: Places) -> dict[int, list[tuple[str, Transform]]]:
    """The named sites of every body."""
    taken = set(_body_names(model))
    found: dict[int, list[tuple[str, Transform]]] = {i: [] for i in range(model.nbody)}
    for k in range(model.nsite):
        site = model.site(k).name
        if not site:
            continue
        name = _unused(site if site not in taken else f"{site}_site", taken)
        if name != site:
            report.add("MJCF014", f"the site is called {name!r}", places.of("site", k), f"site {site!r}", site)
        found[int(model.site_bodyid[k])].append((name, pose(model.site_pos[k], model.site_quat[k])))
    return found
