"""The source of a kernel: an algorithm and its arguments, or a program with loops; `pipeline.py` compiles it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np


class TooLong(Exception):
    """The program is not worth the time to compile it."""


@dataclass(frozen=True, eq=False)
class Source:
    """The source of a kernel: a `function` of vectors, or `build`, which gives a program with loops."""

    name: str
    function: Callable[..., Any] = lambda: ()  # of keyword arguments, each a vector of scalars
    #: of it with fewer operations; asked for only where machine code is made
    formulations: Callable[[], tuple[Callable[..., Any], ...]] = field(default=tuple, kw_only=True)
    sizes: Mapping[str, int] = field(default_factory=dict)
    #: arguments to arrays (…, size), or an error
    check: Callable[[Sequence[Any], Mapping[str, Any]], list[np.ndarray]] = lambda values, named: []
    build: Callable[[], Any] | None = field(default=None, kw_only=True)  # a `Routine`; called if it is not in the cache
    alone: bool = field(default=False, kw_only=True)  # such a program takes one state after the other, not in lanes
    result: type | None = None  # the NamedTuple it returns, if it does
    dtype: np.dtype = np.dtype(float)
    identity: Callable[[], str | None] = lambda: None  # its key in the cache, found without tracing; or None
    doc: str = ""
    remake: tuple[Any, ...] | None = None  # how another process makes this kernel, for pickle
    example: Mapping[str, np.ndarray] | None = None  # a valid state, if the function may be too long to compile
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # of the components of its arguments
    titles: Mapping[str, str] = field(default_factory=dict)  # what messages call its arguments, if not by their names
    compiled: bool = True  # whether compiling is worth trying
    when_too_long: str = ""  # a warning for those who have to wait because there is no machine code
    refused: bool = False  # if so: an error in its place
    #: a loop over bodies that fills rows of results, or None: for a robot of many bodies, or a program that is too long
    loop: Callable[[bool], Any] = lambda too_long: None
