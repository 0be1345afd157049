"""The only file that knows there is more than one kind of number.

The recursions run on Python floats, SymPy expressions and graph nodes alike.  Arithmetic is
the operators of the scalar; what has no operator is a function here, and a new kind of scalar
registers its own version (`sin.register(Kind, …)`).  Vectors and matrices are NumPy object
arrays of scalars.  Exact integers 0 and 1 stay exact, so that structure folds away.
"""

import math
from collections.abc import Iterable, Sequence
from functools import singledispatch
from numbers import Real
from typing import Any

import numpy as np

Scalar = Any  # float, sympy.Expr, a polynomial, or a node of the compiler's graph
Array = np.ndarray
Vector = Sequence[Any] | np.ndarray  # what a user may write for a vector or a matrix


@singledispatch
def sin(x: Scalar) -> Scalar:
    """Sine; sin(0) is exactly 0."""
    return math.sin(x) if x else 0


@singledispatch
def cos(x: Scalar) -> Scalar:
    """Cosine; cos(0) is exactly 1."""
    return math.cos(x) if x else 1


@singledispatch
def sqrt(x: Scalar) -> Scalar:
    """Square root."""
    return math.sqrt(x)


@singledispatch
def atan2(y: Scalar, x: Scalar) -> Scalar:
    """Angle of the point (x, y)."""
    if isinstance(x, Real):
        return math.atan2(y, x)
    # y is a number and x of another kind, which knows its own angle: seen from the other axis
    if y == 0:
        return select(x < 0, math.pi, 0)
    return math.pi / 2 - atan2(x, y) if y > 0 else atan2(x, -y) - math.pi / 2


@singledispatch
def sign(x: Scalar) -> Scalar:
    """-1, 0 or 1."""
    return int(x > 0) - int(x < 0)  # NumPy's bools do not subtract


@singledispatch
def select(condition: Any, yes: Scalar, no: Scalar) -> Scalar:
    """`yes` where the condition holds, else `no`; both are evaluated."""
    return yes if condition else no


@singledispatch
def held(x: Scalar) -> Scalar:
    """x, as a number that derivatives take for constant."""
    return x


def least(a: Scalar, b: Scalar) -> Scalar:
    """The smaller of two."""
    return select(a < b, a, b)


def greatest(a: Scalar, b: Scalar) -> Scalar:
    """The larger of two."""
    return select(a < b, b, a)


def chosen(condition: Any, yes: Any, no: Any) -> "Array":
    """`select` for every entry of two vectors."""
    return array([select(condition, a, b) for a, b in zip(yes, no, strict=True)])


def array(items: Iterable[Any]) -> Array:
    """Object array of scalars, nested as `items` is nested in lists, tuples and arrays."""
    if isinstance(items, np.ndarray) and items.dtype == object:
        return items
    rows: Sequence[Any] = items.tolist() if isinstance(items, np.ndarray) else list(items)
    if rows and isinstance(rows[0], (list, tuple, np.ndarray)):
        return np.stack([array(row) for row in rows])
    out = np.empty(len(rows), object)
    for i, item in enumerate(rows):
        out[i] = item
    return out


def plain(x: Array) -> Array:
    """An array of floats if every entry is a number, else `x` as it is (symbols, nodes)."""
    return x.astype(float) if all(isinstance(entry, _NUMBERS) for entry in x.flat) else x


_NUMBERS = (float, int, np.floating, np.integer)


def zeros(*shape: int) -> Array:
    """Exact zeros."""
    out = np.empty(shape, object)
    out.fill(0)
    return out


def stack(items: Sequence[Array], *shape: int) -> Array:
    """Arrays of this shape as rows of one; right for none of them, too."""
    return np.stack(items) if len(items) else zeros(0, *shape)


def eye(n: int) -> Array:
    """The exact identity matrix."""
    out = zeros(n, n)
    for i in range(n):
        out[i, i] = 1
    return out


def exact(x: Scalar, tolerance: float = 1e-14) -> Scalar:
    """A float within `tolerance` of 0, 1 or -1 as that integer; anything else as it is.

    Robot files spell a right angle with 7 to 17 digits; the cosine of the 17-digit one is
    6e-17, and treating it as the 0 it means removes a third of the arithmetic of some arms.
    """
    if isinstance(x, float):
        nearest = round(x) if -1.5 < x < 1.5 else None
        if nearest is not None and abs(x - nearest) <= tolerance:
            return nearest
        return float(x)
    return x


_WHOLE = {0.0: 0, 1.0: 1, -1.0: -1}


def exact_array(items: Iterable[Any], tolerance: float = 0.0) -> Array:
    """`exact` for every entry of a constant vector or matrix."""
    given = array(items)
    out = np.empty(given.shape, object)
    entries = given.ravel().tolist()
    if tolerance:
        out.reshape(-1)[:] = [x if type(x) is int else exact(x, tolerance) for x in entries]
    else:
        out.reshape(-1)[:] = [_WHOLE.get(x, x) if type(x) is float else exact(x, 0.0) for x in entries]
    return out


def total(terms: Iterable[Scalar], start: Scalar = 0) -> Scalar:
    """The sum, one term after the other: `sum` of Python 3.12 rounds floats in another way than all other scalars."""
    for x in terms:
        start = start + x
    return start


@singledispatch
def is_zero(x: Scalar) -> bool:
    """True if a scalar is the exact zero of structure (not merely a small number)."""
    return isinstance(x, int) and x == 0
