"""Solver of a contact problem: a schedule of methods, a certificate of energy, and restitution.

Impulses are accepted if they obey all laws to TOLERANCE, and if the kinetic energy they add, ½ λᵀ G λ + λᵀ u, is not
above zero.  Otherwise the problem is solved again without recovery from penetrations, where an exact solution cannot
gain; what still gains is scaled down until it does not: it stays within the cones.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

from ...algebra.scalars import Array, array, chosen, select, sqrt, zeros
from ...compiler.passes.builder import Builder
from ...compiler.passes.loops import TILE, Memory, Row
from ..loop.blocks import both, larger, minus, nothing, same, scaled
from . import interior
from .laws import greatest, least
from .newton import Elimination, Newton
from .path import InteriorPoint, Path
from .problem import TOLERANCE, Kind, Problem, part
from .rows import matrix

#: energy gained by rounding, as a part of the work of the impulses
ROUNDING = 1e-12


class Sweeps(NamedTuple):
    """Block Gauss-Seidel, then Newton's method: at most so many."""

    sweeps: int
    newton: int


#: blocks up to which sweeps are tried before Newton's method: a few rarely suffice for more
FEW = 4
#: one after the other until a problem is solved; each begins with the best so far
SCHEDULE: tuple[Sweeps | Path, ...] = (
    Sweeps(0, 4), Sweeps(4, 6), Path(1.0, 0.95, 0.01, 30), Sweeps(20, 10), Path(100.0, 0.9, 0.1, 60), Sweeps(60, 10),
)  # fmt: skip


class Certified(Problem):
    """Statements that accept what an `attempt` finds, by its energy, and bounce; what is `certain` has to be solved."""

    certain = 2 * TOLERANCE

    def attempt(self) -> None:
        """Search from the impulses x."""
        raise NotImplementedError

    def _from_best(self) -> None:
        self.copy("best", "x")
        self.copy("velocity", "s")

    def accepted(self) -> None:
        """Solve; again without recovery where that gains energy or fails; at last without the gain."""
        self.attempt()
        self._energy()
        self.run(_certified(self.certain), "gain work least", "accepted")
        with self.r.loop("again", 1, until=self.lane["accepted"], ahead=True):
            self.each(_safer, "accepted c u law", "c law")
            self.all(_restart, "accepted best velocity c", "x best velocity")
            self.worst("best", "c")
            self.run(_begun_again, "accepted worst scale least", "least done")
            self.attempt()
            self._energy()
            self.run(_share, "gain work accepted", "taken")
            self.all(scaled, "part=taken a=best", "best", entrywise=True)
            self.velocities("best", "velocity")
            self.worst("best", "velocity")
            self.run(_final, "accepted worst scale least", "least")

    def bounce(self) -> None:
        """Restitution by energy: impulses between those without and those of Newton's law, λ₀ + θ (λ₁ - λ₀).

        θ is the largest up to 1 for which the impulses take 1 - e² of the energy that those without restitution take.
        """
        self.copy("best", "first")
        self._energy()
        self.run(same, "a=gain", "reached")
        self.run(same, "a=least", "residual")
        self.run(nothing(1), "", "most")
        self.all(larger, "a=most b=restitution", "most", entrywise=True)
        self.copy("bounced", "c")
        self.copy("best", "x")
        self.begin()
        self.run(_unless_it_bounces, "most done", "done")
        self.attempt()
        self.run(same, "a=residual", "least")
        self.all(minus, "a=best b=first", "d1")
        self.velocities("d1", "ds1", None)
        self.run(nothing(2), "", "sums")
        self.velocities("first", "s1", "u")
        self.all(_quadratic, "sums d=d1 ds=ds1 velocity=s1", "sums", entrywise=True)
        self.run(largest_share, "sums most reached", "taken")
        self.all(_between, "taken first d=d1", "best")
        self.velocities("best", "velocity")

    @part
    def _energy(self) -> None:
        """Kinetic energy that the best impulses add, and λᵀ G λ."""
        self.each(_gains, "best velocity c u law", "share")
        self.run(nothing(1), "", "gain")
        self.run(nothing(1), "", "work")
        self.all(_added, "gain work share", "gain work", entrywise=True)


