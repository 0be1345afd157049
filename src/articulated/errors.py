"""What can go wrong, said so that the reader knows what to do next."""

import difflib
import os
from collections.abc import Iterable
from dataclasses import dataclass


class ArticulatedError(Exception):
    """Base of every error this package raises on purpose."""

    def _render_traceback_(self) -> list[str]:
        """What IPython and notebooks show: the lines of the user and the message, not how we came to say it."""
        import traceback

        ours = os.path.dirname(__file__) + os.sep
        hidden = (ours, f"{os.sep}IPython{os.sep}", f"{os.sep}ipykernel{os.sep}")
        frames = [f for f in traceback.extract_tb(self.__traceback__) if not any(x in f.filename for x in hidden)]
        shown = traceback.format_list(frames)
        return [*"".join(shown).splitlines(), *f"{type(self).__name__}: {self}".splitlines()]


class ModelError(ArticulatedError, ValueError):
    """The description is not a robot: a loop, two parents, an impossible number."""


class ShapeError(ArticulatedError, ValueError):
    """An argument has the wrong shape, size or kind."""


class SingularModelError(ArticulatedError, ValueError):
    """What was asked for is not determined: a joint moves no mass, or a frame cannot move in some direction."""


class SymbolicModelError(ArticulatedError, TypeError):
    """Numbers were asked of a robot whose description still holds symbols."""


class MissingExtra(ArticulatedError, ImportError):
    """Something needs a package that is not installed; the text says how to install it."""


class ModelWarning(UserWarning):
    """A robot was loaded from a file that is doubtful; `robot.report` says why."""


class UnexpectedOption(ArticulatedError, TypeError):
    """A keyword that a function does not take."""


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


def unknown(kind: str, name: object, owner: str, names: Iterable[str]) -> UnknownName:
    """The error for a name that does not exist: the closest one, then (some of) the list."""
    names = list(names)
    close = closest(name, names)
    hint = f"did you mean {close!r}? It has" if close is not None else "it has"
    shown = ", ".join(names[:40]) + (f", … ({len(names)} in all)" if len(names) > 40 else "")
    return UnknownName(f"no {kind} {name!r} in {owner}; {hint}: {shown or 'none'}")


def unexpected(function: str, name: object, options: Iterable[str]) -> TypeError:
    """The error for a keyword that a function does not take: the closest one, and the list."""
    options = list(options)
    close = difflib.get_close_matches(str(name), options, n=1, cutoff=0.5)
    hint = f", did you mean {close[0]!r}?" if close else ""
    return UnexpectedOption(f"{function} takes the options {', '.join(options)}; got {name!r}{hint}")


@dataclass(frozen=True)
class Diagnostic:
    """One finding of a reader: where it is, what is wrong, why it matters, how to mend it."""

    severity: str  # "error", "warning" or "note"
    code: str
    text: str
    file: str = ""
    line: int = 0
    column: int = 0
    element: str = ""
    value: str = ""
    why: str = ""
    fix: str = ""
    new: str = ""  # what a repair put in place of `value`

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
