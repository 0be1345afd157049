"""What a kernel is made from; `pipeline.py` makes it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np


class TooLong(Exception):
    """The program is not worth the time to compile it."""


@dataclass(frozen=True, eq=False)
class Source:
    """What a kernel is made from."""

    name: str
    function: Callable[..., Any]  # of keyword arguments, each a vector of scalars
    formulations: tuple[Callable[..., Any], ...] = field(default=(), kw_only=True)  # of the same, in fewer operations
    sizes: Mapping[str, int]
    check: Callable[[Sequence[Any], Mapping[str, Any]], list[np.ndarray]]  # arguments to arrays (…, size), or an error
    result: type | None = None  # the NamedTuple it returns, if it does
    dtype: np.dtype = np.dtype(float)
    identity: Callable[[], str | None] = lambda: None  # the same for the same numbers: found without a trace
    doc: str = ""
    remake: tuple[Any, ...] | None = None  # how another process makes this kernel, for pickle
    example: Mapping[str, np.ndarray] | None = None  # a valid state, if the function may be too long to be compiled
    compiled: bool = True  # whether it is worth trying
