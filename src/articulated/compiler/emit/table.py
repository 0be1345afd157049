"""The table that an emitter is: what it writes for each operation of the graph."""

from collections.abc import Mapping
from typing import TypeVar

from ...errors import unknown

T = TypeVar("T")


class Table(dict[str, T]):
    """By operation what an emitter writes; asking for one it does not know is an error."""

    def __init__(self, emitter: str, entries: Mapping[str, T]):
        super().__init__(entries)
        self.emitter = emitter

    def __missing__(self, op: str) -> T:
        raise unknown("operation", op, f"the table of the {self.emitter} emitter", self)
