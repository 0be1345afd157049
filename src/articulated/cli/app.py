"""The table of commands, and the program that runs them."""

import re
import sys
import traceback
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click

from .click_commands import command
from .exit_codes import OURS, guarded

#: name on the command line -> its file in `commands/`, and the function in it if that has another name
COMMANDS = {
    "robots": "robots",
    "info": "info",
    "tree": "tree",
    "check": "check",
    "explain": "explain",
    "convert": "convert",
    "fk": "quantities.fk_command",
    "jacobian": "quantities.jacobian_command",
    "id": "quantities.id_command",
    "fd": "quantities.fd_command",
    "mass": "quantities.mass_command",
    "bias": "quantities.bias_command",
    "energy": "quantities.energy_command",
    "regressor": "quantities.regressor_command",
    "identify": "identify",
    "contacts": "contacts",
    "simulate": "simulate",
    "plot": "plot",
    "view": "view",
    "derive": "derive",
    "explain-algorithm": "explain_algorithm",
    "exercise": "exercise",
    "compare": "compare",
    "doctor": "doctor",
    "cache": "cache",
    "completion": "completion",
}

ABOUT = "Dynamics of articulated robots. Exit codes: 0 fine, 1 problem found, 2 usage, 3 bad input, 130 interrupted."


class App(click.Group):
    """The group of all commands, each imported on its first use; usage errors are also given as JSON."""

    def list_commands(self, context: click.Context) -> list[str]:
        """Names in the order of the table."""
        return list(COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        """The command of this name."""
        if name not in COMMANDS:
            return None
        file, _, function = COMMANDS[name].partition(".")
        found = getattr(import_module(f".commands.{file}", __package__), function or file)
        return command(name, found, guarded(name, found))

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
    """Advice for a vector written without quotes."""
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
        click.Option(
            ["--version"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_version,
            help="Show version and exit.",
        )
    ],
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120},
)


def run() -> None:
    """The command line as a program; characters that the terminal's encoding lacks are written as escapes."""
    for stream in filter(None, (sys.stdout, sys.stderr)):
        stream.reconfigure(errors="backslashreplace")
    try:
        app()
    except Exception:
        traceback.print_exc()
        sys.exit(OURS)
