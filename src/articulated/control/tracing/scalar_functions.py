"""NumPy's functions on scalars of the compiler's graph, by its few operations; conditions are 0 or 1."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ...algebra import scalars

#: tanh is 1 in double precision beyond this
LARGE = 20.0
#: halvings after which an argument of tanh is small
HALVINGS = 4
#: adding it leaves no digits behind the point
WHOLE = 1.5 * 2.0**52


def numbers(*values: Any) -> bool:
    """Whether all are numbers, none of them in the graph."""
    return all(isinstance(x, (float, int, np.generic)) for x in values)


def where(condition: Any, yes: Any, no: Any) -> Any:
    """`yes` where the condition is true, or a number other than 0."""
    return (yes if condition else no) if numbers(condition) else scalars.select(absolute(condition) > 0, yes, no)


def absolute(x: Any) -> Any:
    """|x|."""
    return scalars.select(x < 0, -x, x)


def _below(a: Any, b: Any) -> Any:
    return b > a if numbers(a) else a < b  # the comparison of the graph's scalar, not of NumPy's number


def _larger(a: Any, b: Any) -> Any:
    return scalars.select(_below(a, b), b, a)


def _smaller(a: Any, b: Any) -> Any:
    return scalars.select(_below(a, b), a, b)


def _less(a: Any, b: Any) -> Any:
    return scalars.select(_below(a, b), 1.0, 0.0)


def _at_most(a: Any, b: Any) -> Any:
    return scalars.select(_below(b, a), 0.0, 1.0)


def _both(a: Any, b: Any) -> Any:
    return where(a, where(b, 1.0, 0.0), 0.0)


def _either(a: Any, b: Any) -> Any:
    return where(a, 1.0, where(b, 1.0, 0.0))


def _not(a: Any) -> Any:
    return where(a, 0.0, 1.0)


def _power(x: Any, exponent: Any) -> Any:
    if exponent == 0.5:
        return scalars.sqrt(x)
    if isinstance(exponent, float | int) and float(exponent).is_integer():
        whole = int(exponent)
        return x**whole if whole >= 0 else 1 / x**-whole
    raise TypeError(f"x**{exponent} has no compiled form")


def _tanh(x: Any) -> Any:
    """Lambert's fraction of a small part of x, then tanh 2y = 2 tanh y / (1 + tanh² y): to 1e-15."""
    y = _smaller(_larger(x, -LARGE), LARGE) / 2**HALVINGS
    s = y * y
    found = y * (135135 + s * (17325 + s * (378 + s))) / (135135 + s * (62370 + s * (3150 + 28 * s)))
    for _ in range(HALVINGS):
        found = 2 * found / (1 + found * found)
    return found


def _floor(x: Any) -> Any:
    """The nearest whole number, less one if that is above x.

    The sum is hidden in a selection, or the compiler would cancel what is added and taken away again.
    """
    small = absolute(x) < WHOLE / 4
    nearest = scalars.select(small, x + WHOLE, WHOLE) - WHOLE
    return scalars.select(small, nearest - _less(x, nearest), x)


def _remainder(x: Any, y: Any) -> Any:
    """With the sign of y, as Python's x % y."""
    found = x - y * _floor(x / y)
    wrong = where(_less(y, 0), _less(0.0, found), _less(found, 0.0))  # by rounding of the quotient
    return found + wrong * y


#: by NumPy's function
FUNCTIONS: dict[Any, Callable[..., Any]] = {
    np.sin: scalars.sin,
    np.cos: scalars.cos,
    np.tan: lambda x: scalars.sin(x) / scalars.cos(x),
    np.tanh: _tanh,
    np.sqrt: scalars.sqrt,
    np.arctan2: scalars.atan2,
    np.arctan: lambda x: scalars.atan2(x, 1.0),
    np.hypot: lambda x, y: scalars.sqrt(x * x + y * y),
    np.sign: scalars.sign,
    np.absolute: absolute,
    np.fabs: absolute,
    np.maximum: _larger,
    np.minimum: _smaller,
    np.fmax: _larger,
    np.fmin: _smaller,
    np.less: _less,
    np.greater: lambda a, b: _less(b, a),
    np.less_equal: _at_most,
    np.greater_equal: lambda a, b: _at_most(b, a),
    np.logical_and: _both,
    np.bitwise_and: _both,
    np.logical_or: _either,
    np.bitwise_or: _either,
    np.logical_not: _not,
    np.invert: _not,
    np.floor: _floor,
    np.ceil: lambda x: -_floor(-x),
    np.remainder: _remainder,
    np.power: _power,
    np.square: lambda x: x * x,
    np.reciprocal: lambda x: 1 / x,
    np.deg2rad: lambda x: x * (np.pi / 180),
    np.rad2deg: lambda x: x * (180 / np.pi),
}
#: those that scalars do themselves
ARITHMETIC = {np.add, np.subtract, np.multiply, np.divide, np.negative, np.positive, np.matmul}


def applied(ufunc: Any) -> Callable[..., Any]:
    """A function of NumPy on scalars of the graph; itself on numbers."""
    return lambda *given: (ufunc if numbers(*given) else FUNCTIONS[ufunc])(*given)
