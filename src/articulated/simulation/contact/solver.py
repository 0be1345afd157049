"""The impulses of a step as statements of a compiled loop, over the blocks of rows that act.

    s = G λ + c,   c = u + b:   u the velocities without impulses, b what closes a gap or undoes a penetration

Impulses are accepted if they obey all laws to TOLERANCE of the largest violation without impulses (never of their own
size: huge impulses would look good), and if the kinetic energy they add, ½ λᵀ G λ + λᵀ u, is not above zero.  Otherwise
the problem is solved again without recovery from penetrations, where an exact solution cannot gain; what still gains is
scaled down until it does not: it stays within the cones.
"""

from collections.abc import Callable, Sequence
from functools import cache, wraps
from typing import Any, NamedTuple

from ...algebra.scalars import Array, array, eye, select, sqrt, zeros
from ...compiler.passes.builder import Builder
from ...compiler.passes.loops import Count, Memory, Row
from ..loop.routine import chosen
from . import interior, rows
from .laws import greatest, least
from .rows import LAW, inverse3, matrix, present

#: a residual of this size is good enough
TOLERANCE = 1e-6
#: parts of a Newton step that are tried, the first that helps is taken
PARTS = (1.0, 0.4, 0.16)
#: part of a mobility that keeps Newton's system regular where contacts are redundant
PROXIMAL = 1e-6
#: energy gained by rounding, as a part of the work of the impulses
ROUNDING = 1e-12
#: no change of an impulse is larger
LARGEST = 1e200


class Sweeps(NamedTuple):
    """Block Gauss-Seidel, then Newton's method: at most so many."""

    sweeps: int
    newton: int


class Path(NamedTuple):
    """Interior point: the size of its first impulses, the part of a step it keeps, the least centering, most steps."""

    start: float
    keep: float
    centering: float
    most: int


#: blocks up to which sweeps are tried before Newton's method: a few rarely suffice for more
FEW = 8
#: one after the other until a problem is solved; each begins with the best so far
SCHEDULE = (
    Sweeps(0, 4), Sweeps(4, 6), Path(1.0, 0.95, 0.01, 30), Sweeps(20, 10), Path(100.0, 0.9, 0.1, 60), Sweeps(60, 10),
)  # fmt: skip


class Kind(NamedTuple):
    """Blocks of one kind: their law, its barrier, and where they are in the list of all."""

    law: rows.Law
    barrier: interior.Barrier
    start: Count
    end: Count


def part(method: Callable[..., None]) -> Callable[..., None]:
    """Statements of a method, written once for all places where it is called with the same arguments."""

    @wraps(method)
    def run(self: "Solver", *given: Any) -> None:
        self.r.part(" ".join([method.__name__, *map(str, given)]), lambda: method(self, *given))

    return run


