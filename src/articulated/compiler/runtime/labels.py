"""Arrays with labels, of pandas, polars and xarray: brought into the robot's order by name, or refused.

Labels that are numbers in rising order say where a number stands and nothing else; any others name components.
"""

from collections.abc import Sequence
from itertools import pairwise
from numbers import Real
from typing import Any

import numpy as np

from ...errors import ShapeError
from ...text import shortened


def plain(what: str, value: Any, names: Sequence[str]) -> Any:
    """`value` without labels, its last axis in the order of `names`; what has no labels is returned as it is."""
    if isinstance(value, np.ma.MaskedArray):
        if np.ma.getmaskarray(value).any():
            raise ShapeError(f"{what} is masked in places; fill it first, {what}.filled(np.nan) makes such states NaN")
        return value.data
    family = type(value).__module__.partition(".")[0]
    if family in ("pandas", "polars"):
        labels = getattr(value, "columns", getattr(value, "index", None))
        return value if labels is None or callable(labels) else _placed(what, np.asarray(value), list(labels), names)
    if family == "xarray" and hasattr(value, "dims"):
        value = in_order(what, value, names)
        return value.values if hasattr(value, "values") and not callable(value.values) else value
    return value


def in_order(what: str, value: Any, names: Sequence[str]) -> Any:
    """A DataArray with its last dimension in the order of `names`."""
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
    order = places(what, list(value.indexes[last]), names)
    return value if order is None else value.isel({last: order})


def places(what: str, labels: list[Any], names: Sequence[str]) -> list[int] | None:
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
    if set(at) != set(names):
        raise ShapeError(
            f"{what} has the labels {_shown(labels)}; the robot has {_shown(names)}: "
            "rename them, or give the numbers alone, in this order"
        )
    return [at[name] for name in names]


def _placed(what: str, values: np.ndarray, labels: list[Any], names: Sequence[str]) -> np.ndarray:
    if values.ndim == 0 or len(labels) != values.shape[-1]:
        return values  # its shape is wrong, and that is said elsewhere
    order = places(what, labels, names)
    return values if order is None else values[..., order]


def _shown(labels: Sequence[Any]) -> str:
    return shortened(", ".join(map(str, labels)), 200)
