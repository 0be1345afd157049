"""Docstrings put together from parts: what an argument is, is said once for all the methods that take it."""

import inspect
import textwrap
from collections.abc import Mapping
from functools import update_wrapper
from types import FunctionType
from typing import Any, NamedTuple

WIDTH = 110
#: what may be part of a quantity, by a letter
CONTENTS = {
    "g": "gravity",
    "c": "Coriolis forces",
    "f": "joint friction and damping",
    "a": "armature",
    "e": "external forces",
}


class Help(NamedTuple):
    """What the help of a method says beside its own first sentences and the arguments."""

    returns: str
    included: str | None = None  # letters of CONTENTS; None if none of them could be
    source: str = ""
    example: str = ""


def document(kind: type, arguments: Mapping[str, str], methods: Mapping[str, Help], setting: str = "") -> None:
    """Give each of the methods of a class its whole docstring; `setting` are the first lines of its example.

    `arguments` says what each is, by its name; `method.name` where it is something else for one method.
    """
    for name, parts in methods.items():
        found = inspect.getattr_static(kind, name)
        function = getattr(found, "__func__", found)  # of a class or static method its own
        if function.__doc__:  # python -OO has none
            function.__doc__ = composed(function, arguments, parts, setting)


def adopt(kind: type, base: type) -> None:
    """Methods that a class has from a base nobody knows, under its own name: Python's messages and pickle use that."""
    for name, function in vars(base).items():
        if isinstance(function, FunctionType) and not name.startswith("_") and name not in vars(kind):
            own = FunctionType(
                function.__code__, function.__globals__, name, function.__defaults__, function.__closure__
            )
            own.__kwdefaults__ = function.__kwdefaults__
            update_wrapper(own, function)
            del own.__wrapped__  # type: ignore[attr-defined]
            own.__module__, own.__qualname__ = kind.__module__, f"{kind.__qualname__}.{name}"
            setattr(kind, name, own)


def composed(function: Any, arguments: Mapping[str, str], parts: Help, setting: str = "") -> str:
    """Own sentences, arguments, what is returned and included, where it comes from, an example."""
    code = inspect.unwrap(function).__code__
    own = code.co_varnames[:1] in (("self",), ("cls",))
    taken = code.co_varnames[own : code.co_argcount + code.co_kwonlyargcount]
    varied = code.co_varnames[code.co_argcount + code.co_kwonlyargcount :][: bool(code.co_flags & inspect.CO_VARARGS)]
    lines = [inspect.cleandoc(function.__doc__), ""]
    for name in (*taken, *varied):
        said = arguments.get(f"{function.__name__}.{name}", arguments[name])
        lines += filled(f"{name}: {said}", "    ")
    if code.co_flags & inspect.CO_VARKEYWORDS:
        rest = code.co_varnames[own + len(taken) + len(varied)]
        dynamic = rest == "options" and "DynamicOptions" in str(function.__annotations__["options"])
        said = arguments.get(f"{function.__name__}.{rest}", arguments["dynamic options" if dynamic else rest])
        lines += filled(said if rest == "options" else f"{rest}: {said}", "    ")
    lines += ["", *filled(f"Returns: {parts.returns}.")]
    if parts.included is not None:
        lines += filled(_contents(parts.included))
    if parts.source:
        lines += filled(f"Source: {parts.source}.")
    return "\n".join([*lines, "", ">>> import articulated as art", *setting.splitlines(), parts.example.strip()])


def _contents(included: str) -> str:
    """What is included, and what one might think is."""
    forces = bool(set(included) & set("gcf"))
    missing = [CONTENTS[letter] for letter in ("gcfa" if forces else "a") if letter not in included]
    there = [CONTENTS[letter] for letter in CONTENTS if letter in included]
    said = [f"Included: {', '.join(there)}."] if there else []
    return " ".join([*said, *([f"Not included: {', '.join(missing)}."] if missing else [])])


def filled(text: str, indent: str = "") -> list[str]:
    """A sentence as lines; what follows the first is set in."""
    return textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=f"{indent}    ")
