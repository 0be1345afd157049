"""Passes of a recursion for a terminal, as sections of a document, and for a program."""

from itertools import groupby
from typing import Any

import numpy as np
import sympy

from ...text import plain, shortened
from .document import Math, Section, words
from .formula import width
from .latex import DIGITS, LINE, latex, upright
from .terminal import plain_text, section_lines
from .walkthrough import Pass, Row

NOTE = "Motions and forces are six numbers in the axes of their body, linear part first."
NOTE_OF_WORLD = "Motions and forces are six numbers in the world's axes at its origin, linear part first."
ROUNDING = 1e-14  # of the largest entry: what is printed as 0
SHORTHANDS = r" $c_{12}$ stands for $\cos(q_{1}+q_{2})$, $s_{12}$ for the sine."
WIDE = 110  # characters of a row of a matrix that still reads as one


def as_text(title: str, passes: list[Pass], at: str = "", axes: str = "body", robot: Section | None = None) -> str:
    """Passes for a terminal; `at` is the state they are at."""
    out = [shortened(title, 120), *([plain(at)] if at else []), NOTE if axes == "body" else NOTE_OF_WORLD]
    out += section_lines(robot) if robot else []
    for k, found in enumerate(passes, start=1):
        out += ["", f"{k}. {found.title}"]
        for body, rows in groupby(found.rows, key=lambda row: row.body):
            out.append(f"  {shortened(body)}")
            for row in rows:
                first, *more = _cells(row.value)
                name = f"{plain_text(row.letter)} = "
                out += [f"    {_words(row.formula)}", f"      {name}{first}"]
                out += [f"      {' ' * len(name)}{cell}" for cell in more]
    return "\n".join(out) + "\n"


def _words(formula: str) -> str:
    """The origin of a quantity, for a terminal."""
    return "".join(plain_text(part) if isinstance(part, Math) else part for part in words(formula))


def _cells(value: Any) -> list[str]:
    """A scalar or vector in one line; a matrix in one per row, or entry by entry where those are long."""
    array = _rounded(np.array(value, object))
    if array.ndim == 2 and array.shape[1] == 1:
        array = array.ravel()
    if array.size == 1:
        return [_short(array.item())]
    if array.ndim == 1:
        whole = f"[{', '.join(_short(x) for x in array)}]"
        return [whole] if len(whole) <= WIDE else [f"[{k + 1}] {_short(x)}" for k, x in enumerate(array)]
    rows = [f"[{', '.join(_short(x) for x in row)}]" for row in array]
    if max(map(len, rows)) <= WIDE:
        return rows
    symmetric = array.shape[0] == array.shape[1] and (array == array.T).all()
    shown = [(i, j, x) for (i, j), x in np.ndenumerate(array) if x != 0 and not (symmetric and i > j)]
    entries = [f"[{i + 1},{j + 1}] {_short(x)}" for i, j, x in shown]
    return [*entries, "symmetric, the others are zero" if symmetric else "the others are zero"]


def _rounded(entries: np.ndarray) -> np.ndarray:
    """Entries with 0 for what rounding left of zero."""
    if any(isinstance(x, sympy.Basic) for x in entries.ravel()):
        return entries
    largest = max((abs(float(x)) for x in entries.ravel()), default=0.0)
    out = entries.copy()
    for index, x in np.ndenumerate(entries):
        out[index] = 0 if abs(float(x)) <= ROUNDING * max(1.0, largest) else x
    return out


def _short(x: Any) -> str:
    if isinstance(x, sympy.Basic):
        return plain_text(latex(x))
    return f"{float(x):.{DIGITS}g}"


def as_sections(passes: list[Pass], at: str, axes: str, robot: Section | None) -> list[Section]:
    """Passes as sections of a document, one per body: where each quantity comes from, and its value."""
    note = (NOTE if axes == "body" else NOTE_OF_WORLD) + ("" if at else SHORTHANDS)
    sections = [Section("What is shown", [*([f"{plain(at)}. "] if at else []), *words(note)])]
    sections += [robot] if robot else []
    for found in passes:
        for body, rows in groupby(found.rows, key=lambda row: row.body):
            shown = [part for row in rows for part in (("", _sentence(row.formula)), _formula(row))]
            sections.append(Section(f"{found.title}: {body}", [], shown))
    return sections


def _sentence(formula: str) -> str:
    """The origin of a quantity, inside a formula."""
    return "".join(part if isinstance(part, Math) else upright(part) for part in words(formula))


def _formula(row: Row) -> tuple[str, Any]:
    """The value as something to typeset; a vector lies down where it fits."""
    entries = _rounded(np.array(row.value, object))
    shown = [x if isinstance(x, sympy.Basic) else _number(x) for x in entries.ravel()]
    if entries.size == 1:
        return row.letter, shown[0]
    if entries.ndim == 2 and entries.shape[1] > 1:
        return row.letter, sympy.ImmutableMatrix(*entries.shape, shown)
    lying = latex(sympy.ImmutableMatrix(1, len(shown), shown))
    if width(lying) < LINE - 8:
        return row.letter, rf"{lying}^{{\top}}"
    return row.letter, sympy.ImmutableMatrix(len(shown), 1, shown)


def _number(x: Any) -> sympy.Expr:
    """A number, without a point if it is whole."""
    value = float(x)
    return sympy.Integer(int(value)) if value.is_integer() else sympy.Float(value)


def as_records(passes: list[Pass]) -> list[dict[str, Any]]:
    """Passes for a program: numbers as they are, expressions as text that SymPy reads."""
    return [
        {
            "title": p.title,
            "rows": [{"body": row.body, "formula": _words(row.formula), "value": _record(row.value)} for row in p.rows],
        }
        for p in passes
    ]


def _record(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return [_record(x) for x in value]
    return str(value) if isinstance(value, sympy.Basic) else float(value)
