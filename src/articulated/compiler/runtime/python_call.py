"""Calls through Python, where the call in C was not built: the interface of `_call.c` for one state, in microseconds.

To ask an array for its address takes longer than to copy a small one.  So there are desks: memory of a fixed place
for everything that goes in and out.  A call takes a free desk, or sets up another, and puts it back when the results
are copied: threads, and whatever interrupts a call, have desks of their own.  A loop over the arrays would double the
time, so the call is written out for each number of them.
"""

import ctypes
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from ..abi import ENTRY_POINTS

#: holds the GIL, which a call of a microsecond is too short to give away
_ONE = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)

#: `xs` are the arguments, `places` and `results` those of the desk
_ATTEMPT = """
def attempt(arrays, out=None, helpers=0, share=1):
    if len(arrays) != {count} or (out is not None and not takes(out)):
        return None
    {xs} = arrays
    if not ({plain}):
        return None
    try:
        desk = desks.pop()
    except IndexError:
        desk = new_desk()
    pointers, numbers, finite, {places} {results} = desk
    {copied_in}
    found = None
    if isfinite(numbers, finite).tobytes() == all_finite:
        run(pointers)
        found = {copied_out} if out is None else filled(out, ({results}))
    desks.append(desk)
    return found
"""


def _declines(arrays: Sequence[Any], out: Any = None, helpers: int = 0, share: int = 1) -> None:
    """The attempt of a callee without an entry point for one state."""


class Callee:
    """A kernel with its entry point for one state; batches are declined, `Batched` splits them.

    `callee.attempt(arrays, out)` is the result, or None if anything is out of the ordinary.
    """

    def __init__(
        self,
        sizes: tuple[int, ...],
        shapes: tuple[tuple[int, ...], ...],
        dtype: np.dtype,
        result: type | None,
        most: int,
    ):
        self._sizes, self._shapes, self._dtype, self._result = sizes, shapes, dtype, result
        self._code: list[Any] = []  # referenced while the callee lives
        self.attempt: Callable[..., Any] = _declines

    def add(self, entry: int, address: int, code: Any) -> None:
        """An entry point, and what keeps it in memory."""
        self._code.append(code)
        if ENTRY_POINTS[entry] == "one":
            self.attempt = self._written(_ONE(address))

    def withdraw(self) -> None:
        """No entry point from now on."""
        self.attempt = _declines

    def function(self, fallback: Callable[..., Any], name: str, doc: str) -> Callable[..., Any]:
        """`f(*arrays, out=None)`, which goes to the fallback with anything else."""
        return function(self, fallback, name, doc)

    # -- the call, written out ----------------------------------------------------------

    def _written(self, run: Callable[[int], None]) -> Callable[..., Any]:
        inputs, outputs = range(len(self._sizes)), range(len(self._shapes))
        # without axes a scalar, as with ufuncs
        copies = "".join(f"r{k}.copy(), " if self._shapes[k] else f"r{k}[()], " for k in outputs)
        text = _ATTEMPT.format(
            count=len(inputs),
            xs="".join(f"x{k}, " for k in inputs),
            places="".join(f"a{k}, " for k in inputs),
            results="".join(f"r{k}, " for k in outputs),
            plain=" and ".join(
                f"type(x{k}) is ndarray and x{k}.dtype is dtype and x{k}.shape == ({size},)"
                for k, size in enumerate(self._sizes)
            ),
            copied_in="; ".join(f"a{k}[...] = x{k}" for k in inputs),
            copied_out=f"({copies})[0]" if self._result is None else f"new_tuple(result, ({copies}))",
        )
        names = {
            "ndarray": np.ndarray, "isfinite": np.isfinite, "new_tuple": tuple.__new__, "dtype": self._dtype,
            "result": self._result, "run": run, "desks": [], "new_desk": self._new_desk, "takes": self._takes,
            "filled": self._filled, "all_finite": bytes([1]) * sum(self._sizes),
        }  # fmt: skip
        exec(text, names)
        return names["attempt"]  # type: ignore[return-value]

    def _new_desk(self) -> tuple[Any, ...]:
        numbers = np.empty(sum(self._sizes), self._dtype)
        ends = np.cumsum(self._sizes)
        places = [numbers[end - size : end] for end, size in zip(ends, self._sizes, strict=True)]
        results = [np.empty(shape, self._dtype) for shape in self._shapes]
        arrays = [*places, *results]
        pointers = (ctypes.c_int64 * len(arrays))(*(x.ctypes.data for x in arrays))
        return pointers, numbers, np.empty(len(numbers), bool), *arrays

    # -- out= ---------------------------------------------------------------------------

    def _members(self, out: Any) -> Sequence[Any]:
        return (out,) if self._result is None else out

    def _takes(self, out: Any) -> bool:
        """Whether the results can be copied into `out`."""
        if self._result is not None and type(out) not in (self._result, tuple, list):
            return False
        members = self._members(out)
        fits = len(members) == len(self._shapes) and all(
            type(x) is np.ndarray and x.dtype is self._dtype and x.shape == shape and x.flags.carray
            for x, shape in zip(members, self._shapes, strict=True)
        )
        return fits and not any(np.may_share_memory(x, y) for x, y in combinations(members, 2))

    def _filled(self, out: Any, results: tuple[np.ndarray, ...]) -> Any:
        members = tuple(self._members(out))
        for target, x in zip(members, results, strict=True):
            target[...] = x
        return out if self._result is None or type(out) is self._result else tuple.__new__(self._result, members)


