"""Checks of scalars, vectors, tensors and rotations given by the user: real and finite; symbols pass."""

import math
from collections.abc import Sequence
from datetime import timedelta
from functools import cache
from numbers import Number, Real
from typing import Any

import numpy as np

from ..algebra.scalars import Array, Scalar, array, zeros
from ..errors import ModelError, ShapeError
from ..text import shortened
from . import labels
from .labels import COMPONENTS

#: tolerance of products of rows of a rotation: rounding entries to six decimals changes them by 2 √3 × 5e-7 at most
ROUNDED = 2e-6
#: error of a product of thousands of rotations; a matrix this near to a rotation is not changed
COMPUTED = 1e-12
#: nothing about a robot is this large, and the square of it is still a number
LARGEST = 1e150
_PLAIN = {float, int}
_ARITHMETIC = ("__add__", "__radd__", "__sub__", "__rsub__", "__mul__", "__rmul__")


def scalar(what: str, x: Any) -> Scalar:
    """`x` if it is a finite number or a symbol."""
    if type(x) is float and -LARGEST < x < LARGEST:
        return x
    if isinstance(x, Real) and not isinstance(x, (bool, np.timedelta64)):
        try:
            if abs(float(x)) < LARGEST:
                return x
        except OverflowError:  # an integer that no float holds
            pass
    elif _is_symbol(type(x)) and not _is_no_real_number(x):  # type: ignore[arg-type]
        return x
    raise ModelError(f"{what} = {shortened(repr(x))}; it takes a finite number, below {LARGEST:g}, or a symbol")


def not_negative(what: str, x: Any) -> Scalar:
    """`x` if it is a number from 0, or a symbol."""
    if type(x) is float and 0 <= x < LARGEST:
        return x
    if isinstance(scalar(what, x), Real) and x < 0:
        raise ModelError(f"{what} = {x}; it must not be negative")
    return x


def numbers(
    what: str, value: Any, *shape: int, error: type[Exception] = ShapeError, names: Sequence[str] | None = None
) -> Array:
    """`value` as an array of this shape whose entries are finite numbers or symbols."""
    x = shaped(what, value, *shape, error=error, names=names)
    if not clearly_finite(x.ravel().tolist()):
        for index, entry in np.ndenumerate(x):
            scalar(f"{what}[{', '.join(map(str, index))}]", entry)
    return x


def shaped(
    what: str, value: Any, *shape: int, error: type[Exception] = ShapeError, names: Sequence[str] | None = None
) -> Array:
    """`value` as an array of this shape, whatever its entries are; labels are `names`, else x, y, z and so on."""
    if type(value) is np.ndarray and value.dtype == object and value.shape == shape:
        return value
    value = labels.plain(what, value, COMPONENTS if names is None else names, rows=COMPONENTS)
    if hasattr(value, "__array__") and not isinstance(value, np.ndarray):
        flat = len(shape) == 1 and getattr(value, "is_Matrix", False)
        value = np.asarray(value)  # a DataFrame would be read as the names of its columns
        if flat and 1 in value.shape:  # SymPy has no vectors: a column or a row is one
            value = value.ravel()
    try:
        x = array(value)
    except (TypeError, ValueError):  # nothing to iterate over, or rows of different lengths
        raise error(f"{what} has shape {shape}; got {shortened(repr(value))}") from None
    if x.shape != shape:
        raise error(f"{what} has shape {shape}; got {x.shape}: {shortened(repr(value))}")
    return x


def tensor(what: str, value: Any) -> Array:
    """A 3×3 matrix, given as one, as its diagonal, or as one number: the same about every axis."""
    value = labels.plain(what, value, labels.XYZ, rows=labels.XYZ)
    if type(value) is np.ndarray and value.ndim == 2:
        return shaped(what, value, 3, 3)
    if isinstance(value, (list, tuple, np.ndarray)) or getattr(value, "is_Matrix", False):
        entries = value.tolist() if isinstance(value, np.ndarray) else list(value)
        if not isinstance(entries, list) or len(entries) != 3 or isinstance(entries[0], (list, tuple, np.ndarray)):
            return shaped(what, value, 3, 3)
        diagonal = entries
    elif (isinstance(value, Real) and not isinstance(value, bool)) or _is_symbol(type(value)):  # type: ignore[arg-type]
        diagonal = [value] * 3
    else:
        return shaped(what, value, 3, 3)
    out = zeros(3, 3)
    for k, x in enumerate(diagonal):
        out[k, k] = x
    return out


def clearly_finite(entries: list[Any]) -> bool:
    """True if they are floats and integers, none of them too large: a quick look that settles most arrays."""
    try:
        return _PLAIN.issuperset(map(type, entries)) and math.hypot(*entries) < LARGEST
    except OverflowError:
        return False


def rotation(what: str, R: Array) -> tuple[Array, float]:
    """A rotation matrix, and how far the given one was from it; that is R itself if it is one, or holds symbols."""
    entries = R.ravel().tolist()
    if not (_PLAIN.issuperset(map(type, entries)) or all(isinstance(x, Real) for x in entries)):
        return R, 0.0
    a, b, c, d, e, f, g, h, i = entries
    lengths = a * a + b * b + c * c, d * d + e * e + f * f, g * g + h * h + i * i
    across = a * d + b * e + c * f, a * g + b * h + c * i, d * g + e * h + f * i
    off = max(map(abs, (*across, *(x - 1 for x in lengths))))
    if not off <= ROUNDED or a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g) < 0:
        raise ModelError(
            f"{what} is not a rotation: {_why(off, lengths)}; "
            "Transform.from_rpy makes one from angles, and six correct decimals are enough"
        )
    if off <= COMPUTED:
        return R, 0.0
    for _ in range(2):  # Newton's iteration for the nearest rotation: each doubles the number of digits
        R = R @ (3 * np.eye(3, dtype=int).astype(object) - R.T @ R) / 2
    return R, float(off)


def _why(off: float, lengths: tuple[float, ...]) -> str:
    if off <= ROUNDED:
        return "it is a reflection (its determinant is -1)"
    shown = ", ".join(f"{float(x) ** 0.5:.7g}" for x in lengths)
    return f"its rows have the lengths {shown} and products up to {float(off):.2g} from those of unit vectors"


def _is_no_real_number(x: Any) -> bool:
    """True if it is an expression of SymPy with nan or oo in it, or a constant that is not real, as I."""
    atoms = x.atoms() if hasattr(x, "atoms") else ()
    if any(part.is_Number and part.is_finite is not True for part in atoms):
        return True
    return bool(getattr(x, "is_number", False) and (x.is_finite is False or x.is_real is False))


@cache
def _is_symbol(kind: Any) -> bool:
    """True if its instances can be calculated with: SymPy's, polynomials, nodes of a graph, a user's own."""
    other = issubclass(kind, (Number, np.generic, timedelta)) or hasattr(kind, "__array__")
    if kind.__module__.startswith("pandas."):  # NA and NaT stand for nothing, and calculate all the same
        return False
    # SymPy registers its numbers, all of which can be calculated with
    return (not other or kind.__module__.startswith("sympy")) and all(hasattr(kind, name) for name in _ARITHMETIC)
