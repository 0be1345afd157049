"""Robots of hundreds to thousands of bodies: loops over the bodies in place of straight-line code.

One routine serves every robot whose joints turn or slide: it is compiled once, and the robot is its data.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from ..algebra.scalars import array
from ..algorithms import by_rows
from ..algorithms.forward_dynamics import forward_dynamics, forward_dynamics_by_articulated_bodies
from ..algorithms.inverse_dynamics import bias_forces, gravity_forces, inverse_dynamics
from ..algorithms.kinematics import upwards
from ..compiler.abi import Run
from ..compiler.kernel import Kernel, Source
from ..compiler.passes.builder import Builder
from ..compiler.passes.loops import Memory, Place, Routine
from ..compiler.runtime.fingerprint import fingerprint
from ..compiler.runtime.looped import Bound
from ..model import Model

#: which loop an algorithm runs, and the arrays it has to be given; those that its caller does not give are zero
LOOPS: dict[Any, tuple[str, tuple[str, ...]]] = {
    inverse_dynamics: ("inverse", ("q", "v", "a")),
    bias_forces: ("inverse", ("q", "v", "a")),
    gravity_forces: ("inverse", ("q", "v", "a")),
    forward_dynamics: ("forward", ("q", "v", "tau")),
    forward_dynamics_by_articulated_bodies: ("forward", ("q", "v", "tau")),
}


def loop_for(model: Model, algorithm: Any, arrays: Sequence[str]) -> tuple[Run, tuple[tuple[int, ...], ...]] | None:
    """A function that fills outputs (n, nv) from inputs (n, size) by a loop, and their shapes; None if no loop does."""
    if algorithm not in LOOPS or not by_rows.served(model):
        return None
    which, needed = LOOPS[algorithm]
    if not set(arrays) <= set(needed):
        return None
    rows, parents = by_rows.aligned(model)
    world = np.array(upwards(model), float)[None]
    bodies = len(model.bodies)
    kernel = _kernel(which)

    fixed, tables = {"rows": rows, "world": world}, {"parents": parents}
    counts = {"bodies": bodies, "and_world": bodies + 1}
    idle: list[tuple[dict[str, np.ndarray], Bound]] = []  # for one state each; a thread takes one and puts it back

    def run(inputs: Sequence[np.ndarray], outputs: Sequence[np.ndarray]) -> None:
        states = len(outputs[0])
        tall = {name: x.reshape(states, bodies, 1) for name, x in zip(arrays, inputs, strict=True)}
        if states == 1:
            try:
                own, bound = idle.pop()
            except IndexError:
                own, bound = fresh()
            for name, x in tall.items():
                own[name][:] = x
            bound(counts)
            outputs[0][:] = own["out"][:, :, 0]
            idle.append((own, bound))
            return
        given = {name: np.ascontiguousarray(tall[name]) if name in tall else np.zeros((bodies, 1)) for name in needed}
        found = np.empty((states, bodies, 1))
        kernel({**given, **fixed, "out": found}, counts, tables)
        outputs[0][:] = found[:, :, 0]

    def fresh() -> tuple[dict[str, np.ndarray], Bound]:
        own = {name: np.zeros((1, bodies, 1)) for name in (*needed, "out")}
        return own, kernel.bound({**own, **fixed}, counts, tables)

    return run, ((bodies,),)


@cache
def _kernel(which: str) -> Kernel:
    """The loop, the same for all robots."""
    build = {"inverse": _inverse, "forward": _forward}[which]
    return Kernel(Source(f"{which} dynamics by rows", build=build, identity=lambda: fingerprint("by rows", which)))


class _Bodies:
    """The arrays the loops share: the caller's arrays, a row of data for the body at hand, and rows by body."""

    def __init__(self, arrays: Sequence[str]):
        r = self.r = Builder()
        self.rows, self.world = r.input("rows", by_rows.WIDTH, "bodies"), r.input("world", 6)
        self.given = {name: r.input(name, 1, "bodies") for name in arrays}
        self.out = r.output("out", 1, "bodies")
        self.parents = r.table("parents")
        self.here = {"row": self.rows.row("k"), **{name: memory.row("k") for name, memory in self.given.items()}}
        self.result = self.out.row("k")

    def by_body(self, name: str, size: int) -> Memory:
        """A row for every body, and before them one for the world."""
        return self.r.local(name, size, "and_world")

    def data(self, *names: str) -> dict[str, Place]:
        """The rows of the body at hand."""
        return {name: self.here[name] for name in ("row", *names)}

    def clear(self, *memories: Memory) -> None:
        """Zero in every row that is added to before it is written, or that stands for the world."""
        for memory in memories:
            self.r.run(_zeros(memory.size), {}, [memory.row(0)])


@cache
def _zeros(size: int) -> Callable[[], Any]:
    return lambda: array([0.0] * size)


def _inverse() -> Routine:
    """Newton and Euler: outward, inward."""
    bodies = _Bodies(("q", "v", "a"))
    r = bodies.r
    angle, V, A, F = (bodies.by_body(name, size) for name, size in (("angle", 3), ("V", 6), ("A", 6), ("F", 6)))
    bodies.clear(V, F)
    r.copy(bodies.world, A.row(0))
    with r.loop("k", "bodies"):
        below: dict[str, Place] = {
            "below_V": V.row("k", table=bodies.parents),
            "below_A": A.row("k", table=bodies.parents),
        }
        own = [memory.row("k", 1) for memory in (angle, V, A, F)]
        r.run(by_rows.newton_euler_outward, {**bodies.data("q", "v", "a"), **below}, own, apart=True)
    with r.loop("k", "bodies", reverse=True):
        reads = {**bodies.data("v", "a"), "angle": angle.row("k", 1), "F": F.row("k", 1)}
        below_F = F.row("k", table=bodies.parents)
        r.run(by_rows.newton_euler_inward, {**reads, "below_F": below_F}, [bodies.result, below_F])
    return r.routine()


def _forward() -> Routine:
    """Articulated bodies: outward, inward, outward."""
    bodies = _Bodies(("q", "v", "tau"))
    r = bodies.r
    sizes = {"angle": 3, "V": 6, "M": len(by_rows.UPPER), "p": 6, "joint": 8, "A": 6}
    angle, V, M, p, joint, A = (bodies.by_body(name, size) for name, size in sizes.items())
    bodies.clear(V, M, p)
    r.copy(bodies.world, A.row(0))
    with r.loop("k", "bodies"):
        reads = {**bodies.data("q", "v"), "below_V": V.row("k", table=bodies.parents)}
        own = [memory.row("k", 1) for memory in (angle, V, M, p)]
        r.run(by_rows.articulated_outward, reads, own, apart=True)
    with r.loop("k", "bodies", reverse=True):
        reads = bodies.data("v", "tau")
        reads |= {name: m.row("k", 1) for name, m in (("angle", angle), ("V", V), ("M", M), ("p", p))}
        below = [m.row("k", table=bodies.parents) for m in (M, p)]
        reads |= {"below_M": below[0], "below_p": below[1]}
        r.run(by_rows.articulated_inward, reads, [joint.row("k", 1), *below])
    with r.loop("k", "bodies"):
        reads = bodies.data("v") | {name: m.row("k", 1) for name, m in (("angle", angle), ("V", V), ("joint", joint))}
        r.run(
            by_rows.articulated_answer,
            {**reads, "below_A": A.row("k", table=bodies.parents)},
            [bodies.result, A.row("k", 1)],
            apart=True,
        )
    return r.routine()
