"""Dense matrices of a routine, four rows at a time: Cholesky factors, reflections, triangular systems.

A `Matrix` is kept in groups of four rows: a row of its memory is a column of four numbers, and loops over columns are
wide.  A vector is rows of four numbers as well, a line is one number for each column.  What is beyond the last row or
column of a matrix is zero, or multiplied by zeros.
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
    """Groups of so many rows."""
    return -(-rows // GROUP)


def tiles(columns: int) -> int:
    """Columns of whole tiles."""
    return -(-columns // TILE) * TILE


def parts(rows: int) -> list[tuple[int, int, int]]:
    """The whole groups and, if it is not, the last one: the first, the end, and rows in each."""
    whole, rest = divmod(rows, GROUP)
    return [(0, whole, GROUP)] * bool(whole) + [(whole, whole + 1, rest)] * bool(rest)


class Matrix(NamedTuple):
    """Groups of four rows, of so many columns each."""

    memory: Memory
    groups: int
    columns: int

    def at(self, group: Counter, column: Counter, offset: int = 0, step: int = 1) -> Row:
        """Four numbers of the column `step` times a counter and `offset` further."""
        return place(self.memory, (group, self.columns), (column, step), offset)

    def four(self, group: Counter, column: Counter, first: int) -> dict[str, Row]:
        """Four columns from four times a counter on: a block c0 … c3 of sixteen numbers."""
        return {f"c{t}": self.at(group, column, first + t, GROUP) for t in range(GROUP)}


class Reflections(NamedTuple):
    """An orthogonal matrix as a `number` of reflections I - factor u uᵀ."""

    u: Memory
    factors: Memory
    groups: int
    number: int
    extremes: Memory  # the smallest and the largest length of a column that was reflected

    def at(self, h: Counter, s: int, group: Counter) -> Row:
        """Four numbers of the vector u of reflection 4 h + s."""
        return place(self.u, (h, GROUP * self.groups), (group, 1), s * self.groups)

    def factor(self, h: Counter, s: int) -> Row:
        """Its factor."""
        return place(self.factors, (h, GROUP), s)


def place(memory: Memory, *terms: tuple[Counter, int] | int, span: int = 1) -> Row:
    """The row whose number is a sum of counters with their steps, and of numbers."""
    pairs = [(1, x) if isinstance(x, int) else x for x in terms]
    counters = tuple((name, step) for name, step in pairs if isinstance(name, str))
    return Row(memory, counters, sum(x * step for x, step in pairs if isinstance(x, int)), span=span)


def start(counter: Counter, step: int = 1, offset: int = 0) -> Start:
    """The beginning of a loop at a counter, or a number, times a step and `offset` further."""
    return counter * step + offset if isinstance(counter, int) else (counter, step, offset)


class Panels:
    """Statements on matrices, vectors and lines of a routine."""

    def __init__(self, r: Builder):
        self.r = r
        self._number, self._names = r.local("a number of panels", 1), 0

    def matrix(self, rows: int, columns: int) -> Matrix:
        """A matrix; what it holds at first is not defined."""
        height, width = groups(rows), tiles(columns)
        return Matrix(self._local(GROUP, height * width), height, width)

    def vector(self, rows: int) -> Memory:
        """A vector, not defined at first."""
        return self.r.local(self._name(), GROUP, groups(rows))

    def line(self, columns: int) -> Memory:
        """A line, not defined at first."""
        return self._local(1, tiles(columns))

    def _local(self, size: int, rows: int) -> Memory:
        return self.r.local(self._name(), size, rows, tiled=True)

    def _name(self) -> str:
        self._names += 1
        return f"panel {self._names}"

    def each(self, body: Callable[[str], None], count: int, first: int = 0) -> None:
        """`body` for every group from the first on."""
        with self.r.loop("g", count, start=first):
            body("g")

    def put(self, vector: Memory, line: Memory, first: int, count: int) -> None:
        """Groups of a vector to a line, from a column on."""
        self.each(lambda g: self.r.copy(vector.row(g), place(line, (g, GROUP), first, span=GROUP)), count)

    def enter(self, vector: Memory, A: Matrix, column: int) -> None:
        """A vector as a column of A."""
        self.each(lambda g: self.r.copy(vector.row(g), A.at(g, column)), A.groups)

    def read(self, A: Matrix, column: int, vector: Memory, count: int) -> None:
        """Groups of a column of A to a vector."""
        self.each(lambda g: self.r.copy(A.at(g, column), vector.row(g)), count)

    def clear(self, vector: Memory, count: int, first: int = 0) -> None:
        """Zeros in groups of a vector, from the first on."""
        self.each(lambda g: self.r.run(blocks.nothing, {}, [vector.row(g)]), count, first)

    def _numbers(self, count: int, body: Callable[[Counter, int], None], reverse: bool = False) -> None:
        """`body(h, s)` for every number 4 h + s below `count`, or from there down."""
        parts: list[Callable[[], None]] = [lambda: self._whole(count // GROUP, body, reverse)]
        parts += [lambda s=s: body(count // GROUP, s) for s in range(count % GROUP)]  # type: ignore[misc]
        for part in reversed(parts) if reverse else parts:
            part()

    def _whole(self, count: int, body: Callable[[Counter, int], None], reverse: bool) -> None:
        if count:
            with self.r.loop("h", count, reverse=reverse):
                for s in reversed(range(GROUP)) if reverse else range(GROUP):
                    body("h", s)

    # -- matrices -----------------------------------------------------------------------

    def transpose(self, A: Matrix, top: int, height: int, first: int, width: int, B: Matrix, right: int = 0) -> None:
        """Rows of A, `height` groups from `top` on, and `width` groups of columns from `first` on, as columns of B."""
        with self.r.loop("g", height), self.r.loop("i", width):
            block = {name: Row(row.memory, row.counters, row.offset + top * A.columns)
                     for name, row in A.four("g", "i", first).items()}  # fmt: skip
            self.r.run(blocks.turned, block, [B.at("i", "g", right + s, GROUP) for s in range(GROUP)])

    def multiply(self, X: Matrix, first: int, T: Matrix, Y: Matrix, width: int) -> None:
        """Y = -Xᵀ T of the columns of X from `first` on, so many columns of Y."""
        with self.r.loop("g", Y.groups):
            with self.r.loop("j", width, wide=True):
                self.r.run(blocks.nothing, {}, [Y.at("g", "j")])
            with self.r.loop("h", X.groups), self.r.loop("j", width, wide=True):
                given: Reads = {"A": Y.at("g", "j"), "B": T.at("h", "j"), **X.four("h", "g", first)}
                self.r.run(blocks.without, given, [Y.at("g", "j")], entrywise=True)

    def factor(self, A: Matrix, U: Matrix, end: int) -> Memory:
        """U = [Rᵀ⁻¹ A] with Rᵀ R the square part of A, which is used up; returns the largest pivot."""
        r, inverse, largest = self.r, self.r.local(self._name(), GROUP * GROUP), self.r.local(self._name(), 1)
        r.run(blocks.zero, {}, [largest])
        with r.loop("h", A.groups):
            r.run(blocks.factored, {**A.four("h", "h", 0), "largest": largest}, [inverse, largest], entrywise=True)
            with r.loop("j", end, start=("h", GROUP, 0), wide=True):
                r.run(blocks.scaled, {"A": A.at("h", "j"), "T": inverse}, [U.at("h", "j")])
            with r.loop("g", A.groups, start="h"), r.loop("j", end, start=("g", GROUP, 0), wide=True):
                given: Reads = {"A": A.at("g", "j"), "B": U.at("h", "j"), **U.four("h", "g", 0)}
                r.run(blocks.without, given, [A.at("g", "j")], entrywise=True)
        return largest

    def reflect(self, A: Matrix, count: int, first: int, end: int) -> Reflections:
        """Columns of A made upper triangular, `count` from `first` on; the others up to `end` are reflected along."""
        r, number, line = self.r, self._number, self.line(A.columns)
        u, factors = (r.local(self._name(), size, rows) for size, rows in ((GROUP, count * A.groups), (1, count)))
        Q = Reflections(u, factors, A.groups, count, r.local(self._name(), 2))
        r.run(blocks.unlimited, {}, [Q.extremes])

        def one(h: Counter, s: int) -> None:
            r.run(blocks.begun(s), {"a": A.at(h, h, first + s, GROUP)}, [Q.at(h, s, h), number])
            with r.loop("g", A.groups, start=start(h, 1, 1)):
                given: Reads = {"a": A.at("g", h, first + s, GROUP), "squared": number}
                r.run(blocks.longer, given, [Q.at(h, s, "g"), number], entrywise=True)
            given = {"u": Q.at(h, s, h), "squared": number, "extremes": Q.extremes}
            r.run(blocks.pivoted(s), given, [Q.at(h, s, h), Q.factor(h, s), Q.extremes])
            with r.loop("j", end, start=start(h, GROUP, first), wide=True):
                r.run(blocks.product, {"a": Q.at(h, s, h), "b": A.at(h, "j")}, [line.row("j")])
            with r.loop("g", A.groups, start=start(h, 1, 1)), r.loop("j", end, start=start(h, GROUP, first), wide=True):
                given = {"s": line.row("j"), "a": Q.at(h, s, "g"), "b": A.at("g", "j")}
                r.run(blocks.more, given, [line.row("j")], entrywise=True)
            with r.loop("g", A.groups, start=start(h)), r.loop("j", end, start=start(h, GROUP, first), wide=True):
                self._reflected(A.at("g", "j"), Q.at(h, s, "g"), line.row("j"), Q.factor(h, s))

        self._numbers(count, one)
        return Q

    def squares(self, A: Matrix, top: int, first: int, width: int) -> Memory:
        """The sum of squares of the rows of A from `top` on, in so many columns."""
        r, total = self.r, self.r.local(self._name(), 1)
        r.run(blocks.zero, {}, [total])
        for begin, end, skipped in ((top // GROUP, top // GROUP + 1, top % GROUP), (top // GROUP + 1, A.groups, 0)):
            with r.loop("g", end, start=begin), r.loop("j", first + width, start=first):
                r.run(blocks.squared(skipped), {"a": A.at("g", "j"), "total": total}, [total], entrywise=True)
        return total

    def times(self, Q: Reflections, y: Memory) -> None:
        """Q y in the place of a vector y."""
        r, number = self.r, self._number

        def one(h: Counter, s: int) -> None:
            r.run(blocks.product, {"a": Q.at(h, s, h), "b": place(y, (h, 1))}, [number])
            with r.loop("g", Q.groups, start=start(h, 1, 1)):
                given: Reads = {"s": number, "a": Q.at(h, s, "g"), "b": y.row("g")}
                r.run(blocks.more, given, [number], entrywise=True)
            with r.loop("g", Q.groups, start=start(h)):
                self._reflected(y.row("g"), Q.at(h, s, "g"), number.row(), Q.factor(h, s))

        self._numbers(Q.number, one, reverse=True)

    def _reflected(self, x: Row, u: Row, along: Row, factor: Row) -> None:
        self.r.run(blocks.reflected, {"x": x, "u": u, "along": along, "factor": factor}, [x], entrywise=True)

    # -- triangular systems ---------------------------------------------------------------

    def forward(self, A: Matrix, first: int, count: int, b: Memory, x: Memory) -> None:
        """The vector x with Rᵀ x = b, R upper triangular from column `first` of A on; the line b is used up."""
        r, end = self.r, first + count

        def group(h: Counter, some: int) -> None:
            own = place(b, (h, GROUP), first, span=GROUP)
            r.run(blocks.lower(some), {"b": own, **A.four(h, h, first)}, [place(x, (h, 1))])
            with r.loop("j", end, start=start(h, GROUP, first + GROUP), wide=True):
                self.take(b.row("j"), A.at(h, "j"), place(x, (h, 1)))

        for h, some in self._grouped(count):
            group(h, some)

    def backward(self, A: Matrix, first: int, count: int, b: Memory, x: Memory) -> None:
        """The vector x with R x = b."""
        r, rest = self.r, self.vector(GROUP)

        def group(h: Counter, some: int) -> None:
            r.copy(place(b, (h, 1)), rest)
            with r.loop("i", groups(count), start=start(h, 1, 1)):
                r.run(blocks.left, {"b": rest, "x": x.row("i"), **A.four(h, "i", first)}, [rest], entrywise=True)
            r.run(blocks.upper(some), {"b": rest, **A.four(h, h, first)}, [place(x, (h, 1))])

        for h, some in self._grouped(count, reverse=True):
            group(h, some)

    def take(self, s: Row, a: Row, x: Row) -> None:
        """Subtract from a number of a line the product of a column and a vector, four rows of both."""
        self.r.run(blocks.less, {"s": s, "a": a, "b": x}, [s], entrywise=True)

    def _grouped(self, count: int, reverse: bool = False) -> Iterator[tuple[Counter, int]]:
        """Groups of four unknowns, and the last one of fewer, which comes first in reverse."""
        last = (count // GROUP, count % GROUP)
        if reverse and last[1]:
            yield last
        if last[0]:
            with self.r.loop("h", last[0], reverse=reverse):
                yield "h", GROUP
        if last[1] and not reverse:
            yield last
