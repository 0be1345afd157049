"""Calls through Python, where the call in C was not built: the interface of `_call.c` for one state."""

import ctypes
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..abi import ENTRY_POINTS

#: holds the GIL, which a call of a microsecond is too short to give away
_ONE = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)


class Callee:
    """A kernel with its entry point for one state; batches and `out` are declined, `Batched` takes them."""

    def __init__(
        self,
        sizes: tuple[int, ...],
        shapes: tuple[tuple[int, ...], ...],
        dtype: np.dtype,
        result: type | None,
        most: int,
    ):
        self._sizes, self._shapes, self._dtype, self._result = sizes, shapes, dtype, result
        self._vectors, self._finite = [(size,) for size in sizes], bytes([1]) * sum(sizes)
        self._code: list[Any] = []  # referenced while the callee lives
        self._run: Any = None
        # memory for what goes in and out: to ask an array for its address takes longer than to copy a small one
        self._desks: list[tuple[Any, np.ndarray, list[np.ndarray]]] = []

    def add(self, entry: int, address: int, code: Any) -> None:
        """An entry point, and what keeps it in memory."""
        self._code.append(code)
        if ENTRY_POINTS[entry] == "one":
            self._run = _ONE(address)

    def withdraw(self) -> None:
        """No entry point from now on."""
        self._run = None

    def attempt(self, arrays: Sequence[Any], out: Any = None) -> Any:
        """The result, or None if anything is out of the ordinary."""
        run, dtype = self._run, self._dtype
        if run is None or out is not None or len(arrays) != len(self._vectors):
            return None
        for x, shape in zip(arrays, self._vectors, strict=True):
            if type(x) is not np.ndarray or x.dtype is not dtype or x.shape != shape:
                return None
        try:  # a call takes a desk, and puts it back: threads, and what interrupts a call, have desks of their own
            desk = self._desks.pop()
        except IndexError:
            desk = self._new_desk()
        pointers, numbers, results = desk
        np.concatenate(arrays, out=numbers)
        found = None
        if np.isfinite(numbers).tobytes() == self._finite:
            run(pointers)
            found = [x.copy() if x.ndim else x[()] for x in results]  # without axes a scalar, as with ufuncs
        self._desks.append(desk)
        if found is None:
            return None
        return found[0] if self._result is None else tuple.__new__(self._result, found)

    def _new_desk(self) -> tuple[Any, np.ndarray, list[np.ndarray]]:
        numbers, results = np.empty(sum(self._sizes), self._dtype), [np.empty(x, self._dtype) for x in self._shapes]
        arrays = [*np.split(numbers, np.cumsum(self._sizes)[:-1]), *results]
        return (ctypes.c_int64 * len(arrays))(*(x.ctypes.data for x in arrays)), numbers, results

    def function(self, fallback: Callable[..., Any], name: str, doc: str) -> Callable[..., Any]:
        """`f(*arrays, out=None)`, which goes to the fallback with anything else."""
        return function(self, len(self._vectors), fallback, name, doc)


class _Method:
    """A function by callees in a table, with a fallback; pickled as the fallback."""

    def __init__(
        self,
        table: Mapping[str | None, Any],
        inputs: int,
        by_frame: bool,
        fallback: Callable[..., Any],
        name: str,
        doc: str,
    ):
        self.__wrapped__, self.__name__, self.__doc__ = fallback, name, doc.rpartition("\n--\n\n")[2]
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

    def __reduce__(self) -> Any:
        return _itself, (self.__wrapped__,)

    def __repr__(self) -> str:
        return f"<function {self.__name__} of machine code, called through Python>"


#: `f(*arrays, out=None)`, or `f(*arrays, frame, out=None)`, by the callees in a table
method = _Method


def function(callee: Any, inputs: int, fallback: Callable[..., Any], name: str, doc: str) -> Callable[..., Any]:
    """`f(*arrays, out=None)` by a callee, which goes to the fallback with anything else."""
    return _Method({None: callee}, inputs, False, fallback, name, doc)


def _itself(function: Callable[..., Any]) -> Callable[..., Any]:
    return function
