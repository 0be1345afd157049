"""A recursion, or a program with loops, as a function of NumPy arrays: machine code, or NumPy where there is no JIT."""

import math
import operator
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np

from ..errors import ArticulatedError, ShapeError, warn
from ..text import shortened
from .abi import ENTRY_POINTS
from .closures import Closure
from .runtime import cache as kernel_cache
from .runtime import call, containers, engine
from .runtime.batch import Batched, piece
from .runtime.call import EntryPoints
from .runtime.fingerprint import sources
from .runtime.interpreter import interpreted
from .runtime.loops import Bound, Looped, entry_for, states_of
from .runtime.object_files import Modules, ObjectFiles
from .source import Source, TooLong

__all__ = ["ENTRY_POINTS", "Kernel", "Source", "status"]

#: states NumPy evaluates at a time: large enough to amortise a call, small enough for the cache
BLOCK = 1024
#: seconds per operation and state, roughly
_MACHINE_CODE, _NUMPY = 0.1e-9, 2e-9
#: seconds per state of what is composed of loops, roughly
_COMPOSED = 1e-4


def status() -> str:
    """One line on how kernels run here, and why not faster if they could."""
    if problem := engine.reason():
        return f"NumPy: {problem}"
    problem, processor = call.reason(), "; ".join(engine.target().split("; ")[:3])
    how = f"one state, or {engine.host().lanes()} at a time"
    way = f"called through Python ({problem})" if problem else "called in C"
    where = kernel_cache.directory() if sources() else None
    kept = f"kept in {where}" if where else "not kept for the next run"
    return f"machine code ({processor}): {how}, {way}; {kept}"


def _compiles() -> bool:
    """True if there is a JIT; if not, a warning says why, once and unless it was switched off."""
    problem = engine.reason()
    if problem and problem != engine.SWITCHED_OFF:
        _warn_of_no_jit(problem)
    return problem is None


@cache
def _warn_of_no_jit(problem: str) -> None:
    told = f"kernels run through NumPy, hundreds to thousands of times slower than machine code: {problem}"
    cure = "install llvmlite for this Python, or set ARTICULATED_JIT=off to be told no more"
    warn(f"{told}; {cure}", RuntimeWarning)


