"""Sweeps over the blocks of a contact problem, and Newton's method on all of them."""

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from ...algebra.scalars import Array, array, chosen, eye, select
from ..loop.blocks import both, constant, nothing, plus, same
from .problem import Kind, here, part
from .rows import inverse3, matrix

if TYPE_CHECKING:
    from .solver import Solver

#: parts of a Newton step that are tried, the first that helps is taken
PARTS = (1.0, 0.4, 0.16)
#: part of a mobility that keeps Newton's system regular where contacts are redundant
PROXIMAL = 1e-6
#: largest change of an impulse in a step
LARGEST = 1e200


class Elimination:
    """Linear systems (C + E G) d = b, by Gaussian elimination in blocks of three rows."""

    def __init__(self, problem: "Solver"):
        self.p, self.r, self.m, self.name = problem, problem.r, problem.m, problem.name

    @part
    def factor(self) -> None:
        """Elimination in blocks without pivoting: what is left of the diagonal is inverted."""
        r, m, pair = self.r, self.m, self.p.pair
        with r.loop("row", self.p.acting):
            with r.loop("column", self.p.acting, wide=True):
                both = {"A": m["E"].row("row"), "B": pair("G", "row", "column")}
                r.run(_product, both, [pair("A", "row", "column")])
            diagonal = pair("A", "row", "row")
            r.run(plus, {"a": diagonal, "b": m["C"].row("row")}, [diagonal], entrywise=True)
        with r.loop("pivot", self.p.acting):
            r.run(inverse3, {"A": pair("A", "pivot", "pivot")}, [m["inverse"].row("pivot")])
            with r.loop("row", self.p.acting, start="pivot"):
                left = {"A": pair("A", "row", "pivot"), "B": m["inverse"].row("pivot")}
                r.run(_product, left, [pair("R", "pivot", "row")])
                with r.loop("column", self.p.acting, start="pivot", wide=True):
                    entry = pair("A", "row", "column")
                    given = {"A": entry, "R": pair("R", "pivot", "row"), "B": pair("A", "pivot", "column")}
                    r.run(_without, given, [entry], entrywise=True)

    @part
    def solve(self, right: str, found: str) -> None:
        """The solution for a right-hand side."""
        r, m = self.r, self.m
        self.p.copy(right, found)
        with r.loop("pivot", self.p.acting), r.loop("row", self.p.acting, start="pivot", wide=True):
            self._take(found, "row", self.p.pair("R", "pivot", "row"), "pivot")
        with r.loop("pivot", self.p.acting, reverse=True):
            with r.loop("column", self.p.acting, start="pivot"):
                self._take(found, "pivot", self.p.pair("A", "pivot", "column"), "column")
            r.run(_times, {"A": m["inverse"].row("pivot"), "x": m[found].row("pivot")}, [m[found].row("pivot")])

    def _take(self, name: str, i: str, entry: Any, j: str) -> None:
        m = self.m[name]
        self.r.run(_less_product, {"s": m.row(i), "A": entry, "x": m.row(j)}, [m.row(i)], entrywise=True)


