"""A contact problem in a compiled loop: memory of the blocks that act, statements over them, and their residual.

    s = G λ + c,   c = u + b:   u the velocities without impulses, b what closes a gap or undoes a penetration

The residual is the largest violation of a law, as a part of that without impulses: never of the impulses' own size, by
which huge ones would look good.
"""

from collections.abc import Callable, Sequence
from functools import cache, wraps
from typing import Any, NamedTuple

from ...algebra.scalars import Array, array, chosen, select, zeros
from ...compiler.passes.builder import Builder
from ...compiler.passes.loops import TILE, Count, Memory, Row
from ..loop.blocks import both, larger, nothing, root, same
from . import interior, rows
from .laws import greatest
from .rows import LAW, matrix, present

#: a residual of this size is good enough
TOLERANCE = 1e-6


class Kind(NamedTuple):
    """Blocks of one kind: their law, its barrier, and where they are in the list of all."""

    law: rows.Law
    barrier: interior.Barrier
    start: Count
    end: Count


def part(method: Callable[..., None]) -> Callable[..., None]:
    """Statements of a method, written once for all places where it is called with the same arguments."""

    @wraps(method)
    def run(self: Any, *given: Any) -> None:
        self.r.part(" ".join([method.__qualname__, *map(str, given)]), lambda: method(self, *given))

    return run


