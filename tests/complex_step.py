"""Derivatives by complex steps: algorithms run on complex numbers, and no digit cancels."""

import cmath
from typing import Any

import numpy as np

from articulated.algebra import scalars
from articulated.algorithms.configuration import configuration_rate
from articulated.robot.request import Request

STEP = 1e-60

for function, own in ((scalars.sin, cmath.sin), (scalars.cos, cmath.cos), (scalars.sqrt, cmath.sqrt)):
    function.register(complex, own)
scalars.sign.register(complex, lambda x: (x.real > 0) - (x.real < 0))


def derivatives(model: Any, request: Request, values: dict[str, np.ndarray], name: str) -> list[np.ndarray]:
    """Derivatives of every result by the argument `name`, a column for each direction; q in the tangent space."""
    given = {key: scalars.array(np.asarray(x, float)) for key, x in values.items()}
    directions = scalars.eye(model.nv if name[0] == "q" else len(given[name]))
    columns = []
    for unit in directions:
        along = configuration_rate(model, given[name], unit) if name[0] == "q" else unit
        moved = scalars.array([x + complex(0, STEP * float(d)) for x, d in zip(given[name], along, strict=True)])
        found = request.evaluate(model, {**given, name: moved})
        columns.append([_imaginary(x) for x in (found if isinstance(found, tuple) else (found,))])
    return [np.stack(parts, axis=-1) for parts in zip(*columns, strict=True)]


def _imaginary(found: Any) -> np.ndarray:
    x = np.asarray(found, object)
    return np.array([complex(entry).imag / STEP for entry in x.ravel()]).reshape(x.shape)
