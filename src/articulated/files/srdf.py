"""SRDF, the file that says more about a URDF's robot: of it the named states, `<group_state>`, and
the pairs of links that may collide, `<disable_collisions>`."""

from pathlib import Path

from ..model.model import Poses
from .description import FileError, Findings, Pairs, Rule
from .numbers import LARGEST, plain_numbers
from .urdf.rules import RULES as URDF
from .xml import Element, parse

RULES: dict[str, Rule] = {
    "SRDF001": Rule("warning", "the robot has no named poses from this file", "correct what it names"),
    "SRDF002": Rule("warning", "the joint is left out of this pose", "write its coordinates as finite numbers"),
}
#: name that `robot.floating()` gives the joint of a <virtual_joint> of type "floating"
FREE_BASE = "floating_base"


def beside(path: Path) -> Path | None:
    """The SRDF file of a URDF: of its name (or the beginning of it) in its folder or in a folder `srdf` next to it."""
    for folder in (path.parent, path.parent.parent / "srdf"):
        found = [file for file in sorted(folder.glob("*.srdf")) if path.stem.startswith(file.stem)]
        if found:
            return max(found, key=lambda file: len(file.stem))
    return None


def read_srdf(text: bytes, report: Findings) -> tuple[Poses, Pairs]:
    """The states by name, those of several groups under one name as one state, and pairs of links that may collide.

    A joint or a link the robot does not have is none of its business: an SRDF often serves several variants of a robot.
    """
    try:
        robot = parse(text, Findings(report.file, URDF))
    except FileError as problem:
        report.add("SRDF001", problem.diagnostics[0].text)
        return {}, ()
    free = {e.attributes.get("name") for e in robot.all("virtual_joint") if e.attributes.get("type") == "floating"}
    poses: dict[str, dict[str, tuple[float, ...]]] = {}
    for state in robot.all("group_state"):
        name = state.attributes.get("name", "")
        if not name:
            report.add("SRDF001", "a <group_state> has no name", state)
            continue
        for joint in state.all("joint"):
            values = _values(joint)
            if not values:
                report.add("SRDF002", f"{joint} in pose {name!r} has no coordinates to read", joint)
                continue
            own = joint.attributes.get("name", "")
            poses.setdefault(name, {})[FREE_BASE if own in free or own == "root_joint" else own] = values
    pairs = ((e.attributes.get("link1", ""), e.attributes.get("link2", "")) for e in robot.all("disable_collisions"))
    return poses, tuple(pairs)


def _values(joint: Element) -> tuple[float, ...]:
    values = plain_numbers(joint.attributes.get("value", "")) or ()
    return values if all(abs(x) < LARGEST for x in values) else ()
