"""Output: data on stdout, remarks on stderr, control characters of names escaped."""

import json
import math
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import click

from ..errors import Diagnostic
from ..housekeeping import whole_file as whole_file
from ..text import aligned, plain, shortened

SCHEMA = "articulated/1"
LONGEST_LINE, LONGEST_CELL = 2000, 200


def print_json(command: str, fields: Mapping[str, Any]) -> None:
    """One JSON object on stdout: schema, command, then the fields of docs/cli.md."""
    print(json.dumps({"schema": SCHEMA, "command": command, **_finite(fields)}, ensure_ascii=True, allow_nan=False))


def _finite(value: Any) -> Any:
    """`value` as JSON has it: arrays as lists, infinities and NaN as null."""
    if isinstance(value, Mapping):
        return {str(key): _finite(item) for key, item in value.items()}
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return [_finite(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if value is None or isinstance(value, (str, int, float, bool)) else str(value)


def diagnostic_record(d: Diagnostic) -> dict[str, Any]:
    """A finding as JSON."""
    names = ("severity", "code", "text", "file", "line", "column", "element", "value", "new", "why", "fix")
    return {name: getattr(d, name) for name in names}


def digits(numbers: Any) -> list[str]:
    """Six significant digits of the largest, the points below each other; rounding errors as the zero they mean."""
    size = max((abs(x) for x in numbers if math.isfinite(x)), default=0.0)
    places = min(max(5 - math.floor(math.log10(size)), 0), 12) if size else 0
    shown = [f"{0.0 if abs(x) < 1e-12 * size else x:.{places}f}" for x in numbers]
    shown = [text.lstrip("-") if float(text) == 0 else text for text in shown]
    width = max(map(len, shown), default=0)
    return [text.rjust(width) for text in shown]


def say(text: str) -> None:
    """A remark, on stderr."""
    print(plain_lines(text), file=sys.stderr)


@contextmanager
def progress(what: str, total: int | None, quiet: bool) -> Iterator[Callable[[int], None]]:
    """A bar on a terminal, nothing elsewhere; call what it gives with how many more are done."""
    if quiet or not sys.stderr.isatty():
        yield lambda count: None
        return
    from rich.console import Console
    from rich.progress import MofNCompleteColumn, Progress

    left = (*Progress.get_default_columns(), MofNCompleteColumn())  # a bar, percent, time left, count
    with Progress(*left, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda count: bar.advance(task, count)


def plain_lines(text: str) -> str:
    """Lines of text, shortened, with control characters escaped."""
    return "\n".join(shortened(line, LONGEST_LINE) for line in text.split("\n"))


def print_lines(text: str) -> None:
    """Lines on stdout, with control characters escaped."""
    print("\n".join(map(plain, text.split("\n"))))


COLORS = {"error": "red", "warning": "yellow", "note": "cyan"}


def colored(text: str, severity: str) -> str:
    """A finding with its severity in color, on a terminal that has colors."""
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR") or severity not in COLORS:
        return text
    return text.replace(f"{severity}: ", f"{click.style(severity, COLORS[severity], bold=True)}: ", 1)


def _fitting(
    headers: Sequence[str], rows: Sequence[Sequence[str]], optional: Sequence[str], width: int
) -> tuple[list[int], list[str]]:
    """Which columns are shown, and the names of those that are not."""
    wide = [max(map(len, column)) + 2 for column in zip(headers, *rows, strict=True)]
    shown, left_out = list(range(len(headers))), []
    for name in optional:
        if sum(wide[k] for k in shown) - 2 <= width:
            break
        shown.remove(headers.index(name))
        left_out.append(name)
    return shown, left_out


def print_table(
    headers: Sequence[str], rows: Sequence[Sequence[Any]], title: str = "", optional: Sequence[str] = ()
) -> None:
    """A table: drawn by rich on a terminal, aligned columns of text in a pipe.

    On a terminal that is too narrow the `optional` columns are left out, one after the other, until it fits.
    """
    headers, *cells = [[shortened(cell, LONGEST_CELL) for cell in row] for row in (headers, *rows)]
    title = shortened(title, LONGEST_CELL)
    if sys.stdout.isatty():
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text

        console = Console()
        shown, left_out = _fitting(headers, cells, optional, console.width)
        drawn = Table(title=title or None, title_justify="left", box=None, pad_edge=False, padding=(0, 2, 0, 0))
        for k in shown:
            drawn.add_column(headers[k], header_style="bold", overflow="fold")
        for row in cells:
            drawn.add_row(*(Text(row[k]) for k in shown))
        console.print(drawn)
        if left_out:
            say(f"not shown on {console.width} columns: {', '.join(left_out)}")
        return
    if title:
        print(title)
    print("\n".join(aligned(headers, cells)))
