"""MJCF to links, through MuJoCo's own compiler: defaults, classes, includes, inertias from shapes are its business."""

from collections.abc import Iterator
from itertools import pairwise
from math import inf
from pathlib import Path
from typing import Any

import numpy as np

from ..joints import Floating, Joint, Limits, Prismatic, Revolute, Spherical
from ..model import Link
from ..rotations import quaternion
from ..scalars import array, exact
from ..shapes import Box, Capsule, Cylinder, Shape, Sphere
from ..spatial import Inertia, Transform, rotate_symmetric
from .description import Description, Position, Report
from .mjcf_rules import RULES

FREE, BALL, SLIDE, HINGE = range(4)  # mjtJoint
SPHERE, CAPSULE, CYLINDER, BOX = 2, 3, 5, 6  # mjtGeom
SITE, BODY = 6, 1  # mjtObj


def read_mjcf(text: str | bytes, file: str = "", *, repair: bool = False) -> Description:
    """The robot of an MJCF file; the world is its root link, and sites are frames.

    A body with several joints becomes as many links, all but the last without mass.  Files it includes and meshes
    are looked for next to `file`, by MuJoCo: read files you trust.  Nothing is repaired: MuJoCo has checked it.
    """
    report = Report(file, RULES)
    model = _compiled(text, file, report)
    if model.nbody < 2:
        raise report.refuse("MJCF003", "the file has no <body>", Position(1, 1))
    _note_what_is_left_out(model, report)
    frames = _frames(model, report)
    links = [Link("world", frames=tuple(frames[0]), shapes=tuple(_shapes(model, 0)))]
    names = _body_names(model)
    for i in range(1, model.nbody):
        links += _links(model, i, names, frames[i])
    gravity = tuple(model.opt.gravity.tolist())
    return Description(links, _name(model) or "robot", tuple(report.findings), gravity)


def _compiled(text: str | bytes, file: str, report: Report) -> Any:
    try:
        import mujoco
    except ImportError:
        raise report.refuse("MJCF002", "this is an MJCF file, and mujoco is not installed", Position(1, 1)) from None
    try:
        if file and Path(file).is_file():
            return mujoco.MjSpec.from_file(file).compile()
        return mujoco.MjSpec.from_string(text if isinstance(text, str) else text.decode("utf-8-sig")).compile()
    except (ValueError, RuntimeError, mujoco.FatalError) as problem:  # UnicodeDecodeError is a ValueError
        said = " ".join(str(problem).split())
        raise report.refuse("MJCF001", f"MuJoCo: {said}", Position(_line(said), 1)) from None


def _line(said: str) -> int:
    """The line MuJoCo names, or the first."""
    words = said.replace(",", " ").replace(":", " ").replace("=", " ").split()
    after = [b for a, b in pairwise(words) if a.lower() == "line"]
    return int(after[0]) if after and after[0].isdecimal() else 1


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
    parent, placement = names[model.body_parentid[i]], _pose(model.body_pos[i], model.body_quat[i])
    body: dict[str, Any] = {"inertia": _inertia(model, i), "shapes": tuple(_shapes(model, i)), "frames": tuple(frames)}
    first, count = int(model.body_jntadr[i]), int(model.body_jntnum[i])
    if not count:
        yield Link(names[i], parent, placement=placement, **body)
    for k in range(count):
        joint, before, after = _joint(model, first + k, names[i], k if count > 1 else None)
        if isinstance(joint, Floating):
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
    R = _pose(model.body_ipos[i], model.body_iquat[i]).R
    about_com = rotate_symmetric(R, array(np.diag(model.body_inertia[i])))
    return Inertia(float(model.body_mass[i]), model.body_ipos[i], about_com)


def _pose(position: Any, wxyz: Any) -> Transform:
    w, x, y, z = wxyz.tolist()
    return Transform(quaternion((x, y, z, w)) if (x or y or z) else None, position).exact()


def _frames(model: Any, report: Report) -> dict[int, list[tuple[str, Transform]]]:
    """The named sites of every body."""
    taken = set(_body_names(model))
    found: dict[int, list[tuple[str, Transform]]] = {i: [] for i in range(model.nbody)}
    for k in range(model.nsite):
        site = model.site(k).name
        if not site:
            continue
        name = _unused(site if site not in taken else f"{site}_site", taken)
        if name != site:
            report.add("MJCF014", f"the site is called {name!r}", Position(1, 1), f"site {site!r}", site)
        found[int(model.site_bodyid[k])].append((name, _pose(model.site_pos[k], model.site_quat[k])))
    return found


def _shapes(model: Any, i: int) -> Iterator[Shape]:
    """The solids of a body; meshes are not drawn."""
    start = int(model.body_geomadr[i])
    for g in range(start, start + int(model.body_geomnum[i])):
        kind, size = int(model.geom_type[g]), model.geom_size[g].tolist()
        placed: dict[str, Any] = {
            "placement": _pose(model.geom_pos[g], model.geom_quat[g]),
            "color": tuple(model.geom_rgba[g].tolist()[:3]),
        }
        if kind == SPHERE:
            yield Sphere(size[0], **placed)
        elif kind in (CAPSULE, CYLINDER):
            yield (Capsule if kind == CAPSULE else Cylinder)(size[0], 2 * size[1], **placed)
        elif kind == BOX:
            yield Box(tuple(2 * x for x in size), **placed)


def _note_what_is_left_out(model: Any, report: Report) -> None:
    """Forces and constraints that are not part of a tree of rigid bodies."""
    at = Position(1, 1)
    for j in np.flatnonzero(model.jnt_stiffness):
        report.add("MJCF010", f"stiffness {float(model.jnt_stiffness[j]):g}", at, f"joint {model.joint(int(j)).name!r}")
    if model.neq:
        report.add("MJCF011", f"{model.neq} equality constraints", at, value=str(model.neq))
    if model.nu or model.ntendon:
        report.add("MJCF012", f"{model.nu} actuators and {model.ntendon} tendons", at)
    for i in np.flatnonzero(model.body_gravcomp):
        report.add("MJCF013", f"gravcomp {float(model.body_gravcomp[i]):g}", at, f"body {model.body(int(i)).name!r}")
    if model.opt.density or model.opt.viscosity:
        report.add("MJCF015", f"density {model.opt.density:g}, viscosity {model.opt.viscosity:g}", at)
    for j in np.flatnonzero(model.jnt_type == FREE):
        if model.dof_armature[model.jnt_dofadr[j]]:
            report.add("MJCF017", "a free joint with armature", at, f"joint {model.joint(int(j)).name!r}")
    if np.any(getattr(model, "dof_dampingpoly", 0)):
        report.add("MJCF016", "damping with higher powers of the speed", at)