class Solver:
    """Memory of a contact problem, and statements that solve it.

    `acting` is the number of blocks, `most` the largest it can be; the first `touching` of them are contacts.  The
    caller fills G, c, u, law and the impulses x to begin with, and reads `best`, its `velocity` and its residual
    `least`.
    """

    def __init__(self, r: Builder, most: int, kinds: Sequence[Kind], least_velocity: Memory, bounces: bool = False):
        self.r, self.kinds, self.least_velocity = r, kinds, least_velocity
        self.schedule = (Sweeps(3, 0), *SCHEDULE) if most <= FEW else SCHEDULE
        sizes = {"c": 3, "u": 3, "g": 3, "law": LAW, "x": 3, "best": 3, "s": 3, "C": 9, "E": 9, "inverse": 9, "b": 3}
        sizes |= {"trial": 3, "velocity": 3, "s1": 3, "z": interior.CARRIED}
        sizes |= {"bounced": 3, "restitution": 1, "first": 3} if bounces else {}
        sizes |= {f"{name}{k}": n for k in range(3) for name, n in (("d", 3), ("ds", 3), ("dz", interior.CARRIED))}
        self.m = {name: r.local(f"contact {name}", size, most) for name, size in sizes.items()}
        self.m |= {name: r.local(f"contact {name}", 9, most * most) for name in ("G", "A", "R")}
        lane = "scale least done take idle worst merit merit0 taken size target far step last gain work accepted"
        more = "most reached residual" if bounces else ""
        self.lane = {name: r.local(f"contact {name}", 1) for name in f"{lane} {more}".split()}
        self.lane["sums"] = r.local("contact sums", 2)
        self.parts = r.local("contact parts", 1, len(PARTS))
        for k, share in enumerate(PARTS):
            r.run(_constant(share), {}, [self.parts.row(k)])

    # -- statements over blocks -----------------------------------------------------------------

    def run(
        self, function: Callable[..., Any], reads: str, writes: str, over: str = "", entrywise: bool = False
    ) -> None:
        """A function of rows and lanes by their names, for the block that the loop `over` counts."""
        names = [name.partition("=") for name in reads.split()]
        given = {name: self._place(source or name, over) for name, _, source in names}
        self.r.run(function, given, [self._place(name, over) for name in writes.split()], entrywise=entrywise)

    def _place(self, name: str, counter: str) -> Any:
        return self.lane[name] if name in self.lane else self.m[name].row(counter)

    def each(
        self, function: Callable[[Kind], Callable[..., Any]], reads: str, writes: str, entrywise: bool = False
    ) -> None:
        """A function of its kind for every block."""
        for kind in self.kinds:
            with self.r.loop("row", kind.end, start=kind.start):
                self.run(function(kind), reads, writes, "row", entrywise)

    def all(self, function: Callable[..., Any], reads: str, writes: str, entrywise: bool = False) -> None:
        """The same function for every block."""
        with self.r.loop("row", "acting"):
            self.run(function, reads, writes, "row", entrywise)

    def pair(self, name: str, i: str, j: str) -> Row:
        """Block (i, j) of a matrix."""
        return Row(self.m[name], ((i, "acting"), (j, 1)))  # not a mapping: i may be j

    def copy(self, source: str, target: str) -> None:
        """All rows of an array."""
        with self.r.loop("row", "acting"):
            self.r.copy(self.m[source].row("row"), self.m[target].row("row"))

    @part
    def velocities(self, x: str, s: str, c: str | None = "c") -> None:
        """s = G x + c."""
        r, m = self.r, self.m
        with r.loop("row", "acting"):
            if c:
                r.copy(m[c].row("row"), m[s].row("row"))
            else:
                r.run(_zeros(3), {}, [m[s].row("row")])
            self._add_products(x, s)

    def _add_products(self, x: str, s: str) -> None:
        m = self.m
        with self.r.loop("column", "acting"):
            reads = {"s": m[s].row("row"), "G": self.pair("G", "row", "column"), "x": m[x].row("column")}
            self.r.run(_added_product, reads, [m[s].row("row")], entrywise=True)

    # -- residual -------------------------------------------------------------------------------

    def begin(self) -> None:
        """Mobilities, the scale of residuals, and no impulse as the best so far."""
        with self.r.loop("row", "acting"):
            self.r.run(_zeros(3), {}, [self.m["best"].row("row")])
            self.r.copy(self.m["c"].row("row"), self.m["velocity"].row("row"))
        for kind in self.kinds:
            with self.r.loop("row", kind.end, start=kind.start):
                self.r.run(kind.law.mobilities, {"G": self.pair("G", "row", "row")}, [self.m["g"].row("row")])
        self._worst("best", "c")
        self.r.run(greater, {"a": self.lane["worst"], "b": self.least_velocity}, [self.lane["scale"]])
        self.run(_first, "worst scale", "least done")

    @part
    def _worst(self, x: str, s: str) -> None:
        """The largest violation of a law, m/s."""
        self.run(_zeros(1), "", "worst")
        self.each(_misses, f"worst x={x} s={s} g law", "worst", entrywise=True)
        self.run(_root, "worst", "worst")

    @part
    def measure(self, x: str) -> None:
        """Residual of impulses; they are kept if they are the best so far."""
        self.velocities(x, "s1")
        self._worst(x, "s1")
        self.run(_judged, "worst scale least done", "take least done")
        self.all(_better, f"take best velocity x={x} s1", "best velocity", entrywise=True)

    # -- sweeps and Newton's method -------------------------------------------------------------

    @part
    def attempt(self) -> None:
        """A sweep from the impulses x and, unless they are then good enough, the schedule from them or from none."""
        self.sweep()  # also where they are good enough: a robot at rest would keep what is left of them, and creep
        self.measure("x")
        self.copy("best", "x")
        for k, phase in enumerate(self.schedule):
            with self.r.loop(f"phase{k}", 1, until=self.lane["done"], ahead=True):
                if isinstance(phase, Path):
                    self.interior(phase)
                if isinstance(phase, Sweeps):
                    self._sweeps(phase)
                self.copy("best", "x")

    def _sweeps(self, phase: Sweeps) -> None:
        with self.r.loop("sweep", phase.sweeps, until=self.lane["done"], ahead=True):
            self.sweep()
            self.measure("x")
        self.run(_same, "a=done", "idle")
        with self.r.loop("newton", phase.newton, until=self.lane["idle"], ahead=True):
            self.newton()
            self.measure("x")

    @part
    def sweep(self) -> None:
        """Every block solved exactly in turn, the others held as they are by then."""
        r, m = self.r, self.m
        for kind in self.kinds:
            with r.loop("row", kind.end, start=kind.start):
                r.copy(m["c"].row("row"), m["s"].row("row"))
                self._add_products("x", "s")
                reads = {"G": self.pair("G", "row", "row"), **{name: m[name].row("row") for name in ("s", "x", "law")}}
                r.run(_solved(kind), reads, [m["x"].row("row")])

    @part
    def newton(self) -> None:
        """One step on the map of Alart and Curnier (1991), as far as it helps."""
        self.velocities("x", "s")
        self.run(_zeros(1), "", "merit0")
        self.each(_linear, "merit0 x s g law", "merit0 C E b", entrywise=True)
        self.factor()
        self.solve("b", "d1")
        self.velocities("d1", "ds1", None)
        self.run(_same, "a=done", "taken")
        with self.r.loop("try", len(PARTS), until=self.lane["taken"], ahead=True):
            self.run(_zeros(1), "", "merit")
            for kind in self.kinds:
                with self.r.loop("row", kind.end, start=kind.start):
                    here = {name: self._place(name, "row") for name in ("merit", "x", "s", "d1", "ds1", "g", "law")}
                    here["part"] = self.parts.row("try")
                    self.r.run(_tried(kind), here, [self.lane["merit"]], entrywise=True)
            reads = {name: self.lane[name] for name in ("merit", "merit0", "taken")}
            self.r.run(_tried_enough, {**reads, "part": self.parts.row("try")}, [self.lane["taken"]])
        self.each(_moved, "x d1 taken law", "x")
        self.run(_idle, "taken done", "idle")

    # -- linear systems: (C + E G) d = b, in blocks ---------------------------------------------

    @part
    def factor(self) -> None:
        """Elimination in blocks without pivoting: what is left of the diagonal is inverted."""
        r, m = self.r, self.m
        with r.loop("row", "acting"):
            with r.loop("column", "acting"):
                r.run(
                    _product,
                    {"A": m["E"].row("row"), "B": self.pair("G", "row", "column")},
                    [self.pair("A", "row", "column")],
                )
            diagonal = self.pair("A", "row", "row")
            r.run(added, {"a": diagonal, "b": m["C"].row("row")}, [diagonal], entrywise=True)
        with r.loop("pivot", "acting"):
            r.run(inverse3, {"A": self.pair("A", "pivot", "pivot")}, [m["inverse"].row("pivot")])
            with r.loop("row", "acting", start="pivot"):
                left = {"A": self.pair("A", "row", "pivot"), "B": m["inverse"].row("pivot")}
                r.run(_product, left, [self.pair("R", "row", "pivot")])
                with r.loop("column", "acting", start="pivot"):
                    entry, other = self.pair("A", "row", "column"), self.pair("A", "pivot", "column")
                    r.run(
                        _without, {"A": entry, "R": self.pair("R", "row", "pivot"), "B": other}, [entry], entrywise=True
                    )

    @part
    def solve(self, right: str, found: str) -> None:
        """The solution for a right-hand side."""
        r, m = self.r, self.m
        self.copy(right, found)
        with r.loop("pivot", "acting"), r.loop("row", "acting", start="pivot"):
            self._take(found, "row", self.pair("R", "row", "pivot"), "pivot")
        with r.loop("pivot", "acting", reverse=True):
            with r.loop("column", "acting", start="pivot"):
                self._take(found, "pivot", self.pair("A", "pivot", "column"), "column")
            r.run(_times, {"A": m["inverse"].row("pivot"), "x": m[found].row("pivot")}, [m[found].row("pivot")])

    def _take(self, name: str, i: str, entry: Any, j: str) -> None:
        m = self.m[name]
        self.r.run(_less_product, {"s": m.row(i), "A": entry, "x": m.row(j)}, [m.row(i)], entrywise=True)

    # -- interior point -------------------------------------------------------------------------

    def interior(self, path: Path) -> None:
        """Predictor and corrector, from the middle."""
        r = self.r
        self.run(_part(path.start), "scale", "size")
        self.each(_begun, "g law size", "x")
        self.velocities("x", "s")
        self.each(lambda kind: kind.barrier.begin, "s g law size", "z")
        self.run(_constant(1.0), "", "last")
        with r.loop("path", path.most, until=self.lane["done"], ahead=True):
            self.run(_zeros(2), "", "sums")
            self.each(_summed, "sums x s z law", "sums", entrywise=True)
            self.each(_pathway, "x s z law", "C E")
            self.factor()
            for name, size in (("d0", 3), ("ds0", 3), ("dz0", interior.CARRIED)):
                with r.loop("row", "acting"):
                    r.run(_zeros(size), {}, [self.m[name].row("row")])
            self.run(_zeros(1), "", "target")
            self._direction(0, 1)
            self.run(_centerd(path.centering), "sums far last", "target")
            self._direction(1, 2)
            self.run(_kept(path.keep), "far", "step last")
            self.all(_advanced, "step x s z d=d2 ds=ds2 dz=dz2", "x s z", entrywise=True)
            self.each(_admitted, "x law", "trial")
            self.measure("trial")

    @part
    def _direction(self, before: int, after: int) -> None:
        """The change that leads to the target; `before` is that of the predictor."""
        known = f"x s z law target d=d{before} ds=ds{before} dz=dz{before}"
        self.each(_right, known, "b")
        self.solve("b", f"d{after}")
        self.velocities(f"d{after}", f"ds{after}", None)
        self.run(_constant(interior.FAR), "", "far")
        self.each(_changed, f"far {known} d1=d{after} ds1=ds{after}", f"dz{after} far", entrywise=True)

    # -- certificate ----------------------------------------------------------------------------

    def accepted(self) -> None:
        """Solve; again without recovery where that gains energy or fails; at last without the gain."""
        self.attempt()
        self._energy()
        self.run(_certified, "gain work least", "accepted")
        with self.r.loop("again", 1, until=self.lane["accepted"], ahead=True):
            self.each(_safer, "accepted c u law", "c law")
            self.all(_restart, "accepted best velocity c", "x best velocity")
            self._worst("best", "c")
            self.run(_begun_again, "accepted worst scale least", "least done")
            self.attempt()
            self._energy()
            self.run(_share, "gain work accepted", "taken")
            self.all(_scaled, "taken best", "best", entrywise=True)
            self.velocities("best", "velocity")
            self._worst("best", "velocity")
            self.run(_final, "accepted worst scale least", "least")

    def bounce(self) -> None:
        """Restitution by energy: impulses between those without and those of Newton's law, λ₀ + θ (λ₁ - λ₀).

        θ is the largest up to 1 for which the impulses take 1 - e² of the energy that those without restitution take.
        """
        self.copy("best", "first")
        self._energy()
        self.run(_same, "a=gain", "reached")
        self.run(_same, "a=least", "residual")
        self.run(_zeros(1), "", "most")
        self.all(_bounciest, "most restitution", "most", entrywise=True)
        self.copy("bounced", "c")
        self.copy("best", "x")
        self.begin()
        self.run(_unless_it_bounces, "most done", "done")
        self.attempt()
        self.run(_same, "a=residual", "least")
        self.all(_difference, "best first", "d1")
        self.velocities("d1", "ds1", None)
        self.run(_zeros(2), "", "sums")
        self.velocities("first", "s1", "u")
        self.all(_quadratic, "sums d=d1 ds=ds1 velocity=s1", "sums", entrywise=True)
        self.run(largest_share, "sums most reached", "taken")
        self.all(_between, "taken first d=d1", "best")
        self.velocities("best", "velocity")

    @part
    def _energy(self) -> None:
        """Kinetic energy that the best impulses add, and λᵀ G λ."""
        self.run(_zeros(1), "", "gain")
        self.run(_zeros(1), "", "work")
        self.each(_gains, "gain work best velocity c u law", "gain work", entrywise=True)


