"""Open logs: what the reader and the writer of every format do."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from io import BufferedReader
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol

import numpy as np

from ..errors import unknown
from .fields import Block, Field, LogError
from .spellings import columns_of

#: array or column that holds the header of a trajectory
HEADER = "trajectory"


class Log(ABC):
    """An open file, read once, from its beginning to its end.

    names: columns or arrays that it holds
    wanted: parts of the names that are meant, by field, where several would do
    """

    names: Sequence[str]
    wanted: Mapping[str, str] = MappingProxyType({})

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
        """Choose the fields that the file holds whole; `blocks` reads these."""

    @abstractmethod
    def blocks(self, size: int) -> Iterator[Block]:
        """Blocks of at most `size` rows of the fields that were found."""

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
        """Find fields by the names of the columns, or by their order where two have one name."""
        every = [name for field in fields for name in field.columns]
        if len(set(every)) < len(every) and list(self.names[: len(every)]) == every:
            at = iter(range(len(every)))
            found = {field.name: (field, [next(at) for _ in field.columns]) for field in fields}
        else:
            wanted = self.wanted
            each = ((x, columns_of(x, self.names, wanted.get(x.name, ""), str(self.path))) for x in fields)
            found = {
                field.name: (field._replace(tail=(len(place),)) if field.search else field, place)
                for field, place in each
                if place is not None
            }
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
