"""`articulated tree ROBOT`: the kinematic tree."""

from ..click_commands import Told
from ..options import RobotName


def tree(robot: str = RobotName) -> Told:
    """Draw the links of a robot, each below the one that carries it.

    Examples:
      articulated tree quadruped
    """
    from ...robot.construction import load
    from ...robot.display import tree_lines

    found = load(robot)
    rows = [
        {"link": k.name, "parent": k.parent, "joint": k.joint.name or k.name, "kind": k.joint.kind,
         "mass": k.inertia.mass}
        for k in found.links
    ]  # fmt: skip
    return Told({"robot": found.name, "links": rows}, "\n".join(tree_lines(found.model)))