# -- blocks -----------------------------------------------------------------------------------------


@cache
def _zeros(size: int) -> Callable[[], Array]:
    return lambda: array([0.0] * size)


@cache
def _constant(value: float) -> Callable[[], Array]:
    return lambda: array([value])


@cache
def _part(part: float) -> Callable[[Array], Array]:
    return lambda scale: part * scale


def added(a: Array, b: Array) -> Array:
    """a + b."""
    return a + b


def greater(a: Array, b: Array) -> Array:
    """The larger, one by one."""
    return array([greatest(x, y) for x, y in zip(a, b, strict=True)])


def _same(a: Array) -> Array:
    return a


def _root(worst: Array) -> Array:
    return array([sqrt(worst[0])])


def _added_product(s: Array, G: Array, x: Array) -> Array:
    return s + matrix(G) @ x


def _less_product(s: Array, A: Array, x: Array) -> Array:
    return s - matrix(A) @ x


def _times(A: Array, x: Array) -> Array:
    return matrix(A) @ x


def _product(A: Array, B: Array) -> Array:
    return (matrix(A) @ matrix(B)).ravel()


def _without(A: Array, R: Array, B: Array) -> Array:
    return A - (matrix(R) @ matrix(B)).ravel()


def _both(a: Any, b: Any) -> Any:
    """Whether two conditions hold."""
    return select(a, select(b, 1.0, 0.0), 0.0) > 0.5


