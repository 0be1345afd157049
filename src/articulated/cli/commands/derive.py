"""`articulated derive`: the equations of motion in closed form."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ...errors import unknown
from ..candidates import among, files, with_commas
from ..click_commands import Option, Told
from ..exit_codes import BadInput, BadUsage
from ..options import Floating, RobotName
from ..output import write

FORMATS = ("md", "text", "tex", "html", "pdf", "py", "c", "casadi", "julia", "matlab")
ENDINGS = {".txt": "text", ".tex": "tex", ".html": "html", ".pdf": "pdf", ".py": "py", ".c": "c", ".jl": "julia",
           ".m": "matlab"}  # fmt: skip
FUNCTIONS = FORMATS[FORMATS.index("py") :]
#: as in `symbolic/equations/notation.py`, which is slow to import
STYLES = ("plain", "de_luca", "siciliano", "spong", "khalil")
QUANTITIES = ("M", "C", "c", "g", "friction", "tau", "T", "U", "L")


def derive(
    robot: str = RobotName,
    what: str = Option(
        "--what",
        help="Among M, C, c, g, tau, T, U, L (documents), Y (functions), friction; with commas; M,c,g.",
        complete=with_commas(among(*QUANTITIES, "Y")),
    ),
    form: str = Option(
        "--format",
        help="md, text, tex, html, pdf (where a TeX is present); functions: py, c, casadi, julia, matlab; else by the "
        "ending of --output, or md.",
        complete=among(*FORMATS),
    ),
    steps: bool = Option("--steps", help="The whole derivation, link by link, with its check at the end."),
    christoffel: bool = Option("--christoffel", help="With --steps: Christoffel symbols one by one."),
    style: str = Option(
        "--style", help=f"With --steps: whose letters; {', '.join(STYLES)}.", complete=among(*STYLES), default=STYLES[0]
    ),
    blanks: float = Option("--blanks", help="With --steps: share of results to fill in, as 0.4.", default=0.0),
    symbols: bool = Option(
        "--symbols", help="Names for the inertial parameters; 2r, 3r, stanford, bar_disc have their letters."
    ),
    numbers: bool = Option("--numbers", help="The catalogue's robot in numbers, not the lecture's in letters."),
    letters: str = Option(
        "--letters", help="For the coordinates: one for all (theta), or several (x,theta); default: q."
    ),
    named: bool = Option("--named", help="For py, c, casadi: functions take each parameter by its name."),
    floating: bool = Floating,
    check: bool = Option("--check", help="Only compare the two routes; exit code 1 if they differ."),
    output: str = Option("--output", "-o", help="Output file; default: stdout.", complete=files),
) -> Told:
    """The equations of motion in closed form, derived by moving frames and checked by Newton-Euler.

    Examples:
      articulated derive 2r --steps
      articulated derive 2r --symbols --what M,g --format tex
      articulated derive 3r --steps --style spong --blanks 0.4 -o sheet.html
    """
    for name, given in {"christoffel": christoffel, "style": style != STYLES[0], "blanks": blanks}.items():
        if given and not steps:
            raise BadUsage(f"--{name} is a part of --steps; give both")
    if style not in STYLES:
        raise unknown("style", style, "derive", STYLES)
    if check and (what or form or output or steps or named):
        raise BadUsage("--check writes no equations: leave out --what, --format, --steps, --named and --output")
    what, form = what or "M,c,g", form or ENDINGS.get(Path(output).suffix.lower(), "md")
    _require_possible(form, what, steps, named, letters, output)
    equations = _equations(robot, symbols, numbers, floating, letters)
    if check:
        return _checked(equations)

    def text(form: str) -> str:
        """The derivation, or only what is asked for."""
        if steps:
            return equations.derivation(form, christoffel, style, blanks)
        return equations.export(form, what, named)

    if output:
        _write(text, form, output)
    fields = _record(equations, what, output)

    def shown() -> None:
        sys.stdout.write("" if output else text(form))

    return Told(fields, shown, [_counted(fields["operations"])])


def _require_possible(form: str, what: str, steps: bool, named: bool, letters: str, output: str) -> None:
    """Refuse what could not be written, before the derivation."""
    if form not in FORMATS:
        raise unknown("format", form, "derive", FORMATS)
    known = [*QUANTITIES[:-1], "Y"] if form in FUNCTIONS else QUANTITIES
    for name in what.split(","):
        if name.strip() not in known:
            raise unknown("quantity", name.strip(), "the equations", known)
    if named and form not in FUNCTIONS:
        raise BadUsage(f"--named is for functions: {', '.join(FUNCTIONS)}; --format {form} is a document")
    if letters and form in FUNCTIONS:
        raise BadUsage(f"--letters applies to documents; --format {form} writes a function of q")
    if steps and form in FUNCTIONS:
        raise BadUsage(f"--steps is a document; --format {form} is a function: choose tex, md, html, text or pdf")
    if Path(output).is_dir() and output:
        raise BadInput(f"--output {output}: it is a folder")
    if output and not Path(output).parent.is_dir():
        raise BadInput(f"--output {output}: there is no folder {Path(output).parent}")
    if form == "pdf":
        from ..pdf import check_for_tex

        check_for_tex(output)


def _equations(robot: str, symbols: bool, numbers: bool, floating: bool, letters: str) -> Any:
    from ...robot.closed_forms import derive
    from ...robot.construction import load

    if numbers and symbols:
        raise BadUsage("--numbers and --symbols exclude each other")
    named = load(robot, floating_base=floating or None) if numbers or floating else robot
    return derive(named, symbols, letters or None)


def _checked(equations: Any) -> Told:
    """The comparison of the two routes alone."""
    found = equations.check()
    numbers = {"residue": found.residue, "error": found.error, "states": found.states}
    fields = {"robot": equations.name, "ok": bool(found), "proven": found.proven, **numbers, "text": str(found)}
    return Told(fields, str(found), code=0 if found else 1)


def _write(text: Callable[[str], str], form: str, output: str) -> None:
    """The document or program, to a file."""
    if form == "pdf":
        from ..pdf import write_pdf

        write_pdf(text("tex"), output)
    else:
        write(output, text(form))


def _record(equations: Any, what: str, output: str) -> dict[str, Any]:
    """Expressions as text that SymPy reads, and as LaTeX."""
    from ...symbolic.equations.notation import value_of
    from ...symbolic.pages.latex import latex
    from ...symbolic.pages.program import operation_counts

    found = {name.strip(): value_of(equations, name.strip()) for name in what.split(",")}
    return {
        "robot": equations.name,
        "q": [s.name for s in equations.q], "v": [s.name for s in equations.v], "a": [s.name for s in equations.a],
        "parameters": [p.name for p in equations.parameters],
        "quantities": {name: _entries(x, str) for name, x in found.items()},
        "latex": {name: _entries(x, latex) for name, x in found.items()},
        "operations": [c._asdict() for c in operation_counts(equations)],
        "output": output or None,
    }  # fmt: skip


def _entries(x: Any, write: Any) -> Any:
    """A scalar as it is, a vector as a list, a matrix as a list of rows."""
    if not hasattr(x, "tolist"):
        return write(x)
    return [write(row[0]) if x.cols == 1 else [write(y) for y in row] for row in x.tolist()]


def _counted(counts: list[dict[str, Any]]) -> str:
    """Operations of the closed form, beside those of the recursion."""
    words = "; ".join(f"{c['quantity']}: {c['closed_form']} (recursion {c['recursion']})" for c in counts)
    return f"operations of the closed form: {words}"
