"""Xacro files: recognized always, expanded only when asked, because a macro file can read any file."""

import re
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..errors import unknown
from .description import Findings, Position
from .packages import PackageFolders
from .urdf.rules import RULES

#: xacro keeps its arguments, its stack of files and its `$(find …)` in module globals: one file at a time
_LOCK = threading.Lock()


def refuse_unexpanded(path: Path) -> bytes:
    """Refuse a .xacro file without xacro=True."""
    raise Findings(str(path), RULES).refuse("URDF009", "this is a xacro file", Position(1, 1))


def expand(path: Path, arguments: Mapping[str, Any], packages: PackageFolders) -> bytes:
    """The URDF a xacro file stands for (extra `xacro`); it runs the expressions in the file: trusted input only.

    `arguments` are what `<xacro:arg>` asks for, `packages` says where `$(find …)` looks.
    """
    report = Findings(str(path), RULES)
    try:
        import xacro
        from xacro import substitution_args
    except ImportError:
        raise report.refuse("URDF038", "this is a xacro file, and xacro is not installed", Position(1, 1)) from None
    mappings = _Asked({name: _text(value) for name, value in arguments.items()})
    with _LOCK:
        usual = substitution_args._eval_find
        substitution_args._eval_find = lambda name: str(packages[name]) if name in packages else usual(name)
        try:
            expanded = xacro.process_file(str(path), mappings=mappings).toxml().encode()
        except (Exception, SystemExit) as problem:  # whatever the file's own expressions raise
            said = " ".join(str(problem).split()) or type(problem).__name__
            raise report.refuse("URDF039", f"xacro: {said[:500]}", Position(1, 1)) from None
        finally:
            substitution_args._eval_find = usual
    _refuse_unasked(path, arguments, mappings.asked)
    return expanded


class _Asked(dict[str, str]):
    """Arguments that record which names were looked up."""

    def __init__(self, values: Mapping[str, str]):
        super().__init__(values)
        self.asked: set[str] = set()

    def __contains__(self, name: object) -> bool:
        self.asked.add(str(name))
        return super().__contains__(name)

    def __getitem__(self, name: str) -> str:
        self.asked.add(name)
        return super().__getitem__(name)


def _refuse_unasked(path: Path, arguments: Mapping[str, Any], asked: set[str]) -> None:
    """Refuse arguments that the file never names; one in a branch that was not expanded may stay."""
    text = path.read_text("utf-8", errors="replace")
    for name in arguments.keys() - asked:
        if not re.search(rf"""name\s*=\s*["']{re.escape(str(name))}["']""", text):
            raise unknown("xacro argument", name, str(path), sorted(asked - arguments.keys()))


def _text(value: Any) -> str:
    """Value as the command line of xacro takes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)
