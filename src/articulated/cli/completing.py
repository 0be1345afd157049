"""Candidates for shell completion."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..robot import Robot

#: candidates, from the values typed so far (by parameter) and the beginning of the word
Completion = Callable[[dict[str, Any], str], Sequence[str]]


def files(*endings: str) -> Completion:
    """Files with these endings (any, if none is given) and folders, spelled as the user has begun them."""

    def found(typed: dict[str, Any], begun: str) -> Sequence[str]:
        from pathlib import Path

        written = begun[: begun.rfind("/") + 1]
        inside = sorted(Path(written or ".").expanduser().glob("*"))
        shown = [p for p in inside if not p.name.startswith(".") or begun[len(written) :].startswith(".")]
        kept = [p for p in shown if p.is_dir() or not endings or p.suffix.lower() in endings]
        return [f"{written}{p.name}{'/' * p.is_dir()}" for p in kept]

    return found


def robot_names(typed: dict[str, Any], begun: str) -> Sequence[str]:
    """Catalogue names, and files of robots."""
    from ..files.formats import endings
    from ..robot.construction import robots

    return [*robots(), *files(*endings())(typed, begun)]


def frames(typed: dict[str, Any], begun: str) -> Sequence[str]:
    """Frames of the robot named earlier on the line."""
    return _robot(typed).frame_names


def poses(typed: dict[str, Any], begun: str) -> Sequence[str]:
    """Named poses of the robot named earlier on the line, and `random`."""
    return [*_robot(typed).poses, "random"]


def codes(typed: dict[str, Any], begun: str) -> Sequence[str]:
    """Codes of findings."""
    from ..files.rules import RULES

    return list(RULES)


def among(*words: str) -> Completion:
    """Completion among fixed words."""
    return lambda typed, begun: words


def with_commas(complete: Completion) -> Completion:
    """Completion of the last word of a comma-separated list."""

    def found(typed: dict[str, Any], begun: str) -> Sequence[str]:
        before = begun[: begun.rfind(",") + 1]
        return [f"{before}{word}" for word in complete(typed, begun[len(before) :])]

    return found


def _robot(typed: dict[str, Any]) -> "Robot":
    import warnings

    from ..robot.construction import load

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return load(typed.get("robot") or typed["source"])
