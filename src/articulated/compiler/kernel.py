"""A recursion as a function of NumPy arrays: machine code where that can be made, NumPy elsewhere."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from . import cache, call, containers, engine
from .batch import Batched, Run, piece
from .emit import llvm as llvm_emitter
from .emit import numpy as numpy_emitter
from .interpret import interpreted
from .lower import lower
from .simplify import simplify
from .trace import Program, trace

#: states NumPy evaluates at a time: large enough to amortise a call, small enough for the cache
BLOCK = 1024
#: traced operations that LLVM compiles in about ten seconds; NumPy is ready for a longer program in a tenth of that
MOST_OPERATIONS = 100_000
#: seconds per operation and state, roughly
_NATIVE, _NUMPY = 0.1e-9, 2e-9


def status() -> str:
    """One line on how kernels run here, and why not faster if they could."""
    if problem := engine.reason():
        return f"kernels run through NumPy: {problem}"
    processor = "; ".join(engine.target().split("; ")[:3])
    lanes = llvm_emitter.lanes_for(set(engine.features()), "float64")
    problem = call.obstacle()
    way = f"called through ctypes ({problem})" if problem else "called directly"
    return f"kernels are machine code ({processor}), {lanes} states at a time, {way}; kept in {cache.directory()}"


@dataclass(frozen=True, eq=False)
class Source:
    """What a kernel is made from."""

    name: str
    function: Callable[..., Any]  # of keyword arguments, each a vector of scalars
    others: tuple[Callable[..., Any], ...] = field(default=(), kw_only=True)  # the same quantity in other words
    sizes: Mapping[str, int]
    check: Callable[[Sequence[Any], Mapping[str, Any]], list[np.ndarray]]  # arguments to arrays (…, size), or an error
    result: type | None = None  # the NamedTuple it returns, if it does
    dtype: np.dtype = np.dtype(float)
    identity: Callable[[], str | None] = lambda: None  # the same for the same numbers: found without a trace
    doc: str = ""
    remake: tuple[Any, ...] | None = None  # how another process makes this kernel, for pickle
    example: Mapping[str, np.ndarray] | None = None  # a valid state, if the function is too long to be traced


class _TooLong(Exception):
    """The program is not worth the time to compile it."""


class Kernel:
    """`kernel(*arrays, out=None, threads=1)`; compiled, or fetched from the cache, when first needed.

    `kernel.call` is the same without a detour through Python as soon as there is machine code.
    """

    def __init__(self, source: Source, when_compiled: Callable[["Kernel"], None] | None = None):
        self.source = source
        self._when_compiled = when_compiled
        self.native: call.Native | None = None
        self.call: Callable[..., Any] = self.careful
        self._direct: Callable[..., Any] = _declined
        self._batched: Batched | None = None

    def __call__(self, *values: Any, **options: Any) -> Any:
        """Results for arrays (…, size); leading axes broadcast."""
        return self.call(*values, **options)

    def careful(self, *values: Any, out: Any = None, threads: int = 1, **named: Any) -> Any:
        """The way for everything: checks, conversions, broadcasting, numbers that are not finite."""
        if containers.among(values):
            return containers.apply(self, values, out, threads)
        arrays = self.source.check(values, named)
        batched = self.ready()
        if batched.workers(max(x.size for x in arrays), threads) == 1:
            # lists, integers and the like are ordinary arrays by now
            found = self._direct(*arrays) if out is None else self._direct(*arrays, out=out)
            if found is not None:
                return found
        return batched(arrays, out, threads)

    def ready(self) -> Batched:
        """Trace and compile, if that has not been done."""
        if self._batched is None:
            with engine.LOCK:  # LLVM serves one thread at a time, and others may want this very kernel
                if self._batched is None:
                    self._batched = self._made()
        return self._batched

    @property
    def shapes(self) -> tuple[tuple[int, ...], ...]:
        """Of the results for one state."""
        return self.ready().shapes

    def __reduce__(self) -> Any:
        if self.source.remake is None:
            raise TypeError(f"{self.source.name} cannot be sent to another process")
        return self.source.remake

    # -- from the source to code --------------------------------------------------------

    def _made(self) -> Batched:
        if self.source.example is not None:
            run, shapes, result = interpreted(self.source.function, self.source.example)
            return Batched(run, shapes, result, self.source.dtype, 1.0)
        if engine.reason() is None:
            try:
                return self._machine_code()
            except _TooLong:
                pass
            except RuntimeError as problem:  # LLVM refused it
                warnings.warn(f"{self.source.name} runs through NumPy: {problem}", RuntimeWarning, stacklevel=4)
        program = self._traced()
        shapes = tuple(output.shape for output in program.outputs)
        return Batched(_numpy_run(program), shapes, program.result, self.source.dtype, _NUMPY * len(program), BLOCK)

    def _traced(self) -> Program:
        return trace(self.source.function, self.source.sizes)

    def program(self) -> Program:
        """Of the shorter formulations, if there are any, the one with the fewest operations; simplified."""
        texts = self.source.others or (self.source.function,)
        programs = [trace(text, self.source.sizes) for text in texts]
        if not (short := [program for program in programs if len(program) <= MOST_OPERATIONS]):
            raise _TooLong
        return simplify(min(short, key=len))

    def _machine_code(self) -> Batched:
        source = self.source
        about, image, result = self._object()
        shapes, seconds = tuple(map(tuple, about["shapes"])), _NATIVE * about["operations"]
        code = engine.load(image, ("articulated_one", "articulated_batch"))
        native = call.Native(code, tuple(source.sizes.values()), shapes, result, source.dtype, piece(seconds))
        self.native = native
        own, strict = call.context(native, self.careful), call.context(native, _declined)
        if own and strict:
            self.call, self._direct = call.builtin(own, source.name, source.doc), call.builtin(strict, source.name)
        if self._when_compiled:
            self._when_compiled(self)
        return Batched(native.run, shapes, result, source.dtype, seconds, direct=self._direct)

    def _object(self) -> tuple[dict[str, Any], bytes, type | None]:
        """The object file with what has to be known of it, and the type of its result."""
        result, precision = self.source.result, self.source.dtype.name
        lanes = llvm_emitter.lanes_for(set(engine.features()), precision)
        identity = self.source.identity()
        key = identity and cache.key(identity, precision, str(lanes), engine.target())
        kept = cache.read(key) if key else None
        if kept and kept[0]["fields"] == _fields(result):
            return *kept, result
        program = lower(self.program())
        image = engine.compile_object(llvm_emitter.ir(program, lanes, precision))
        about = {
            "shapes": [output.shape for output in program.outputs],
            "fields": _fields(program.result),
            "operations": len(program) + sum(len(output.entries) for output in program.outputs),
        }
        if key and program.result is result:
            cache.write(key, about, image)
        return about, image, program.result


def _declined(*arrays: np.ndarray, out: Any = None) -> None:
    """In place of a builtin, or where it finds something out of the ordinary."""


def _fields(result: type | None) -> list[str] | None:
    return None if result is None else list(getattr(result, "_fields", ()))


def _numpy_run(program: Program) -> Run:
    """The program as NumPy calls."""
    run = numpy_emitter.compiled(program)
    constants = [[0.0 if isinstance(entry, tuple) else entry for entry in o.entries] for o in program.outputs]

    def filled(inputs: Sequence[np.ndarray], outputs: Sequence[np.ndarray]) -> None:
        for output, row in zip(outputs, constants, strict=True):
            output[:] = row
        with np.errstate(all="ignore"):
            run(*outputs, *(np.ascontiguousarray(x.T) for x in inputs))

    return filled