class _Bound:
    """A function with a fallback; pickled as the fallback."""

    def __init__(self, fallback: Callable[..., Any], name: str, doc: str):
        self.__wrapped__, self.__name__ = fallback, name
        self.__doc__ = doc.rpartition("\n--\n\n")[2]

    def __reduce__(self) -> Any:
        return _itself, (self.__wrapped__,)

    def __repr__(self) -> str:
        return f"<function {self.__name__} of machine code, called through Python>"


class _Function(_Bound):
    def __init__(self, callee: Any, fallback: Callable[..., Any], name: str, doc: str):
        super().__init__(fallback, name, doc)
        self._callee = callee

    def __call__(self, *arrays: Any, **named: Any) -> Any:
        found = None
        if not named:
            found = self._callee.attempt(arrays)
        elif len(named) == 1 and "out" in named:
            found = self._callee.attempt(arrays, named["out"])
        return self.__wrapped__(*arrays, **named) if found is None else found


class _Method(_Bound):
    def __init__(self, table: Mapping[str | None, Any], inputs: int, by_frame: bool, *bound: Any):
        super().__init__(*bound)
        self._table, self._inputs, self._by_frame = table, inputs, by_frame

    def __call__(self, *values: Any, **named: Any) -> Any:
        inputs, rest, found, frame = self._inputs, dict(named), None, None
        if self._by_frame and len(values) == inputs + 1:
            frame = values[inputs]
        elif self._by_frame:
            frame = rest.pop("frame", None)
        callee = self._table.get(frame) if frame is None or type(frame) is str else None
        if callee and rest.keys() <= {"out"} and inputs <= len(values) <= inputs + self._by_frame:
            found = callee.attempt(values[:inputs], rest.get("out"))
        return self.__wrapped__(*values, **named) if found is None else found


def function(callee: Any, fallback: Callable[..., Any], name: str, doc: str) -> Callable[..., Any]:
    """`f(*arrays, out=None)` by a callee, which goes to the fallback with anything else."""
    return _Function(callee, fallback, name, doc)


def method(
    table: Mapping[str | None, Any], inputs: int, by_frame: bool, fallback: Callable[..., Any], name: str, doc: str
) -> Callable[..., Any]:
    """`f(*arrays, out=None)`, or `f(*arrays, frame, out=None)`, by the callees in a table."""
    return _Method(table, inputs, by_frame, fallback, name, doc)


def _itself(function: Callable[..., Any]) -> Callable[..., Any]:
    return function
