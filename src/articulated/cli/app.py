"""The commands, in the order of the help, and what happens around each of them."""

import contextlib
import sys
import traceback
from collections.abc import Callable
from typing import Any

import typer

from .commands import (
    bias,
    cache,
    check,
    compare,
    contacts,
    convert,
    derive,
    doctor,
    energy,
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
    tree,
)
from .guard import BAD_INPUT, OURS, close_output, guarded, stand_in_for_closed_streams

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
    "plot": plot.plot,
    "derive": derive.derive,
    "explain-algorithm": explain_algorithm.explain_algorithm,
    "compare": compare.compare,
    "doctor": doctor.doctor,
    "cache": cache.cache,
}

app = typer.Typer(
    name="articulated",
    help="Dynamics of articulated robots. Exit codes: 0 fine, 1 problem found, 2 usage, 3 bad input, 130 interrupted.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for name, function in COMMANDS.items():
    app.command(name)(guarded(name, function))


def _version(wanted: bool) -> None:
    if wanted:
        from .._version import __version__

        print(f"articulated {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Show the version."),
) -> None:
    """Dynamics of articulated robots. Exit codes: 0 fine, 1 problem found, 2 usage, 3 bad input, 130 interrupted."""


def run() -> None:
    """The command line as a program: text that no terminal can spoil, and a closed pipe is no mistake."""
    stand_in_for_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, ValueError):
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
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
