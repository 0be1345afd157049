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
    results: Mapping[str, tuple[int, ...]], counts: Mapping[str, int],
) -> dict[str, np.ndarray]:  # fmt: skip
    """The results of a routine, arrays of these shapes; inputs (N, rows, size), or (rows, size) for all lanes."""
    made = robot.kernels.once(key, lambda: Kept(robot.kernels.routine("Problem", key, build), {}))
    lanes = next(iter(results.values()))[0]
    if lanes > FEW:
        out = {name: np.empty(shape) for name, shape in results.items()}
        made.kernel({name: _own(x) for name, x in given.items()} | out, counts)
        return out
    free = made.idle.setdefault(tuple(x.shape for x in given.values()), [])
    try:
        bound = free.pop()  # nobody else has it
    except IndexError:
        arrays = {name: np.empty(x.shape) for name, x in given.items()}
        bound = made.kernel.bound(arrays | {name: np.empty(shape) for name, shape in results.items()}, counts)
    for name, x in given.items():
        bound.arrays[name][...] = x
    bound(counts)
    out = {name: bound.arrays[name].copy() for name in results}
    free.append(bound)
    return out


def _own(x: np.ndarray) -> np.ndarray:
    """`x` in C order; a copy also where an axis of one has a stride of zero."""
    return x if x.flags.c_contiguous and x.strides[-1] == x.itemsize else np.array(x, order="C")
