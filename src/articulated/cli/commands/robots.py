"""`articulated robots`: what can be loaded by name."""

from ..click_commands import Told
from ..output import table


def robots() -> Told:
    """List the robots that load by name.

    Examples:
      articulated robots
      articulated robots --json
    """
    from ...files.catalogue import about
    from ...files.packages import installed
    from ...robot.construction import robots

    rows = [{"name": name, "about": about(name), "source": "built-in"} for name in robots()]
    rows += [{"name": name, "about": "", "source": "example-robot-data"} for name in sorted(installed())]
    return Told(
        {"robots": rows}, table(["robot", "about"], [[r["name"], r["about"] or f"from {r['source']}"] for r in rows])
    )
