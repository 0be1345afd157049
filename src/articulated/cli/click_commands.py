"""Commands from functions: the default of a parameter says what it is on the command line."""

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, get_args, get_origin

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from .candidates import Completion

#: words that every shell takes as they are: click's scripts do not quote candidates
SAFE = re.compile(r"[\w./,:@%+=-]*")


class Stated(NamedTuple):
    """The command-line side of a parameter; an argument has no flags."""

    flags: tuple[str, ...]
    help: str
    default: Any = None  # of an argument: it is needed
    metavar: str | None = None
    min: float | None = None
    max: float | None = None
    complete: Completion | None = None


class Told(NamedTuple):
    """The outcome of a command that returns one, which has --json: the JSON fields, or else a text and remarks.

    A text may be a function that shows it.
    """

    fields: Mapping[str, Any]
    text: str | Callable[[], object] = ""
    remarks: Sequence[str] = ()
    code: int = 0


def Option(*flags: str, help: str, default: Any = "", **more: Any) -> Any:
    """`frame: str = Option("--frame", "-f", help=…)`; a bool is a flag, a list may be repeated."""
    return Stated(flags, help, default, **more)


def Argument(help: str, **more: Any) -> Any:
    """`source: str = Argument(help=…)`; a list takes all that follow."""
    return Stated((), help, **more)


JSON = Option("--json", help="One JSON object on stdout (schema: docs/cli.md).")


def command(name: str, function: Callable[..., Any], run: Callable[..., None]) -> click.Command:
    """The command of a function, which `run` calls: its docstring is the help, the examples in it stand at the end."""
    signature = inspect.signature(function)
    stated = {p.name: (p.annotation, p.default) for p in signature.parameters.values()}
    if signature.return_annotation is Told:
        stated["as_json"] = bool, JSON
    text, _, examples = (inspect.getdoc(function) or "").partition("\n\nExamples:\n")
    epilog = f"\b\nExamples:\n{examples}"  # \b keeps the lines as they are
    about = [f"  {s.metavar or key.upper():<10} {s.help}" for key, (_, s) in stated.items() if not s.flags]
    listed = "\n\n\b\nArguments:\n" + "\n".join(about) if about else ""
    summary = text.partition("\n\n")[0].partition(". ")[0].rstrip(".") + "."
    made = [_parameter(key, kind, s) for key, (kind, s) in stated.items()]
    return click.Command(name, callback=run, params=made, help=text + listed, epilog=epilog, short_help=summary)


def _parameter(name: str, kind: Any, stated: Stated) -> click.Parameter:
    """The click parameter of one parameter of a function."""
    several = list in (get_origin(kind), *map(get_origin, get_args(kind)))
    plain: Any = str if several else kind
    common: dict[str, Any] = {"metavar": stated.metavar, "shell_complete": _completion(stated.complete)}
    if plain is str:
        common["callback"] = _not_empty
    if not stated.flags:
        needed = stated.default is None
        common |= {} if needed else {"default": stated.default}
        return click.Argument([name], type=plain, required=needed, nargs=-1 if several else 1, **common)
    flags = [*stated.flags, name]
    if kind is bool:
        return click.Option(flags, is_flag=True, default=False, help=stated.help)
    if stated.min is not None or stated.max is not None:
        bounded: Any = click.IntRange if kind is int else click.FloatRange
        plain = bounded(stated.min, stated.max)
    common |= {"default": () if several else stated.default, "show_default": kind in (int, float)}
    return click.Option(flags, type=plain, multiple=several, help=stated.help, **common)


def _not_empty(context: click.Context, parameter: click.Parameter, value: Any) -> Any:
    """Refuse an empty value on the command line, such as that of a shell variable that is not set."""
    typed = context.get_parameter_source(parameter.name or "") is ParameterSource.COMMANDLINE
    if typed and not all(value if isinstance(value, (list, tuple)) else [value]):
        raise click.BadParameter("the value is empty; leave the option out, or give it a value")
    return value


def _completion(complete: Completion | None) -> Any:
    def offered(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str | CompletionItem]:
        # while an option waits for its value, click has not given the words before it to the arguments
        places = [p.name for p in context.command.params if isinstance(p, click.Argument) and p.name]
        typed = {**context.params, **dict(zip(places, context.args, strict=False))}
        try:
            words = complete(typed, incomplete) if complete else ()
        except Exception:  # completion never fails: without the file there are no candidates
            return []
        fits = (not isinstance(x, str) or (x.startswith(incomplete) and SAFE.fullmatch(x)) for x in words)
        return [word for word, fine in zip(words, fits, strict=True) if fine]

    return complete and offered
