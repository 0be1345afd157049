"""Docstrings of methods, in NumPy's sections, from the rows of their table."""

import textwrap
from inspect import cleandoc
from typing import TYPE_CHECKING

from .arguments import OPTIONS, PARAMETERS

if TYPE_CHECKING:
    from .row import Quantity

WIDTH = 110
#: possible parts of a quantity, by letter
CONTENTS = {
    "g": "gravity",
    "c": "Coriolis forces",
    "f": "joint friction and damping",
    "s": "springs",
    "a": "armature",
    "e": "external forces",
}


def docstring(row: "Quantity") -> str:
    """The text of a row, its arguments, what it returns and includes, its source and an example."""
    parameters = [f"{name} : {argument.text}" for name, argument in row.arguments.items()]
    parameters += [f"{name} : {text}" for name, text in OPTIONS.items() if name in row.options]
    parameters += [f"parameters : {PARAMETERS}"] if row.inertial else []
    notes = [*([_contents(row.included)] if row.included is not None else [])]
    notes += [f"Source: {row.source}."] if row.source else []
    sections = {
        "Parameters": "\n".join(map(_filled, parameters)),
        "Returns": _filled(row.returns),
        "Notes": "\n".join(_filled(note) for note in notes if note),
        "Examples": _session(row.example.strip()),
    }
    parts = [f"{name}\n{'-' * len(name)}\n{text}" for name, text in sections.items() if text]
    return "\n\n".join([cleandoc(row.text), *parts])


def _session(example: str) -> str:
    """An example as a session shows it: of `expression → value`, both in lines of their own."""
    before, _, last = example.rpartition("\n")
    expression, arrow, value = last.partition(" → ")
    return "\n".join(filter(None, [before, *([f">>> {expression}", value] if arrow else [last])]))


def _filled(text: str) -> str:
    return textwrap.fill(text, WIDTH, subsequent_indent="    ")


def _contents(included: str) -> str:
    """Parts that are included, and those one might think are."""
    forces = bool(set(included) & set("gcfs"))
    missing = [CONTENTS[letter] for letter in ("gcfsa" if forces else "a") if letter not in included]
    there = [CONTENTS[letter] for letter in CONTENTS if letter in included]
    said = [f"Included: {', '.join(there)}."] if there else []
    return " ".join([*said, *([f"Not included: {', '.join(missing)}."] if missing else [])])
