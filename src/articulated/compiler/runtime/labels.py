"""Arrays with labels, of pandas, polars and xarray: brought into the robot's order by name, or refused.

Labels that are numbers in rising order say where a number stands and nothing else; any others name components, plainly
or as the columns of a log do (`q_elbow`).
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from numbers import Real
from typing import Any

import numpy as np

from ...errors import ShapeError
from ...text import plain as shown
from ...text import shortened

#: how logs spell a quantity beside a joint's name
SPELLINGS = {
    "q": ("q", "pos", "position"),
    "v": ("v", "qd", "dq", "vel", "velocity"),
    "a": ("a", "qdd", "ddq", "acc", "acceleration"),
    "tau": ("tau", "eff", "effort", "torque"),
}


def ways(quantity: str, name: str, k: int) -> tuple[list[str], list[str]]:
    """How logs write component k of a quantity, the plainest first: by the name of its joint, and by its number."""
    parts, words = dict.fromkeys((name, shown(name))), SPELLINGS.get(quantity, ())
    by_name = [f"{word}{mark}{part}" for part in parts for word in words for mark in "_./: "]
    by_name += [f"{part}{mark}{word}" for part in parts for word in words for mark in "_./:"]
    return by_name, [f"{quantity}{k}", f"{quantity}_{k}", f"{quantity}[{k}]"]


def plain(what: str, value: Any, names: Sequence[str], quantity: str = "") -> Any:
    """`value` without labels, its last axis in the order of `names`; what has no labels is returned as it is.

    `quantity` is what logs may write beside a name: q, v, a or tau.
    """
    if isinstance(value, np.ma.MaskedArray):
        if np.ma.getmaskarray(value).any():
            raise ShapeError(
                f"{what} is masked in places; fill it first, as .filled(np.nan), which makes such states NaN"
            )
        return value.data
    family = type(value).__module__.partition(".")[0]
    if family in ("pandas", "polars"):
        labels = getattr(value, "columns", getattr(value, "index", None))
        if names and hasattr(value, "columns") and set(getattr(value, "index", ())) == set(names) != set(value.columns):
            raise ShapeError(f"{what}: its joints are along the rows; give its transpose, {what.rpartition(' ')[2]}.T")
        return (
            value
            if labels is None or callable(labels)
            else _placed(what, np.asarray(value), list(labels), names, quantity)
        )
    if family == "xarray" and hasattr(value, "dims"):
        value = in_order(what, value, names, quantity)
        return value.values if hasattr(value, "values") and not callable(value.values) else value
    return value


def in_order(what: str, value: Any, names: Sequence[str], quantity: str = "") -> Any:
    """A DataArray with its last dimension in the order of `names`, and called by them."""
    if not hasattr(value, "dtype"):
        raise ShapeError(f"{what} is a {type(value).__name__}; give one DataArray")
    *others, last = value.dims or (None,)
    for dimension in others:
        if names and dimension in value.indexes and set(value.indexes[dimension]) == set(names):
            raise ShapeError(
                f"{what}: its joints are along {dimension!r}; bring them last: .transpose(…, {dimension!r})"
            )
    if last not in value.indexes:
        return value
    order = places(what, list(value.indexes[last]), names, quantity)
    return value if order is None else value.isel({last: order}).assign_coords({last: list(names)})


def places(what: str, labels: list[Any], names: Sequence[str], quantity: str = "") -> list[int] | None:
    """Where each of `names` is among the labels; None if there is nothing to reorder."""
    if labels == list(names):
        return None
    if all(isinstance(x, (Real, np.datetime64, np.timedelta64)) for x in labels):
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
        raise ShapeError(f"{what} has the labels {_shown(labels)}, which cannot be told apart here; give an array")
    raise ShapeError(
        f"{what} has the labels {_shown(labels)}; the robot has {_shown(names)}: "
        "rename them, or give the numbers alone, in this order"
    )


def _as_in_a_log(at: Mapping[Any, int], names: Sequence[str], quantity: str) -> list[int] | None:
    """Where each component is if every label is one component, spelt as in a log; None otherwise."""
    found: list[int] = []
    for k, name in enumerate(names):
        spelt = ([at[way] for way in several if way in at] for several in ways(quantity, name, k))
        found += next(filter(None, spelt), [])[:1]
    return found if len(set(found)) == len(names) == len(at) else None


def _placed(what: str, values: np.ndarray, labels: list[Any], names: Sequence[str], quantity: str) -> np.ndarray:
    if values.ndim == 0 or len(labels) != values.shape[-1]:
        return values  # its shape is wrong, and that is said elsewhere
    order = places(what, labels, names, quantity)
    return values if order is None else values[..., order]


def _shown(labels: Sequence[Any]) -> str:
    return shortened(", ".join(map(str, labels)), 200)
