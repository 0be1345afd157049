"""Statements on the rows of a pile by the names of its arrays."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from ...compiler.passes.builder import Builder
from ...compiler.passes.loops import Count, Memory, Place

#: tables by which a row of another array is found, in a loop over one: where a contact, or its bodies, are
PATHS: dict[str, dict[str, tuple[str, ...]]] = {
    "bodies": {},
    "pairs": {"first": ("first",), "second": ("second",)},
    "near": {"first": ("pile near", "first"), "second": ("pile near", "second"), "contact": ("pile near",)},
    "acting": {
        "first": ("pile acting", "pile near", "first"),
        "second": ("pile acting", "pile near", "second"),
        "contact": ("pile acting", "pile near"),
        "near": ("pile acting",),
    },
}


class Statements:
    """Arrays of a routine, and functions of their rows; `spans` are parts of arrays, found by a table, of so many rows.

    A word `name`, `alias=name` or `alias=name@path` is the row of an array that a loop is at, or the one that a path of
    tables leads to; an array of one row is that row.
    """

    def __init__(self, r: Builder):
        self.r, self.m, self._over = r, dict[str, Memory](), ""
        self.paths, self.spans = dict(PATHS), dict[str, tuple[str, int]]()

    def local(self, name: str, size: int, rows: Count = 1) -> None:
        """An array of its own."""
        self.m[name] = self.r.local(f"pile {name}", size, rows)

    @contextmanager
    def over(self, what: str, end: Count, start: Count = 0) -> Iterator[None]:
        """A loop over bodies, pairs of them, neighbors or contacts that act."""
        before, self._over = self._over, what
        with self.r.loop("at", end, start=start):
            yield
        self._over = before

    def run(
        self,
        function: Callable[..., Any],
        reads: str,
        writes: str,
        entrywise: bool = False,
        instead: Mapping[str, Place] = {},
    ) -> None:
        """A function of rows; `instead` has other rows of some arrays."""
        given = {}
        for word in reads.split():
            alias, _, source = word.partition("=")
            given[alias] = instead.get(source or alias) or self.place(source or alias)
        targets = [instead.get(word) or self.place(word) for word in writes.split()]
        self.r.run(function, given, targets, entrywise=entrywise)

    def place(self, word: str) -> Place:
        """The row of a word."""
        name, _, path = word.partition("@")
        memory = self.m[name]
        if name in self.spans:
            table, span = self.spans[name]
            return replace(memory.row("at", table=table), span=span)
        if memory.rows == 1:
            return memory
        return memory.row("at", table=self.paths[self._over][path]) if path else memory.row("at")

    def copy(self, source: str, target: str, what: str, end: Count) -> None:
        """All rows of an array."""
        with self.over(what, end):
            self.r.copy(self.place(source), self.place(target))
