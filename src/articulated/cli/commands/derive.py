"""`articulated derive`: the equations of motion in closed form."""

import sys
from pathlib import Path
from typing import Annotated, Any

from ..completing import among
from ..declared import Option
from ..guard import BadUsage
from ..options import Floating, Json, RobotName
from ..output import print_json, say, whole_file

FORMATS = among("md", "text", "tex", "html", "pdf", "py", "c", "casadi", "julia", "matlab")
What = Annotated[
    str, Option("--what", help="Among M, C, c, g, tau, T, U, L (documents), Y (functions), friction; with commas.")
]
Format = Annotated[
    str,
    Option(
        "--format",
        help="md, text, tex, html, pdf (where a TeX is present); functions: py, c, casadi, julia, matlab.",
        complete=FORMATS,
    ),
]
Letters = Annotated[
    str, Option("--letters", help="For the coordinates: one for all (theta), or several (x,theta); q without it.")
]
Named = Annotated[bool, Option("--named", help="Of py, c, casadi: a function takes each parameter by its name.")]
Steps = Annotated[bool, Option("--steps", help="The whole derivation, link by link, with its check at the end.")]
Symbols = Annotated[
    bool, Option("--symbols", help="Names for the inertial parameters; 2r, 3r, stanford, bar_disc have their letters.")
]
Numbers = Annotated[bool, Option("--numbers", help="Of a lecture's robot the numbers of the catalogue, not letters.")]
Check = Annotated[bool, Option("--check", help="Only compare the two routes; exit code 1 if they differ.")]
To = Annotated[str, Option("--output", "-o", help="A file; stdout without it.")]


def derive(
    robot: RobotName,
    what: What = "M,c,g",
    form: Format = "md",
    steps: Steps = False,
    symbols: Symbols = False,
    numbers: Numbers = False,
    letters: Letters = "",
    named: Named = False,
    floating: Floating = False,
    check: Check = False,
    output: To = "",
    as_json: Json = False,
) -> int | None:
    """The equations of motion in closed form, derived by moving frames and checked by Newton-Euler."""
    if form == "pdf":
        from ..pdf import check_for_tex

        check_for_tex(output)
    equations = _equations(robot, symbols, numbers, floating, letters)
    if check:
        return _checked(equations, as_json)
    if output or not as_json:
        _write(equations, form, what, steps, named, output)
    if as_json:
        print_json("derive", _record(equations, what, output))
    else:
        say(_counted(equations))
    return None


def _equations(robot: str, symbols: bool, numbers: bool, floating: bool, letters: str) -> Any:
    from ...robot.closed_forms import derive
    from ...robot.construction import load

    if numbers and symbols:
        raise BadUsage("--numbers and --symbols exclude each other")
    named = load(robot, floating_base=floating or None) if numbers or floating else robot
    return derive(named, symbols, letters or None)


def _checked(equations: Any, as_json: bool) -> int:
    """Only the comparison of the two routes."""
    found = equations.check()
    if as_json:
        numbers = {"residue": found.residue, "error": found.error, "states": found.states}
        fields = {"robot": equations.name, "ok": bool(found), "proven": found.proven, **numbers}
        print_json("derive", {**fields, "text": str(found)})
    else:
        print(found)
    return 0 if found else 1


def _write(equations: Any, form: str, what: str, steps: bool, named: bool, output: str) -> None:
    """The document or program, to the file or to stdout."""
    if form == "pdf":
        from ..pdf import write_pdf

        write_pdf(_text(equations, "tex", what, steps, named), output)
        return
    text = _text(equations, form, what, steps, named)
    if output:
        with whole_file(Path(output)) as file:
            file.write(text)
    else:
        sys.stdout.write(text)


def _text(equations: Any, form: str, what: str, steps: bool, named: bool) -> str:
    from ...symbolic.pages.export import CODE

    if steps and form in CODE:
        raise BadUsage(f"--steps is a document; --format {form} is a function: choose tex, md, html, text or pdf")
    if named and form not in CODE:
        raise BadUsage(f"--named is for functions: {', '.join(CODE)}; --format {form} is a document")
    if steps:
        return equations.derivation(form)
    return equations.export(form, what, named)


def _record(equations: Any, what: str, output: str) -> dict[str, Any]:
    """Expressions as text that SymPy reads, and as LaTeX."""
    from ...symbolic.equations.quantities import value_of
    from ...symbolic.pages.latex import latex
    from ...symbolic.pages.program import operation_counts

    found = {name.strip(): value_of(equations, name.strip()) for name in what.split(",")}
    counts = operation_counts(equations)
    return {
        "robot": equations.name,
        "q": [s.name for s in equations.q], "v": [s.name for s in equations.v], "a": [s.name for s in equations.a],
        "parameters": [p.name for p in equations.parameters],
        "quantities": {name: _entries(x, str) for name, x in found.items()},
        "latex": {name: _entries(x, latex) for name, x in found.items()},
        "operations": [c._asdict() for c in counts],
        "output": output or None,
    }  # fmt: skip


def _entries(x: Any, write: Any) -> Any:
    """A scalar as it is, a vector as a list, a matrix as a list of rows."""
    if not hasattr(x, "tolist"):
        return write(x)
    return [write(row[0]) if x.cols == 1 else [write(y) for y in row] for row in x.tolist()]


def _counted(equations: Any) -> str:
    """Operations of the closed form, beside those of the recursion."""
    from ...symbolic.pages.program import operation_counts

    counts = operation_counts(equations)
    words = "; ".join(f"{c.quantity}: {c.closed_form} (recursion {c.recursion})" for c in counts)
    return f"operations of the closed form: {words}"
