"""A recursion as it is written, on Python floats, state by state: for robots whose program would not fit."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ...algebra.scalars import array
from ..abi import Run


def interpreted(
    function: Callable[..., Any], example: Mapping[str, np.ndarray]
) -> tuple[Run, tuple[tuple[int, ...], ...], type | None]:
    """A function that fills rows, the shapes of the results, and their tuple type; `example` is any valid state."""
    found = _evaluated(function, example)
    many = isinstance(found, tuple)
    shapes = tuple(np.shape(part) for part in (found if many else (found,)))

    def run(inputs: Sequence[np.ndarray], outputs: Sequence[np.ndarray]) -> None:
        for row in range(len(outputs[0])):
            state = {name: x[row] for name, x in zip(example, inputs, strict=True)}
            try:
                values = _evaluated(function, state)
            except (ArithmeticError, ValueError):  # compiled code says NaN where floats of Python raise
                values = (np.nan,) * len(outputs)
            for output, value in zip(outputs, values if isinstance(values, tuple) else (values,), strict=True):
                output[row] = np.ravel(value)

    return run, shapes, type(found) if many else None


def _evaluated(function: Callable[..., Any], state: Mapping[str, np.ndarray]) -> Any:
    return function(**{name: array(x) for name, x in state.items()})
