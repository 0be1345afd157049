"""Linear systems of a contact problem, (C + E G) d = b, in blocks of three rows."""

from typing import Any

from ...algebra.scalars import Array
from .problem import Problem, part
from .rows import inverse3, matrix


class Elimination:
    """Gaussian elimination in blocks, without pivoting."""

    def __init__(self, problem: Problem):
        self.p, self.r, self.m = problem, problem.r, problem.m

    @part
    def factor(self) -> None:
        """Elimination in blocks without pivoting: what is left of the diagonal is inverted."""
        r, m, pair = self.r, self.m, self.p.pair
        with r.loop("row", "acting"):
            with r.loop("column", "acting"):
                both = {"A": m["E"].row("row"), "B": pair("G", "row", "column")}
                r.run(_product, both, [pair("A", "row", "column")])
            diagonal = pair("A", "row", "row")
            r.run(_added, {"a": diagonal, "b": m["C"].row("row")}, [diagonal], entrywise=True)
        with r.loop("pivot", "acting"):
            r.run(inverse3, {"A": pair("A", "pivot", "pivot")}, [m["inverse"].row("pivot")])
            with r.loop("row", "acting", start="pivot"):
                left = {"A": pair("A", "row", "pivot"), "B": m["inverse"].row("pivot")}
                r.run(_product, left, [pair("R", "row", "pivot")])
                with r.loop("column", "acting", start="pivot"):
                    entry = pair("A", "row", "column")
                    given = {"A": entry, "R": pair("R", "row", "pivot"), "B": pair("A", "pivot", "column")}
                    r.run(_without, given, [entry], entrywise=True)

    @part
    def solve(self, right: str, found: str) -> None:
        """The solution for a right-hand side."""
        r, m = self.r, self.m
        self.p.copy(right, found)
        with r.loop("pivot", "acting"), r.loop("row", "acting", start="pivot"):
            self._take(found, "row", self.p.pair("R", "row", "pivot"), "pivot")
        with r.loop("pivot", "acting", reverse=True):
            with r.loop("column", "acting", start="pivot"):
                self._take(found, "pivot", self.p.pair("A", "pivot", "column"), "column")
            r.run(_times, {"A": m["inverse"].row("pivot"), "x": m[found].row("pivot")}, [m[found].row("pivot")])

    def _take(self, name: str, i: str, entry: Any, j: str) -> None:
        m = self.m[name]
        self.r.run(_less_product, {"s": m.row(i), "A": entry, "x": m.row(j)}, [m.row(i)], entrywise=True)


# -- blocks -----------------------------------------------------------------------------------------


def _added(a: Array, b: Array) -> Array:
    return a + b


def _less_product(s: Array, A: Array, x: Array) -> Array:
    return s - matrix(A) @ x


def _times(A: Array, x: Array) -> Array:
    return matrix(A) @ x


def _product(A: Array, B: Array) -> Array:
    return (matrix(A) @ matrix(B)).ravel()


def _without(A: Array, R: Array, B: Array) -> Array:
    return A - (matrix(R) @ matrix(B)).ravel()
