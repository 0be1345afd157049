"""A kernel as a function of arrays that is as short as this installation allows: in C, or through Python.

`_call.c` is an extension that is built when the package is installed with a C compiler; `python_call.py` does the same
for one state.  Both have a `Callee` with entry points, which gives the result for plain arrays, else None.
"""

import importlib
import math
import os
import sysconfig
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from . import python_call

if TYPE_CHECKING:
    from .entry_points import EntryPoints


def reason() -> str | None:
    """Reason why kernels are called through Python; None if they are called in C."""
    if os.environ.get("ARTICULATED_EXTENSION", "").lower() in ("off", "0", "no"):
        return "switched off by ARTICULATED_EXTENSION"
    return _loaded()[1]


@cache
def _loaded() -> tuple[Any, str | None]:
    """The extension, or None and why."""
    try:
        extension = importlib.import_module("._call", __package__)
    except ImportError as problem:
        if os.environ.get("ARTICULATED_EXTENSION", "").lower() == "required":
            raise
        if sysconfig.get_config_var("Py_GIL_DISABLED"):
            return None, "there is no call in C for a free-threaded Python"
        missing = isinstance(problem, ModuleNotFoundError) and problem.name == f"{__package__}._call"
        return None, "installed without a C compiler" if missing else f"the call in C does not load: {problem}"
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=extension.forget_pools)  # threads do not survive a fork
    return extension, None


def empty(count: int) -> np.ndarray:
    """Array of so many numbers, none of them set; a large one in memory of results that are gone, where C keeps it."""
    return np.empty(count) if reason() else _loaded()[0].empty(count)


def callee(
    sizes: tuple[int, ...],
    shapes: tuple[tuple[int, ...], ...],
    dtype: np.dtype,
    result: type | None,
    most: int,
) -> Any:
    """The callee that serves plain arrays, in C or in Python; None if one of them is empty."""
    if not sizes or 0 in (*sizes, *map(math.prod, shapes)):
        return None
    extension = None if reason() else _loaded()[0]
    arrays, axes = len(sizes) + len(shapes), max(map(len, shapes))
    fits = extension and arrays <= extension.MOST_ARRAYS and axes <= extension.MOST_AXES
    way: Any = extension if fits else python_call
    return way.Callee(sizes, shapes, dtype, result, most)


def function(
    entry_points: "EntryPoints | None", fallback: Callable[..., Any], name: str, doc: str = ""
) -> Callable[..., Any] | None:
    """`name(*arrays, out=None)` for a kernel, with a fallback for anything out of the ordinary.

    `doc` may begin with a signature, as the text of a builtin does.  None if there is no machine code.
    """
    found = entry_points and entry_points.callee
    return found.function(fallback, name, doc) if found else None


def method(
    table: dict[str | None, Any], inputs: int, by_frame: bool, fallback: Callable[..., Any], name: str, doc: str = ""
) -> Callable[..., Any]:
    """`name(*arrays, out=None)`, or `name(*arrays, frame, out=None)`, by callees in a table that fills.

    The key of a callee is the name of its frame, or None.  What the table cannot answer goes to the fallback.
    """
    extension = None if reason() else _loaded()[0]
    way: Any = extension or python_call
    return way.method(table, inputs, by_frame, fallback, name, doc)


def looped(
    words: np.ndarray, inputs: int, kept: Any, fallback: Callable[..., Any], name: str, doc: str = ""
) -> Callable[..., Any]:
    """`name(array=zeros)` that runs a program with loops on one state, or the fallback where there is no C.

    The words are addresses: of the code, its five arguments, the numbers that a call fills, and the count of calls;
    `kept` is what they point at.
    """
    return fallback if reason() else _loaded()[0].looped(words, inputs, kept, fallback, name, doc)
