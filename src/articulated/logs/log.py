"""Open logs, their fields, and the spellings of their columns."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from io import BufferedReader
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from ..errors import ArticulatedError, unknown
from ..inputs.labels import SPELLINGS, ways
from ..text import plain, shortened

Block = dict[str, np.ndarray]  # (n, *tail) by the name of the field
TIMES = ("time", "t", "timestamp")


class LogError(ArticulatedError, ValueError):
    """A log that cannot be read: another format, damaged, or without the numbers that are needed."""


class Field(NamedTuple):
    """An array over the rows of a log.

    name: of the array in an NPZ file
    columns: names in a table, as they are written
    tail: axes that follow that of the rows
    components: joint of each number of q, v, a or tau, whose columns have several spellings
    """

    name: str
    columns: Sequence[str]
    tail: tuple[int, ...] = ()
    components: Sequence[str] = ()


TIME = Field("time", ["time"])


def state_field(name: str, components: Sequence[str]) -> Field:
    """The field of q, v, a or tau: columns `q_JOINT`."""
    return Field(name, [f"{name}_{plain(part)}" for part in components], (len(components),), components)


def places(field: Field, names: Sequence[str], file: str) -> list[int] | None:
    """Column index of each number of a field; None if no column belongs to it."""
    at: dict[str, list[int]] = {}
    for i, name in enumerate(names):
        at.setdefault(name.strip().lower() if field == TIME else name.strip(), []).append(i)
    found = [_place(at, field, k, file) for k in range(len(field.columns))]
    if found and all(place is None for place in found):
        return None
    taken = set(found)
    if None in taken:
        free = [name for name, those in at.items() if taken.isdisjoint(those)]
        likely = [name for name in free if name.startswith(SPELLINGS.get(field.name, ""))] or free
        raise LogError(f"{file}: {unknown('column', field.columns[found.index(None)], 'the header', at, likely)}")
    present = [place for place in found if place is not None]
    if len(taken) < len(present):
        twice = next(place for place, times in Counter(present).items() if times > 1)
        whose = zip(field.components or field.columns, present, strict=True)
        parts = " and ".join(shortened(part) for part, place in whose if place == twice)
        raise LogError(f"{file}: {shortened(names[twice])!r} (column {twice + 1}) could be the {field.name} of {parts}")
    return present


def _place(at: Mapping[str, list[int]], field: Field, k: int, file: str) -> int | None:
    for spellings in _spellings(field, k):
        found = [(i, name) for name in dict.fromkeys(spellings) for i in at.get(name, ())]
        if len(found) > 1:  # which of them is it?
            shown = " and ".join(f"{shortened(name)!r} (column {i + 1})" for i, name in found[:3])
            what = f"{field.name} of {shortened(field.components[k])}" if field.components else field.columns[k]
            raise LogError(f"{file}: {shown} are both the {what}; delete or rename one of them")
        if found:
            return found[0][0]
    return None


def _spellings(field: Field, k: int) -> Sequence[Sequence[str]]:
    """Names a column may have, those that go first before others."""
    if field == TIME:
        return [[name] for name in TIMES]
    if not field.components:
        return [[field.columns[k]]]
    part = field.components[k]
    by_name, by_number = ways(field.name, part, k)
    bare = [part, plain(part)] if field.name == "q" else []  # the bare joint name is its position
    return [*by_name, *bare], by_number


#: array or column that holds the header of a trajectory
HEADER = "trajectory"


class Log(ABC):
    """An open file, read once, from its beginning to its end.

    names: columns or arrays that it holds
    """

    names: Sequence[str]

    def __init__(self, path: Path, file: BufferedReader):
        self.path, self.file = path, file

    @property
    @abstractmethod
    def rows(self) -> int | None:
        """Number of rows, for a progress bar; None if it is not known before the end."""

    @abstractmethod
    def header(self) -> str | None:
        """Text about the numbers, as the writer got it."""

    @abstractmethod
    def find(self, fields: Sequence[Field]) -> list[Field]:
        """Those of the fields that the file holds, whole; `blocks` reads these."""

    @abstractmethod
    def blocks(self, size: int) -> Iterator[Block]:
        """At most `size` rows at a time of the fields that were found."""

    def require(self, fields: Sequence[Field]) -> None:
        """Find all of the fields, or raise an error that names one."""
        found = self.find(fields)
        for field in fields:
            if field not in found:
                raise LogError(f"{self.path}: {unknown('column', field.columns[0], 'the header', self.names)}")

    def close(self) -> None:
        """Close the file."""
        self.file.close()


class Table(Log):
    """A log of columns."""

    def find(self, fields: Sequence[Field]) -> list[Field]:
        """By the names of the columns, or by their order where two have one name."""
        every = [name for field in fields for name in field.columns]
        if len(set(every)) < len(every) and list(self.names[: len(every)]) == every:
            at = iter(range(len(every)))
            found = {field.name: (field, [next(at) for _ in field.columns]) for field in fields}
        else:
            each = ((field, places(field, self.names, str(self.path))) for field in fields)
            found = {field.name: (field, place) for field, place in each if place is not None}
        self.found = found
        return [field for field, _ in found.values()]

    def blocks(self, size: int) -> Iterator[Block]:
        """Columns of each field side by side."""
        ends = np.cumsum([0, *(len(place) for _, place in self.found.values())])[1:-1]
        for values in self.numbers([k for _, place in self.found.values() for k in place], size):
            parts = zip(self.found.values(), np.split(values, ends, axis=1), strict=True)
            yield {field.name: part.reshape(len(part), *field.tail) for (field, _), part in parts}

    @abstractmethod
    def numbers(self, columns: Sequence[int], size: int) -> Iterator[np.ndarray]:
        """Blocks (n, len(columns)) of columns by position."""


class Writer(Protocol):
    """An open file that takes the rows of its fields."""

    def write(self, block: Mapping[str, Any]) -> None:
        """Append arrays (n, *tail) by the names of the fields."""
        ...


def columns(fields: Sequence[Field], block: Mapping[str, Any]) -> list[np.ndarray]:
    """Columns of a block in the order of the fields."""
    flat = (block[field.name].reshape(len(block[field.name]), len(field.columns)) for field in fields)
    return [column for x in flat for column in x.T]
