"""A traced algorithm as a function of NumPy arrays: leading axes broadcast, the last one is the vector."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..errors import ShapeError
from .emit import numpy as numpy_emitter
from .trace import Program, trace

#: states evaluated at a time: large enough to amortise a NumPy call, small enough for the cache
BLOCK = 1024


class Kernel:
    """`kernel(arrays)` evaluates a function of vectors for every state of a batch."""

    def __init__(self, function: Callable[..., Any], sizes: Mapping[str, int]):
        self.program: Program = trace(function, sizes)
        self._run = numpy_emitter.compiled(self.program)

    def __call__(self, arrays: Mapping[str, np.ndarray], out: Any = None) -> Any:
        """Results for arrays of shape (…, size), all of one floating-point type."""
        batch = np.broadcast_shapes(*(x.shape[:-1] for x in arrays.values())) if arrays else ()
        dtype = np.result_type(*arrays.values()) if arrays else np.dtype(float)
        states = int(np.prod(batch))
        flat = [np.broadcast_to(x, (*batch, x.shape[-1])).reshape(states, x.shape[-1]) for x in arrays.values()]
        filled = [self._constants(k, states, dtype) for k in range(len(self.program.outputs))]
        with np.errstate(all="ignore"):
            for start in range(0, states, BLOCK):
                rows = slice(start, min(start + BLOCK, states))
                self._run(*(f[rows] for f in filled), *(np.ascontiguousarray(x[rows].T) for x in flat))
        parts = [f.reshape((*batch, *o.shape)) for f, o in zip(filled, self.program.outputs, strict=True)]
        return deliver(parts, self.program.result, out)

    def _constants(self, k: int, states: int, dtype: np.dtype) -> np.ndarray:
        """A new output with the entries that are plain numbers filled in."""
        entries = self.program.outputs[k].entries
        row = np.array([0.0 if isinstance(entry, tuple) else entry for entry in entries], dtype)
        return np.repeat(row[None], states, axis=0)


def deliver(parts: list[np.ndarray], result: type | None, out: Any) -> Any:
    """The results as one array or a NamedTuple; copied into `out` if it is given."""
    if out is not None:
        targets = (out,) if result is None else tuple(out)
        if len(targets) != len(parts):
            raise ShapeError(f"out needs {len(parts)} arrays; got {len(targets)}")
        for target, part in zip(targets, parts, strict=True):
            if not isinstance(target, np.ndarray) or target.shape != part.shape:
                raise ShapeError(f"out has shape {getattr(target, 'shape', None)}; the result has {part.shape}")
            np.copyto(target, part, casting="same_kind")
        parts = list(targets)
    if result is None:
        return parts[0] if parts[0].ndim else parts[0][()]
    return result(*parts) if hasattr(result, "_fields") else tuple(parts)
