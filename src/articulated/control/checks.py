"""Checks of the numbers given to a law."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import ShapeError
from ..inputs import labels
from ..inputs.labels import Names

Floats = NDArray[np.floating]

#: larger numbers could overflow: laws square velocities
LARGE = 1e50


def array(what: str, given: Any, meaning: str, names: Names = (), rows: Names | None = ()) -> Floats:
    """`given` as an array of real numbers, of any shape; labels are `names` along its last axis, `rows` before it."""
    if type(given) is np.ndarray and given.dtype == float:
        return given
    given = labels.plain(what, given, names, rows=rows)
    try:
        if np.asarray(given).dtype.kind in "biufO":  # NumPy would read numbers in text
            return np.asarray(given, float)
    except (TypeError, ValueError, OverflowError):
        pass
    raise ShapeError(f"{what} is {meaning}; got {given!r}")


def vector(what: str, given: Any, size: int, names: Names = labels.COMPONENTS, leading: bool = False) -> Floats:
    """`given` as `size` numbers, called `names`; `leading` axes may be before them."""
    x = array(what, given, f"{size} numbers", names)
    if (x.shape[-1:] if leading else x.shape) != (size,):
        raise ShapeError(f"{what} has shape {x.shape}; it must be ({size},)")
    return x


def not_finite(given: Mapping[str, Any]) -> str:
    """The reason why a law gives no finite numbers: the first argument that is not, or a quaternion of zeros."""
    parts = [(name, part) for name, x in given.items() for part in (x if isinstance(x, tuple) else (x,))]
    bad = [name for name, x in parts if x is not None and not (abs(array(name, x, "numbers")) < LARGE).all()]
    if not bad:
        return "there is a quaternion of zeros in q, or numbers are too large to compute with"
    return f"{bad[0]} holds NaN or infinity, or numbers too large to compute with"
