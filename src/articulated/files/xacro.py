"""Xacro files: recognised always, expanded only when asked, because a macro file can read any file."""

from pathlib import Path

from .description import Findings, Position
from .urdf.rules import RULES


def refuse_unexpanded(path: Path) -> bytes:
    """The error for a .xacro file that nobody asked to expand."""
    raise Findings(str(path), RULES).refuse("URDF009", "this is a xacro file", Position(1, 1))


def expand(path: Path) -> bytes:
    """The URDF a xacro file stands for (extra `xacro`); it runs the expressions in the file: trusted input only."""
    report = Findings(str(path), RULES)
    try:
        import xacro
    except ImportError:
        raise report.refuse("URDF038", "this is a xacro file, and xacro is not installed", Position(1, 1)) from None
    try:
        return xacro.process_file(str(path)).toxml().encode()
    except (Exception, SystemExit) as problem:  # whatever the file's own expressions raise
        said = " ".join(str(problem).split()) or type(problem).__name__
        raise report.refuse("URDF039", f"xacro: {said[:500]}", Position(1, 1)) from None
