"""Commands from functions: the default of a parameter says what it is on the command line."""

import inspect
from collections.abc import Callable
from typing import Any, NamedTuple, get_args, get_origin

import click
from click.core import ParameterSource

from .completing import Completion


class Stated(NamedTuple):
    """The command-line side of a parameter; an argument has no flags."""

    flags: tuple[str, ...]
    help: str
    default: Any = None  # of an argument: it is needed
    metavar: str | None = None
    min: float | None = None
    max: float | None = None
    complete: Completion | None = None


def Option(*flags: str, help: str, default: Any = "", **more: Any) -> Any:
    """`frame: str = Option("--frame", "-f", help=…)`; a bool is a flag, a list may be repeated."""
    return Stated(flags, help, default, **more)


def Argument(help: str, **more: Any) -> Any:
    """`source: str = Argument(help=…)`; a list takes all that follow."""
    return Stated((), help, **more)


def command(name: str, function: Callable[..., Any]) -> click.Command:
    """The function as a command: its docstring is the help, the examples in it stand at the end."""
    parameters = inspect.signature(function).parameters.values()
    made = [_parameter(p) for p in parameters]
    text, _, examples = (inspect.getdoc(function) or "").partition("\n\nExamples:\n")
    epilog = f"\b\nExamples:\n{examples}"  # \b keeps the lines as they are
    stated = {p.name: p.default for p in parameters}
    about = [f"  {s.metavar or name.upper():<10} {s.help}" for name, s in stated.items() if not s.flags]
    listed = "\n\n\b\nArguments:\n" + "\n".join(about) if about else ""
    return click.Command(
        name, callback=function, params=made, help=text + listed, epilog=epilog, short_help=_summary(text)
    )


def _summary(text: str) -> str:
    """First sentence of a docstring, for the list of commands."""
    return text.partition("\n\n")[0].partition(". ")[0].rstrip(".") + "."


def _parameter(parameter: inspect.Parameter) -> click.Parameter:
    """The click parameter of one parameter of a function."""
    kind, stated = parameter.annotation, parameter.default
    several = list in (get_origin(kind), *map(get_origin, get_args(kind)))
    plain: Any = str if several else kind
    needed = stated.default is None
    common: dict[str, Any] = {"metavar": stated.metavar, "shell_complete": _completion(stated.complete)}
    if plain is str:
        common["callback"] = _not_empty
    if not stated.flags:
        if not needed:
            common["default"] = stated.default
        return click.Argument([parameter.name], type=plain, required=needed, nargs=-1 if several else 1, **common)
    if kind is bool:
        return click.Option([*stated.flags, parameter.name], is_flag=True, default=False, help=stated.help)
    if stated.min is not None or stated.max is not None:
        plain = (click.IntRange if kind is int else click.FloatRange)(stated.min, stated.max)
    if kind in (int, float):
        common["show_default"] = True
    default = () if several else stated.default
    return click.Option(
        [*stated.flags, parameter.name], type=plain, default=default, multiple=several, help=stated.help, **common
    )


def _not_empty(context: click.Context, parameter: click.Parameter, value: Any) -> Any:
    """Refuse an empty value on the command line, such as that of a shell variable that is not set."""
    typed = context.get_parameter_source(parameter.name or "") is ParameterSource.COMMANDLINE
    if typed and not all(value if isinstance(value, (list, tuple)) else [value]):
        raise click.BadParameter("the value is empty; leave the option out, or give it a value")
    return value


def _completion(complete: Completion | None) -> Any:
    if complete is None:
        return None

    def offered(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
        # while an option waits for its value, click has not given the words before it to the arguments
        places = [p.name for p in context.command.params if isinstance(p, click.Argument) and p.name]
        typed = {**context.params, **dict(zip(places, context.args, strict=False))}
        try:
            words = complete(typed, incomplete)
        except Exception:  # completion never fails: without the file there are no candidates
            return []
        # control characters would end the shell's line, or control the terminal
        return [word for word in words if word.startswith(incomplete) and word.isprintable()]

    return offered
