"""`articulated convert`: a robot from one kind of file to another."""

from ..candidates import files
from ..click_commands import Argument, Option, Told
from ..options import RobotName
from ..output import say


def convert(
    robot: str = RobotName,
    output: str = Argument(metavar="OUT", help="A .urdf, .toml or .xml (MJCF) file to write.", complete=files),
    repair: bool = Option("--repair", help="Repair the findings that docs/files.md lists."),
    xacro: bool = Option("--xacro", help="Expand a .xacro file, which runs the expressions in it."),
) -> Told:
    """Convert a robot to URDF, TOML or MJCF.

    Examples:
      articulated convert panda panda.urdf
      articulated convert robot.urdf robot.toml
    """
    from ...robot.construction import load, save

    found = load(robot, on_error="repair" if repair else "default", xacro=xacro)
    lost = save(found, output)
    for loss in lost:
        say(f"not in {output}: {loss}")
    return Told({"robot": found.name, "output": output, "lost": lost})
