"""`articulated robots`: what can be loaded by name."""

from ..options import Json
from ..output import print_json, print_table


def robots(
    as_json: bool = Json,
) -> None:
    """List the robots that load by name.

    Examples:
      articulated robots
      articulated robots --json
    """
    from ...files.catalogue import about
    from ...files.installed import installed
    from ...robot.construction import robots

    built_in = {name: about(name) for name in robots()}
    others = sorted(installed())
    if as_json:
        rows = [{"name": name, "about": text, "source": "built-in"} for name, text in built_in.items()]
        rows += [{"name": name, "about": "", "source": "example-robot-data"} for name in others]
        print_json("robots", {"robots": rows})
        return
    table = [[name, text] for name, text in built_in.items()]
    print_table(["robot", "about"], table + [[name, "from example-robot-data"] for name in others])