class Solver(Certified):
    """Statements that solve a contact problem by elimination; the first `touching` blocks may be contacts."""

    def __init__(
        self, r: Builder, most: int, kinds: Sequence[Kind], least_velocity: Memory, bounces: bool = False,
        name: str = "contact",
    ):  # fmt: skip
        super().__init__(r, most, kinds, least_velocity, bounces, name)
        sizes = {"C": 9, "E": 9, "inverse": 9, "b": 3, "trial": 3, "s1": 3, "z": interior.CARRIED}
        sizes |= {f"{name}{k}": n for k in range(3) for name, n in (("d", 3), ("ds", 3), ("dz", interior.CARRIED))}
        self.local(sizes)
        self.columns = -(-most // TILE) * TILE
        self.m |= {x: r.local(f"{name} {x}", 9, most * self.columns, tiled=True) for x in ("G", "A", "R")}
        self.lanes("idle merit merit0 start keep centering size target far step last settled part")
        self.few = most <= FEW
        self.schedule: tuple[Sweeps | Path, ...] = (Sweeps(3, 0), *SCHEDULE) if self.few else SCHEDULE
        linear = Elimination(self)
        self.newton, self.interior = Newton(self, linear), InteriorPoint(self, linear)

    def pair(self, name: str, i: str, j: str) -> Row:
        """Block (i, j) of a matrix."""
        return Row(self.m[name], ((i, self.columns), (j, 1)))  # not a mapping: i may be j

    def own(self, counter: str) -> Row:
        """The block of G on the diagonal."""
        return self.pair("G", counter, counter)

    @part
    def velocities(self, x: str, s: str, c: str | None = "c") -> None:
        """s = G x + c."""
        self.all(same, f"a={c}", s) if c else self.all(nothing(3), "", s)
        with self.r.loop("column", self.acting):
            self.add_product(self.m[x].row("column"), s)

    def add_product(self, x: Row, s: str) -> None:
        """Add to s what an impulse x of the block that the loop counts as `column` changes."""
        m = self.m
        with self.r.loop("row", self.acting, wide=True):
            # a column of G is a row of it, transposed
            reads = {"s": m[s].row("row"), "G": self.pair("G", "column", "row"), "x": x}
            self.r.run(_added_product, reads, [m[s].row("row")], entrywise=True)

    @part
    def attempt(self) -> None:
        """A sweep from the impulses x and, unless they are then good enough, the schedule from them or from none."""
        self.velocities("x", "s")
        # also where they are good enough: a robot at rest would keep what is left, and creep
        self.newton.sweep() if self.few else self.newton.step()
        self.measure("x", "s")
        self._from_best()
        for k, phase in enumerate(self.schedule):
            with self.r.loop(f"phase{k}", 1, until=self.lane["done"], ahead=True):
                if isinstance(phase, Path):
                    self.interior.run(phase)
                else:
                    self.newton.run(phase.sweeps, phase.newton)
                self._from_best()


# -- blocks -----------------------------------------------------------------------------------------


def _added_product(s: Array, G: Array, x: Array) -> Array:
    return s + matrix(G).T @ x


@cache
def _gains(kind: Kind) -> Callable[..., Array]:
    def block(best: Array, velocity: Array, c: Array, u: Array, law: Array) -> Array:
        response = best @ (velocity - c)
        return array([0.5 * response + best @ u - kind.law.given(best, law), response])

    return block


def _added(gain: Array, work: Array, share: Array) -> tuple[Array, Array]:
    return gain + share[:1], work + share[1:]


@cache
def _certified(certain: float) -> Callable[..., Array]:
    """Whether impulses are good enough and without gain."""

    def block(gain: Array, work: Array, least: Array) -> Array:
        small = gain[0] < ROUNDING * work[0] + 1e-300
        return array([select(both(small, least[0] < certain), 1.0, 0.0)])

    return block


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


def _final(accepted: Array, worst: Array, scale: Array, least: Array) -> Array:
    return array([select(accepted[0] > 0.5, least[0], worst[0] / scale[0])])


def _unless_it_bounces(most: Array, done: Array) -> Array:
    return array([select(most[0] > 0, done[0], 1.0)])


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
