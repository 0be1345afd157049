"""Compiled loops on arrays that stay: to look at new ones would take longer than a short horizon."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from ..compiler.kernel import Kernel
from ..compiler.passes.loops import Routine
from ..compiler.runtime.loops import Bound
from ..robot import Robot

#: lanes up to which arrays are kept
FEW = 64


class Kept(NamedTuple):
    """A routine, with idle arrays by their shapes."""

    kernel: Kernel
    idle: dict[Any, list[Bound]]


def called(
    robot: Robot, key: tuple[Any, ...], build: Callable[[], Routine], given: Mapping[str, np.ndarray],
    results: Mapping[str, np.ndarray], counts: Mapping[str, int],
) -> None:  # fmt: skip
    """Fill `results` by a routine; arrays (N, rows, size), inputs (rows, size) where all lanes have the same."""
    made = robot.kernels.once(key, lambda: Kept(robot.kernels.routine("Problem", key, build), {}))
    if len(next(iter(results.values()))) > FEW:
        made.kernel({name: _own(x) for name, x in given.items()} | dict(results), counts)
        return
    free = made.idle.setdefault(tuple(x.shape for x in given.values()), [])
    try:
        bound = free.pop()  # nobody else has it
    except IndexError:
        arrays = {name: np.empty(x.shape) for name, x in {**given, **results}.items()}
        bound = made.kernel.bound(arrays, counts)
    for name, x in given.items():
        bound.arrays[name][...] = x
    bound(counts)
    for name, x in results.items():
        x[...] = bound.arrays[name]
    free.append(bound)


def _own(x: np.ndarray) -> np.ndarray:
    """`x` with its rows one after the other, copied if they are not."""
    rows = x.strides[-1] == x.itemsize and (x.shape[-2] == 1 or x.strides[-2] == x.shape[-1] * x.itemsize)
    return x if rows and (x.ndim == 2 or x.strides[0]) else np.array(x, order="C")
