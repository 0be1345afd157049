"""`articulated derive`: the equations of motion in closed form."""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from .guard import BadInput, BadUsage
from .options import Floating, RobotName
from .output import say, whole_file

What = Annotated[str, typer.Option("--what", help="Among M, C, c, g, tau, T, U, L, friction; separated by commas.")]
Format = Annotated[str, typer.Option("--format", help="tex, md, html, pdf (where a TeX is present), py, c or casadi.")]
Steps = Annotated[bool, typer.Option("--steps", help="The whole derivation, link by link, with its check at the end.")]
Symbols = Annotated[
    bool, typer.Option("--symbols", help="Names instead of numbers; 2r, 3r, stanford, bar_disc as in the lectures.")
]
Check = Annotated[bool, typer.Option("--check", help="Only compare the two routes; exit code 1 if they differ.")]
To = Annotated[str, typer.Option("--output", "-o", help="A file; stdout without it.")]


def derive(
    robot: RobotName,
    what: What = "M,c,g",
    form: Format = "md",
    steps: Steps = False,
    symbols: Symbols = False,
    floating: Floating = False,
    check: Check = False,
    output: To = "",
) -> int | None:
    """The equations of motion in closed form, derived by moving frames and checked by Newton-Euler."""
    equations = _equations(robot, symbols, floating)
    if check:
        found = equations.check()
        print(found)
        return 0 if found else 1
    if form == "pdf":
        _pdf(_text(equations, "tex", what, steps), output)
        return None
    text = _text(equations, form, what, steps)
    if output:
        with whole_file(Path(output)) as file:
            file.write(text)
    else:
        sys.stdout.write(text)
    say(_counted(equations))
    return None


def _equations(robot: str, symbols: bool, floating: bool) -> Any:
    try:
        from .. import symbolic
    except ImportError:
        raise BadInput("closed forms need SymPy: pip install 'articulated[symbolic]'") from None
    from ..sources import load
    from ..symbolic.lectures import LECTURE_ROBOTS

    if symbols and robot in LECTURE_ROBOTS and not floating:
        return symbolic.derive(robot)
    return symbolic.derive(load(robot, floating_base=floating or None), symbols=symbols)


def _text(equations: Any, form: str, what: str, steps: bool) -> str:
    from ..symbolic.derivation import derivation
    from ..symbolic.export import CODE, written

    if steps and form in CODE:
        raise BadUsage(f"--steps is a document; --format {form} is a function: choose tex, md, html or pdf")
    if steps:
        return written(form, f"The dynamic model of {equations.name}, step by step", derivation(equations))
    return equations.export(form, what)


def _counted(equations: Any) -> str:
    """Operations of the closed form, beside those of the recursion."""
    from ..symbolic.program import operation_counts

    counts = operation_counts(equations)
    words = "; ".join(f"{c.quantity}: {c.closed_form} (recursion {c.recursion})" for c in counts)
    return f"operations of the closed form: {words}"


def _pdf(tex: str, output: str) -> None:
    import shutil
    import subprocess
    import tempfile

    program = shutil.which("pdflatex") or shutil.which("tectonic")
    if not program:
        raise BadInput("no TeX found (pdflatex or tectonic); --format tex writes the source, html needs only a browser")
    if not output:
        raise BadUsage("--format pdf needs --output FILE")
    with tempfile.TemporaryDirectory() as place:
        source = Path(place) / "derivation.tex"
        source.write_text(tex, encoding="utf-8")
        options = ["-interaction=nonstopmode"] if program.endswith("pdflatex") else []
        for _ in range(2 if options else 1):  # twice, for the table of contents
            subprocess.run([program, *options, source.name], cwd=place, capture_output=True, check=False)
        made = source.with_suffix(".pdf")
        if not made.exists():
            raise BadInput("TeX did not accept the document; --format tex writes the source")
        shutil.copyfile(made, output)
