"""A contact problem in a compiled loop: memory of the blocks that act, statements over them, and their residual.

    s = G λ + c,   c = u + b:   u the velocities without impulses, b what closes a gap or undoes a penetration

The residual is the largest violation of a law, as a part of that without impulses: never of the impulses' own size, by
which huge ones would look good.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, wraps
from typing import Any, NamedTuple

from ...algebra.scalars import Array, array, chosen, select, zeros
from ...compiler.passes.builder import Builder
from ...compiler.passes.loops import Count, Memory, Row
from ..loop.blocks import both, nothing, root, same
from . import interior, rows
from .laws import greatest
from .rows import LAW, present

#: a residual of this size is good enough
TOLERANCE = 1e-6
#: m/s, the violation of what is not a number: no impulses of NaN are good
LARGEST = 1e150


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
        self.r.part(" ".join([self.name, method.__qualname__, *map(str, given)]), lambda: method(self, *given))

    return run


class Problem:
    """Memory of a contact problem, and statements over its blocks.

    The blocks that act are those of its `kinds`, one kind after the other; `most` is the largest number of them.  The
    caller fills G, c, u, law and the impulses x to begin with, and reads `best`, its `velocity` and its residual
    `least`.  A problem says what `velocities` impulses lead to, and where the `own` block of G of each is.
    """

    def __init__(
        self, r: Builder, most: int, kinds: Sequence[Kind], least_velocity: Memory, bounces: bool = False,
        name: str = "contact", tiled: bool = True,
    ):  # fmt: skip
        self.r, self.kinds, self.least_velocity, self.name = r, kinds, least_velocity, name
        self.acting, self.tiled, self.most = kinds[-1].end, tiled, most
        self.m, self.lane = dict[str, Memory](), dict[str, Memory]()
        sizes = {"c": 3, "u": 3, "g": 3, "law": LAW, "x": 3, "best": 3, "s": 3, "velocity": 3, "share": 2}
        changes = {"bounced": 3, "restitution": 1, "first": 3, "s1": 3, "d1": 3, "ds1": 3}
        self.local(sizes | changes if bounces else sizes)
        more = " most reached residual" if bounces else ""
        self.lanes(f"scale least done take worst taken gain work accepted{more}")
        self.lane["sums"] = r.local(f"{name} sums", 2)

    def local(self, sizes: Mapping[str, int]) -> None:
        """Arrays with a row for each block."""
        for name in sizes.keys() - self.m.keys():
            self.m[name] = self.r.local(f"{self.name} {name}", sizes[name], self.most, tiled=self.tiled)

    def lanes(self, names: str) -> None:
        """Numbers."""
        self.lane |= {name: self.r.local(f"{self.name} {name}", 1) for name in names.split()}

    def velocities(self, x: str, s: str, c: str | None = "c") -> None:
        """s = G x + c."""
        raise NotImplementedError

    def own(self, counter: str) -> Row:
        """The block of G on the diagonal."""
        raise NotImplementedError

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
        return self.tiled and not self.lane.keys() & set(writes.split())

    def all(self, function: Callable[..., Any], reads: str, writes: str, entrywise: bool = False) -> None:
        """The same function for every block."""
        with self.r.loop("row", self.acting, wide=self._apart(writes)):
            self.run(function, reads, writes, "row", entrywise)

    def copy(self, source: str, target: str) -> None:
        """All rows of an array."""
        self.all(same, f"a={source}", target)

    def begin(self) -> None:
        """Mobilities, the scale of residuals, and no impulse as the best so far."""
        self.all(nothing(3), "", "best")
        self.copy("c", "velocity")
        for kind in self.kinds:
            with self.r.loop("row", kind.end, start=kind.start):
                self.r.run(kind.law.mobilities, {"G": self.own("row")}, [self.m["g"].row("row")])
        self.worst("best", "c")
        self.r.run(_scale, {"worst": self.lane["worst"], "least": self.least_velocity}, [self.lane["scale"]])
        self.run(begun(TOLERANCE), "worst scale", "least done")

    @part
    def worst(self, x: str, s: str) -> None:
        """The largest violation of a law, m/s."""
        self.each(_misses, f"x={x} s={s} g law", "share")
        self.run(nothing(1), "", "worst")
        self.all(_largest, "worst share", "worst", entrywise=True)
        self.run(root, "a=worst", "worst")

    @part
    def measure(self, x: str, s: str, tolerance: float = TOLERANCE) -> None:
        """Residual of impulses; they are kept if they are the best so far."""
        self.worst(x, s)
        self.run(judged(tolerance), "worst scale least done", "take least done")
        self.all(_better, f"take best velocity x={x} s={s}", "best velocity", entrywise=True)


# -- blocks -----------------------------------------------------------------------------------------


@cache
def _misses(kind: Kind) -> Callable[..., Array]:
    def block(x: Array, s: Array, g: Array, law: Array) -> Array:
        own = kind.law.size(kind.law.missed(x, s, g, law))
        return array([select(present(law), select(own < LARGEST**2, own, LARGEST**2), 0.0), 0.0])

    return block


def _largest(worst: Array, share: Array) -> Array:
    return array([greatest(worst[0], share[0])])


def _scale(worst: Array, least: Array) -> Array:
    """Size that residuals are parts of; a lane of NaN is done."""
    return array([select(worst[0] < 0.5 * LARGEST, greatest(worst[0], least[0]), LARGEST**2)])


@cache
def begun(tolerance: float) -> Callable[..., tuple[Array, Array]]:
    """Residual without impulses, and whether it is good enough."""

    def block(worst: Array, scale: Array) -> tuple[Array, Array]:
        missed = worst / scale
        return missed, array([select(missed[0] > tolerance, 0.0, 1.0)])

    return block


@cache
def judged(tolerance: float) -> Callable[..., tuple[Array, ...]]:
    """Whether impulses are the best so far, their residual, and whether it is good enough."""

    def block(worst: Array, scale: Array, least: Array, done: Array) -> tuple[Array, ...]:
        now = worst[0] / scale[0]
        take = select(both(done[0] < 0.5, now < least[0]), 1.0, 0.0)
        best = select(take > 0.5, now, least[0])
        return array([take]), array([best]), array([select(best > tolerance, done[0], 1.0)])

    return block


def _better(take: Array, best: Array, velocity: Array, x: Array, s: Array) -> tuple[Array, Array]:
    return chosen(take[0] > 0.5, x, best), chosen(take[0] > 0.5, s, velocity)


def here(law: Array, x: Array, otherwise: Array | None = None) -> Array:
    """x, or zeros in a lane that has no such block."""
    return chosen(present(law), x, zeros(len(x)) + 0.0 if otherwise is None else otherwise)
