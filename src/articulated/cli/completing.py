"""What the shell offers for a word that is not finished."""

from collections.abc import Callable, Sequence
from typing import Any


def robot_names(typed: dict[str, Any], begun: str) -> Sequence[str]:
    """Catalogue names, and files as the shell knows them."""
    from pathlib import Path

    from ..files.load import READERS
    from ..robot.construction import robots

    folder = Path(begun).parent if begun else Path()
    files = [str(p) for p in sorted(folder.glob("*")) if p.suffix.lower() in READERS or p.is_dir()]
    return [*robots(), *files]


def frames(typed: dict[str, Any], begun: str) -> Sequence[str]:
    """The frames of the robot that was named before."""
    import warnings

    from ..robot.construction import load

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return load(typed["robot"]).frame_names


def poses(typed: dict[str, Any], begun: str) -> Sequence[str]:
    """The named poses of the robot that was named before, and what else a state may be."""
    import warnings

    from ..robot.construction import load

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [*load(typed["robot"]).poses, "random"]


def codes(typed: dict[str, Any], begun: str) -> Sequence[str]:
    """Codes of findings."""
    from ..files.rules import RULES

    return list(RULES)


def among(*words: str) -> Callable[[dict[str, Any], str], Sequence[str]]:
    """These words."""
    return lambda typed, begun: words
