"""Checks of arguments that are not arrays: choices, flags, names, paths, whole numbers."""

import operator
import os
from collections.abc import Callable, Iterable, Mapping
from inspect import signature
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import ShapeError, unknown
from ..text import shortened
from . import labels

LARGEST_FLOAT = float(np.finfo(float).max)


def choose(method: str, name: str, value: Any, options: Iterable[str]) -> str:
    """`value` if it is one of the options."""
    options = list(options)
    if not isinstance(value, str) or value not in options:
        raise unknown(f"{name} =", value, method, options)
    return value


def robot_first(method: str, value: Any) -> Any:
    """`value` if it is a robot, which functions take as their first argument."""
    if not hasattr(value, "kernels"):
        raise ShapeError(f"{method} takes a robot first, as from art.load; got {shortened(repr(value))}")
    return value


def flag(what: str, value: Any) -> bool:
    """`value` if it is True or False."""
    if not isinstance(value, (bool, np.bool_)):
        raise ShapeError(f"{what} is True or False; got {shortened(repr(value))}")
    return bool(value)


def names(what: str, given: Any) -> list[str]:
    """`given` if it is a list of names, and not one name."""
    if isinstance(given, str):
        raise ShapeError(f"{what} takes a list of names; did you mean [{given!r}]?")
    if not isinstance(given, Iterable) or isinstance(given, (Mapping, bytes)) or getattr(given, "ndim", 1) == 0:
        raise ShapeError(f"{what} takes a list of names; got {shortened(repr(given))}")
    found = list(given)
    for name in found:
        if not isinstance(name, str):
            raise ShapeError(f"{what} takes a list of names; one of them is {shortened(repr(name))}")
    return found


def whole_number(what: str, value: Any, least: int = 0) -> int:
    """`value` if it is an integer from `least`."""
    try:
        found = operator.index(value)
    except TypeError:
        found = least - 1
    if found < least or found > 2**62:
        raise ShapeError(f"{what} is a whole number from {least}; got {shortened(repr(value))}")
    return found


def number(what: str, value: Any, meaning: str, least: float = 0.0, most: float = LARGEST_FLOAT) -> float:
    """`value` as a float if it is a number from `least` to `most`; `meaning` says what it is."""
    try:
        real = float(value) if isinstance(value, Real) and not isinstance(value, (bool, np.timedelta64)) else np.nan
    except OverflowError:  # an integer larger than any float
        real = np.nan
    if least <= real <= min(most, LARGEST_FLOAT):
        return real
    raise ShapeError(f"{what} is {meaning}; got {shortened(repr(value))}")


def file_path(what: str, value: Any) -> Path:
    """The path of a file, as a system can have one: no zero byte, no half of a surrogate pair."""
    if not isinstance(value, (str, Path)):
        raise ShapeError(f"{what}: path is the name of a file; got {shortened(repr(value))}")
    try:
        if b"\0" not in os.fsencode(value):
            return Path(value)
    except UnicodeEncodeError:
        pass
    raise ShapeError(f"{what}: no file can be called {shortened(repr(str(value)))}")


def generator(what: str, value: Any) -> np.random.Generator:
    """A generator of random numbers, from one or from a seed."""
    try:
        return np.random.default_rng(value)
    except (TypeError, ValueError, OverflowError):
        raise ShapeError(f"{what} is a Generator, a seed from 0, or None; got {shortened(repr(value))}") from None


def function_of(what: str, function: Any, *arguments: str) -> Callable[..., Any]:
    """`function`, if it can be called with so many arguments."""
    if not callable(function):
        raise ShapeError(f"{what} is a function of ({', '.join(arguments)}); got {shortened(repr(function))}")
    try:
        signature(function).bind(*arguments)
    except TypeError:
        taken = f"{getattr(function, '__name__', type(function).__name__)}{signature(function)}"
        raise ShapeError(
            f"{what} is called with ({', '.join(arguments)}); it takes other arguments: {shortened(taken)}"
        ) from None
    except ValueError:  # built in, and says nothing of them; a class that does so is no function of ours
        if isinstance(function, type):
            raise ShapeError(f"{what} is a function of ({', '.join(arguments)}); got {function!r}") from None
    return function


def floats(
    what: str, value: Any, names: labels.Names = (), quantity: str = "", rows: labels.Names | None = None
) -> np.ndarray:
    """`value` as an array of real numbers, of any shape; labels are put in the order of `names`: see `labels.plain`."""
    value = labels.plain(what, value, names, quantity, rows)
    try:
        found = np.asarray(value)
        if found.dtype.kind in "biuf":  # text that spells a number is text
            return found.astype(float, copy=False)
        if found.dtype == object and all(isinstance(x, (int, float)) for x in found.flat):
            return found.astype(float)
    except Exception:  # whatever NumPy, or the thing itself, thinks of becoming an array
        pass
    raise ShapeError(f"{what} must hold real numbers; got {shortened(repr(value))}")
