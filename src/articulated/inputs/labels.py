"""Arrays with labels, of pandas, polars and xarray: brought into our order by name, or refused; and masks, refused.

Every array given by the user passes `plain`: in `choices.floats`, `numbers.shaped`, `arrays.as_vectors` and the like.
Labels that are numbers in rising order say where a number stands and nothing else; any others name components, plainly
or as the columns of a log do (`q_elbow`).
"""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from itertools import pairwise
from numbers import Real
from typing import Any

import numpy as np

from ..errors import ShapeError
from ..text import plain as shown
from ..text import shortened

#: how logs spell a quantity beside a joint's name
SPELLINGS = {
    "q": ("q", "pos", "position"),
    "v": ("v", "qd", "dq", "vel", "velocity"),
    "a": ("a", "qdd", "ddq", "acc", "acceleration"),
    "tau": ("tau", "eff", "effort", "torque"),
}
#: of a point or a direction, of a twist or a wrench, of a turn and of a quaternion
XYZ = ("x", "y", "z")
SPATIAL = (*XYZ, "rx", "ry", "rz")
RPY = ("roll", "pitch", "yaw")
XYZW = (*XYZ, "w")
#: names of components; where there may be so many or so many, by how many there are
Names = Sequence[str] | Mapping[int, Sequence[str]]
#: along the axes of a frame
COMPONENTS: Names = {3: XYZ, 6: SPATIAL}
_NUMBERS = {float, int, bool, np.float64}


def ways(quantity: str, name: str, k: int) -> tuple[list[str], list[str]]:
    """Spellings of component k of a quantity in logs, the plainest first: by the name of its joint, by its number."""
    parts, words = dict.fromkeys((name, shown(name))), SPELLINGS.get(quantity, ())
    by_name = [f"{word}{mark}{part}" for part in parts for word in words for mark in "_./: "]
    by_name += [f"{part}{mark}{word}" for part in parts for word in words for mark in "_./:"]
    return by_name, [f"{quantity}{k}", f"{quantity}_{k}", f"{quantity}[{k}]"]


def plain(what: str, value: Any, names: Names, quantity: str = "", rows: Names | None = None) -> Any:
    """`value` without labels, its last axis in the order of `names`; what has no labels is returned as it is.

    `quantity` is what logs may write beside a name: q, v, a or tau.  `rows` are the names along the axis before the
    last, if it is a matrix; None if that axis is one of states, which may be called anything.
    """
    kind = type(value)
    if kind is np.ndarray or kind is float:
        return value
    if kind is list or kind is tuple:  # of numbers, or of rows, each of which may have labels or a mask
        plainly = _NUMBERS.issuperset(map(type, value))
        return value if plainly else [plain(what, x, names, quantity, rows) for x in value]
    if isinstance(value, np.ma.MaskedArray):
        if np.ma.getmaskarray(value).any():
            raise ShapeError(f"{what} is masked in places; fill it first: .filled(np.nan) makes such states NaN")
        return value.data
    family = kind.__module__.partition(".")[0]
    if family in ("pandas", "polars"):
        return _of_table(what, value, names, quantity, rows)
    if family == "xarray" and hasattr(value, "dims"):
        value = in_order(what, value, names, quantity, rows)
        return value.values if hasattr(value, "values") and not callable(value.values) else value
    return value


def _of_table(what: str, value: Any, names: Names, quantity: str, rows: Names | None) -> Any:
    """A Series or a DataFrame."""
    index = getattr(value, "index", None)  # polars has none
    labels = getattr(value, "columns", index)
    if labels is None or callable(labels):
        return value
    values = np.asarray(value)
    if hasattr(value, "columns") and index is not None:
        if rows is not None:
            values = _placed(f"{what}, along its rows,", values.T, list(index), rows, quantity).T
        elif (own := _expected(names, len(labels))) and _are(index, own) and not _are(labels, own):
            raise ShapeError(f"{what}: its joints are along the rows; give its transpose, {what.rpartition(' ')[2]}.T")
    return _placed(what, values, list(labels), names, quantity)


def in_order(what: str, value: Any, names: Names, quantity: str = "", rows: Names | None = None) -> Any:
    """A DataArray with its last dimension in the order of `names`, and called by them; the one before it by `rows`."""
    if not hasattr(value, "dtype"):
        raise ShapeError(f"{what} is a {type(value).__name__}; give one DataArray")
    *others, last = value.dims or (None,)
    if rows is not None and others:
        value = _renamed(f"{what}, along its rows,", value, others.pop(), rows, quantity)
    own = _expected(names, value.shape[-1]) if value.dims else ()
    for dimension in others:
        if own and dimension in value.indexes and _are(value.indexes[dimension], own):
            raise ShapeError(
                f"{what}: its joints are along {dimension!r}; bring them last: .transpose(…, {dimension!r})"
            )
    return _renamed(what, value, last, names, quantity)


def _renamed(what: str, value: Any, dimension: Any, names: Names, quantity: str) -> Any:
    if dimension not in value.indexes:
        return value
    own = _expected(names, len(value.indexes[dimension]))
    order = places(what, list(value.indexes[dimension]), own, quantity)
    return value if order is None else value.isel({dimension: order}).assign_coords({dimension: list(own)})


def _are(labels: Any, names: Sequence[str]) -> bool:
    """True if they are these names in any order; an index may be as long as a log."""
    return len(labels) == len(names) and set(labels) == set(names)


def _expected(names: Names, count: int) -> Sequence[str]:
    return names.get(count, ()) if isinstance(names, Mapping) else names


def places(what: str, labels: list[Any], names: Sequence[str], quantity: str = "") -> list[int] | None:
    """Positions of `names` among the labels; None if there is nothing to reorder."""
    if labels == list(names):
        return None
    if all(isinstance(x, (Real, np.datetime64, np.timedelta64, date, timedelta)) for x in labels):
        if any(not x < y for x, y in pairwise(labels)):
            raise ShapeError(f"{what}: its labels {_shown(labels)} are not in order; give names, or no labels")
        return None
    at = {label: k for k, label in enumerate(labels)}
    if len(at) < len(labels):
        raise ShapeError(f"{what}: a label is there twice: {_shown(labels)}")
    if set(at) == set(names):
        return [at[name] for name in names]
    if found := _as_in_a_log(at, names, quantity):
        return found
    if not names:
        raise ShapeError(f"{what} has the labels {_shown(labels)}, which mean nothing here; give the numbers alone")
    raise ShapeError(
        f"{what} has the labels {_shown(labels)}; expected are {_shown(names)}: "
        "rename them, or give the numbers alone, in this order"
    )


def _as_in_a_log(at: Mapping[Any, int], names: Sequence[str], quantity: str) -> list[int] | None:
    """Position of each component if every label is one component, spelt as in a log; None otherwise."""
    found: list[int] = []
    for k, name in enumerate(names):
        spelt = ([at[way] for way in several if way in at] for several in ways(quantity, name, k))
        found += next(filter(None, spelt), [])[:1]
    return found if len(set(found)) == len(names) == len(at) else None


def _placed(what: str, values: np.ndarray, labels: list[Any], names: Names, quantity: str) -> np.ndarray:
    if values.ndim == 0 or len(labels) != values.shape[-1]:
        return values  # its shape is wrong, and that is said elsewhere
    order = places(what, labels, _expected(names, len(labels)), quantity)
    return values if order is None else values[..., order]


def _shown(labels: Sequence[Any]) -> str:
    return shortened(", ".join(map(str, labels)), 200)
