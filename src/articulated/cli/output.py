"""Output: data on stdout, remarks on stderr, control characters of names escaped."""

import json
import math
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from ..errors import Diagnostic
from ..housekeeping import whole_file
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
    if quiet or not total or not sys.stderr.isatty():
        yield lambda count: None
        return
    with click.progressbar(length=total, label=what, file=sys.stderr, show_pos=True) as bar:
        yield bar.update


def write(path: str, text: str) -> None:
    """A text file, whole or not at all."""
    with whole_file(Path(path)) as file:
        file.write(text)


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


def table(headers: Sequence[str], rows: Sequence[Sequence[Any]], optional: Sequence[str] = ()) -> str:
    """Aligned columns; on a narrow terminal the `optional` ones are left out, one after the other, until it fits."""
    cells = [[shortened(cell, LONGEST_CELL) for cell in row] for row in (headers, *rows)]
    wide = [max(map(len, column)) + 2 for column in zip(*cells, strict=True)]
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else sys.maxsize
    shown, left_out = list(range(len(headers))), []
    for name in optional:
        if sum(wide[k] for k in shown) - 2 > width:
            shown.remove(headers.index(name))
            left_out.append(name)
    first, *others = [[row[k] for k in shown] for row in cells]
    note = [f"not shown on {width} columns: {', '.join(left_out)}"] if left_out else []
    return "\n".join([*aligned(first, others), *note])
