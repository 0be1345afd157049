"""Documents: sections of text and formulas, long formulas broken into lines."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import sympy

from ..equations.notation import Rows, entries, page, with_zeros_last
from .formula import width
from .latex import LINE, latex, lines
from .sketch import Sketch


class Math(str):
    """LaTeX for math mode, among words."""


Text = list[str]  # words as they are, with Math among them


class Table(NamedTuple):
    """Cells of words and formulas below their headings."""

    header: Sequence[Text]
    rows: Sequence[Sequence[Text]]


class Section(NamedTuple):
    """A heading, a few words, a sketch, tables, and rows of `left = right`."""

    title: str
    text: Text
    rows: Sequence[tuple[str, Any]] = ()
    tables: Sequence[Table] = ()
    sketch: Sketch | None = None


def words(text: str) -> Text:
    """A sentence with formulas between dollars, @M @C @c @G @g @t @v @T @U @Y the letters of the page's style.

    Names of robots and links go in separate parts.
    """
    used = page()
    letters = {
        "@M": used.letters.inertia, "@C": used.letters.coriolis, "@c": used.forces, "@G": used.letters.christoffel,
        "@g": used.letters.gravity, "@t": used.letters.torque, "@v": used.v, "@T": used.letters.kinetic,
        "@U": used.letters.potential, "@Y": used.letters.regressor,
    }  # fmt: skip

    def written(tex: str) -> Math:
        return Math(re.sub("@[MCcGgtvTUY]", lambda found: letters[found[0]], tex))

    return [written(part) if k % 2 else part for k, part in enumerate(text.split("$")) if part]


class Row(NamedTuple):
    """`left = right`, the right-hand side in as many lines as it takes."""

    left: str
    lines: list[str]


def laid_out(rows: Iterable[tuple[str, Any]], line: float = LINE) -> list[Row]:
    """Rows that fit the page: sums broken, narrow matrices side by side, wide ones entry by entry."""
    given = list(_narrowed(rows, line))
    room = line - max((width(left) for left, _ in given), default=0) - width("=")
    out: list[Row] = []
    beside = False  # whether the last row is of matrices, so that another may stand beside it
    for left, right in given:
        if not isinstance(right, sympy.MatrixBase):
            out.append(Row(left, _broken(right, room)))
            beside = False
            continue
        whole = rf"{left} = {latex(right)}"
        if beside and width(rf"{out[-1].lines[0]} ,\qquad {whole}") <= room:
            out[-1] = Row(out[-1].left, [rf"{out[-1].lines[0]} ,\qquad {whole}"])
        else:
            out.append(Row(left, [latex(right)]))
        beside = True
    return out


def _narrowed(rows: Iterable[tuple[str, Any]], line: float) -> Iterator[tuple[str, Any]]:
    """Matrices that are too wide beside the names of all rows, whose equals signs are below each other, by entries."""
    given = list(rows)
    names = max((width(left) for left, _ in given), default=0) + width("=")
    for left, right in given:
        if isinstance(right, sympy.MatrixBase) and names + width(latex(right)) > line:
            yield from _entries(left, right)
        else:
            yield left, right


def _broken(right: Any, room: float) -> list[str]:
    """Lines of a sum; LaTeX, of one line or several, as it is."""
    if isinstance(right, str):
        return [right]
    return right if isinstance(right, list) else lines(sympy.sympify(right), room)


def _entries(left: str, matrix: sympy.Matrix) -> Rows:
    """The entries of a wide matrix; x, y, z of a vector in some frame, numbers else."""
    if left.startswith("{}^") and matrix.shape == (3, 1):
        return [(rf"({left})_{{{axis}}}", x) for axis, x in zip("xyz", matrix, strict=True)]
    letter = left if len(left) == 1 else f"({left})"
    if matrix.cols > 1 and matrix == matrix.T:
        *rows, (last, right) = with_zeros_last(entries(letter, matrix, upper=True))
        if not last:  # the others are zero
            return [*rows, ("", r"\text{symmetric; the others are zero}")]
        return [*rows, (last, right), ("", r"\text{and symmetric}")]
    return with_zeros_last(entries(letter, matrix))


def aligned(rows: Iterable[tuple[str, Any]]) -> str:
    """Rows as one aligned block, for math mode."""
    return block("aligned", laid_out(rows))


def block(environment: str, rows: Iterable[Row]) -> str:
    """Rows in an environment of amsmath, the equals signs below each other."""
    out = []
    for left, (first, *more) in rows:
        out.append(f"{left} &= {first}" if left else f"& {first}")
        out += [rf"&\quad {line}" for line in more]
    return f"\\begin{{{environment}}}\n" + " \\\\\n".join(out) + f"\n\\end{{{environment}}}"
