"""Interior point of a contact problem as statements: predictor and corrector; `interior.py` has its laws."""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from ...algebra.scalars import Array, array, eye, select
from ..loop.blocks import constant, nothing, scaled
from . import interior
from .laws import greatest, least
from .newton import Elimination
from .problem import Kind, Problem, here, part
from .rows import present


class Path(NamedTuple):
    """The size of its first impulses, the part of a step it keeps, the least centering, most steps."""

    start: float
    keep: float
    centering: float
    most: int


class InteriorPoint:
    """The way through the middle, which no bad start can lead astray."""

    def __init__(self, problem: Problem, elimination: Elimination):
        self.p, self.linear = problem, elimination
        self.r, self.name = problem.r, problem.name

    def run(self, path: Path) -> None:
        """From impulses of the size that the path says; what is admissible is measured on the way."""
        p = self.p
        for name in ("start", "keep", "centering"):
            p.run(constant(getattr(path, name)), "", name)
        self.begin()
        with self.r.loop("path", path.most, until=p.lane["done"], ahead=True):
            self.step()

    @part
    def begin(self) -> None:
        """Impulses, slacks and the velocities that follow."""
        p = self.p
        p.run(scaled, "part=start a=scale", "size")
        p.each(_begun, "g law size", "x")
        p.velocities("x", "s")
        p.each(lambda kind: kind.barrier.begin, "s g law size", "z")
        p.run(constant(1.0), "", "last")

    @part
    def step(self) -> None:
        """Predictor and corrector, and as much of their change as leaves all that is positive so."""
        p = self.p
        p.run(nothing(2), "", "sums")
        p.each(_summed, "sums x s z law", "sums", entrywise=True)
        p.each(_pathway, "x s z law", "C E")
        self.linear.factor()
        for name, size in (("d0", 3), ("ds0", 3), ("dz0", interior.CARRIED)):
            p.all(nothing(size), "", name)
        p.run(nothing(1), "", "target")
        self.direction(0, 1)
        p.run(_centered, "sums far last centering", "target")
        self.direction(1, 2)
        p.run(_kept, "far keep", "step last")
        p.all(_advanced, "step x s z d=d2 ds=ds2 dz=dz2", "x s z", entrywise=True)
        p.each(_admitted, "x law", "trial")
        p.velocities("trial", "s1")
        p.measure("trial", "s1")

    @part
    def direction(self, before: int, after: int) -> None:
        """The change that leads to the target; `before` is that of the predictor."""
        p, known = self.p, f"x s z law target d=d{before} ds=ds{before} dz=dz{before}"
        p.each(_right, known, "b")
        self.linear.solve("b", f"d{after}")
        p.velocities(f"d{after}", f"ds{after}", None)
        p.run(constant(interior.FAR), "", "far")
        p.each(_changed, f"far {known} d1=d{after} ds1=ds{after}", f"dz{after} far", entrywise=True)


# -- blocks -----------------------------------------------------------------------------------------


@cache
def _admitted(kind: Kind) -> Callable[..., Array]:
    return lambda x, law: here(law, kind.law.admissible(x, law))


@cache
def _begun(kind: Kind) -> Callable[..., Array]:
    return lambda g, law, size: here(law, kind.barrier.impulses(g, law, size))


@cache
def _pathway(kind: Kind) -> Callable[..., tuple[Array, Array]]:
    def block(x: Array, s: Array, z: Array, law: Array) -> tuple[Array, Array]:
        C, E = kind.barrier.system(x, s, z, law)
        return here(law, C, eye(3).ravel() + 0.0), here(law, E)

    return block


@cache
def _right(kind: Kind) -> Callable[..., Array]:
    return lambda law, **given: here(law, kind.barrier.right(law=law, **given))


@cache
def _summed(kind: Kind) -> Callable[..., Array]:
    return lambda sums, x, s, z, law: sums + here(law, kind.barrier.products(x, s, z, law))


def _centered(sums: Array, far: Array, last: Array, centering: Array) -> Array:
    left = 1 - least(far[0], 1.0)
    part = least(greatest(left * left * left, centering[0]), 0.8)
    return array([select(last[0] < 0.1, 0.9, part) * sums[0] / greatest(sums[1], 1.0)])


def _kept(far: Array, keep: Array) -> tuple[Array, Array]:
    step = array([least(keep[0] * far[0], 1.0)])
    return step, step


@cache
def _changed(kind: Kind) -> Callable[..., tuple[Array, Array]]:
    def block(far: Array, **given: Array) -> tuple[Array, Array]:
        (dz, own), law = kind.barrier.change(**given), given["law"]
        return here(law, dz), array([least(far[0], select(present(law), own[0], interior.FAR))])

    return block


def _advanced(step: Array, x: Array, s: Array, z: Array, d: Array, ds: Array, dz: Array) -> tuple[Array, ...]:
    return x + step[0] * d, s + step[0] * ds, z + step[0] * dz
