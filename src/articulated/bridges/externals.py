"""Machine code as external functions of CasADi: signatures and addresses of kernels for copies of `_casadi.c`.

CasADi stores matrices by columns, and of derivatives only what is not always zero; kernels store rows, and everything.
"""

import ctypes
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from math import prod
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ..compiler.runtime import call
from ..errors import ArticulatedError, warn
from ..robot.derivatives.algorithms import Gradient
from .operations import Operation


class Input(NamedTuple):
    """A matrix that a function takes, and the array of its operation that this is; a nominal output is none."""

    title: str
    shape: tuple[int, int]
    name: str | None = None


class Output(NamedTuple):
    """A matrix that a function gives: entries are numbers among all results, or always 0."""

    title: str
    places: np.ndarray
    there: np.ndarray

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.places.shape[0], self.places.shape[1]


class Function(NamedTuple):
    """An operation under the signature of a function of CasADi."""

    operation: Operation
    inputs: tuple[Input, ...]
    outputs: tuple[Output, ...]

    @classmethod
    def of(cls, operation: Operation, titles: Sequence[str]) -> "Function":
        """The operation itself."""
        inputs = tuple(Input(name, (size, 1), name) for name, size in operation.request.sizes.items())
        shapes = [(prod(shape[:-1]), shape[-1]) if len(shape) > 1 else (prod(shape), 1) for shape in operation.shapes]
        return cls(operation, inputs, _whole(titles, shapes))

    def jacobian(self) -> "Function":
        """Derivatives of each output by each input."""
        derived, names = self.operation.jacobian(), self.operation.names
        starts = np.cumsum([0, *(prod(shape) for shape in derived.shapes)])
        outputs = []
        for k, output in enumerate(self.outputs):
            for x in self.inputs:
                places = np.zeros((prod(output.shape), prod(x.shape)), np.int64)
                there = np.zeros(places.shape, bool)
                if x.name:
                    found = k * len(names) + names.index(x.name)
                    places += np.arange(places.size).reshape(places.shape) + starts[found]
                    there += np.array([e != 0 for e in derived.outputs[found].entries], bool).reshape(there.shape)
                    chosen = np.ix_(_by_columns(output.shape), _by_columns(x.shape))
                    places, there = places[chosen], there[chosen]
                outputs.append(Output(f"jac_{output.title}_{x.title}", places, there))
        return Function(derived, (*self.inputs, *self._nominal()), tuple(outputs))

    def gradient(self) -> "Function":
        """Products of a row, of weights for each output, with the derivatives."""
        derived = self.operation.gradient(self.operation.names)
        way = derived.request.algorithm
        assert isinstance(way, Gradient)
        weights = [Input(f"adj_{x.title}", x.shape, way.cotangent(k)) for k, x in enumerate(self.outputs)]
        outputs = _whole([f"adj_{x.title}" for x in self.inputs], [x.shape for x in self.inputs])
        return Function(derived, (*self.inputs, *self._nominal(), *weights), outputs)

    def _nominal(self) -> Iterator[Input]:
        return (Input(f"out_{x.title}", x.shape) for x in self.outputs)


def _by_columns(shape: tuple[int, int]) -> np.ndarray:
    """The numbers of a matrix that is stored by rows, in the order of its columns."""
    return np.arange(prod(shape)).reshape(shape).T.ravel()


def _whole(titles: Sequence[str], shapes: Sequence[tuple[int, int]]) -> tuple[Output, ...]:
    """Matrices that are results, one after the other."""
    starts = np.cumsum([0, *map(prod, shapes)])
    given = zip(titles, shapes, starts, strict=False)
    return tuple(Output(x, np.arange(prod(n)).reshape(n) + at, np.ones(n, bool)) for x, n, at in given)


def _sparsity(there: np.ndarray) -> list[int]:
    """Sparsity of a matrix as CasADi reads it: its size, where columns begin, and rows."""
    return [*there.shape, 0, *np.cumsum(there.sum(axis=0)), *np.nonzero(there.T)[1]]


