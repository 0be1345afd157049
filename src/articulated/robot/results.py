"""NamedTuples whose fields are known only when they are made; they can be sent to another process all the same."""

from collections import namedtuple
from collections.abc import Callable, Mapping
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


class AsGiven(tuple):
    """Return type of an algorithm that gives what it was given: a State of as many arrays, or one array."""


def returning_as_given(algorithm: Callable[..., Any]) -> Callable[..., Any]:
    """Say so of an algorithm, where it is looked up."""
    algorithm.__annotations__["return"] = AsGiven
    return algorithm


def as_given(arrays: Mapping[str, Any]) -> Any:
    """Arrays by name in the form that `AsGiven` stands for."""
    kind = state_type(tuple(arrays))
    return kind(*arrays.values()) if kind else next(iter(arrays.values()))


def state_type(names: tuple[str, ...]) -> Any:
    """The type of `as_given` for these names; None for one array."""
    return result_type("State", names) if len(names) > 1 else None


def _remade(title: str, fields: tuple[str, ...], values: tuple[Any, ...]) -> Any:
    return result_type(title, fields)(*values)
