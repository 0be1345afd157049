"""Memory for the arrays of a run; that of large runs which nobody holds any more serves the next ones.

The C library returns large pieces to the system at once, and the system clears every page that it hands out again:
runs of a hundred megabytes, one after the other, would spend a fifth of their time on that.
"""

import ctypes
import weakref

import numpy as np

#: bytes from which a piece is kept, about where the C library begins to return memory, and of all that are kept
LARGE, MOST = 2**24, 2**28
#: pieces that nobody holds, the oldest first; appending to it and popping from it are atomic
_free: list[np.ndarray] = []


def room(count: int) -> np.ndarray:
    """An array of so many numbers, none of them set."""
    size = 8 * count
    if not LARGE <= size <= MOST:
        return np.empty(count)
    # every array made of it, and every view of these, holds `owner`; nothing but `owner` and this module holds `piece`
    piece = _piece(size)
    owner = (ctypes.c_double * count).from_buffer(piece.data)
    kept = weakref.finalize(owner, _returned, piece)
    kept.atexit = False
    return np.frombuffer(memoryview(owner))


def _piece(size: int) -> np.ndarray:
    """One that is free and not much too large, or a new one."""
    for k in reversed(range(len(_free))):
        try:
            piece = _free.pop(k)
        except IndexError:  # another thread was faster
            break
        if size <= len(piece) <= 2 * size:
            return piece
        _free.insert(k, piece)
    return np.empty(size, np.uint8)


def _returned(piece: np.ndarray) -> None:
    """Nobody holds a piece any more: it is kept, and the oldest ones are not if they become too many."""
    _free.append(piece)
    while sum(map(len, tuple(_free))) > MOST:
        try:
            _free.pop(0)
        except IndexError:
            break