class Kernel:
    """`kernel(*arrays, out=None, threads=1)`; compiled, or fetched from the cache, when first needed.

    `kernel.call` is the same by the shortest way there is as soon as there is machine code.  Of a program with loops
    `kernel(arrays, counts, tables, threads)` fills the outputs among the arrays, each (states, rows, size).
    """

    def __init__(self, source: Source, when_compiled: Callable[["Kernel"], None] | None = None):
        self.source = source
        self._files = ObjectFiles(source, _modules, _sincos_text)
        self._when_compiled = when_compiled
        self.entry_points: EntryPoints | None = None  # of machine code, if it is that
        self.call: Callable[..., Any] = self.looped if source.build else self.general
        self._runner: Any = None  # Batched, or Looped if it has loops
        self._loop: Any = None  # over bodies, if that is how it runs

    def __call__(self, *values: Any, **options: Any) -> Any:
        """Results for arrays (…, size); leading axes broadcast."""
        return self.call(*values, **options)

    def general(self, *values: Any, out: Any = None, threads: int = 1, **named: Any) -> Any:
        """The way for everything: checks, conversions, broadcasting, numbers that are not finite."""
        if threads != 1:
            threads = self._whole_number(threads)
        left = list(self.source.sizes)[len(values) :]
        if named and named.keys() == set(left):
            values, named = (*values, *(named[name] for name in left)), {}
        if containers.among(values):
            return containers.apply(self, values, out, threads)
        arrays = self.source.check(values, named)
        batched = self.ready("batch" if any(x.ndim > 1 for x in arrays) else "one")
        callee = self.entry_points.callee if self.entry_points else None
        if callee and batched.workers(max(math.prod(x.shape[:-1]) for x in arrays), threads) == 1:
            # lists, integers and the like are plain arrays by now
            found = callee.attempt(tuple(arrays), out)
            if found is not None:
                return found
        return batched(arrays, out, threads)

    def looped(
        self,
        arrays: Mapping[str, np.ndarray],
        counts: Mapping[str, int] = {},
        tables: Mapping[str, np.ndarray] = {},
        threads: int = 1,
    ) -> None:
        """A program with loops, once for every state; an input without the first axis is the same for all."""
        self.ready(entry_for(states_of(arrays), self.source.alone))(arrays, counts, tables, threads)

    def bound(
        self,
        arrays: Mapping[str, np.ndarray],
        counts: Mapping[str, int],
        tables: Mapping[str, np.ndarray] = {},
    ) -> Bound:
        """A program with loops on arrays that stay, for many short calls."""
        return Bound(self.ready(entry_for(states_of(arrays), self.source.alone)), arrays, counts, tables)

    def _whole_number(self, threads: Any) -> int:
        try:
            found = operator.index(threads)
        except TypeError:
            found = 0
        if found < 1:
            raise ShapeError(f"{self.source.name}: threads is a whole number from 1; got {shortened(repr(threads))}")
        return found

    def ready(self, *entries: str) -> Any:
        """Trace and compile what has not been: for one state, for a batch, or (if not said) one of the two."""
        if self._lacks(entries):
            with engine.LOCK:  # LLVM serves one thread at a time, and others may want this very kernel
                for entry in self._lacks(entries):
                    self._runner = self._with_loops(entry) if self.source.build else self._made(entry)
        return self._runner

    def _lacks(self, entries: tuple[str, ...]) -> list[str]:
        """Entry points among these that are still to be made."""
        if self._runner is None:
            return list(entries or ENTRY_POINTS[:1])
        made = self._runner if self.source.build else self.entry_points
        return [entry for entry in entries if made and not made.has(entry)]

    @property
    def shapes(self) -> tuple[tuple[int, ...], ...]:
        """Shapes of the results for one state."""
        return self.ready().shapes

    def xla_handler(self, minor: int) -> engine.Code | None:
        """A handler of XLA's foreign-function interface, version 0.`minor`; None if the kernel is no machine code.

        `code["articulated_xla"]` is its address.  It calls this kernel, which must be kept for as long.
        """
        self.ready(*ENTRY_POINTS)
        made = self.entry_points
        if made is None:
            return None
        from .emit.llvm.xla import handler

        counts = [math.prod(shape) for shape in made.shapes]
        one, batch = (made.address(entry) for entry in ENTRY_POINTS)
        text = handler(one, batch, made.sizes, counts, self.source.dtype.name, minor)
        return engine.load(engine.compile_object(text), ["articulated_xla"])

    def __reduce__(self) -> Any:
        if self.source.remake is None:
            raise TypeError(f"{self.source.name} cannot be sent to another process")
        return self.source.remake

    # -- from the source to code --------------------------------------------------------

    def _made(self, entry: str) -> Batched:
        machine = _compiles()
        self._loop = self._loop or (machine and self.source.loop(False))
        if self._loop:
            return self._over_bodies(entry)
        if self.source.compiled and (machine or self.entry_points):
            try:
                return self._machine_code(entry)
            except TooLong:
                self._loop = self.source.loop(True)
                if self._loop:
                    return self._over_bodies(entry)
                self._too_long()
            except engine.Refused as problem:
                self._warn(f"{self.source.name} runs through NumPy: {problem}")
        elif not self.source.compiled:
            self._too_long()
        if self.entry_points:  # one without the other would give other roundings
            self.entry_points.withdraw()
            self.entry_points = None
        if self.source.example is not None:
            run, shapes, result = interpreted(self.source.function, self.source.example)
            return Batched(run, shapes, result, self.source.dtype, 1.0)
        from . import pipeline

        program = pipeline.definition(self.source)
        run, shapes = pipeline.numpy_run(program), tuple(output.shape for output in program.outputs)
        seconds = _NUMPY * len(program)
        return Batched(run, shapes, program.result, self.source.dtype, seconds, BLOCK)

    def _over_bodies(self, entry: str) -> Batched:
        """A loop over bodies: machine code like any other, or composed of such by NumPy."""
        loop, source = self._loop, self.source
        if isinstance(loop, Closure):
            return self._installed(entry, loop.entry(entry), loop.shapes, source.result, loop.seconds)
        shapes = tuple(x.shape[1:] for x in loop.results(*(np.zeros((1, size)) for size in source.sizes.values())))
        return Batched(loop.run, shapes, source.result, source.dtype, _COMPOSED, loop.block)

    def _with_loops(self, entry: str) -> Looped:
        source = self.source
        assert source.build is not None
        if _compiles():
            about, code, _ = self._files.entry(entry)
            found = self._runner or Looped(source.name, source.dtype, alone=source.alone)
            found.add(entry, about["memory"], code)
            return found
        from . import pipeline

        return Looped(source.name, source.dtype, *pipeline.numpy_loops(source.build()), alone=source.alone)

    def _too_long(self) -> None:
        if self.source.refused:
            raise ArticulatedError(self.source.when_too_long)
        self._warn(self.source.when_too_long)

    def _warn(self, problem: str) -> None:
        if problem:
            warn(problem, RuntimeWarning)

    def _machine_code(self, entry: str) -> Batched:
        about, code, result = self._files.entry(entry)
        shapes, seconds = tuple(map(tuple, about["shapes"])), _MACHINE_CODE * about["operations"]
        return self._installed(entry, code, shapes, result, seconds)

    def _installed(
        self, entry: str, code: Any, shapes: tuple[tuple[int, ...], ...], result: type | None, seconds: float
    ) -> Batched:
        """Machine code, called by the shortest way from now on."""
        if self.entry_points and self._runner:
            self.entry_points.add(entry, code)
            return self._runner
        source = self.source
        found = EntryPoints(tuple(source.sizes.values()), shapes, result, source.dtype, piece(seconds))
        found.add(entry, code)
        self.entry_points = found
        self.call = call.function(found, self.general, source.name, source.doc) or self.general
        if self._when_compiled:
            self._when_compiled(self)
        attempt = found.callee.attempt if found.in_c else None
        return Batched(found.run, shapes, result, source.dtype, seconds, attempt=attempt)


def _modules(source: Source) -> Modules:
    """The text to be compiled.  The pipeline is imported only now: a kernel from the cache needs none of it."""
    from . import pipeline

    return pipeline.Modules(source, engine.host())


def _sincos_text(precision: str) -> str:
    from .emit.llvm.module import sincos_ir

    return sincos_ir(engine.host(), precision)
