"""Programs with loops on arrays that stay, as the machine code of a kernel, and what is composed of such by NumPy."""

import ctypes
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from .runtime import engine
from .runtime.call import EntryPoints
from .runtime.engine import Code
from .runtime.loops import Arrays, Counts, address, ends_of


class Prelude(NamedTuple):
    """A kernel that runs first: from some of the inputs, by position, it makes arrays of the program, all as long."""

    kernel: Any
    inputs: tuple[int, ...]
    made: tuple[str, ...]


class Closure:
    """A program with loops on arrays that stay, as the machine code of a kernel: `given` arrays, inputs first, change.

    `closure.entry(name)` is an entry point like those of straight-line code; `shapes` are those of its results.
    """

    def __init__(
        self,
        kernel: Any,
        given: Mapping[str, int],
        fixed: Arrays,
        counts: Counts,
        tables: Arrays,
        shapes: tuple[tuple[int, ...], ...],
        seconds: float,
        prelude: Prelude | None = None,
    ):
        self.kernel, self.given, self.shapes, self.prelude = kernel, list(given), shapes, prelude
        self.seconds = seconds  # about what one state takes
        self.sizes = tuple(given.values())[: len(given) - len(shapes)]
        self._fixed, self._counts, self._tables = fixed, counts, tables

    def entry(self, name: str) -> Code:
        """The code of an entry point."""
        from .emit.llvm.closure import First, Setting, closure

        looped, counts = self.kernel.ready(name), self._counts
        memory, lanes = looped.memory[name], 1 if name == "one" else engine.host().lanes()
        ends = [0, *ends_of(memory["locals"], counts, 8 * lanes)]
        routine, made, first = looped.functions[name], dict[str, int](), None
        if self.prelude:
            self.prelude.kernel.ready(name)
            points, (_, length) = self.prelude.kernel.entry_points, self.prelude.kernel.shapes[0]
            made = {key: 8 * length * k for k, key in enumerate(self.prelude.made)}
            first = First(points.address(name), self.prelude.inputs, 8 * length * len(made))
        setting = Setting(
            ctypes.cast(routine, ctypes.c_void_p).value or 0,
            [self._parameter(key, made) for key, *_ in memory["parameters"]],
            [counts[key] for key in memory["counts"]],
            [address(self._tables[key]) for key in memory["tables"]],
            ends[:-1],
            ends[-1],
            first,
        )
        code = engine.load(
            engine.compile_object(closure(setting, name, self.sizes)), [f"articulated_{name}"], engine.c_library()
        )
        code.kept = (routine, self._fixed, self._tables, self.prelude)
        return code

    def _parameter(self, key: str, made: Mapping[str, int]) -> tuple[str, int]:
        """Place of an array of the program: made by the prelude, given in a call, or fixed."""
        if key in made:
            return "made", made[key]
        return ("given", self.given.index(key)) if key in self.given else ("fixed", address(self._fixed[key]))

    def function(self) -> Callable[..., Any]:
        """`f(*arrays)` of arrays (n, size) of numbers, whatever these are."""
        points = EntryPoints(self.sizes, self.shapes, tuple, np.dtype(float))

        def called(*arrays: np.ndarray) -> Any:
            states = len(arrays[0])
            entry = "one" if states == 1 else "batch"
            if not points.has(entry):
                points.add(entry, self.entry(entry))
            if states == 1 and (single := points.callee.attempt(tuple(x[0] for x in arrays))):
                return tuple(x[None] for x in single) if len(single) > 1 else single[0][None]
            found = tuple(np.empty((states, *shape)) for shape in self.shapes)
            points.run(arrays, [x.reshape(states, -1) for x in found])
            return found if len(found) > 1 else found[0]

        return called


class Composition(NamedTuple):
    """A function of arrays (n, size) that is composed of closures by array operations."""

    function: Callable[..., Any]
    block: int = 1 << 40  # states at a time

    def results(self, *inputs: np.ndarray) -> tuple[np.ndarray, ...]:
        """Results (n, …) for inputs (n, size)."""
        with np.errstate(all="ignore"):
            found = self.function(*inputs)
        return found if isinstance(found, tuple) else (found,)

    def run(self, inputs: Sequence[np.ndarray], outputs: Sequence[np.ndarray]) -> None:
        """Fill outputs (n, count) from inputs (n, size)."""
        for x, part in zip(outputs, self.results(*inputs), strict=True):
            x[...] = part.reshape(x.shape)
