"""A kernel over arrays of any shape: leading axes broadcast, `out` is filled, pieces and threads, spoilt rows."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from ...errors import ShapeError
from ..abi import Run
from .threads import processors, together

#: seconds of work in one call of machine code: Ctrl-C is heard between two of them
PIECE = 0.05
#: seconds of work below which another thread costs more than it brings
WORTHWHILE = 500e-6
#: parts of a batch for each thread: so many that they end together, so few that hardware prefetch does not run
#: into the others' parts
SHARES = 8


def piece(seconds: float) -> int:
    """States in one call of machine code, if one takes this long."""
    return max(64, int(PIECE / max(seconds, 1e-9)))


@dataclass(frozen=True)
class Batched:
    """`run(inputs, outputs)` on rows, made a function of arrays with any leading axes."""

    run: Run
    shapes: tuple[tuple[int, ...], ...]
    result: type | None
    dtype: np.dtype
    seconds: float  # about what one state takes
    block: int = 1 << 40  # states that `run` likes to get at a time
    attempt: Callable[[tuple[Any, ...], Any], Any] | None = None  # the same on plain arrays; None if it declines

    def __call__(self, arrays: Sequence[np.ndarray], out: Any = None, threads: int = 1) -> Any:
        """Results for arrays (…, size), all of this dtype."""
        batch = np.broadcast_shapes(*(x.shape[:-1] for x in arrays))
        states = math.prod(batch)
        targets = self._targets(out, batch)
        parts = [
            target if self._written_directly(k, targets, arrays) else _empty((*batch, *shape), self.dtype)
            for k, (target, shape) in enumerate(zip(targets, self.shapes, strict=True))
        ]
        inputs = [_flat(x, batch, states) for x in arrays]
        outputs = [part.reshape(states, *shape) for part, shape in zip(parts, self.shapes, strict=True)]
        self._all(inputs, outputs, states, threads)
        for target, part in zip(targets, parts, strict=True):
            if target is not None and target is not part:
                np.copyto(target, part, casting="same_kind")
        return self.delivered(parts if out is None else targets, out)

    def _targets(self, out: Any, batch: tuple[int, ...]) -> list[Any]:
        """The arrays of `out`, checked; None for each where there is no `out`."""
        if out is None:
            return [None] * len(self.shapes)
        if self.result is not None and not isinstance(out, (tuple, list)):
            raise ShapeError(f"out needs a tuple of {len(self.shapes)} arrays; got {type(out).__name__}")
        targets = [out] if self.result is None else list(out)
        if len(targets) != len(self.shapes):
            raise ShapeError(f"out needs {len(self.shapes)} arrays; got {len(targets)}")
        for target, shape in zip(targets, self.shapes, strict=True):
            expected = (*batch, *shape)
            if not isinstance(target, np.ndarray):
                raise ShapeError(f"out needs a NumPy array {expected}; got {type(target).__name__}")
            if target.shape != expected:
                raise ShapeError(f"out has shape {target.shape}; the result has {expected}")
            if not target.flags.writeable:
                raise ShapeError("out is read-only")
            if not np.can_cast(self.dtype, target.dtype, "same_kind"):
                raise ShapeError(f"out holds {target.dtype}; the result is {self.dtype}")
        if any(_overlap(x, y) for x, y in combinations(targets, 2)):
            raise ShapeError("out: two of the arrays overlap in memory")
        axes = (axis for x in targets if x.size for axis in zip(x.strides, x.shape, strict=True))  # empty: strides of 0
        if any(step == 0 and count > 1 for step, count in axes):
            raise ShapeError("out: entries of an array overlap in memory (a broadcast view?)")
        return targets

    def _written_directly(self, k: int, targets: Sequence[Any], arrays: Sequence[np.ndarray]) -> bool:
        """True if results can be written straight into a target: it must not change what is still read or wanted."""
        target = targets[k]
        if type(target) is not np.ndarray or target.dtype != self.dtype:
            return False
        apart = (*arrays, *targets[:k], *targets[k + 1 :])
        plain = target.flags.c_contiguous and target.flags.aligned
        return plain and not any(np.may_share_memory(target, x) for x in apart)

    def delivered(self, parts: list[Any], out: Any = None) -> Any:
        """Results as they are returned: one array, or a tuple; numbers where there are no axes."""
        if self.result is None:
            return parts[0] if out is not None or parts[0].ndim else parts[0][()]
        values = parts if out is not None else [part if part.ndim else part[()] for part in parts]
        return self.result(*values) if hasattr(self.result, "_fields") else tuple(values)

    # -- pieces and threads ---------------------------------------------------------------

    def workers(self, states: int, threads: int) -> int:
        """The number of threads that this many states are worth."""
        return max(1, min(threads, processors(), int(states * self.seconds / WORTHWHILE)))

    def _all(self, inputs: list[np.ndarray], outputs: list[np.ndarray], states: int, threads: int) -> None:
        workers = self.workers(states, threads)
        size = min(self.block, piece(self.seconds))
        if workers > 1:  # whole vectors, so that only the last part has a remainder
            size = min(size, states // (SHARES * workers) // 16 * 16 or 16)
        left = iter(range(0, states, size))  # taking one from it is atomic

        def work() -> None:
            try:
                for first in left:
                    rows = slice(first, min(first + size, states))
                    self._piece([x[rows] for x in inputs], [x[rows] for x in outputs])
            except BaseException:
                for _ in left:  # the other threads shall find nothing more
                    pass
                raise

        together(work, workers)

    def _piece(self, inputs: list[np.ndarray], outputs: list[np.ndarray]) -> None:
        if self.attempt and self.attempt(tuple(inputs), outputs[0] if self.result is None else outputs) is not None:
            return
        flat = [x.reshape(len(x), math.prod(x.shape[1:])) for x in outputs]
        if self.run(inputs, flat) is not False:
            _spoil(inputs, flat)


def _flat(x: np.ndarray, batch: tuple[int, ...], states: int) -> np.ndarray:
    """`x` as rows (states, size), without a copy where it has them or every state shares one."""
    if x.ndim == 2 and len(x) == states:
        return x
    if math.prod(x.shape[:-1]) == 1:
        return np.broadcast_to(x.reshape(x.shape[-1]), (states, x.shape[-1]))
    return np.broadcast_to(x, (*batch, x.shape[-1])).reshape(states, x.shape[-1])


def _spoil(inputs: Sequence[np.ndarray], outputs: Sequence[np.ndarray]) -> None:
    """NaN for every state with an argument that is not finite: such numbers must not half survive."""
    if all(np.isfinite(x).all() for x in inputs):
        return
    bad = np.zeros(len(outputs[0]), bool)
    for x in inputs:
        bad |= ~np.isfinite(x).all(axis=-1)
    for output in outputs:
        output[bad] = np.nan


def _empty(shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """A new array; one that is too large to be addressed is too large for memory."""
    try:
        return np.empty(shape, dtype)
    except ValueError as problem:
        raise MemoryError(f"no memory for {shape} of {dtype}: {problem}") from None


def _overlap(x: np.ndarray, y: np.ndarray) -> bool:
    """True if two arrays have a number in common; of columns of one table that is found quickly, or not at all."""
    try:
        return np.shares_memory(x, y, max_work=10_000)  # type: ignore[arg-type]
    except np.exceptions.TooHardError:
        return False
