"""Formulations tried on a few states against what they stand for: those that differ by more than rounding are dropped.

No rule on distances and masses says which derivatives lose digits: it depends on which of the large numbers, in axes
that bodies share, the joints see in the end.  Inverse dynamics and its derivatives divide by nothing, so the textbook
keeps its digits, and what differs from it has lost some.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ...algebra.scalars import Array, array
from ...model import Model
from ..configuration import integrate, neutral

#: how far derivatives may be apart, relative to the largest entry of each; those of all robots of example-robot-data
#: and of the catalogue are within 21 roundings
APART = 32 * float(np.finfo(float).eps)
_STATES = 2


def faithful(
    formulations: tuple[Callable[..., Any], ...], textbook: Callable[..., Any], model: Model, fast: Model
) -> tuple[bool, ...]:
    """Whether the matrices of each formulation on the model `fast` are those of the textbook, to rounding."""
    kept = [True] * len(formulations)
    for state in _states(model):
        expected = textbook(model, *state)
        for k, way in enumerate(formulations):
            kept[k] = kept[k] and _apart(way(fast, *state), expected) <= APART
    return tuple(kept)


def _states(model: Model) -> Iterator[tuple[Array, Array, Array]]:
    rng = np.random.default_rng(0)
    for _ in range(_STATES):
        moved, v, a = (array(rng.normal(size=model.nv)) for _ in range(3))
        yield integrate(model, neutral(model), moved), v, a


def _apart(found: tuple[Array, ...], expected: tuple[Array, ...]) -> float:
    """The largest difference of two matrices relative to their largest entry; not a number if one of them is none."""
    pairs = [(np.array(x, float), np.array(y, float)) for x, y in zip(found, expected, strict=True)]
    return max(float(np.abs(x - y).max(initial=0.0) / (np.abs(y).max(initial=0.0) or 1.0)) for x, y in pairs)
