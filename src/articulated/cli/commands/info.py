"""`articulated info ROBOT`: what it is."""

from typing import Any

from ..options import Floating, Json, RobotName
from ..output import diagnostic_record, print_json, print_table, say

#: columns that a narrow terminal does not show, the first of them first
OPTIONAL = ("axis", "body", "kind", "velocity", "effort", "unit")


def info(
    robot: str = RobotName,
    floating: bool = Floating,
    as_json: bool = Json,
) -> None:
    """Show a robot: its size, joints, masses, frames and findings.

    Examples:
      articulated info panda
      articulated info quadruped --floating
    """
    from ...robot.construction import load
    from ...robot.display import JOINT_HEADERS, joint_rows
    from ...text import counted, shortened
    from ..remarks import nothing_moves

    found = load(robot, floating_base=floating)
    if as_json:
        print_json("info", _record(found))
        return
    weight = shortened(_weight(found))
    bodies = counted(len(found.body_names), "body", "bodies")
    print(f"{shortened(found.name)}: {bodies}, nq = {found.nq}, nv = {found.nv}, {weight}")
    print_table(JOINT_HEADERS, joint_rows(found.model), optional=OPTIONAL)
    print(f"frames: {', '.join(shortened(name) for name in found.frame_names)}")
    if found.poses:
        print(f"poses: {', '.join(shortened(name) for name in found.poses)}")
    if not found.nv:
        say(nothing_moves(found))
    if found.report:
        print(f"{counted(len(found.report), 'finding')}; see: articulated check")


def _weight(robot: Any) -> str:
    """Moving mass, and the total where links are welded to the world."""
    moving, total = _moving_mass(robot), _total_mass(robot)
    if isinstance(moving, str) or isinstance(total, str):
        return f"{moving} kg"
    return f"{moving:g} kg" if abs(total - moving) < 1e-9 else f"{moving:g} kg moving, {total:g} kg in total"


def _moving_mass(robot: Any) -> float | str:
    return _number(sum(b.inertia.mass for b in robot.model.bodies))


def _total_mass(robot: Any) -> float | str:
    """Mass of all links, those welded to the world included."""
    return _number(sum(k.inertia.mass for k in robot.links))


def _number(x: Any) -> float | str:
    """As JSON takes it; an expression of symbols as text."""
    try:
        return float(x)
    except TypeError:
        return str(x)


def _record(robot: Any) -> dict[str, Any]:
    from ...joints.data import RESISTANCES  # NumPy comes with it, which help does without

    joints = [
        {
            "name": b.joint.name, "kind": b.joint.kind, "body": b.name, "parent": b.parent.name if b.parent else None,
            "nq": b.joint.nq, "nv": b.joint.nv, "limits": b.joint.limits._asdict(),
            "mass": _number(b.inertia.mass),
            **{name: _number(getattr(b.joint, name)) for name in RESISTANCES},
            "mimic": b.joint.mimic._asdict() if b.joint.mimic else None,
        }
        for b in robot.model.bodies
    ]  # fmt: skip
    return {
        "robot": robot.name, "nq": robot.nq, "nv": robot.nv, "mass": _moving_mass(robot),
        "gravity": [_number(x) for x in robot.model.gravity],
        "total_mass": _total_mass(robot), "joints": joints, "frames": robot.frame_names,
        "poses": dict(robot.poses), "report": [diagnostic_record(d) for d in robot.report],
    }  # fmt: skip
