"""Tracing: a function of NumPy arrays run once on scalars of the compiler's graph, for the compiled loop."""

from __future__ import annotations  # help shows types as they are written here

from collections.abc import Callable
from typing import Any

import numpy as np

from ...algebra import scalars
from ...errors import ArticulatedError, ShapeError
from ...text import shortened
from .scalar_functions import ARITHMETIC, FUNCTIONS, applied, where

Array = np.ndarray


class NotTraceable(ArticulatedError, TypeError):
    """A function does more than compute with its arguments: it branches on them, or keeps a state."""


class Traced:
    """A pure function for one state, to be put into the compiled loop."""

    def __init__(self, function: Callable[..., Any]):
        self.function = self.__wrapped__ = function  # `inspect.signature` looks through it
        self.__doc__ = getattr(function, "__doc__", None)

    def __call__(self, *arguments: Any) -> Any:
        """The function itself."""
        return self.function(*arguments)

    def __repr__(self) -> str:
        return f"traced({getattr(self.function, '__name__', self.function)!s})"


def traced(function: Callable[..., Any]) -> Traced:
    """Say that `function(t, q, v)` is a pure function of its arguments, so that it can be compiled.

    It is written for one state, with NumPy, and returns the torques (nv,).  `simulate` runs it once to find out what it
    computes, puts that into the compiled loop, and compares both at random states: a hidden state or a branch is an
    error, never a wrong run.

    Parameters
    ----------
    function : of t (s), q (nq,) and v (nv,), for one state

    Returns
    -------
    the function, marked; called as before

    Examples
    --------
    >>> import articulated as art
    >>> import numpy as np
    >>> @art.traced
    ... def swing(t, q, v):
    ...     return [0.3 * np.sin(2 * t) - 0.1 * v[0], 0]
    >>> art.simulate(art.load("double_pendulum"), [0, 0], [0, 0], 1.0, torque=swing).q.shape
    (1001, 2)
    """
    if not callable(function):
        raise ShapeError(f"traced takes a function of (t, q, v); got {shortened(repr(function))}")
    return function if isinstance(function, Traced) else Traced(function)


def run_on_scalars(function: Callable[..., Any], *arguments: Any) -> Array:
    """Result of the function as a vector of scalars; arrays among its arguments hold scalars."""
    wrapped = [x.view(Scalars) if isinstance(x, np.ndarray) else _zero_d(x) for x in arguments]
    try:
        found = function(*wrapped)
    except (TypeError, ShapeError) as problem:
        raise NotTraceable(
            f"{_name(function)} cannot be compiled: {problem}; it may use arithmetic, "
            "comparisons, %, np.sin, np.cos, np.tanh, np.sqrt, np.abs, np.floor, np.minimum, np.maximum, np.clip, "
            "np.where and the like, but not methods of a robot, branches on its arguments or their values as floats; "
            "without art.traced it is called step by step and may use anything"
        ) from problem
    if found is None:
        raise ShapeError(f"{_name(function)} returned nothing (None): is there a return?")
    values = np.atleast_1d(np.array(found, dtype=object)).view(np.ndarray)
    entries = [x.view(np.ndarray)[()] if isinstance(x, np.ndarray) else x for x in values]
    for x in entries:
        if not hasattr(x, "__sub__"):
            raise ShapeError(f"{_name(function)} returned {shortened(repr(x))} among its numbers")
    return scalars.array(entries)


def _name(function: Any) -> str:
    return getattr(function, "__name__", "the function")


class Scalars(np.ndarray):
    """An array of scalars on which NumPy's functions work; single entries stay arrays, of no axes."""

    def __getitem__(self, key: Any) -> Any:
        found = super().__getitem__(key)
        return found if isinstance(found, np.ndarray) else _zero_d(found)

    def __iter__(self) -> Any:
        return (self[k] for k in range(len(self)))

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        plain = [np.asarray(x, dtype=object).view(np.ndarray) for x in inputs]
        if method == "__call__" and ufunc in FUNCTIONS and not options:
            return _wrapped(np.frompyfunc(applied(ufunc), len(plain), 1)(*plain))
        if method == "__call__" and ufunc not in ARITHMETIC:
            raise TypeError(f"np.{ufunc.__name__} has no compiled form")
        return _wrapped(getattr(ufunc, method)(*plain, **options))

    def __array_function__(self, function: Any, types: Any, arguments: Any, options: Any) -> Any:
        if function is np.where and len(arguments) == 3:
            plain = [np.asarray(x, dtype=object).view(np.ndarray) for x in arguments]
            return _wrapped(np.frompyfunc(where, 3, 1)(*plain))
        if function is np.clip and len(arguments) == 3 and not options:
            x, low, high = arguments
            return np.minimum(np.maximum(x, low), high)
        if function is np.linalg.norm and len(arguments) == 1 and not options:
            (x,) = arguments
            return np.sqrt((x * x).sum())
        return super().__array_function__(function, types, arguments, options)


def _wrapped(x: Any) -> Any:
    return x.view(Scalars) if isinstance(x, np.ndarray) else _zero_d(x)


def _zero_d(x: Any) -> Scalars:
    out = np.empty((), object)
    out[()] = x
    return out.view(Scalars)
