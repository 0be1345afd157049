"""MJCF to links, through MuJoCo's own compiler: defaults, classes, includes, inertias from shapes are its business."""

from collections.abc import Iterator
from math import inf
from pathlib import Path
from typing import Any

import numpy as np

from ...algebra.scalars import array, exact
from ...algebra.spatial import Inertia, Transform, rotate_symmetric
from ...joints import Floating, Joint, Limits, Prismatic, Revolute, Spherical
from ...joints.data import RESISTANCES
from ...model import Link
from ..description import Description, Findings
from .compiler import Compiled, compiled
from .drives import at_leaders, read_drives, read_efforts, within_ranges
from .findings import note_what_is_left_out, refuse_bad_numbers
from .parts import pose, read_equalities, read_keyframes, read_shapes
from .rules import RULES

FREE, BALL, SLIDE, HINGE = range(4)  # mjtJoint


def read_mjcf(text: str | bytes, file: str = "", *, repair: bool = False, folder: Path | None = None) -> Description:
    """The robot of an MJCF file; the world is its root link, and sites are frames.

    A body with several joints becomes as many links, all but the last without mass.  `folder` is that of `file`, below
    which the files are that it includes, and its meshes; none: it may name no files.  Nothing is repaired: MuJoCo has
    checked it.
    """
    report = Findings(file, RULES)
    read = compiled(text, file, folder, report)
    model = read.model
    if model.nbody < 2:
        raise report.refuse("MJCF003", "the file has no <body>", read.places.of("worldbody"))
    refuse_bad_numbers(read)
    names = _body_names(model)
    frames, sites = _frames(read, names)
    joints = _Joints(read, names, sites)
    note_what_is_left_out(read)
    report.stop_on_errors()
    links = [Link("world", frames=tuple(frames[0]), shapes=tuple(read_shapes(model, 0)))]
    for i in range(1, model.nbody):
        links += _links(model, i, names, joints, frames[i])
    gravity = tuple(model.opt.gravity.tolist()) if read.on["gravity"] else (0.0, 0.0, 0.0)
    poses = read_keyframes(read, joints.names, joints.mimics)
    name = model.names.split(b"\0", 1)[0].decode(errors="replace")
    lines: dict[str, Any] = {"springs": tuple(joints.drives.springs), "actuators": tuple(joints.drives.actuators)}
    return Description(links, name or "robot", tuple(report.findings), gravity, poses, **lines)


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


class _Joints:
    """The joints of a model: names, and what the file says of each wherever it says it."""

    def __init__(self, file: Compiled, bodies: list[str], sites: dict[int, str]):
        model = self.model = file.model
        self.limited = file.on["limits"]
        self.names = [_joint_name(model, j, bodies) for j in range(model.njnt)]
        self.drives = read_drives(file, sites)
        self.mimics = read_equalities(file, self.names)
        driven = read_efforts(file, self.drives.levers)
        own = within_ranges(file, driven)
        self.efforts = at_leaders(model, own, driven, self.names, self.mimics)

    def read(self, j: int) -> tuple[Joint, Transform, Transform]:
        """A joint, its place in the body that carries it, and the body's frame after it."""
        model, drives = self.model, self.drives
        kind, dof = int(model.jnt_type[j]), int(model.jnt_dofadr[j])
        values = {name: getattr(drives, name) for name in RESISTANCES}
        data: dict[str, Any] = {"name": self.names[j], **{key: exact(float(x[dof]), 0.0) for key, x in values.items()}}
        first = int(model.jnt_qposadr[j])
        if kind == FREE:
            x, y, z, *turn = model.qpos_spring[first : first + 7].tolist()
            data |= {"rest": (x, y, z, *turn[1:], turn[0])} if data["stiffness"] else {}
            return Floating(**data), Transform(), Transform()
        there, back = Transform(p=model.jnt_pos[j]), Transform(p=-model.jnt_pos[j])
        if kind == BALL:
            return Spherical(**data), there, back
        lower, upper = model.jnt_range[j].tolist() if model.jnt_limited[j] and self.limited else (-inf, inf)
        data |= {"limits": Limits(lower, upper, effort=self.efforts.get(dof, inf)), "mimic": self.mimics.get(j)}
        data["rest"] = exact(drives.rest(dof), 0.0)
        joint = {SLIDE: Prismatic, HINGE: Revolute}[kind](model.jnt_axis[j], **data)
        zero = float(model.qpos0[first])  # the coordinate at which the body is as drawn
        return joint, there @ joint.transform(array([exact(-zero, 0.0)])), back


def _joint_name(model: Any, j: int, bodies: list[str]) -> str:
    """Name of a joint: its own, or that of its body, with a number if the body has several."""
    i = int(model.jnt_bodyid[j])
    number = f"_joint{j - int(model.body_jntadr[i]) + 1}" if model.body_jntnum[i] > 1 else ""
    return model.joint(j).name or f"{bodies[i]}{number}"


def _links(
    model: Any, i: int, names: list[str], joints: _Joints, frames: list[tuple[str, Transform]]
) -> Iterator[Link]:
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
        joint, before, after = joints.read(first + k)
        if joint.floats:
            placement = Transform()  # its coordinates are the pose itself
        last = k == count - 1
        name = names[i] if last else f"{names[i]}/{joint.name}"
        yield Link(name, parent, joint, placement @ before, tail=after, **(body if last else {}))
        parent, placement = name, Transform()


def _inertia(model: Any, i: int) -> Inertia:
    R = pose(model.body_ipos[i], model.body_iquat[i]).R
    about_com = rotate_symmetric(R, array(np.diag(model.body_inertia[i])))
    return Inertia(float(model.body_mass[i]), model.body_ipos[i], about_com)


def _frames(file: Compiled, names: list[str]) -> tuple[dict[int, list[tuple[str, Transform]]], dict[int, str]]:
    """The named sites of every body, and the frame of each site."""
    model = file.model
    taken = set(names)
    found: dict[int, list[tuple[str, Transform]]] = {i: [] for i in range(model.nbody)}
    frames: dict[int, str] = {}
    for k in range(model.nsite):
        site = model.site(k).name
        if not site:
            continue
        name = frames[k] = _unused(site if site not in taken else f"{site}_site", taken)
        if name != site:
            file.add("MJCF014", f"the site is called {name!r}", "site", k)
        found[int(model.site_bodyid[k])].append((name, pose(model.site_pos[k], model.site_quat[k])))
    return found, frames
