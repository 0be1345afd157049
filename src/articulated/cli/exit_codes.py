"""What stands around every command: a user's mistake is a message and an exit code, never a traceback."""

import contextlib
import errno
import functools
import io
import os
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import click

from ..errors import ArticulatedError, ModelWarning

NO_ROOM = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT, errno.EBADF)
OK, PROBLEM, USAGE, BAD_INPUT, INTERRUPTED = 0, 1, 2, 3, 130
REPORTING = ("check", "info")  # commands that show the findings themselves
#: what the library says of its arguments, in options
IN_OPTIONS = {
    r"robot\.floating\(\)": "--floating", r'\bmethod="(\w+)"': r"--method \1", r"^plot: path\b": "--out",
    r"\bwithout joints; joints goes with": "without --joint, which goes with",
}  # fmt: skip
OURS = 70  # something nobody thought of: with a traceback, and never the code of an answer


class BadInput(ArticulatedError, ValueError):
    """A file, a state or a name on the command line cannot be used."""


class BadUsage(ArticulatedError):
    """The options do not go together."""


def guarded(name: str, function: Callable[..., int | None]) -> Callable[..., None]:
    """The command as click calls it; `function` returns its exit code, or None for 0."""

    @functools.wraps(function)
    def command(*args: Any, **options: Any) -> None:
        as_json = bool(options.get("as_json"))
        try:
            with _remarked(name, quiet=name in REPORTING or bool(options.get("quiet"))):
                code = function(*args, **options) or OK
            sys.stdout.flush()
        except BrokenPipeError:
            close_output()  # whoever read it has seen enough
            code = OK
        except KeyboardInterrupt:
            code = INTERRUPTED
            print("interrupted", file=sys.stderr)
        except BadUsage as problem:
            code = _complain(name, problem, as_json, USAGE)
        except (ArticulatedError, OSError, UnicodeError) as problem:
            code = _complain(name, problem, as_json, BAD_INPUT)
        except MemoryError:
            code = _complain(name, BadInput("not enough memory for this"), as_json, BAD_INPUT)
        raise click.exceptions.Exit(code)

    return command


@contextlib.contextmanager
def _remarked(name: str, quiet: bool) -> Iterator[None]:
    """Doubts about a robot as remarks, each once, instead of as Python prints warnings."""
    caught: list[warnings.WarningMessage] = []
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("ignore" if quiet else "always", ModelWarning)
            yield
    finally:
        doubts = [str(w.message) for w in caught if issubclass(w.category, ModelWarning)]
        for text in dict.fromkeys(text.rpartition(";")[0] for text in doubts):
            with contextlib.suppress(OSError):
                print(f"articulated {name}: {text}; articulated check lists them", file=sys.stderr)
        for other in caught:
            if not issubclass(other.category, ModelWarning):
                warnings.showwarning(other.message, other.category, other.filename, other.lineno)


class _Closed(io.TextIOBase):
    """Stands in for a stdout or stderr that was closed before the program began: to write is the system's error."""

    def write(self, text: str) -> int:
        """Refused, as the system refuses it."""
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))


def stand_in_for_closed_streams() -> None:
    """A program may be started without stdout or stderr (`>&-`); no file it opens may then take their numbers."""
    for number, name in ((1, "stdout"), (2, "stderr")):
        if getattr(sys, name) is None:
            with contextlib.suppress(OSError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), number)
            setattr(sys, name, _Closed())


def close_output(stream: Any = None) -> None:
    """Nothing more may be written to stdout, or another stream, not even what is left when Python ends."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), (stream or sys.stdout).fileno())


def _complain(name: str, problem: Exception, as_json: bool, code: int) -> int:
    from .output import diagnostic_record, plain_lines, print_json

    diagnostics = getattr(problem, "diagnostics", ())
    text = said(problem)
    if _is_output(problem):
        close_output()
    elif as_json:
        records = [diagnostic_record(d) for d in diagnostics]
        print_json(name, {"error": {"kind": _kind(problem), "text": text, "diagnostics": records}})
    with contextlib.suppress(OSError):  # a full disk may hold stderr, too: the exit code still says it
        print(f"articulated {name}: {plain_lines(text)}", file=sys.stderr, flush=True)
    return code


def _is_output(problem: Exception) -> bool:
    """Whether stdout itself cannot be written: the errors of other files carry their names."""
    return isinstance(problem, OSError) and problem.filename is None and problem.errno in NO_ROOM


def _kind(problem: BaseException) -> str:
    """The name of its class; of an error of the system the system's."""
    kinds = [kind for kind in type(problem).__mro__ if issubclass(kind, OSError) and kind.__module__ == "builtins"]
    return (kinds[0] if kinds else type(problem)).__name__


def said(problem: Exception) -> str:
    """What a system error means for the file it names."""
    if _is_output(problem):
        return f"the output cannot be written: {problem.strerror}"  # type: ignore[attr-defined]
    if isinstance(problem, OSError) and problem.filename is not None:
        return f"{problem.filename}: {problem.strerror or type(problem).__name__}"
    text = str(problem) or type(problem).__name__
    for expression, option in IN_OPTIONS.items():
        text = re.sub(expression, option, text)
    return text
