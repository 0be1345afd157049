"""Offers of the shell for a word that is not finished."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..robot import Robot

#: of what was typed before, by the name of the parameter, and how the word begins
Completion = Callable[[dict[str, Any], str], Sequence[str]]


def files(*endings: str) -> Completion:
    """Files with these endings, all without any, and folders, as the user began to write them."""

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
    """The frames of the robot that was named before."""
    return _robot(typed).frame_names


def poses(typed: dict[str, Any], begun: str) -> Sequence[str]:
    """The named poses of the robot that was named before, and what else a state may be."""
    return [*_robot(typed).poses, "random"]


def codes(typed: dict[str, Any], begun: str) -> Sequence[str]:
    """Codes of findings."""
    from ..files.rules import RULES

    return list(RULES)


def among(*words: str) -> Completion:
    """These words."""
    return lambda typed, begun: words


def with_commas(complete: Completion) -> Completion:
    """Several of them: the last one is completed."""

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
