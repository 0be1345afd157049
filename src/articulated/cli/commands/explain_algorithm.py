"""`articulated explain-algorithm`: a recursion, body by body, with this robot's numbers or symbols."""

import sys
from pathlib import Path
from typing import Any, NamedTuple

from ..click_commands import Argument, Option
from ..completing import among, files, poses
from ..exit_codes import BadInput, BadUsage
from ..options import Floating, Json, RobotName
from ..output import print_json, whole_file


def explain_algorithm(
    algorithm: str = Argument(
        help="rnea, newton_euler, crba or aba.", complete=among("rnea", "newton_euler", "crba", "aba")
    ),
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
    form: str = Option("--format", help="text, md, tex or html.", complete=among("text", "md", "tex", "html")),
    html: bool = Option("--html", help="A page instead of text: --format html."),
    output: str = Option("--output", "-o", help="Output file; default: stdout.", complete=files()),
    as_json: bool = Json,
) -> None:
    """Run Newton-Euler (rnea, newton_euler), composite bodies (crba) or articulated bodies (aba), every pass shown.

    Examples:
      articulated explain-algorithm rnea 2r
      articulated explain-algorithm aba 2r --symbols
    """
    try:
        from ...symbolic.pages.explanation import AXES, FORMATS
    except ImportError:
        raise BadInput("this needs SymPy: pip install 'articulated[symbolic]'") from None

    if symbols and state:
        raise BadUsage("--symbols is for every state; leave --state away")
    if axes not in AXES:
        raise BadUsage(f"--axes is {' or '.join(AXES)}; got {axes!r}")
    if (form and form not in FORMATS) or (html and form not in ("", "html")):
        raise BadUsage(f"--format is one of {', '.join(FORMATS)}, --html the same as --format html; got {form!r}")
    if symbols:
        found = _in_symbols(algorithm, robot, floating, axes)
    else:
        found = _in_numbers(algorithm, robot, state, floating, axes)
    text = found.explanation.export(form or ("html" if html else "text"))
    if output:
        with whole_file(Path(output)) as file:
            file.write(text)
    if as_json:
        fields = {"robot": found.robot, "algorithm": algorithm, **found.state, "output": output or None}
        print_json("explain-algorithm", {**fields, "passes": found.explanation.records})
    elif not output:
        sys.stdout.write(text)


class Explained(NamedTuple):
    """An explanation, and what it is of."""

    robot: str
    state: dict[str, Any]
    explanation: Any


def _in_numbers(algorithm: str, name: str, state: str, floating: bool, axes: str) -> Explained:
    from ...robot.construction import load
    from ...symbolic.pages.explanation import explain
    from ...symbolic.pages.walkthrough import TAKES
    from ..state import vector

    robot = load(name, floating_base=floating or None)
    spelled = _spelled(state or "random:0")
    values = {part: vector(robot, part, spelled[part]) for part in ("q", "v", "a", "tau")}
    taken = {part: x for part, x in values.items() if part in TAKES.get(algorithm, ())}
    return Explained(robot.name, taken, explain(algorithm, robot, **taken, axes=axes))


def _spelled(state: str) -> dict[str, str]:
    """The text of each vector in `--state`."""
    names = ("q", "v", "a", "tau")
    if state.startswith("random"):
        return dict.fromkeys(names, state)
    if "=" not in state:
        return {**dict.fromkeys(names, ""), "q": state}
    out = dict.fromkeys(names, "")
    for part in filter(None, (x.strip() for x in state.split(";"))):
        name, found, value = part.partition("=")
        if name.strip() not in names or not found:
            raise BadInput(f"--state: {part!r} is not one of q=…, v=…, a=…, tau=…, separated by semicolons")
        out[name.strip()] = value
    return out


def _in_symbols(algorithm: str, name: str, floating: bool, axes: str) -> Explained:
    from ...robot.construction import load
    from ...symbolic.equations.lectures import LECTURE_ROBOTS, with_symbols
    from ...symbolic.pages.explanation import explain

    lecture = name in LECTURE_ROBOTS and not floating
    model = LECTURE_ROBOTS[name]() if lecture else with_symbols(load(name, floating_base=floating or None).model)
    return Explained(model.name, {}, explain(algorithm, model, axes=axes))
