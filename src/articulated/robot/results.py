"""NamedTuples whose fields are known only when they are made; they can be sent to another process all the same."""

from collections import namedtuple
from functools import cache
from typing import Any


@cache
def result_type(title: str, fields: tuple[str, ...]) -> Any:
    """The NamedTuple called `title` with these fields; the same one for the same fields."""
    found: Any = namedtuple(title, fields)  # type: ignore[misc]

    def reduced(self: Any) -> Any:
        return _remade, (title, fields, tuple(self))

    found.__reduce__ = reduced  # type: ignore[method-assign]
    return found


def _remade(title: str, fields: tuple[str, ...], values: tuple[Any, ...]) -> Any:
    return result_type(title, fields)(*values)
