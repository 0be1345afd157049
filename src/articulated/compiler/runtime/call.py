"""Machine code as a Python function: a builtin around the kernel, without a C compiler.

`builtin.ll` holds the code; this file packs the context it runs on, makes the function object,
and finds out beforehand whether the objects of this interpreter look as that code expects.
"""

import ctypes
import math
import re
import struct
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from . import engine
from .engine import Code
from .entry_points import BATCH, ONE, RING, Native
from .layout import LAYOUT, mismatch
from .object_files import kept_code
from .threads import ASIDE, CREW, DESK, LINE, STATES, hired

#: the fixed part of a context, 8 bytes each; then come the sizes of the inputs and a record per output
SLOTS = (
    "entries", "not_finite", "inputs", "outputs", "records", "item", "most", "crew", "ring",
    "fallback", "result", "descr", "array_type", "tuple_type", "list_type", "str_type", "out_name", "frame_name",
    "table", "new_array", "as_scalar", "vectorcall", "new_tuple", "incref", "decref", "release", "restore", "dict_item",
)  # fmt: skip
DIMENSIONS = 6
RECORD = ("ndim", "count", *(f"dim{k}" for k in range(DIMENSIONS)))
MOST_ARRAYS = 24
#: batches from this size on run without the interpreter's lock
UNLOCKED = 64

_CONTIGUOUS, _ALIGNED, _WRITEABLE = 0x1, 0x100, 0x400
_NUMBERS = {
    **LAYOUT,
    **{name: 8 * k for k, name in enumerate(SLOTS)},
    **{name: 8 * k for k, name in enumerate(RECORD)},
    "sizes": 8 * len(SLOTS), "record": 8 * len(RECORD), "arrays": MOST_ARRAYS, "dimensions_batch": DIMENSIONS + 1,
    "ring_size": RING, "unlocked": UNLOCKED, "contiguous": _CONTIGUOUS, "aligned": _ALIGNED,
    "writeable_contiguous": _CONTIGUOUS | _ALIGNED | _WRITEABLE,
    **{f"crew_{name}": 8 * k for k, name in enumerate(CREW)}, "crew_desks": LINE, "desk_bytes": LINE,
    **{f"desk_{name}": 8 * k for k, name in enumerate(DESK)}, **STATES, "aside": ASIDE,
}  # fmt: skip
_ENTRIES = (
    "articulated_call",
    "articulated_call_at",
    "articulated_help",
    "articulated_not_finite_float64",
    "articulated_not_finite_float32",
)


class Context(bytes):
    """What a builtin knows, laid out for machine code; holds on to every object it points at."""

    held: tuple[Any, ...]


# -- the function object ----------------------------------------------------------------


class _MethodDef(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p), ("function", ctypes.c_void_p), ("flags", ctypes.c_int), ("doc", ctypes.c_char_p),
    )  # fmt: skip


_FASTCALL_KEYWORDS = 0x80 | 0x2


def builtin(own: Context, name: str, doc: str = "") -> Callable[..., Any]:
    """The kernel of a context as a builtin function `name(*arrays, out=None)`."""
    return _function("articulated_call", own, name, doc)


def builtin_at(
    table: Mapping[str, Context], inputs: int, fallback: Callable[..., Any], name: str, doc: str = ""
) -> Callable[..., Any]:
    """A builtin `f(*arrays, frame)` over the contexts of `table`, found by the frame's name."""
    words = {**_interpreter(), "inputs": inputs, "table": id(table), "fallback": id(fallback)}
    own = Context(struct.pack(f"{len(SLOTS)}q", *(words.get(slot, 0) for slot in SLOTS)))
    own.held = (table, fallback)
    return _function("articulated_call_at", own, name, doc)


def context(native: Native, fallback: Callable[..., Any]) -> Context | None:
    """What the builtin needs to know of a kernel; None if it cannot serve it."""
    sizes, shapes = native.sizes, native.shapes
    empty = not sizes or 0 in (*sizes, *native.counts)
    if empty or len(sizes) + len(shapes) > MOST_ARRAYS or max(map(len, shapes)) > DIMENSIONS or obstacle():
        return None
    return _packed(native, fallback)


def shared(native: Native, fallback: Callable[..., Any], name: str) -> Callable[..., Any]:
    """`f(helpers, share, arrays, out)`: a builtin that works through a batch with helpers, `share` states at a time."""
    for_crew = cache(lambda crew: builtin(_packed(native, fallback, {"crew": crew.address}), name))

    def called(helpers: int, share: int, arrays: Sequence[Any], out: Any) -> Any:
        with hired(_glue()["articulated_help"]) as crew:
            crew.prepare(helpers, share)
            return for_crew(crew)(*arrays) if out is None else for_crew(crew)(*arrays, out=out)

    return called


def _packed(native: Native, fallback: Callable[..., Any], more: Mapping[str, int] = {}) -> Context:
    sizes, shapes, item = native.sizes, native.shapes, native.dtype.itemsize
    words = {
        **_interpreter(),
        "entries": ctypes.addressof(native.entries), "ring": id(native.ring) if all(shapes) else 0,
        "not_finite": _glue()[f"articulated_not_finite_{native.dtype.name}"],
        "inputs": len(sizes), "outputs": len(shapes), "records": 8 * (len(SLOTS) + len(sizes)), "item": item,
        "most": native.most,
        "fallback": id(fallback), "result": id(native.result) if native.result else 0, "descr": id(native.dtype),
        **more,
    }  # fmt: skip
    packed = [words.get(slot, 0) for slot in SLOTS] + list(sizes)
    for shape, count in zip(shapes, native.counts, strict=True):
        packed += [len(shape), count, *shape, *[0] * (DIMENSIONS - len(shape))]
    own = Context(struct.pack(f"{len(packed)}q", *packed))
    own.held = (native, fallback)
    return own