@cache
def _misses(kind: Kind) -> Callable[..., Array]:
    def block(worst: Array, x: Array, s: Array, g: Array, law: Array) -> Array:
        own = kind.law.size(kind.law.missed(x, s, g, law))
        return array([greatest(worst[0], select(present(law), own, 0.0))])

    return block


def _first(worst: Array, scale: Array) -> tuple[Array, Array]:
    missed = worst / scale
    return missed, array([select(missed[0] > TOLERANCE, 0.0, 1.0)])


def _judged(worst: Array, scale: Array, least: Array, done: Array) -> tuple[Array, ...]:
    """Whether this is the best so far, and good enough; a lane that holds NaN is done."""
    now = worst[0] / scale[0]
    take = select(_both(done[0] < 0.5, now < least[0]), 1.0, 0.0)
    best = select(take > 0.5, now, least[0])
    return array([take]), array([best]), array([select(best > TOLERANCE, 0.0, 1.0)])


def _better(take: Array, best: Array, velocity: Array, x: Array, s1: Array) -> tuple[Array, Array]:
    return chosen(take[0] > 0.5, x, best), chosen(take[0] > 0.5, s1, velocity)


@cache
def _solved(kind: Kind) -> Callable[..., Array]:
    def block(G: Array, s: Array, x: Array, law: Array) -> Array:
        return kind.law.solved(G, s - matrix(G) @ x, law)

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
    return array([select(_both(merit[0] < merit0[0], taken[0] < 0.01), part[0], taken[0])])


