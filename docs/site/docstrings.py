"""The help of the library as reStructuredText, with arguments as definitions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx

#: `    q: configuration`; `    out=, dtype=: …`; `Returns: (…, nv)`
ARGUMENT = re.compile(r"^ {4}(\**\w+=?(?:, \w+=?)*): (.*)$")
#: `q : configuration`, below a section of NumPy's
PARAMETER = re.compile(r"^(\**\w+(?:, \w+)*) : (.*)$")
PART = re.compile(r"^(Returns|Included|Not included|Source): (.*)$")


def restructured(app: Sphinx, what: str, name: str, thing: object, options: object, lines: list[str]) -> None:
    """In place, as autodoc wants it."""
    lines[:] = translated(lines)


def translated(lines: list[str]) -> list[str]:
    """Arguments and parts become a definition list, lines that go on are joined to them, examples stay as they are."""
    found: list[str] = []
    defining = False
    for k, line in enumerate(lines):
        if line.startswith(">>> "):
            return [*found, "", *lines[k:], ""]
        if re.fullmatch("-+", line):
            continue
        if k + 1 < len(lines) and line and lines[k + 1] == "-" * len(line):
            found += ["", *([] if line == "Examples" else [f".. rubric:: {line}"]), ""]
            defining = False
            continue
        named, part = ARGUMENT.match(line) or PARAMETER.match(line), PART.match(line)
        if definition := named or part:
            term = f"``{definition[1]}``" if named else f"*{definition[1]}*"
            found += [*([] if defining else [""]), term, f"    {escaped(definition[2])}"]
        elif defining and line.startswith("    "):
            found.append(f"    {escaped(line.strip())}")
        else:
            found += [*([""] if defining else []), escaped(line)]
        defining = bool(definition) or (defining and line.startswith("    "))
    return [*found, ""]


def escaped(text: str) -> str:
    """Stars, bars and trailing underscores mean themselves, except in code marks."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part.startswith("`") else re.sub(r"([*|\\]|_(?=\W|$))", r"\\\1", part) for part in parts)


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.connect("autodoc-process-docstring", restructured)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
