"""Candidates for shell completion, by click's own scripts."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    from ..robot import Robot

#: candidates, from the values typed so far (by parameter) and the beginning of the word
Completion = Callable[[dict[str, Any], str], Sequence[str | CompletionItem]]


def files(typed: dict[str, Any], begun: str) -> Sequence[CompletionItem]:
    """Files, which the shell itself finds and quotes."""
    return [CompletionItem(begun, type="file")]


def robot_names(typed: dict[str, Any], begun: str) -> Sequence[str | CompletionItem]:
    """Catalogue names; files where none begins so."""
    from ..robot.construction import robots

    return [name for name in robots() if name.startswith(begun)] or files(typed, begun)


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