@cache
def _moved(kind: Kind) -> Callable[..., Array]:
    def block(x: Array, d1: Array, taken: Array, law: Array) -> Array:
        change = array([select(_both(a * a < LARGEST, taken[0] > 0), taken[0] * a, 0.0) for a in d1])
        return _here(law, kind.law.admissible(x + change, law))

    return block


def _idle(taken: Array, done: Array) -> Array:
    return array([select(taken[0] > 0, done[0], 1.0)])


def _here(law: Array, x: Array, otherwise: Array | None = None) -> Array:
    """x, or zeros in a lane that has no such block."""
    return chosen(present(law), x, zeros(len(x)) + 0.0 if otherwise is None else otherwise)


@cache
def _admitted(kind: Kind) -> Callable[..., Array]:
    return lambda x, law: _here(law, kind.law.admissible(x, law))


@cache
def _begun(kind: Kind) -> Callable[..., Array]:
    return lambda g, law, size: _here(law, kind.barrier.impulses(g, law, size))


@cache
def _pathway(kind: Kind) -> Callable[..., tuple[Array, Array]]:
    def block(x: Array, s: Array, z: Array, law: Array) -> tuple[Array, Array]:
        C, E = kind.barrier.system(x, s, z, law)
        return _here(law, C, eye(3).ravel() + 0.0), _here(law, E)

    return block


@cache
def _right(kind: Kind) -> Callable[..., Array]:
    return lambda law, **given: _here(law, kind.barrier.right(law=law, **given))


@cache
def _summed(kind: Kind) -> Callable[..., Array]:
    return lambda sums, x, s, z, law: sums + _here(law, kind.barrier.products(x, s, z, law))


@cache
def _centerd(centering: float) -> Callable[..., Array]:
    def block(sums: Array, far: Array, last: Array) -> Array:
        left = 1 - least(far[0], 1.0)
        part = least(greatest(left * left * left, centering), 0.8)
        return array([select(last[0] < 0.1, 0.9, part) * sums[0] / greatest(sums[1], 1.0)])

    return block


