"""`articulated info ROBOT`: what it is."""

from typing import Any

from ..click_commands import Told
from ..options import Floating, RobotName
from ..output import diagnostic_record, table

#: columns that a narrow terminal does not show, the first of them first
OPTIONAL = ("axis", "body", "kind", "velocity", "effort", "unit")


def info(robot: str = RobotName, floating: bool = Floating) -> Told:
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
    moving, total = (_number(sum(x.inertia.mass for x in every)) for every in (found.model.bodies, found.links))
    weight = f"{moving:g} kg" if isinstance(moving, float) else shortened(f"{moving} kg")
    if isinstance(moving, float) and isinstance(total, float) and abs(total - moving) > 1e-9:
        weight = f"{moving:g} kg moving, {total:g} kg in total"
    bodies = counted(len(found.body_names), "body", "bodies")
    lines = [f"{shortened(found.name)}: {bodies}, nq = {found.nq}, nv = {found.nv}, {weight}"]
    lines += [table(JOINT_HEADERS, joint_rows(found.model), OPTIONAL)]
    for word, names in {"frames": found.frame_names, "poses": list(found.poses)}.items():
        lines += [f"{word}: {', '.join(map(shortened, names))}"] if names else []
    lines += [f"{counted(len(found.report), 'finding')}; see: articulated check"] if found.report else []
    return Told(_record(found, moving, total), "\n".join(lines), [] if found.nv else [nothing_moves(found)])


def _number(x: Any) -> float | str:
    """A number for JSON; an expression of symbols as text."""
    try:
        return float(x)
    except TypeError:
        return str(x)


def _record(robot: Any, moving: float | str, total: float | str) -> dict[str, Any]:
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
        "robot": robot.name, "nq": robot.nq, "nv": robot.nv, "mass": moving,
        "gravity": [_number(x) for x in robot.model.gravity],
        "total_mass": total, "joints": joints, "frames": robot.frame_names,
        "poses": dict(robot.poses), "report": [diagnostic_record(d) for d in robot.report],
    }  # fmt: skip
