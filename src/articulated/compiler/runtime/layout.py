"""Whether the objects of this interpreter look as the machine code of the builtin expects."""

import ctypes
import sys
import sysconfig

import numpy as np

#: offsets of the fields of CPython's object, tuple, list and bytes, and of NumPy's array (ndarraytypes.h)
LAYOUT = {
    "refcount": 0, "type": 8, "tuple_size": 16, "tuple_items": 24, "list_items": 24, "payload": 32,
    "data": 16, "nd": 24, "dims": 32, "strides": 40, "dtype": 56, "flags": 64, "weakrefs": 72,
}  # fmt: skip


def mismatch() -> str | None:
    """The first difference, found by reading real objects; None if there is none."""
    if sys.implementation.name != "cpython":
        return f"{sys.implementation.name} lays out its objects in its own way"
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        return "a free-threaded interpreter lays out its objects in its own way"
    if ctypes.sizeof(ctypes.c_void_p) != 8 or np.ndarray.__basicsize__ < LAYOUT["flags"] + 4:
        return "arrays are smaller than expected"
    if not _arrays_match():
        return "arrays are laid out in another way"
    if not _tuples_match() or not _bytes_match():
        return "tuples, lists or bytes are laid out in another way"
    if np.ndarray.__weakrefoffset__ != LAYOUT["weakrefs"] or not _counts_match():
        return "references are counted in another way"
    return None


def _arrays_match() -> bool:
    x = np.arange(12.0).reshape(3, 4)[:, ::2]
    shape, strides = (_words(_word(x, name), 2) for name in ("dims", "strides"))
    nd, flags = (ctypes.c_int32.from_address(id(x) + LAYOUT[name]).value for name in ("nd", "flags"))
    found = (_word(x, "type"), _word(x, "data"), nd, shape, strides, _word(x, "dtype"), flags)
    # the builtin compares dtypes by address: there must be one object for float64
    return found == (id(np.ndarray), x.ctypes.data, 2, [3, 2], [32, 16], id(np.dtype(float)), x.flags.num)


def _tuples_match() -> bool:
    pair = (object(), object())
    both = list(pair)
    items, listed = _words(id(pair) + LAYOUT["tuple_items"], 2), _words(_word(both, "list_items"), 2)
    return _word(pair, "tuple_size") == _word(both, "tuple_size") == 2 and items == listed == [id(x) for x in pair]


def _counts_match() -> bool:
    """The count of references is one number of 32 bits that goes up and down with them."""
    holder = [np.empty(3)]
    count = ctypes.c_int32.from_address(id(holder[0]) + LAYOUT["refcount"])
    alone = count.value
    other = holder[0]
    shared = count.value
    del other
    return (alone, shared, count.value) == (1, 2, 1)


def _bytes_match() -> bool:
    class Text(bytes):
        pass

    text = Text(b"payload.")
    return (ctypes.c_char * 8).from_address(id(text) + LAYOUT["payload"]).raw == bytes(text)


def _word(thing: object, name: str) -> int:
    return _words(id(thing) + LAYOUT[name], 1)[0]


def _words(address: int, count: int) -> list[int]:
    return list((ctypes.c_int64 * count).from_address(address))
