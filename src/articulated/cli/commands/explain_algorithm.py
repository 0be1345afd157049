"""`articulated explain-algorithm`: a recursion, body by body, with this robot's numbers or symbols."""

import sys
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from ..completing import among
from ..declared import Argument, Option
from ..guard import BadInput, BadUsage
from ..options import Floating, Json, RobotName
from ..output import print_json, whole_file

Algorithm = Annotated[str, Argument(help="rnea, crba or aba.", complete=among("rnea", "crba", "aba"))]
StateText = Annotated[
    str, Option("--state", help="random:SEED, a named pose, or parts such as 'q=home; v=1,0; a=0,0; tau=0,0'.")
]
Symbols = Annotated[
    bool, Option("--symbols", help="Expressions instead of numbers; aba for up to three degrees of freedom.")
]
Axes = Annotated[
    str,
    Option("--axes", help="body, or world: motions and forces at the world's origin.", complete=among("body", "world")),
]
AsHtml = Annotated[bool, Option("--html", help="A page instead of text.")]
To = Annotated[str, Option("--output", "-o", help="A file; stdout without it.")]


def explain_algorithm(
    algorithm: Algorithm,
    robot: RobotName,
    state: StateText = "",
    symbols: Symbols = False,
    floating: Floating = False,
    axes: Axes = "body",
    html: AsHtml = False,
    output: To = "",
    as_json: Json = False,
) -> None:
    """Run Newton-Euler (rnea), composite bodies (crba) or articulated bodies (aba) and show every pass."""
    try:
        from ...symbolic.pages.explanation import AXES
        from ...symbolic.pages.walkthrough_shown import as_html, as_records, as_text
    except ImportError:
        raise BadInput("this needs SymPy: pip install 'articulated[symbolic]'") from None

    if symbols and state:
        raise BadUsage("--symbols is for every state; leave --state away")
    if axes not in AXES:
        raise BadUsage(f"--axes is {' or '.join(AXES)}; got {axes!r}")
    if symbols:
        found = _in_symbols(algorithm, robot, floating, axes)
    else:
        found = _in_numbers(algorithm, robot, state, floating, axes)
    text = (as_html if html else as_text)(found.title, found.passes, found.at, axes)
    if output:
        with whole_file(Path(output)) as file:
            file.write(text)
    if as_json:
        fields = {"robot": found.robot, "algorithm": algorithm, **found.state, "output": output or None}
        print_json("explain-algorithm", {**fields, "passes": as_records(found.passes)})
    elif not output:
        sys.stdout.write(text)


class Explained(NamedTuple):
    """The passes of an algorithm, and what they are of."""

    robot: str
    title: str
    at: str
    state: dict[str, Any]
    passes: Any


def _in_numbers(algorithm: str, name: str, state: str, floating: bool, axes: str) -> Explained:
    from ...algebra.scalars import array
    from ...robot.construction import load
    from ...symbolic.pages.walkthrough import TAKES, explained
    from ..state import vector

    robot = load(name, floating_base=floating or None)
    spelled = _spelled(state or "random:0")
    values = {part: vector(robot, part, spelled[part]) for part in ("q", "v", "a", "tau")}
    passes = explained(algorithm, robot.model, {part: array(x) for part, x in values.items()}, axes)
    used = {part: values[part] for part in TAKES[algorithm]}
    at = "at " + "; ".join(f"{part} = {x.round(4).tolist()}" for part, x in used.items())
    return Explained(robot.name, f"{algorithm} on {robot.name}", at, used, passes)


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
    from ...symbolic.equations.lectures import LECTURE_ROBOTS
    from ...symbolic.equations.naming import with_symbols
    from ...symbolic.pages.walkthrough import explained_in_symbols

    lecture = name in LECTURE_ROBOTS and not floating
    model = LECTURE_ROBOTS[name]() if lecture else with_symbols(load(name, floating_base=floating or None).model)
    passes = explained_in_symbols(algorithm, model, axes)
    return Explained(model.name, f"{algorithm} on {model.name}, in symbols", "", {}, passes)