class Problem:
    """Memory of a contact problem, and statements over its blocks.

    `acting` is the number of blocks, `most` the largest it can be; the first `touching` of them are contacts.  The
    caller fills G, c, u, law and the impulses x to begin with, and reads `best`, its `velocity` and its residual
    `least`.
    """

    def __init__(self, r: Builder, most: int, kinds: Sequence[Kind], least_velocity: Memory, bounces: bool = False):
        self.r, self.kinds, self.least_velocity = r, kinds, least_velocity
        sizes = {"c": 3, "u": 3, "g": 3, "law": LAW, "x": 3, "best": 3, "s": 3, "C": 9, "E": 9, "inverse": 9, "b": 3}
        sizes |= {"trial": 3, "velocity": 3, "s1": 3, "z": interior.CARRIED, "share": 2}
        sizes |= {"bounced": 3, "restitution": 1, "first": 3} if bounces else {}
        sizes |= {f"{name}{k}": n for k in range(3) for name, n in (("d", 3), ("ds", 3), ("dz", interior.CARRIED))}
        self.m = {name: r.local(f"contact {name}", size, most, tiled=True) for name, size in sizes.items()}
        self.columns = -(-most // TILE) * TILE
        self.m |= {name: r.local(f"contact {name}", 9, most * self.columns, tiled=True) for name in ("G", "A", "R")}
        lane = "scale least done take idle worst merit merit0 taken start keep centering size target far step last "
        lane += "gain work accepted"
        more = "settled part most reached residual" if bounces else "settled part"
        self.lane = {name: r.local(f"contact {name}", 1) for name in f"{lane} {more}".split()}
        self.lane["sums"] = r.local("contact sums", 2)

    def run(
        self, function: Callable[..., Any], reads: str, writes: str, over: str = "", entrywise: bool = False
    ) -> None:
        """A function of rows and lanes by their names, for the block that the loop `over` counts."""
        names = [name.partition("=") for name in reads.split()]
        given = {name: self.place(source or name, over) for name, _, source in names}
        self.r.run(function, given, [self.place(name, over) for name in writes.split()], entrywise=entrywise)

    def place(self, name: str, counter: str) -> Any:
        """A number of the lane, or the row of the block that a loop counts."""
        return self.lane[name] if name in self.lane else self.m[name].row(counter)

    def each(
        self, function: Callable[[Kind], Callable[..., Any]], reads: str, writes: str, entrywise: bool = False
    ) -> None:
        """A function of its kind for every block."""
        for kind in self.kinds:
            with self.r.loop("row", kind.end, start=kind.start, wide=self._apart(writes)):
                self.run(function(kind), reads, writes, "row", entrywise)

    def _apart(self, writes: str) -> bool:
        """Whether blocks write their own rows alone, and no number of the lane."""
        return not self.lane.keys() & set(writes.split())

    def all(self, function: Callable[..., Any], reads: str, writes: str, entrywise: bool = False) -> None:
        """The same function for every block."""
        with self.r.loop("row", "acting", wide=self._apart(writes)):
            self.run(function, reads, writes, "row", entrywise)

    def pair(self, name: str, i: str, j: str) -> Row:
        """Block (i, j) of a matrix."""
        return Row(self.m[name], ((i, self.columns), (j, 1)))  # not a mapping: i may be j

    def copy(self, source: str, target: str) -> None:
        """All rows of an array."""
        self.all(same, f"a={source}", target)

    @part
    def velocities(self, x: str, s: str, c: str | None = "c") -> None:
        """s = G x + c."""
        self.all(same, f"a={c}", s) if c else self.all(nothing(3), "", s)
        with self.r.loop("column", "acting"):
            self.add_product(self.m[x].row("column"), s)

    def add_product(self, x: Row, s: str) -> None:
        """Add to s what an impulse x of the block that the loop counts as `column` changes."""
        m = self.m
        with self.r.loop("row", "acting", wide=True):
            # a column of G is a row of it, transposed
            reads = {"s": m[s].row("row"), "G": self.pair("G", "column", "row"), "x": x}
            self.r.run(_added_product, reads, [m[s].row("row")], entrywise=True)

    def begin(self) -> None:
        """Mobilities, the scale of residuals, and no impulse as the best so far."""
        self.all(nothing(3), "", "best")
        self.copy("c", "velocity")
        for kind in self.kinds:
            with self.r.loop("row", kind.end, start=kind.start):
                self.r.run(kind.law.mobilities, {"G": self.pair("G", "row", "row")}, [self.m["g"].row("row")])
        self.worst("best", "c")
        self.r.run(larger, {"a": self.lane["worst"], "b": self.least_velocity}, [self.lane["scale"]])
        self.run(begun(TOLERANCE), "worst scale", "least done")

    @part
    def worst(self, x: str, s: str) -> None:
        """The largest violation of a law, m/s."""
        self.each(_misses, f"x={x} s={s} g law", "share")
        self.run(nothing(1), "", "worst")
        self.all(_largest, "worst share", "worst", entrywise=True)
        self.run(root, "a=worst", "worst")

    @part
    def measure(self, x: str, s: str) -> None:
        """Residual of impulses; they are kept if they are the best so far."""
        self.worst(x, s)
        self.run(judged(TOLERANCE), "worst scale least done", "take least done")
        self.all(_better, f"take best velocity x={x} s={s}", "best velocity", entrywise=True)


# -- blocks -----------------------------------------------------------------------------------------


def _added_product(s: Array, G: Array, x: Array) -> Array:
    return s + matrix(G).T @ x


@cache
def _misses(kind: Kind) -> Callable[..., Array]:
    def block(x: Array, s: Array, g: Array, law: Array) -> Array:
        own = kind.law.size(kind.law.missed(x, s, g, law))
        return array([select(present(law), own, 0.0), 0.0])

    return block


def _largest(worst: Array, share: Array) -> Array:
    return array([greatest(worst[0], share[0])])


@cache
def begun(tolerance: float) -> Callable[..., tuple[Array, Array]]:
    """Residual without impulses, and whether it is good enough."""

    def block(worst: Array, scale: Array) -> tuple[Array, Array]:
        missed = worst / scale
        return missed, array([select(missed[0] > tolerance, 0.0, 1.0)])

    return block


@cache
def judged(tolerance: float) -> Callable[..., tuple[Array, ...]]:
    """Whether impulses are the best so far, their residual, and whether it is good enough; a lane of NaN is done."""

    def block(worst: Array, scale: Array, least: Array, done: Array) -> tuple[Array, ...]:
        now = worst[0] / scale[0]
        take = select(both(done[0] < 0.5, now < least[0]), 1.0, 0.0)
        best = select(take > 0.5, now, least[0])
        return array([take]), array([best]), array([select(best > tolerance, 0.0, 1.0)])

    return block


def _better(take: Array, best: Array, velocity: Array, x: Array, s: Array) -> tuple[Array, Array]:
    return chosen(take[0] > 0.5, x, best), chosen(take[0] > 0.5, s, velocity)


def here(law: Array, x: Array, otherwise: Array | None = None) -> Array:
    """x, or zeros in a lane that has no such block."""
    return chosen(present(law), x, zeros(len(x)) + 0.0 if otherwise is None else otherwise)
