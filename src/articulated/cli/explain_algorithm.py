"""`articulated explain-algorithm rnea 2r`: a recursion, body by body."""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from .guard import BadInput, BadUsage
from .options import Floating, RobotName
from .output import whole_file

Algorithm = Annotated[str, typer.Argument(help="rnea, crba or aba.")]
StateText = Annotated[
    str, typer.Option("--state", help="random:SEED, or parts such as 'q=0.1,0.2; v=1,0; a=0,0; tau=0,0'.")
]
Symbols = Annotated[bool, typer.Option("--symbols", help="Expressions instead of numbers (rnea and crba).")]
AsHtml = Annotated[bool, typer.Option("--html", help="A page instead of text.")]
To = Annotated[str, typer.Option("--output", "-o", help="A file; stdout without it.")]


def explain_algorithm(
    algorithm: Algorithm,
    robot: RobotName,
    state: StateText = "random:0",
    symbols: Symbols = False,
    floating: Floating = False,
    html: AsHtml = False,
    output: To = "",
) -> None:
    """Run Newton-Euler (rnea), composite bodies (crba) or articulated bodies (aba) and show every pass."""
    try:
        from ..symbolic import passes
    except ImportError:
        raise BadInput("this needs SymPy: pip install 'articulated[symbolic]'") from None

    title, found = _in_symbols(algorithm, robot) if symbols else _in_numbers(algorithm, robot, state, floating)
    text = passes.as_html(title, found) if html else passes.as_text(title, found)
    if output:
        with whole_file(Path(output)) as file:
            file.write(text)
    else:
        sys.stdout.write(text)


def _in_numbers(algorithm: str, name: str, state: str, floating: bool) -> tuple[str, Any]:
    from ..scalars import array
    from ..sources import load
    from ..symbolic.passes import explained
    from .state import vector

    robot = load(name, floating_base=floating or None)
    spelled = _spelled(state)
    values = {part: vector(robot, part, spelled[part]) for part in ("q", "v", "a", "tau")}
    shown = "; ".join(f"{part} = {values[part].round(4).tolist()}" for part in values)
    passes = explained(algorithm, robot.model, {part: array(x) for part, x in values.items()})
    return f"{algorithm} on {robot.name} at {shown}", passes


def _spelled(state: str) -> dict[str, str]:
    """The text of each vector in `--state`."""
    names = ("q", "v", "a", "tau")
    if state.startswith("random"):
        return dict.fromkeys(names, state)
    out = dict.fromkeys(names, "")
    for part in filter(None, (x.strip() for x in state.split(";"))):
        name, found, value = part.partition("=")
        if name.strip() not in names or not found:
            raise BadInput(f"--state: {part!r} is not one of q=…, v=…, a=…, tau=…, separated by semicolons")
        out[name.strip()] = value
    return out


def _in_symbols(algorithm: str, name: str) -> tuple[str, Any]:
    from ..sources import load
    from ..symbolic.lectures import LECTURE_ROBOTS
    from ..symbolic.passes import explained_in_symbols

    if algorithm == "aba":
        raise BadUsage("articulated bodies are quotients of polynomials; --symbols takes rnea or crba")
    model = LECTURE_ROBOTS[name]() if name in LECTURE_ROBOTS else load(name).model
    return f"{algorithm} on {model.name}, in symbols", explained_in_symbols(algorithm, model)
