"""Exit codes, and the guard around every command: a user's mistake is a message and a code, never a traceback."""

import contextlib
import inspect
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import click

from ..errors import ArticulatedError, ModelWarning, ReportWarning, SimulationWarning
from .click_commands import Told

OK, PROBLEM, USAGE, BAD_INPUT, INTERRUPTED = 0, 1, 2, 3, 130
OURS = 70  # a bug in the program: a traceback, and a code no command returns
REPORTING = ("check", "info")  # commands that show the findings themselves


class BadInput(ArticulatedError, ValueError):
    """A file, a state or a name on the command line cannot be used."""


class BadUsage(ArticulatedError):
    """The options do not go together."""


def guarded(name: str, function: Callable[..., Any]) -> Callable[..., None]:
    """The command as click calls it; `function` returns what it tells, an exit code, or None for 0."""

    def run(**options: Any) -> None:
        as_json = bool(options.get("as_json"))
        given = {key: x for key, x in options.items() if key in inspect.signature(function).parameters}
        try:
            with _remarked(name, quiet=name in REPORTING or bool(options.get("quiet"))):
                found = function(**given)
            code = _tell(name, found, as_json) if isinstance(found, Told) else found or OK
            print(end="", flush=True)
        except BrokenPipeError:  # the reader (`head`) has closed the pipe: Python's final flush goes to /dev/null
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            code = OK
        except KeyboardInterrupt:
            code = INTERRUPTED
            print("interrupted", file=sys.stderr)
        except BadUsage as problem:
            code = _complain(name, problem, as_json, USAGE)
        except (ArticulatedError, OSError, UnicodeError, MemoryError) as problem:
            code = _complain(name, problem, as_json, BAD_INPUT)
        raise click.exceptions.Exit(code)

    return run


def _tell(name: str, told: Told, as_json: bool) -> int:
    """JSON fields, or text and remarks."""
    from .output import print_json, print_lines, say

    if as_json:
        print_json(name, told.fields)
        return told.code
    if callable(told.text):
        told.text()
    elif told.text:
        print_lines(told.text)
    for remark in told.remarks:
        say(remark)
    return told.code


@contextlib.contextmanager
def _remarked(name: str, quiet: bool) -> Iterator[None]:
    """Warnings about a robot as remarks, each once, instead of as Python prints warnings."""
    caught: list[warnings.WarningMessage] = []
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("ignore" if quiet else "always", ModelWarning)
            warnings.simplefilter("ignore", SimulationWarning)  # commands print the findings of a run
            yield
    finally:
        doubts = [w.message for w in caught if isinstance(w.message, ModelWarning)]
        reported = [f"{w.summary}; articulated check lists them" for w in doubts if isinstance(w, ReportWarning)]
        for text in dict.fromkeys([*reported, *(str(w) for w in doubts if not isinstance(w, ReportWarning))]):
            print(f"articulated {name}: {text}", file=sys.stderr)
        for other in caught:
            if not issubclass(other.category, ModelWarning):
                warnings.showwarning(other.message, other.category, other.filename, other.lineno)


def _complain(name: str, problem: Exception, as_json: bool, code: int) -> int:
    from .output import diagnostic_record, plain_lines, print_json

    text = message(problem)
    if as_json:
        records = [diagnostic_record(d) for d in getattr(problem, "diagnostics", ())]
        print_json(name, {"error": {"kind": type(problem).__name__, "text": text, "diagnostics": records}})
    print(f"articulated {name}: {plain_lines(text)}", file=sys.stderr)
    return code


def message(problem: Exception) -> str:
    """Text of an error; a system error begins with the file it names."""
    if isinstance(problem, OSError) and problem.filename is not None:
        return f"{problem.filename}: {problem.strerror or type(problem).__name__}"
    return str(problem) or type(problem).__name__
