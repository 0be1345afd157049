"""Numbers given to a law, checked at the door."""

from collections.abc import Iterable, Mapping
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import ShapeError
from ..inputs import labels
from ..inputs.choices import number
from ..inputs.labels import Names

Floats = NDArray[np.floating]

#: numbers from here on can overflow in a law, which squares velocities
LARGE = 1e50


def array(what: str, given: Any, meaning: str, names: Names = (), rows: Names | None = ()) -> Floats:
    """`given` as an array of real numbers, of any shape; labels are `names` along its last axis, `rows` before it."""
    if type(given) is np.ndarray and given.dtype == float:
        return given
    given = labels.plain(what, given, names, rows=rows)
    try:
        if np.asarray(given).dtype.kind in "biufO":  # text that spells a number is text
            return np.asarray(given, float)
    except (TypeError, ValueError, OverflowError):
        pass
    raise ShapeError(f"{what} is {meaning}; got {given!r}")


def vector(what: str, given: Any, size: int, names: Names = labels.COMPONENTS) -> Floats:
    """`given` as `size` numbers, called `names`."""
    x = array(what, given, f"{size} numbers", names)
    if x.shape != (size,):
        raise ShapeError(f"{what} has shape {x.shape}; it must be ({size},)")
    return x


def not_negative(what: str, given: Any) -> float:
    """`given` if it is a finite number that is not negative."""
    return number(what, given, "a number, not negative")


def by_name(option: str, given: Any, values: str) -> dict[str, Any]:
    """`given` if it maps names."""
    if not isinstance(given, Mapping):
        raise ShapeError(f'{option}= maps contacts to {values}: {option}={{"foot": …}}; got {given!r}')
    return dict(given)


def names(option: str, given: Iterable[str]) -> tuple[str, ...]:
    """`given` if it is a list of names, not one name."""
    if isinstance(given, str):
        raise ShapeError(f"{option}= takes a list; did you mean [{given!r}]?")
    try:
        found = tuple(given)
    except TypeError:
        raise ShapeError(f"{option}= takes a list of names; got {given!r}") from None
    for name in found:
        if not isinstance(name, str):
            raise ShapeError(f"{option}= takes a list of names; one of them is {name!r}")
    return found


def spoiled(given: Mapping[str, Any], otherwise: str) -> str:
    """Why a law gives no finite numbers: which are not finite, or too large; `otherwise` if it is none of these."""
    sizes = {}
    for name, x in given.items():
        try:
            parts = x if isinstance(x, tuple) else (x,)
            numbers = [np.ravel(np.asarray(part, float)) for part in parts if part is not None]
        except (TypeError, ValueError):  # a target with a form of its own
            continue
        sizes[name] = float(abs(np.concatenate([np.zeros(1), *numbers])).max())
    bad = [name for name, size in sizes.items() if not isfinite(size)]
    if bad:
        return f"{' and '.join(bad)} {'holds' if len(bad) == 1 else 'hold'} NaN or infinity"
    largest = max(sizes, key=lambda name: sizes[name], default=otherwise)
    if sizes.get(largest, 0.0) < LARGE:
        return f"{otherwise} holds NaN or infinity, or numbers too large to compute with"
    return f"{largest} holds {sizes[largest]:.3g}, which is too large to compute with"