def _function(entry: str, own: Context, name: str, doc: str) -> Callable[..., Any]:
    definition = _MethodDef(name.encode(), _glue()[entry], _FASTCALL_KEYWORDS, doc.encode())
    own.held = (*own.held, definition, _glue())
    make = ctypes.pythonapi.PyCFunction_NewEx
    make.argtypes, make.restype = (ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p), ctypes.py_object
    return make(ctypes.addressof(definition), own, None)


@cache
def _interpreter() -> dict[str, int]:
    """Addresses in CPython and NumPy that every context holds."""
    names = {
        "vectorcall": "PyObject_Vectorcall", "new_tuple": "PyType_GenericAlloc", "incref": "Py_IncRef",
        "decref": "Py_DecRef", "release": "PyEval_SaveThread", "restore": "PyEval_RestoreThread",
        "dict_item": "PyDict_GetItem",
    }  # fmt: skip
    table = _array_api()
    return {
        **{slot: _address(getattr(ctypes.pythonapi, name)) for slot, name in names.items()},
        "new_array": table[94], "as_scalar": table[76],  # PyArray_NewFromDescr, PyArray_Return
        "array_type": id(np.ndarray), "tuple_type": id(tuple), "list_type": id(list), "str_type": id(str),
        "out_name": id(_OUT), "frame_name": id(_FRAME),
    }  # fmt: skip


_OUT, _FRAME = sys.intern("out"), sys.intern("frame")


def _address(function: Any) -> int:
    return ctypes.cast(function, ctypes.c_void_p).value or 0


def _array_api() -> Any:
    capsule = getattr(np, "_core", None) or np.core
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.argtypes, pointer.restype = (ctypes.py_object, ctypes.c_char_p), ctypes.c_void_p
    return (ctypes.c_void_p * 100).from_address(pointer(capsule._multiarray_umath._ARRAY_API, None))


@cache
def _glue() -> Code:
    """The machine code of `builtin.ll`, the same for every kernel."""
    return kept_code("builtin", source, _ENTRIES, passes=True)


def source() -> str:
    """`builtin.ll` with its abbreviations expanded."""
    text = Path(__file__).with_name("builtin.ll").read_text("utf-8")
    text = re.sub(r" *;.*", "", text)
    # a processor that is told that it only waits leaves more to its other half
    text = text.replace("RELAX", "  call void @llvm.x86.sse2.pause()" if engine.is_x86() else "")
    text = re.sub(r"<(\w+)>", lambda found: str(_NUMBERS[found[1]]), text)

    def loaded(found: re.Match) -> str:
        out, kind, pointer, name = found.groups()
        return f"{out}.at = getelementptr i8, ptr {pointer}, i64 {_NUMBERS[name]}\n  {out} = load {kind}, ptr {out}.at"

    return re.sub(r"(%\w+) = field (\w+) (%\w+) (\w+)", loaded, text)


# -- does this interpreter look as the code expects? ------------------------------------


@cache
def obstacle() -> str | None:
    """Why the builtin cannot be used here; None if it can."""
    try:
        return mismatch() or _trial()
    except Exception as problem:
        return f"the trial call failed: {problem!r}"


def _trial() -> str | None:
    """Every way through the builtin, with a kernel written in Python that doubles a pair of numbers."""

    def doubled(rows: int, pointers: int, strides: int) -> bool:
        at, finite = [(ctypes.c_int64 * 2).from_address(where) for where in (pointers, strides)], True
        for row in range(rows):
            x, y = ((ctypes.c_double * 2).from_address(at[0][k] + row * at[1][k]) for k in (0, 1))
            y[0], y[1] = 2 * x[0], 2 * x[1]
            finite = finite and math.isfinite(x[0] + x[1])
        return not finite

    steps = (ctypes.c_int64 * 2)(16, 16)
    batch = BATCH(doubled)
    one = ONE(lambda pointers: doubled(1, pointers, ctypes.addressof(steps)) and None)
    native = Native((2,), ((2,),), None, np.dtype(float))
    native.add("one", {"articulated_one": _address(one)})
    native.add("batch", {"articulated_batch": _address(batch)})
    words = lambda *arguments, **named: (arguments, named)  # noqa: E731
    call = _function("articulated_call", _packed(native, words), "trial", "")
    x, out = np.arange(200.0).reshape(100, 2), np.empty((3, 2))
    right = (
        (call(x[5]) == 2 * x[5]).all()
        and (call(x) == 2 * x).all()
        and call(x[::-1][:3], out=out) is out
        and (out == 2 * x[::-1][:3]).all()
        and _recycles(call, x)
        and call([1, 2]) == (([1, 2],), {})
        and call(x[:1] * np.nan)[1] == {}
        and sys.getrefcount(call(x)) <= sys.getrefcount(object()) + 1
    )
    return None if right else "the trial call gave something else"


def _recycles(call: Callable[..., Any], x: np.ndarray) -> bool:
    """Whether results that are held stay what they are, and one that is not is used again."""
    held = [call(row) for row in x[:9]]
    once = {id(call(row)) for row in x[:9]}  # dropped at once
    return all((y == 2 * row).all() for y, row in zip(held, x, strict=False)) and len(once) == 1
