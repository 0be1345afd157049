"""Argument checks of methods that map 3-vectors, 6-vectors or 6×6 matrices.

Object arrays come from a recursion, hold any scalars and pass unchecked.  Lists and arrays of numbers or symbols are
checked; numbers give floats.
"""

from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import Any

import numpy as np

from ..algebra.scalars import Array, array, plain
from ..errors import ShapeError
from . import numbers
from .choices import floats
from .labels import COMPONENTS

Map = Callable[[Any, Any], Array]


def of_arrays(*shape: int) -> Callable[[Map], Map]:
    """Decorator of a method that maps a 6×6 matrix; or a vector, or the columns of a matrix as a product does."""
    return lambda method: _checked(method, shape)


def _check(what: str, x: np.ndarray, shape: tuple[int, ...]) -> None:
    if len(shape) == 2 and x.shape != shape:
        raise ShapeError(f"{what} has shape {shape}; got {x.shape}")
    if x.shape[:1] != shape[:1] or x.ndim > 2:
        size = shape[0]
        hint = "; transpose it" if x.ndim == 2 and x.shape[1] == size else ""
        raise ShapeError(f"{what} has shape ({size},), or ({size}, n) with one in each column; got {x.shape}{hint}")


def _checked(method: Map, shape: tuple[int, ...]) -> Map:
    argument = list(signature(method).parameters)[1]

    @wraps(method)
    def called(self: Any, *values: Any, **by_name: Any) -> Array:
        if len(values) + len(by_name) != 1 or (by_name and argument not in by_name):
            return method(self, *values, **by_name)  # Python says what is wrong with it
        x = values[0] if values else by_name[argument]
        if type(x) is np.ndarray and x.dtype == object and x.shape[: len(shape)] == shape:
            return method(self, x)
        what = f"{type(self).__name__}.{method.__name__}: {argument}"
        whole = len(shape) == 2 or getattr(x, "ndim", 1) == 1  # else each column is a vector, called anything
        try:
            real = floats(what, x, COMPONENTS if whole else (), rows=COMPONENTS)
        except ShapeError:  # symbols, or nothing of the kind
            return plain(method(self, numbers.numbers(what, x, *shape)))
        _check(what, real, shape)
        with np.errstate(over="ignore", invalid="ignore"):  # what is not finite shows in the result
            return plain(method(self, array(real)))

    return called
