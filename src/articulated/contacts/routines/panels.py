"""Dense linear algebra as statements of a routine: Cholesky factors, Householder reflections, triangular systems.

Storage: a `Matrix` is a stack of panels ("groups") of four rows.  Row g * columns + j of its memory holds the four
entries of column j in group g, so that a loop over the columns of a group runs through memory, and is `wide`: the
columns of a tile are the lanes of a vector.  A vector is groups of four entries; a line is a row vector, with one
number for each column.  Entries beyond the last row or column are zero, or multiplied by zeros.

Algorithms are the textbook's by blocks (Golub and Van Loan 2013, sections 4.2 and 5.1): a loop over groups h, in it
straight-line code on the diagonal block (blocks.py), then loops over what is right of it and below.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from ...compiler.passes.builder import Builder
from ...compiler.passes.loops import TILE, Memory, Place, Row, Start
from . import blocks
from .blocks import GROUP

Counter = str | int
Reads = dict[str, Place]


def groups(rows: int) -> int:
    """Number of groups of so many rows."""
    return -(-rows // GROUP)


def tiles(columns: int) -> int:
    """Number of columns, padded to whole tiles."""
    return -(-columns // TILE) * TILE


class Matrix(NamedTuple):
    """A matrix by groups of four rows."""

    memory: Memory
    groups: int
    columns: int

    def at(self, group: Counter, column: Counter, offset: int = 0, step: int = 1) -> Row:
        """Four entries of the column `step` times a counter plus `offset`."""
        return place(self.memory, (group, self.columns), (column, step), offset)

    def block(self, group: Counter, column: Counter, first: int) -> dict[str, Row]:
        """A block of four by four, as columns c0 … c3: those from `first` plus four times a counter on."""
        return {f"c{t}": self.at(group, column, first + t, GROUP) for t in range(GROUP)}


class Reflections(NamedTuple):
    """An orthogonal matrix as a product of reflections I - factor u uᵀ."""

    u: Memory
    factors: Memory
    groups: int
    number: int
    extremes: Memory  # the smallest and the largest pivot, |R_jj|

    def at(self, h: Counter, s: int, group: Counter) -> Row:
        """Four entries of u of reflection 4 h + s."""
        return place(self.u, (h, GROUP * self.groups), (group, 1), s * self.groups)

    def factor(self, h: Counter, s: int) -> Row:
        """The factor of reflection 4 h + s."""
        return place(self.factors, (h, GROUP), s)


def place(memory: Memory, *terms: tuple[Counter, int] | int, span: int = 1) -> Row:
    """The row of a memory at a sum of counters times steps, and of numbers."""
    pairs = [(1, x) if isinstance(x, int) else x for x in terms]
    counters = tuple((name, step) for name, step in pairs if isinstance(name, str))
    return Row(memory, counters, sum(x * step for x, step in pairs if isinstance(x, int)), span=span)


def start(counter: Counter, step: int = 1, offset: int = 0) -> Start:
    """The start of a loop: a counter, or a number, times a step plus `offset`."""
    return counter * step + offset if isinstance(counter, int) else (counter, step, offset)


class LinearAlgebra:
    """Writes statements on matrices, vectors and lines into a routine."""

    def __init__(self, r: Builder):
        self.r = r
        self._number, self._names = r.local("a number of panels", 1), 0

    def matrix(self, rows: int, columns: int) -> Matrix:
        """A new matrix, not initialized."""
        height, width = groups(rows), tiles(columns)
        return Matrix(self._local(GROUP, height * width), height, width)

    def vector(self, rows: int) -> Memory:
        """A new vector, not initialized."""
        return self.r.local(self._name(), GROUP, groups(rows))

    def line(self, columns: int) -> Memory:
        """A new line, not initialized."""
        return self._local(1, tiles(columns))

    def _local(self, size: int, rows: int) -> Memory:
        return self.r.local(self._name(), size, rows, tiled=True)

    def _name(self) -> str:
        self._names += 1
        return f"panel {self._names}"

    def each(self, body: Callable[[str], None], count: int, first: int = 0) -> None:
        """Write a loop over groups from `first` up to `count`."""
        with self.r.loop("g", count, start=first):
            body("g")

    def to_line(self, vector: Memory, line: Memory, first: int, count: int) -> None:
        """Copy `count` groups of a vector to a line, from column `first` on."""
        self.each(lambda g: self.r.copy(vector.row(g), place(line, (g, GROUP), first, span=GROUP)), count)

    def set_column(self, vector: Memory, A: Matrix, column: int) -> None:
        """Copy a vector to a column of A."""
        self.each(lambda g: self.r.copy(vector.row(g), A.at(g, column)), A.groups)

    def get_column(self, A: Matrix, column: int, vector: Memory, count: int) -> None:
        """Copy `count` groups of a column of A to a vector."""
        self.each(lambda g: self.r.copy(A.at(g, column), vector.row(g)), count)

    def clear(self, vector: Memory, count: int, first: int = 0) -> None:
        """Set groups `first` to `count` of a vector to zero."""
        self.each(lambda g: self.r.run(blocks.zeros_of_four, {}, [vector.row(g)]), count, first)

    def fours(self, count: int, reverse: bool = False) -> Iterator[tuple[Counter, int]]:
        """Write a loop over groups h of four numbers below `count`; the last group, of fewer, is first in reverse."""
        last = (count // GROUP, count % GROUP)
        if reverse and last[1]:
            yield last
        if last[0]:
            with self.r.loop("h", last[0], reverse=reverse):
                yield "h", GROUP
        if last[1] and not reverse:
            yield last

    def _numbers(self, count: int, reverse: bool = False) -> Iterator[tuple[Counter, int]]:
        """Write a loop over the numbers 4 h + s below `count`."""
        for h, some in self.fours(count, reverse):
            for s in reversed(range(some)) if reverse else range(some):
                yield h, s

    # -- matrices -----------------------------------------------------------------------

    def transpose(self, A: Matrix, top: int, height: int, first: int, width: int, B: Matrix, right: int = 0) -> None:
        """Aᵀ into B from column `right` on: `height` groups of A from `top`, `width` groups of columns from `first`."""
        with self.r.loop("g", height), self.r.loop("i", width):
            block = {name: Row(row.memory, row.counters, row.offset + top * A.columns)
                     for name, row in A.block("g", "i", first).items()}  # fmt: skip
            self.r.run(blocks.transposed, block, [B.at("i", "g", right + s, GROUP) for s in range(GROUP)])

    def multiply(self, X: Matrix, first: int, T: Matrix, Y: Matrix, width: int) -> None:
        """Y = -Xᵀ T in `width` columns, of the columns of X from `first` on."""
        with self.r.loop("g", Y.groups):
            with self.r.loop("j", width, wide=True):
                self.r.run(blocks.zeros_of_four, {}, [Y.at("g", "j")])
            with self.r.loop("h", X.groups), self.r.loop("j", width, wide=True):
                given: Reads = {"A": Y.at("g", "j"), "B": T.at("h", "j"), **X.block("h", "g", first)}
                self.r.run(blocks.minus_transposed_product, given, [Y.at("g", "j")], entrywise=True)

    def factor(self, A: Matrix, U: Matrix, end: int) -> Memory:
        """U = R⁻ᵀ A up to column `end`, Rᵀ R the leading square of A (blocked Cholesky), overwritten; largest pivot."""
        r, inverse, largest = self.r, self.r.local(self._name(), GROUP * GROUP), self.r.local(self._name(), 1)
        r.run(blocks.zero, {}, [largest])
        with r.loop("h", A.groups):
            r.run(
                blocks.inverse_cholesky,
                {**A.block("h", "h", 0), "largest": largest},
                [inverse, largest],
                entrywise=True,
            )
            with r.loop("j", end, start=("h", GROUP, 0), wide=True):
                r.run(blocks.lower_product, {"A": A.at("h", "j"), "T": inverse}, [U.at("h", "j")])
            with r.loop("g", A.groups, start="h"), r.loop("j", end, start=("g", GROUP, 0), wide=True):
                given: Reads = {"A": A.at("g", "j"), "B": U.at("h", "j"), **U.block("h", "g", 0)}
                r.run(blocks.minus_transposed_product, given, [A.at("g", "j")], entrywise=True)
        return largest

    def reflect(self, A: Matrix, count: int, first: int, end: int) -> Reflections:
        """Qᵀ A up to column `end`, in place, with `count` columns from `first` on upper triangular (Householder); Q."""
        r, number, line = self.r, self._number, self.line(A.columns)
        u, factors = (r.local(self._name(), size, rows) for size, rows in ((GROUP, count * A.groups), (1, count)))
        Q = Reflections(u, factors, A.groups, count, r.local(self._name(), 2))
        r.run(blocks.no_extremes, {}, [Q.extremes])

        for h, s in self._numbers(count):
            r.run(blocks.below(s), {"a": A.at(h, h, first + s, GROUP)}, [Q.at(h, s, h), number])
            with r.loop("g", A.groups, start=start(h, 1, 1)):
                given: Reads = {"a": A.at("g", h, first + s, GROUP), "squared": number}
                r.run(blocks.further_rows, given, [Q.at(h, s, "g"), number], entrywise=True)
            given = {"u": Q.at(h, s, h), "squared": number, "extremes": Q.extremes}
            r.run(blocks.householder(s), given, [Q.at(h, s, h), Q.factor(h, s), Q.extremes])
            with r.loop("j", end, start=start(h, GROUP, first), wide=True):
                r.run(blocks.inner_product, {"a": Q.at(h, s, h), "b": A.at(h, "j")}, [line.row("j")])
            with r.loop("g", A.groups, start=start(h, 1, 1)), r.loop("j", end, start=start(h, GROUP, first), wide=True):
                given = {"s": line.row("j"), "a": Q.at(h, s, "g"), "b": A.at("g", "j")}
                r.run(blocks.plus_inner_product, given, [line.row("j")], entrywise=True)
            with r.loop("g", A.groups, start=start(h)), r.loop("j", end, start=start(h, GROUP, first), wide=True):
                self._reflected(A.at("g", "j"), Q.at(h, s, "g"), line.row("j"), Q.factor(h, s))

        return Q

    def sum_of_squares(self, A: Matrix, top: int, first: int, width: int) -> Memory:
        """The sum of squares of the rows of A from `top` on, in `width` columns from `first` on."""
        r, total = self.r, self.r.local(self._name(), 1)
        r.run(blocks.zero, {}, [total])
        for begin, end, skipped in ((top // GROUP, top // GROUP + 1, top % GROUP), (top // GROUP + 1, A.groups, 0)):
            with r.loop("g", end, start=begin), r.loop("j", first + width, start=first):
                r.run(blocks.squares_below(skipped), {"a": A.at("g", "j"), "total": total}, [total], entrywise=True)
        return total

    def apply(self, Q: Reflections, y: Memory) -> None:
        """Q y, in place."""
        r, number = self.r, self._number
        for h, s in self._numbers(Q.number, reverse=True):
            r.run(blocks.inner_product, {"a": Q.at(h, s, h), "b": place(y, (h, 1))}, [number])
            with r.loop("g", Q.groups, start=start(h, 1, 1)):
                given: Reads = {"s": number, "a": Q.at(h, s, "g"), "b": y.row("g")}
                r.run(blocks.plus_inner_product, given, [number], entrywise=True)
            with r.loop("g", Q.groups, start=start(h)):
                self._reflected(y.row("g"), Q.at(h, s, "g"), number.row(), Q.factor(h, s))

    def _reflected(self, x: Row, u: Row, along: Row, factor: Row) -> None:
        self.r.run(blocks.reflected, {"x": x, "u": u, "along": along, "factor": factor}, [x], entrywise=True)

    # -- triangular systems ---------------------------------------------------------------

    def forward(self, A: Matrix, first: int, count: int, b: Memory, x: Memory) -> None:
        """x with Rᵀ x = b, R the upper triangle of A from column `first` on; overwrites the line b."""
        r, end = self.r, first + count
        for h, some in self.fours(count):
            own = place(b, (h, GROUP), first, span=GROUP)
            r.run(blocks.solve_lower(some), {"b": own, **A.block(h, h, first)}, [place(x, (h, 1))])
            with r.loop("j", end, start=start(h, GROUP, first + GROUP), wide=True):
                self.subtract_product(b.row("j"), A.at(h, "j"), place(x, (h, 1)))

    def backward(self, A: Matrix, first: int, count: int, b: Memory, x: Memory) -> None:
        """x with R x = b, R the upper triangle of A from column `first` on."""
        r, rest = self.r, self.vector(GROUP)
        for h, some in self.fours(count, reverse=True):
            r.copy(place(b, (h, 1)), rest)
            with r.loop("i", groups(count), start=start(h, 1, 1)):
                given: Reads = {"b": rest, "x": x.row("i"), **A.block(h, "i", first)}
                r.run(blocks.minus_product, given, [rest], entrywise=True)
            r.run(blocks.solve_upper(some), {"b": rest, **A.block(h, h, first)}, [place(x, (h, 1))])

    def subtract_product(self, s: Row, a: Row, x: Row) -> None:
        """Subtract aᵀ x, of four rows of a column and of a vector, from an entry of a line."""
        self.r.run(blocks.minus_inner_product, {"s": s, "a": a, "b": x}, [s], entrywise=True)
