"""Named poses in TOML: `[poses.home]`, the coordinates of some joints."""

from collections.abc import Collection, Sequence
from itertools import islice

from ...joints import Floating, Joint
from ...model import Link
from ...model.model import Poses
from ...text import shortened
from .parts import turning
from .tables import Table

#: the joint that `robot.floating()` adds: a pose may say where the base is then
FREE_BASE = "floating_base"
MOST_SHOWN = 12  # names in a finding


def read_poses(table: Table, links: Sequence[Link]) -> Poses:
    """Poses by name: coordinates of some joints, a number or as many as the joint has."""
    parts = (part for link in links for part in link.joint.split(link))  # one that is fixed may have the same name
    moving = {part.joint.name or part.name: part.joint for part in parts if part.joint.nv and not part.joint.mimic}
    moving.setdefault(FREE_BASE, Floating())
    headers = _headers(table.lines.all)
    poses = {}
    for name in table.values:
        if (row := table.table(name)) is None:
            continue
        row.label = f"pose {name!r}"
        row.line = headers.get(f"[poses.{name}]", row.line)
        poses[name] = _pose(row, moving)
    return poses


def _headers(lines: Sequence[str]) -> dict[str, int]:
    """The first line of every header, written without spaces: all the poses together look through the file once."""
    found: dict[str, int] = {}
    for number, line in enumerate(lines, start=1):
        if line.lstrip(" ").startswith("["):
            found.setdefault(line.replace(" ", ""), number)
    return found


def _pose(row: Table, joints: dict[str, Joint]) -> dict[str, tuple[float, ...]]:
    pose: dict[str, tuple[float, ...]] = {}
    for name in row.values:
        if name not in joints:
            hint = row.report.did_you_mean(name, joints) or f"; it has: {_some(joints)}"
            row.add("TOML002", f"no such moving joint{hint}", name)
            continue
        joint = joints[name]
        angles = [False] * joint.nq if joint.quaternion else turning(joint)
        if joint.nq == 1:
            row.angles = frozenset({name} if angles[0] else ())
            pose[name] = (row.number(name),)
        else:
            pose[name] = row.numbers(name, [joint.nq], tuple(joint.neutral().tolist()), turning=angles)
            if joint.quaternion and not any(pose[name][joint.quaternion]):
                row.add("TOML008", "the quaternion is zero; the identity is 0, 0, 0, 1", name)
    return pose


def _some(names: Collection[str]) -> str:
    """The first few names, for a finding."""
    shown = ", ".join(map(shortened, islice(names, MOST_SHOWN)))
    return f"{shown}, … ({len(names)} in all)" if len(names) > MOST_SHOWN else shown
