"""Errors and diagnostics: each says what to do next."""

import difflib
import sys
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import FrameType

from .text import plain


class ArticulatedError(Exception):
    """Base of every error this package raises on purpose."""


class ModelError(ArticulatedError, ValueError):
    """The description is not a robot: a loop, two parents, an impossible number."""


class ShapeError(ArticulatedError, ValueError):
    """An argument has the wrong shape, size or kind."""


class SingularModelError(ArticulatedError, ValueError):
    """The result is not determined: a joint moves no mass, or a frame cannot move in some direction."""


class SymbolicModelError(ArticulatedError, TypeError):
    """Numbers were asked of a robot whose description still holds symbols."""


class MissingExtra(ArticulatedError, ImportError):
    """Something needs a package that is not installed; the text says how to install it."""


class ModelWarning(UserWarning):
    """Something is doubtful: the file of a robot, of which `robot.report` says why, or what is asked of the robot."""


class ReportWarning(ModelWarning):
    """The report of a robot holds warnings; `summary` counts them."""

    def __init__(self, summary: str):
        super().__init__(f"{summary}; print(robot.report) lists them")
        self.summary = summary


def warn(warning: str | Warning, category: type[Warning] = ModelWarning) -> None:
    """A warning at the line of the user's program that led here, whatever is in between."""
    frame: FrameType | None = sys._getframe(1)
    level = 2
    while frame and frame.f_globals.get("__name__", "").partition(".")[0] == __package__:
        frame, level = frame.f_back, level + 1
    warnings.warn(warning, category, stacklevel=level)


class SimulationWarning(UserWarning):
    """Some runs of a batch diverged, or a robot moves as none can; `run.findings` says which, when and how fast."""


class UnexpectedOption(ArticulatedError, TypeError):
    """A keyword that a function does not take."""


class WrongKind(ArticulatedError, TypeError):
    """An argument is not the kind of thing a function takes."""


class NoSuchAttribute(ArticulatedError, AttributeError):
    """A module or an object has no such name; `elsewhere` are words of others, and what is written here."""

    def __init__(self, owner: str, name: str, names: Iterable[str], elsewhere: Mapping[str, str] = {}):
        close = None if name in elsewhere else closest(name, names, 0.6)
        hint = "" if close is None else f"; did you mean {close!r}?"
        hint = f"; here it is {elsewhere[name]}" if name in elsewhere else hint
        super().__init__(f"{owner} has no attribute {name!r}{hint}")


class UnknownName(ArticulatedError, KeyError):
    """No joint, link, frame or robot has this name."""

    def __str__(self) -> str:  # KeyError would print the repr of the text
        return str(self.args[0])


#: to compare two names takes the product of their lengths, and a list may be a million names long
LONGEST_COMPARED, MOST_COMPARED = 100, 1000


def closest(name: object, names: Iterable[str], cutoff: float = 0.5) -> str | None:
    """The one of `names` that is meant, as far as letters tell.

    In a list of more than MOST_COMPARED names, or for a name of more than LONGEST_COMPARED characters, only one that
    differs in case counts.
    """
    folded: dict[str, str] = {}
    for other in names:
        folded.setdefault(str(other).casefold(), str(other))  # UR5 is close to ur5
    wanted = str(name).casefold()
    if wanted in folded:
        return folded[wanted]
    if len(folded) > MOST_COMPARED or len(wanted) > LONGEST_COMPARED:
        return None
    short = [other for other in folded if len(other) <= LONGEST_COMPARED]
    close = difflib.get_close_matches(wanted, short, n=1, cutoff=cutoff)
    return folded[close[0]] if close else None


def unknown(
    kind: str, name: object, owner: str, names: Iterable[str], likely: Iterable[str] | None = None
) -> UnknownName:
    """The error for a name that does not exist: the closest one (of the `likely`), then (some of) the list."""
    names = list(names)
    close = closest(name, names if likely is None else likely)
    hint = f"did you mean {close!r}? It has" if close is not None else "it has"
    shown = ", ".join(map(plain, names[:40])) + (f", … ({len(names)} in all)" if len(names) > 40 else "")
    return UnknownName(f"no {kind} {name!r} in {plain(owner)}; {hint}: {shown or 'none'}")


def unexpected(function: str, name: object, options: Iterable[str]) -> TypeError:
    """The error for a keyword that a function does not take: the closest one, and the list."""
    options = list(options)
    close = closest(name, options)
    hint = f", did you mean {close!r}?" if close is not None else ""
    return UnexpectedOption(f"{function} takes the options {', '.join(options)}; got {name!r}{hint}")


@dataclass(frozen=True)
class Diagnostic:
    """One finding of a reader: where it is, what is wrong, why it matters, how to fix it.

    Parameters
    ----------
    severity : "error", "warning" or "note"
    code : of the rule, as `articulated explain` knows it
    text : what is wrong
    file : name of the file
    line : from 1; 0 if it is not known
    column : the same
    element : of the file, as `joint 'elbow'`
    value : what is there
    why : why it matters
    fix : how to fix it
    new : what a repair put in place of `value`

    Examples
    --------
    >>> import articulated as art
    >>> print(art.Diagnostic("warning", "URDF028", "the axis has length 2", "arm.urdf", 7))
    arm.urdf:7: warning: the axis has length 2
      code: URDF028
    """

    severity: str
    code: str
    text: str
    file: str = ""
    line: int = 0
    column: int = 0
    element: str = ""
    value: str = ""
    why: str = ""
    fix: str = ""
    new: str = ""

    @property
    def place(self) -> str:
        """`file:line:column`, as far as it is known."""
        return ":".join(str(part) for part in (self.file, self.line, self.column) if part)

    def __str__(self) -> str:
        lines = [f"{self.place + ': ' if self.place else ''}{self.severity}: {self.text}"]
        repaired = (("was", self.value), ("now", self.new))
        notes = (("why", self.why), *(repaired if self.new else (("fix", self.fix),)))
        lines += [f"  {key} : {text}" for key, text in notes if text]
        return "\n".join([*lines, f"  code: {self.code}"])
