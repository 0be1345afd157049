"""Named poses in TOML: `[poses.home]`, the coordinates of some joints."""

from collections.abc import Sequence

from ...joints import Floating, Joint
from ...model import Link
from ...model.model import Poses
from .parts import turning
from .tables import Table

#: the joint that `robot.floating()` adds: a pose may say where the base is then
FREE_BASE = "floating_base"


def read_poses(table: Table, links: Sequence[Link]) -> Poses:
    """For each name the coordinates of the joints it speaks of: a number, or as many as the joint has."""
    joints = {part.joint.name or part.name: part.joint for link in links for part in link.joint.split(link)}
    moving = {name: joint for name, joint in joints.items() if joint.nv and not joint.mimic}
    moving.setdefault(FREE_BASE, Floating())
    poses = {}
    for name in table.values:
        (row,) = table.tables(name) or (None,)
        if row is None:
            continue
        row.label = f"pose {name!r}"
        header = f"[poses.{name}]"
        row.line = next((i for i, line in enumerate(row.lines.all, 1) if line.replace(" ", "") == header), row.line)
        poses[name] = _pose(row, moving)
    return poses


def _pose(row: Table, joints: dict[str, Joint]) -> dict[str, tuple[float, ...]]:
    pose: dict[str, tuple[float, ...]] = {}
    for name in row.values:
        if name not in joints:
            hint = row.report.did_you_mean(name, joints) or f"; it has: {', '.join(joints)}"
            row.add("TOML002", f"no such moving joint{hint}", name)
            continue
        joint = joints[name]
        angles = [False] * joint.nq if joint.quaternion else turning(joint)
        if joint.nq == 1:
            row.angles = frozenset({name} if angles[0] else ())
            pose[name] = (row.number(name),)
        else:
            pose[name] = row.numbers(name, [joint.nq], (0.0,) * joint.nq, turning=angles)
    return pose
