"""Sweeps over the blocks of a contact problem, and Newton's method on all of them."""

from collections.abc import Callable
from functools import cache
from typing import Any

from ...algebra.scalars import Array, array, chosen, eye, select
from ..loop.blocks import both, constant, nothing, same
from .problem import Kind, Problem, here, part
from .rows import inverse3, matrix

#: parts of a Newton step that are tried, the first that helps is taken
PARTS = (1.0, 0.4, 0.16)
#: part of a mobility that keeps Newton's system regular where contacts are redundant
PROXIMAL = 1e-6
#: no change of an impulse is larger
LARGEST = 1e200


class Elimination:
    """Linear systems (C + E G) d = b, by Gaussian elimination in blocks of three rows."""

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


class Newton:
    """Block Gauss-Seidel (`sweep`), and a semismooth Newton method (`step`), from the impulses x."""

    def __init__(self, problem: Problem, elimination: Elimination):
        self.p, self.r, self.m, self.linear = problem, problem.r, problem.m, elimination
        self.parts = self.r.local("contact parts", 1, len(PARTS))
        for k, share in enumerate(PARTS):
            self.r.run(constant(share), {}, [self.parts.row(k)])

    def run(self, sweeps: int, steps: int) -> None:
        """So many sweeps, then so many steps, until the impulses are good enough."""
        p = self.p
        with self.r.loop("sweep", sweeps, until=p.lane["done"], ahead=True):
            self.sweep()
            p.measure("x")
        p.run(same, "a=done", "idle")
        with self.r.loop("newton", steps, until=p.lane["idle"], ahead=True):
            self.step()
            p.measure("x")

    @part
    def sweep(self) -> None:
        """Every block solved exactly in turn, the others held as they are by then."""
        r, m, settled = self.r, self.m, self.p.lane["settled"]
        for kind in self.p.kinds:
            with r.loop("row", kind.end, start=kind.start):
                r.copy(m["c"].row("row"), m["s"].row("row"))
                self.p.add_products("x", "s")
                own = {name: m[name].row("row") for name in ("s", "x", "law")} | {"G": self.p.pair("G", "row", "row")}
                r.run(_less_product, {"s": own["s"], "A": own["G"], "x": own["x"]}, [own["s"]], entrywise=True)
                r.run(_solved(kind), {name: own[name] for name in ("G", "s", "law")}, [own["x"], settled])
                if kind.law.slid:
                    with r.loop("slide", 1, until=settled, ahead=True):
                        r.run(_slid(kind), own | {"settled": settled}, [own["x"]], entrywise=True)

    @part
    def step(self) -> None:
        """One step on the map of Alart and Curnier (1991), as far as it helps."""
        p, lane = self.p, self.p.lane
        p.velocities("x", "s")
        p.run(nothing(1), "", "merit0")
        p.each(_linear, "merit0 x s g law", "merit0 C E b", entrywise=True)
        self.linear.factor()
        self.linear.solve("b", "d1")
        p.velocities("d1", "ds1", None)
        p.run(same, "a=done", "taken")
        with self.r.loop("try", len(PARTS), until=lane["taken"], ahead=True):
            p.run(nothing(1), "", "merit")
            for kind in p.kinds:
                with self.r.loop("row", kind.end, start=kind.start):
                    own = {name: p.place(name, "row") for name in ("merit", "x", "s", "d1", "ds1", "g", "law")}
                    self.r.run(_tried(kind), {**own, "part": self.parts.row("try")}, [lane["merit"]], entrywise=True)
            reads = {name: lane[name] for name in ("merit", "merit0", "taken")}
            self.r.run(_tried_enough, {**reads, "part": self.parts.row("try")}, [lane["taken"]])
        p.each(_moved, "x d1 taken law", "x")
        p.run(_idle, "taken done", "idle")


# -- blocks -----------------------------------------------------------------------------------------


@cache
def _solved(kind: Kind) -> Callable[..., Any]:
    def block(G: Array, s: Array, law: Array) -> tuple[Array, Array]:
        x, settled = kind.law.solved(G, s, law)
        return x, array([settled])

    return block


@cache
def _slid(kind: Kind) -> Callable[..., Array]:
    def block(G: Array, s: Array, x: Array, law: Array, settled: Array) -> Array:
        assert kind.law.slid
        return chosen(settled[0] > 0.5, x, kind.law.slid(G, s, law))

    return block


def _merit(missed: Array, g: Array) -> Any:
    return sum(((a * b) * (a * b) for a, b in zip(missed, g, strict=True)), start=0)


@cache
def _linear(kind: Kind) -> Callable[..., tuple[Array, ...]]:
    def block(merit0: Array, x: Array, s: Array, g: Array, law: Array) -> tuple[Array, ...]:
        pushed, P = kind.law.curnier(x, s, g, law)
        missed = x - pushed
        C, E = eye(3) - (1 - PROXIMAL) * P, P / g[None, :]
        return array([merit0[0] + _merit(missed, g)]), C.ravel(), E.ravel(), -missed

    return block


@cache
def _tried(kind: Kind) -> Callable[..., Array]:
    def block(merit: Array, x: Array, s: Array, d1: Array, ds1: Array, g: Array, law: Array, part: Array) -> Array:
        there = x + part[0] * d1
        pushed, _ = kind.law.curnier(there, s + part[0] * ds1, g, law)
        return array([merit[0] + _merit(there - pushed, g)])

    return block


def _tried_enough(merit: Array, merit0: Array, taken: Array, part: Array) -> Array:
    """The part of the step that is taken: the first that lessens the merit function."""
    return array([select(both(merit[0] < merit0[0], taken[0] < 0.01), part[0], taken[0])])


@cache
def _moved(kind: Kind) -> Callable[..., Array]:
    def block(x: Array, d1: Array, taken: Array, law: Array) -> Array:
        change = array([select(both(a * a < LARGEST, taken[0] > 0), taken[0] * a, 0.0) for a in d1])
        return here(law, kind.law.admissible(x + change, law))

    return block


def _idle(taken: Array, done: Array) -> Array:
    return array([select(taken[0] > 0, done[0], 1.0)])


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