class _Table(ctypes.Structure):
    """`Table` of `_casadi.c`."""

    _fields_ = [
        ("one", ctypes.c_void_p), ("inputs", ctypes.c_longlong), ("outputs", ctypes.c_longlong),
        ("names", ctypes.c_void_p), ("sparsity", ctypes.c_void_p), ("arrays", ctypes.c_longlong),
        ("results", ctypes.c_longlong), ("counts", ctypes.c_void_p), ("sources", ctypes.c_void_p),
        ("order", ctypes.c_void_p), ("nonzeros", ctypes.c_void_p), ("entries", ctypes.c_void_p),
        ("numbers", ctypes.c_longlong),
    ]  # fmt: skip


class Library:
    """A copy of `_casadi.c`, its functions and their tables; kept, since CasADi may call it until the end."""

    _all: ClassVar[list["Library"]] = []

    def __init__(self, function: Function):
        self._functions = {0: function}
        self._tables: dict[int, _Table] = {}
        self._kept: list[Any] = []  # arrays that tables point at
        self._fill = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.POINTER(ctypes.c_void_p))(self._told)

    @contextmanager
    def file(self) -> Iterator[str]:
        """A file with it, for as long as CasADi needs to load it."""
        with TemporaryDirectory(prefix="articulated-", ignore_cleanup_errors=True) as folder:
            path = shutil.copyfile(source() or "", os.path.join(folder, "articulated.so"))
            ctypes.CDLL(path).articulated_filled_by(self._fill)
            Library._all.append(self)
            yield path

    def _told(self, kind: int, found: Any) -> None:
        """Address of a table, which CasADi asks for when it needs this kind of derivative."""
        if kind not in self._tables:  # threads that ask at the same time all get the first table
            self._tables.setdefault(kind, self._table(self._function(kind)))
        found[0] = ctypes.addressof(self._tables[kind])

    def _function(self, kind: int) -> Function:
        """The function, its Jacobian, its gradient, the Jacobian of the gradient."""
        if kind not in self._functions:
            made = Function.gradient if kind == 2 else Function.jacobian
            self._functions[kind] = made(self._function(2 if kind == 3 else 0))
        return self._functions[kind]

    def _table(self, function: Function) -> _Table:
        operation, inputs, outputs = function
        titles = [x.name for x in inputs]
        sources = [titles.index(name) for name in operation.names]
        # the kernel's numbers stand in rows, CasADi's in columns
        order = [self._numbers(np.argsort(_by_columns(inputs[k].shape))) for k in sources]
        counts = [*operation.request.sizes.values(), *map(prod, operation.shapes)]
        matrices = [*(np.full(x.shape, x.name is not None) for x in inputs), *(x.there for x in outputs)]
        names = [title.encode() for title in [*(x.title for x in inputs), *(x.title for x in outputs)]]
        self._kept.append(names)
        return _Table(
            one=_machine_code(operation), inputs=len(inputs), outputs=len(outputs),
            names=self._numbers([ctypes.cast(ctypes.c_char_p(x), ctypes.c_void_p).value for x in names]),
            sparsity=self._numbers([self._numbers(_sparsity(x)) for x in matrices]),
            arrays=len(sources), results=len(operation.shapes), counts=self._numbers(counts),
            sources=self._numbers(sources), order=self._numbers(order),
            nonzeros=self._numbers([x.there.sum() for x in outputs]),
            entries=self._numbers([self._numbers(x.places.T[x.there.T]) for x in outputs]),
            numbers=sum(counts),
        )  # fmt: skip

    def _numbers(self, given: Any) -> int:
        """Address of whole numbers or addresses, which stay."""
        self._kept.append(np.array(given, np.int64))
        return self._kept[-1].ctypes.data


def _machine_code(operation: Operation) -> int | None:
    """Address of the code; None, with a warning, if it is too long to compile: CasADi then reports a failed call."""
    try:
        return operation.entry_point()
    except ArticulatedError as problem:
        warn(str(problem), RuntimeWarning)
        return None


def source() -> str | None:
    """The built `_casadi.c`; None without it."""
    found = None if call.reason() else find_spec("._casadi", __package__)
    return found.origin if found and Path(found.origin or "").is_file() else None
