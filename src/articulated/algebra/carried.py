"""Linear maps of six or three scalars, on what a recursion holds and on what somebody gives.

Arrays of objects are a recursion's: they hold any scalars, and pass as they are.  Everything else is checked: numbers
(…, n) with any leading axes, which give floats, or n symbols.
"""

from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import Any

import numpy as np

from ..errors import ShapeError
from . import given
from .asked import floats
from .scalars import Array, array, eye, plain, zeros

#: how much of its largest entry the two halves of a symmetric matrix may differ by: rounding
SYMMETRIC = 1e-12
Map = Callable[[Any, Any], Array]


def of_vectors(size: int) -> Callable[[Map], Map]:
    """For a method that maps a vector of this size; it may add something."""

    def decorated(method: Map) -> Map:
        def of_rows(self: Any, x: np.ndarray) -> np.ndarray:
            if x.ndim == 1:
                return plain(method(self, array(x)))
            at_zero = method(self, zeros(size))
            columns = np.stack([method(self, unit) - at_zero for unit in eye(size)])
            return x @ plain(columns) + plain(at_zero)

        return _checked(method, (size,), of_rows)

    return decorated


def of_matrices(method: Map) -> Map:
    """For a method that maps a 6×6 matrix."""
    return _checked(method, (6, 6), lambda self, M: plain(method(self, array(M))))


def of_symmetric(method: Map) -> Map:
    """For one that reads half of a 6×6 matrix."""

    def of_floats(self: Any, M: np.ndarray) -> np.ndarray:
        if not np.isfinite(M).all() or abs(M - M.T).max() > SYMMETRIC * abs(M).max():
            raise ShapeError(f"{type(self).__name__}.{method.__name__}: M is not symmetric, or not finite")
        return plain(method(self, array(M)))

    return _checked(method, (6, 6), of_floats)


def _checked(method: Map, shape: tuple[int, ...], of_floats: Map) -> Map:
    argument = list(signature(method).parameters)[1]

    @wraps(method)
    def called(self: Any, *values: Any, **by_name: Any) -> Array:
        if len(values) + len(by_name) != 1 or (by_name and argument not in by_name):
            return method(self, *values, **by_name)  # Python says what is wrong with it
        x = values[0] if values else by_name[argument]
        if type(x) is np.ndarray and x.dtype == object and x.shape[: len(shape)] == shape:
            return method(self, x)
        what = f"{type(self).__name__}.{method.__name__}: {argument}"
        try:
            real = floats(what, x)
        except ShapeError:  # symbols, or nothing of the kind
            return plain(method(self, given.numbers(what, x, *shape)))
        if real.shape[-len(shape) :] != shape or len(shape) == 2 < real.ndim:
            wanted = "(…, {})" if len(shape) == 1 else "({0}, {0})"
            raise ShapeError(f"{what} has shape {wanted.format(shape[0])}; got {real.shape}")
        with np.errstate(over="ignore", invalid="ignore"):  # what is not finite shows in the result
            return of_floats(self, real)

    return called
