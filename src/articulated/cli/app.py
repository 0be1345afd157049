"""The commands, in the order of the help, and what happens around each of them."""

import contextlib
import re
import sys
import traceback
from collections.abc import Callable, Sequence
from typing import Any

import click

from .click_commands import command
from .commands import (
    bias,
    cache,
    check,
    compare,
    completion,
    contacts,
    convert,
    derive,
    doctor,
    energy,
    exercise,
    explain,
    explain_algorithm,
    fk,
    forward_dynamics,
    info,
    inverse_dynamics,
    jacobian,
    mass,
    plot,
    regressor,
    robots,
    simulate,
    tree,
    view,
)
from .examples import epilog
from .exit_codes import BAD_INPUT, OURS, close_output, guarded, stand_in_for_closed_streams

#: name on the command line -> its function; the docstring is the help
COMMANDS: dict[str, Callable[..., Any]] = {
    "robots": robots.robots,
    "info": info.info,
    "tree": tree.tree,
    "check": check.check,
    "explain": explain.explain,
    "convert": convert.convert,
    "fk": fk.fk,
    "jacobian": jacobian.jacobian,
    "id": inverse_dynamics.inverse_dynamics,
    "fd": forward_dynamics.forward_dynamics,
    "mass": mass.mass,
    "bias": bias.bias,
    "energy": energy.energy,
    "regressor": regressor.regressor,
    "contacts": contacts.contacts,
    "simulate": simulate.simulate,
    "plot": plot.plot,
    "view": view.view,
    "derive": derive.derive,
    "explain-algorithm": explain_algorithm.explain_algorithm,
    "exercise": exercise.exercise,
    "compare": compare.compare,
    "doctor": doctor.doctor,
    "cache": cache.cache,
    "completion": completion.completion,
}

ABOUT = "Dynamics of articulated robots. Exit codes: 0 fine, 1 problem found, 2 usage, 3 bad input, 130 interrupted."


class App(click.Group):
    """The group of all commands; what is wrong with the usage is said in JSON, too, where JSON is asked for."""

    def list_commands(self, context: click.Context) -> list[str]:
        """In the order of the table."""
        return list(self.commands)

    def main(self, args: Sequence[str] | None = None, **settings: Any) -> Any:  # type: ignore[override]
        """Run a command and leave with its exit code."""
        words = list(sys.argv[1:] if args is None else args)
        try:
            sys.exit(super().main(words, standalone_mode=False, **{"prog_name": "articulated", **settings}))
        except click.UsageError as problem:
            hint = _hint(problem.message)
            if "--json" in words:
                from .output import print_json

                named = problem.ctx.info_name if problem.ctx and problem.ctx.parent else ""
                error = {"kind": "BadUsage", "text": f"{problem.format_message()} {hint}".rstrip(), "diagnostics": []}
                print_json(named or "", {"error": error})
            problem.show()
            if hint:
                print(hint, file=sys.stderr)
            sys.exit(problem.exit_code)
        except click.Abort:
            sys.exit(130)


def _hint(message: str) -> str:
    """For who writes a vector without quotes."""
    extra = re.fullmatch(r"Got unexpected extra arguments? \((.*)\)|No such option '(-[\d.]*)'\.", message)
    words = (extra[1] or extra[2]).split() if extra else []
    if words and all(re.fullmatch(r"[-+]?[\d.][\d.e+-]*", word) for word in words):
        return 'Several numbers are one argument, in quotes: --q "0.1 0.2 0.3".'
    return ""


def _version(context: click.Context, parameter: click.Parameter, wanted: bool) -> None:
    if wanted:
        from .._version import __version__

        print(f"articulated {__version__}")
        context.exit()


app = App(
    "articulated",
    help=ABOUT,
    epilog="Completion in your shell: articulated completion --help.",
    no_args_is_help=True,
    params=[
        click.Option(["--version"], is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Show it.")
    ],
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120},
)
for name, function in COMMANDS.items():
    app.add_command(command(name, guarded(name, function), epilog(name)))


def run() -> None:
    """The command line as a program: text that no terminal can spoil, and a closed pipe is no mistake."""
    stand_in_for_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, ValueError):
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        _run()
    finally:
        try:
            sys.stderr.flush()
        except OSError:  # messages that have no room; Python 3.14 would end with a code of its own
            close_output(sys.stderr)


def _run() -> None:
    try:
        try:
            app()
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        close_output()
        sys.exit(0)
    except OSError as problem:  # of the help; the commands have said it themselves
        close_output()
        print(f"articulated: the output cannot be written: {problem.strerror}", file=sys.stderr)
        sys.exit(BAD_INPUT)
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception:
        traceback.print_exc()
        sys.exit(OURS)
