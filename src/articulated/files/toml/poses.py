"""Named poses in TOML: `[poses.home]`, the coordinates of some joints."""

from collections.abc import Sequence

from ...joints import Floating
from ...model import Link
from ...model.model import Poses
from .tables import Table

#: the joint that `robot.floating()` adds: a pose may say where the base is then
FREE_BASE = "floating_base"


def read_poses(table: Table, links: Sequence[Link]) -> Poses:
    """For each name the coordinates of the joints it speaks of: a number, or as many as the joint has."""
    joints = {part.joint.name or part.name: part.joint for link in links for part in link.joint.split(link)}
    counts = {name: joint.nq for name, joint in joints.items() if joint.nv and not joint.mimic}
    counts.setdefault(FREE_BASE, Floating.nq)
    poses = {}
    for name in table.values:
        (row,) = table.tables(name) or (None,)
        if row is None:
            continue
        row.label = f"pose {name!r}"
        header = f"[poses.{name}]"
        row.line = next((i for i, line in enumerate(row.lines.all, 1) if line.replace(" ", "") == header), row.line)
        poses[name] = _pose(row, counts)
    return poses


def _pose(row: Table, counts: dict[str, int]) -> dict[str, tuple[float, ...]]:
    pose: dict[str, tuple[float, ...]] = {}
    for joint in row.values:
        if joint not in counts:
            hint = row.report.did_you_mean(joint, counts) or f"; it has: {', '.join(counts)}"
            row.add("TOML002", f"no such moving joint{hint}", joint)
        elif counts[joint] == 1:
            pose[joint] = (row.number(joint),)
        else:
            pose[joint] = row.numbers(joint, [counts[joint]], (0.0,) * counts[joint])
    return pose
