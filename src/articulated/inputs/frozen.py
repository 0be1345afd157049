"""Objects that cannot be changed after they are made, and arrays that cannot be written to."""

from dataclasses import FrozenInstanceError
from typing import Any, Self, TypeVar

import numpy as np

T = TypeVar("T")


class Frozen:
    """Object whose fields are set with `object.__setattr__` while it is made, and never again.

    A copy is the object itself; what comes out of a pickle is frozen as well.
    """

    __slots__ = ()

    def __setattr__(self, name: str, value: Any) -> None:
        raise FrozenInstanceError(f"cannot set {name!r}: a {type(self).__name__} does not change; make a new one")

    def __delattr__(self, name: str) -> None:
        raise FrozenInstanceError(f"cannot delete {name!r}: a {type(self).__name__} does not change; make a new one")

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: Any) -> Self:
        return self

    def __setstate__(self, state: Any) -> None:
        # a pickle keeps the fields of an object in one dictionary, its slots in another, and forgets `writeable`
        for part in state if isinstance(state, tuple) else (state,):
            for name, value in (part or {}).items():
                object.__setattr__(self, name, read_only(value) if isinstance(value, np.ndarray) else value)


def known(kind: type[T], **fields: Any) -> T:
    """A frozen object without the checks of its constructor: of fields that are known to be good, arrays read-only."""
    for x in fields.values():
        if isinstance(x, np.ndarray):
            x.setflags(False)  # type: ignore[call-arg]  # `write`, half as fast by name
    made = object.__new__(kind)
    made.__dict__.update(fields)
    return made


def read_only(x: np.ndarray) -> np.ndarray:
    """`x`, which nothing can write to from now on; a copy if it is part of another array, which may be written to."""
    if x.base is not None:
        x = x.copy()
    x.setflags(False)  # type: ignore[call-arg]  # `write`, half as fast by name
    return x
