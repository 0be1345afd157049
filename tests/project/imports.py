"""Imports of a file, read from its text: at the top, inside functions, for types only, and by `import_module`."""

import ast
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

#: functions that import what their first argument names
IMPORTERS = ("import_module", "__import__")
#: the target of one of these where that is only known when it runs
COMPUTED = "?"


class Import(NamedTuple):
    """A module, dotted and absolute, and the name taken from it, if one is."""

    line: int
    module: str
    name: str = ""


@dataclass(frozen=True)
class File:
    """A Python file: its place in the source ("files/urdf/reader.py") and its text."""

    place: str
    text: str

    @property
    def module(self) -> str:
        """Dotted, without the package's own name; a package is its `__init__.py`, the outermost one `__init__`."""
        return self.place.removesuffix(".py").replace("/", ".").removesuffix(".__init__")

    @property
    def package(self) -> str:
        """Where its relative imports start."""
        return ".".join(["articulated", *self.place.split("/")[:-1]])

    @cached_property
    def imports(self) -> list[Import]:
        """Every one, relative ones resolved."""
        found = []
        for node in ast.walk(ast.parse(self.text)):
            if isinstance(node, ast.Import):
                found += [Import(node.lineno, alias.name) for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                module = self._absolute("." * node.level + (node.module or ""))
                found += [Import(node.lineno, module, alias.name) for alias in node.names]
            elif isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in IMPORTERS:
                name = node.args[0] if node.args else None
                literal = isinstance(name, ast.Constant)
                found.append(Import(node.lineno, self._absolute(str(name.value)) if literal else COMPUTED))
        return found

    def _absolute(self, name: str) -> str:
        """`.linalg` in a file of articulated/algebra is articulated.algebra.linalg."""
        rest = name.lstrip(".")
        if rest == name:
            return name
        above = self.package.split(".")
        kept = above[: max(0, len(above) + 1 - (len(name) - len(rest)))]
        return ".".join([*kept, rest]).rstrip(".")

    @cached_property
    def names(self) -> set[str]:
        """Names bound at its top: imported, defined or assigned."""
        found = set()
        for node in ast.parse(self.text).body:
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                found |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
            elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                found.add(node.name)
            else:
                found |= {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        return found


def files(root: Path) -> dict[str, File]:
    """Every file below `root` by its module; an extension in C is one that imports nothing."""
    found = [File(path.relative_to(root).as_posix(), path.read_text("utf-8")) for path in sorted(root.rglob("*.py"))]
    for path in sorted(root.rglob("*.c")):
        if f"PyInit_{path.stem}(" in path.read_text("utf-8"):
            found.append(File(path.relative_to(root).with_suffix(".py").as_posix(), ""))
    return {file.module: file for file in found}
