"""Directives of the reference: what they list is read from the library, so that a new name is there at once.

`.. methods:: articulated.Robot articulated.robot.quantities.kinematics.ROWS`: the methods in a table, in its order;
`.. summary:: articulated.Robot articulated.robot.quantities.kinematics.ROWS`: the same as a table of first sentences;
`.. attributes:: articulated.Robot`: the properties of a class;
`.. names:: articulated.control articulated.robot.spatial`: the public names that live in these packages.
"""

import inspect
import re
from importlib import import_module
from typing import Any

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.util.nodes import nested_parse_with_titles


def found(path: str) -> Any:
    """The object of a dotted name."""
    module, _, name = path.rpartition(".")
    return getattr(import_module(module), name)


def methods(kind: str, table: str) -> list[str]:
    """The methods of a class that a table has rows for, or names."""
    listed = [getattr(row, "name", row) for row in found(table)]
    return [line for name in listed for line in (f".. automethod:: {kind}.{name}", "")]


def summary(kind: str, *tables: str) -> list[str]:
    """A row for each method: a link and its first sentence.  A table may be a method of the class by its name."""
    lines = [".. list-table::", "   :widths: 30 70", ""]
    for table in tables:
        for name in [getattr(row, "name", row) for row in found(table)] if "." in table else [table]:
            first = (inspect.getdoc(getattr(found(kind), name)) or "").partition("\n\n")[0].replace("\n", " ")
            first = re.sub(r"([*|])", r"\\\1", first)  # as it is written, no markup
            lines += [f"   * - :py:meth:`{name} <{kind}.{name}>`", f"     - {first}"]
    return [*lines, ""]


def attributes(kind: str) -> list[str]:
    """The properties of a class."""
    members = vars(found(kind)).items()
    shown = [n for n, member in members if not n.startswith("_") and not inspect.isroutine(member) and member.__doc__]
    return [line for name in shown for line in (f".. autoattribute:: {kind}.{name}", "")]


def names(*packages: str) -> list[str]:
    """The public names that live in some packages, functions first."""
    import articulated

    listed = articulated.__all__
    lines: list[str] = []
    for name in sorted(listed, key=lambda name: (inspect.isclass(getattr(articulated, name)), name)):
        thing = getattr(articulated, name)
        home = getattr(thing, "__module__", "")
        if not any(home == package or home.startswith(f"{package}.") for package in packages):
            continue
        if inspect.isclass(thing):
            lines += [f".. autoclass:: articulated.{name}", f"   :members: {','.join(members(thing))}", ""]
            if not members(thing):
                lines.pop(-2)
        elif inspect.isfunction(thing):
            lines += [f".. autofunction:: articulated.{name}", ""]
    return lines


def members(kind: type) -> list[str]:
    """Documented members that a class defines itself, beside its fields."""
    own = {name: member for name, member in vars(kind).items() if not name.startswith("_")}
    plain = (inspect.isroutine, lambda m: isinstance(m, (classmethod, staticmethod, property)))
    return [name for name, member in own.items() if any(is_it(member) for is_it in plain) and member.__doc__]


class Listed(SphinxDirective):
    """Writes what one of the functions above returns, and lets Sphinx read it."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = False

    def run(self) -> list[nodes.Node]:
        """Called by Sphinx."""
        write = {"methods": methods, "summary": summary, "attributes": attributes, "names": names}[self.name]
        lines = write(*self.arguments[0].split())
        node = nodes.section(document=self.state.document)
        nested_parse_with_titles(self.state, StringList(lines, source=self.name), node)
        return node.children


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    for name in ("methods", "summary", "attributes", "names"):
        app.add_directive(name, Listed)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
