"""`articulated explain-algorithm`: a recursion, body by body, with this robot's numbers or symbols."""

import sys
from typing import Any

from ..candidates import among, files, poses
from ..click_commands import Argument, Option, Told
from ..exit_codes import BadInput, BadUsage
from ..options import Floating, RobotName
from ..output import write

ALGORITHMS, FORMATS = ("rnea", "newton_euler", "crba", "aba"), ("text", "md", "tex", "html")
VECTORS = ("q", "v", "a", "tau")


def explain_algorithm(
    algorithm: str = Argument(help="rnea, newton_euler, crba or aba.", complete=among(*ALGORITHMS)),
    robot: str = RobotName,
    state: str = Option(
        "--state",
        help="random:SEED, a named pose, or parts such as 'q=home; v=1,0; a=0,0; tau=0,0'; each uses its own.",
        complete=poses,
    ),
    symbols: bool = Option("--symbols", help="Expressions instead of numbers; aba for up to three degrees of freedom."),
    floating: bool = Floating,
    axes: str = Option(
        "--axes",
        help="body, or world: motions and forces at the world's origin.",
        complete=among("body", "world"),
        default="body",
    ),
    form: str = Option("--format", help=f"{', '.join(FORMATS)}.", complete=among(*FORMATS), default="text"),
    output: str = Option("--output", "-o", help="Output file; default: stdout.", complete=files),
) -> Told:
    """Run Newton-Euler (rnea, newton_euler), composite bodies (crba) or articulated bodies (aba), every pass shown.

    Examples:
      articulated explain-algorithm rnea 2r
      articulated explain-algorithm aba 2r --symbols
    """
    try:
        from ...symbolic.pages.explanation import AXES, explain
    except ImportError:
        raise BadInput("this needs SymPy: pip install 'articulated[symbolic]'") from None

    if symbols and state:
        raise BadUsage("--symbols holds for every state; leave out --state")
    if axes not in AXES:
        raise BadUsage(f"--axes is {' or '.join(AXES)}; got {axes!r}")
    if form not in FORMATS:
        raise BadUsage(f"--format is one of {', '.join(FORMATS)}; got {form!r}")
    found, taken = (_in_symbols(robot, floating), {}) if symbols else _in_numbers(algorithm, robot, state, floating)
    explanation = explain(algorithm, found, **taken, axes=axes)
    text = explanation.export(form)
    if output:
        write(output, text)
    fields = {"robot": found.name, "algorithm": algorithm, **taken, "output": output or None}
    return Told({**fields, "passes": explanation.records}, "" if output else lambda: sys.stdout.write(text))


def _in_numbers(algorithm: str, name: str, state: str, floating: bool) -> tuple[Any, dict[str, Any]]:
    """The robot, and those vectors of the state that the algorithm takes."""
    from ...robot.construction import load
    from ...symbolic.pages.walkthrough import TAKES
    from ..state import vector

    robot, spelled = load(name, floating_base=floating or None), _spelled(state or "random:0")
    values = {part: vector(robot, part, spelled[part]) for part in VECTORS}
    return robot, {part: x for part, x in values.items() if part in TAKES.get(algorithm, ())}


def _spelled(state: str) -> dict[str, str]:
    """The text of each vector in `--state`."""
    if state.startswith("random"):
        return dict.fromkeys(VECTORS, state)
    out = dict.fromkeys(VECTORS, "")
    for part in filter(None, (x.strip() for x in (state if "=" in state else f"q={state}").split(";"))):
        name, found, value = part.partition("=")
        if name.strip() not in VECTORS or not found:
            raise BadInput(f"--state: {part!r} is not one of q=…, v=…, a=…, tau=…, separated by semicolons")
        out[name.strip()] = value
    return out


def _in_symbols(name: str, floating: bool) -> Any:
    """The lecture's robot in its letters, or the robot with names for its numbers."""
    from ...robot.construction import load
    from ...symbolic.equations.lectures import LECTURE_ROBOTS, with_symbols

    lecture = name in LECTURE_ROBOTS and not floating
    return LECTURE_ROBOTS[name]() if lecture else with_symbols(load(name, floating_base=floating or None).model)