class Newton:
    """Block Gauss-Seidel (`sweep`), and a semismooth Newton method (`step`), from the impulses x.

    Both keep s = G x + c.
    """

    def __init__(self, problem: "Solver", elimination: Elimination):
        self.p, self.r, self.m, self.linear, self.name = problem, problem.r, problem.m, elimination, problem.name
        self.m["parts"] = self.r.local(f"{self.name} parts", 1, len(PARTS))
        for k, share in enumerate(PARTS):
            self.r.run(constant(share), {}, [self.m["parts"].row(k)])

    def run(self, sweeps: int, steps: int) -> None:
        """So many sweeps, then so many steps, until the impulses are good enough."""
        p = self.p
        with self.r.loop("sweep", sweeps, until=p.lane["done"], ahead=True):
            self.sweep()
            p.measure("x", "s")
        p.run(same, "a=done", "idle")
        with self.r.loop("newton", steps, until=p.lane["idle"], ahead=True):
            self.step()
            p.measure("x", "s")

    @part
    def sweep(self) -> None:
        """Every block solved exactly in turn, the others held as they are by then."""
        r, m, settled = self.r, self.m, self.p.lane["settled"]
        for kind in self.p.kinds:
            with r.loop("column", kind.end, start=kind.start):
                own = {name: m[name].row("column") for name in ("s", "x", "law")}
                own["G"], new, change = (
                    self.p.pair("G", "column", "column"),
                    m["d1"].row("column"),
                    m["b"].row("column"),
                )
                r.run(_solved(kind), own, [new, settled])
                if kind.law.slid:
                    with r.loop("slide", 1, until=settled, ahead=True):
                        r.run(_slid(kind), own | {"new": new, "settled": settled}, [new], entrywise=True)
                r.run(_exchanged, {"x": own["x"], "new": new}, [change, own["x"]], entrywise=True)
                self.p.add_product(change, "s")

    @part
    def step(self) -> None:
        """One step on the map of Alart and Curnier (1991), as far as it helps."""
        p, lane = self.p, self.p.lane
        p.each(_linear, "x s g law", "share C E b")
        self._sum("merit0")
        self.linear.factor()
        self.linear.solve("b", "d1")
        p.velocities("d1", "ds1", None)
        p.run(same, "a=done", "taken")
        with self.r.loop("try", len(PARTS), until=lane["taken"], ahead=True):
            p.run(same, "a=parts", "part", "try")
            p.each(_tried, "x s d1 ds1 g law part", "share")
            self._sum("merit")
            p.run(_tried_enough, "merit merit0 taken part", "taken")
        p.each(_moved, "x d1 taken law", "x")
        p.velocities("x", "s")
        p.run(_idle, "taken done", "idle")

    def _sum(self, merit: str) -> None:
        self.p.run(nothing(1), "", merit)
        self.p.all(_summed, f"merit={merit} share", merit, entrywise=True)


# -- blocks -----------------------------------------------------------------------------------------


@cache
def _solved(kind: Kind) -> Callable[..., Any]:
    def block(G: Array, s: Array, x: Array, law: Array) -> tuple[Array, Array]:
        found, settled = kind.law.solved(G, s - matrix(G) @ x, law)
        return found, array([settled])

    return block


@cache
def _slid(kind: Kind) -> Callable[..., Array]:
    def block(G: Array, s: Array, x: Array, law: Array, new: Array, settled: Array) -> Array:
        assert kind.law.slid
        return chosen(settled[0] > 0.5, new, kind.law.slid(G, s - matrix(G) @ x, law))

    return block


def _exchanged(x: Array, new: Array) -> tuple[Array, Array]:
    return new - x, new


def _merit(missed: Array, g: Array) -> Array:
    return array([sum(((a * b) * (a * b) for a, b in zip(missed, g, strict=True)), start=0), 0.0])


def _summed(merit: Array, share: Array) -> Array:
    return merit + share[:1]


@cache
def _linear(kind: Kind) -> Callable[..., tuple[Array, ...]]:
    def block(x: Array, s: Array, g: Array, law: Array) -> tuple[Array, ...]:
        pushed, P = kind.law.curnier(x, s, g, law)
        missed = x - pushed
        C, E = eye(3) - (1 - PROXIMAL) * P, P / g[None, :]
        return _merit(missed, g), C.ravel(), E.ravel(), -missed

    return block


@cache
def _tried(kind: Kind) -> Callable[..., Array]:
    def block(x: Array, s: Array, d1: Array, ds1: Array, g: Array, law: Array, part: Array) -> Array:
        there = x + part[0] * d1
        pushed, _ = kind.law.curnier(there, s + part[0] * ds1, g, law)
        return _merit(there - pushed, g)

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


def _less_product(s: Array, A: Array, x: Array) -> Array:
    return s - matrix(A) @ x


def _times(A: Array, x: Array) -> Array:
    return matrix(A) @ x


def _product(A: Array, B: Array) -> Array:
    return (matrix(A) @ matrix(B)).ravel()


def _without(A: Array, R: Array, B: Array) -> Array:
    return A - (matrix(R) @ matrix(B)).ravel()