@cache
def _kept(keep: float) -> Callable[..., tuple[Array, Array]]:
    def block(far: Array) -> tuple[Array, Array]:
        step = array([least(keep * far[0], 1.0)])
        return step, step

    return block


@cache
def _changed(kind: Kind) -> Callable[..., tuple[Array, Array]]:
    def block(far: Array, **given: Array) -> tuple[Array, Array]:
        (dz, own), law = kind.barrier.change(**given), given["law"]
        return _here(law, dz), array([least(far[0], select(present(law), own[0], interior.FAR))])

    return block


def _advanced(step: Array, x: Array, s: Array, z: Array, d: Array, ds: Array, dz: Array) -> tuple[Array, ...]:
    return x + step[0] * d, s + step[0] * ds, z + step[0] * dz


@cache
def _gains(kind: Kind) -> Callable[..., tuple[Array, Array]]:
    def block(gain: Array, work: Array, best: Array, velocity: Array, c: Array, u: Array, law: Array) -> Any:
        response = best @ (velocity - c)
        return gain + 0.5 * response + best @ u - kind.law.given(best, law), work + response

    return block


def _certified(gain: Array, work: Array, least: Array) -> Array:
    """Solved and without gain."""
    small = gain[0] < ROUNDING * work[0] + 1e-300
    return array([select(_both(small, least[0] < 2 * TOLERANCE), 1.0, 0.0)])


@cache
def _safer(kind: Kind) -> Callable[..., tuple[Array, Array]]:
    def block(accepted: Array, c: Array, u: Array, law: Array) -> tuple[Array, Array]:
        found = kind.law.safe(c, u, law)
        good = accepted[0] > 0.5
        return chosen(good, c, found[0]), chosen(good, law, found[1])

    return block


def _restart(accepted: Array, best: Array, velocity: Array, c: Array) -> tuple[Array, ...]:
    """The impulses so far to begin with, and none as the best, unless they are accepted."""
    good = accepted[0] > 0.5
    return best, chosen(good, best, zeros(3) + 0.0), chosen(good, velocity, c)


def _begun_again(accepted: Array, worst: Array, scale: Array, least: Array) -> tuple[Array, Array]:
    good = accepted[0] > 0.5
    missed = select(good, least[0], worst[0] / scale[0])
    return array([missed]), array([select(good, 1.0, select(missed > TOLERANCE, 0.0, 1.0))])


def _share(gain: Array, work: Array, accepted: Array) -> Array:
    """The part of the impulses that gains nothing: ΔE(a λ) = a λᵀu + ½ a² λᵀGλ is least at a = -λᵀu / λᵀGλ."""
    along = gain[0] - 0.5 * work[0]
    part = greatest(least(-along / greatest(work[0], 1e-300), 1.0), 0.0)
    gains = select(accepted[0] > 0.5, 0.0, gain[0] - ROUNDING * work[0]) > 0
    return array([select(gains, part, 1.0)])


def _scaled(taken: Array, best: Array) -> Array:
    return taken[0] * best


def _final(accepted: Array, worst: Array, scale: Array, least: Array) -> Array:
    return array([select(accepted[0] > 0.5, least[0], worst[0] / scale[0])])


def _bounciest(most: Array, restitution: Array) -> Array:
    return array([greatest(most[0], restitution[0])])


def _unless_it_bounces(most: Array, done: Array) -> Array:
    return array([select(most[0] > 0, done[0], 1.0)])


def _difference(best: Array, first: Array) -> Array:
    return best - first


def _quadratic(sums: Array, d: Array, ds: Array, velocity: Array) -> Array:
    """dᵀ G d, and dᵀ (G λ₀ + u)."""
    return sums + array([d @ ds, d @ velocity])


def largest_share(sums: Array, most: Array, reached: Array) -> Array:
    """The largest θ up to 1 with ½ θ² dᵀGd + θ dᵀ(Gλ₀ + u) + e² ΔE₀ ≤ 0."""
    a, b, c = 0.5 * sums[0], sums[1], most[0] * most[0] * least(reached[0], 0.0)
    root = sqrt(greatest(b * b - 4 * a * c, 0.0))
    share = select(b > 0, -2 * c / greatest(b + root, 1e-300), (root - b) / greatest(2 * a, 1e-300))
    return array([select(most[0] > 0, greatest(least(share, 1.0), 0.0), 0.0)])


def _between(taken: Array, first: Array, d: Array) -> Array:
    return first + taken[0] * d
