"""`articulated tree ROBOT`: the kinematic tree."""

from ..options import Json, RobotName
from ..output import print_json


def tree(
    robot: str = RobotName,
    as_json: bool = Json,
) -> None:
    """Draw the links of a robot, each below the one that carries it.

    Examples:
      articulated tree quadruped
    """
    from ...robot.construction import load
    from ...robot.display import tree_lines

    found = load(robot)
    if as_json:
        rows = [
            {"link": k.name, "parent": k.parent, "joint": k.joint.name or k.name, "kind": k.joint.kind,
             "mass": k.inertia.mass}
            for k in found.links
        ]  # fmt: skip
        print_json("tree", {"robot": found.name, "links": rows})
        return
    print("\n".join(tree_lines(found.model)))
