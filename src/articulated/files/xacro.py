"""Xacro files: recognised always, expanded only when asked, because a macro file can read any file."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .description import Findings, Position
from .packages import PackageFolders
from .urdf.rules import RULES


def refuse_unexpanded(path: Path) -> bytes:
    """The error for a .xacro file that nobody asked to expand."""
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
    usual = substitution_args._eval_find

    def find(package: str) -> str:
        return str(packages[package]) if package in packages else usual(package)

    try:
        substitution_args._eval_find = find
        mappings = {name: _text(value) for name, value in arguments.items()}
        return xacro.process_file(str(path), mappings=mappings).toxml().encode()
    except (Exception, SystemExit) as problem:  # whatever the file's own expressions raise
        said = " ".join(str(problem).split()) or type(problem).__name__
        raise report.refuse("URDF039", f"xacro: {said[:500]}", Position(1, 1)) from None
    finally:
        substitution_args._eval_find = usual


def _text(value: Any) -> str:
    """As the command line of xacro takes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)
