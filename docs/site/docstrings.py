"""The help of the library (`articulated/documentation.py`) as reStructuredText: arguments and results are fields."""

import re
from typing import Any

from sphinx.application import Sphinx

ARGUMENT = re.compile(r"^ {4}(\**\w+(?:=?(?:, \w+)*=?)*): (.*)$")
PART = re.compile(r"^(Returns|Included|Not included|Source): (.*)$")


def restructured(app: Sphinx, what: str, name: str, thing: object, options: object, lines: list[str]) -> None:
    """In place, as autodoc wants it."""
    lines[:] = translated(lines)


def translated(lines: list[str]) -> list[str]:
    """Arguments and parts become a field list, continued lines are joined to them, examples stand by themselves."""
    found: list[str] = []
    field = example = False
    for line in lines:
        if line.startswith(">>> ") and not example:
            found += [""]
        example = example or line.startswith(">>> ")
        named, part = ARGUMENT.match(line), PART.match(line)
        if example:
            found.append(line)
        elif named or part:
            label = f"``{named[1]}``" if named else part[1]  # type: ignore[index]
            if not field:
                found.append("")
            found.append(f":{label}: {escaped((named or part)[2])}")  # type: ignore[index]
            field = True
        elif field and line.startswith("    "):
            found.append(f"    {escaped(line.strip())}")
        elif not line.strip():
            found.append("")
            field = False
        else:
            found.append(escaped(line))
            field = False
    return [*found, ""]


def escaped(text: str) -> str:
    """Stars, bars and trailing underscores mean themselves, except in code marks."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part.startswith("`") else re.sub(r"([*|\\]|_(?=\W|$))", r"\\\1", part) for part in parts)


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.connect("autodoc-process-docstring", restructured)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
