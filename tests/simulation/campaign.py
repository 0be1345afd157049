"""Limp robots, boxes and random trees that fall: `python -m tests.simulation.campaign 10000000 [FAMILY …]`.

For so many steps in all it counts impulses that gain energy, steps above the tolerance of the solver, and the largest
of both; it writes campaign.md.  The gain is computed from inverse dynamics of the stored motion, not by the solver:
impulses Q dt change the velocity v⁻ without them to v⁺, and add ½ dt Qᵀ (v⁻ + v⁺).
"""

import sys
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

import articulated as art
from articulated.model.shapes import Box, Capsule, Cylinder, Shape, Sphere

from ..zoo import random_axis

DT, STEPS, LANES = 1e-3, 1000, 16
#: a gain beyond rounding: as a part of the kinetic energy, and J
RELATIVE, ABSOLUTE = 1e-9, 1e-12
TOLERANCE = 1e-6
#: a quadruped that balls fall on
AMONG = "quadruped, 24 balls"
#: J of total energy in one step, discretization included
NOTABLE = 0.1


class Found(NamedTuple):
    """Counts of one family, and the largest of each."""

    steps: int = 0
    gains: int = 0
    largest_gain: float = 0.0  # J, by impulses
    above: int = 0
    residual: float = 0.0
    notable: int = 0
    largest_step: float = 0.0  # J, of total energy in one step
    diverged: int = 0
    seconds: float = 0.0

    def __add__(self, other: "Found") -> "Found":  # type: ignore[override]
        most = {"largest_gain", "residual", "largest_step"}
        both = zip(self._fields, self, other, strict=True)
        return Found(*(max(a, b) if name in most else a + b for name, a, b in both))

    def row(self, name: str) -> str:
        """A row of the table."""
        told = [f"{self.steps:,}", self.gains, f"{self.largest_gain:.1e}", self.above, f"{self.residual:.1e}"]
        told += [self.notable, f"{self.largest_step:.2g}", self.diverged, f"{1e6 * self.seconds / self.steps:.1f}"]
        return "| " + " | ".join(map(str, [name, *told])) + " |"


def judged(run: art.Trajectory, seconds: float) -> Found:
    """Counts of a run whose robot is limp."""
    robot, q, v, a = run.robot, run.q[:, :-1], run.v[:, :-1], run.a[:, :-1]
    Q, free = robot.inverse_dynamics(q, v, a), robot.forward_dynamics(q, v, np.zeros_like(v))
    bending = np.zeros_like(v)
    for b in robot.model.bodies:  # v of a floating base turns with its axes
        if b.joint.floats:
            linear, angular = (v[..., b.dofs.start + k : b.dofs.start + k + 3] for k in (0, 3))
            bending[..., b.dofs.start : b.dofs.start + 3] = -np.cross(angular, linear)
    before = v + DT * (free - bending)
    gain = DT * np.einsum("...i,...i", Q, before + 0.5 * DT * (a - free))
    excess = gain - RELATIVE * robot.kinetic_energy(q, before) - ABSOLUTE
    residual, step = run.contact.residual[:, :-1], np.diff(run.energy.total, axis=-1)
    return Found(
        gain.size, int((excess > 0).sum()), max(0.0, excess.max()), int((residual > TOLERANCE * 1.01).sum()),
        residual.max(), int((step > NOTABLE).sum()), step.max(), len(run.info.get("ended_at", ())) and 1, seconds,
    )  # fmt: skip


def bounding(shape: Shape) -> float:
    """Radius of a ball around a shape."""
    half = np.array(getattr(shape, "size", (0, 0, getattr(shape, "length", 0)))) / 2
    return float(np.hypot(np.linalg.norm(half), getattr(shape, "radius", 0.0)) + getattr(shape, "radius", 0.0))


def lifted(robot: art.Robot, q: np.ndarray) -> np.ndarray:
    """The same with all shapes above the ground."""
    lowest = np.full(len(q), np.inf)
    for link in robot.model.links:
        for shape in (x for x in link.shapes if x.collision):
            at = robot.pose(q, link.name) @ shape.placement.matrix().astype(float)
            lowest = np.minimum(lowest, at[:, 2, 3] - bounding(shape))
    q = q.copy()
    q[:, 2] += 0.02 - lowest
    return q


def tree(seed: int) -> art.Robot:
    """A free body with three to eight more on joints that stop; a shape each."""
    rng = np.random.default_rng(seed)
    links: list[art.Link] = []
    for k in range(rng.integers(4, 10)):
        x, y, z = rng.uniform(0.03, 0.2, 3).tolist()
        kind, *sizes = [(Box, (x, y, z)), (Sphere, x / 2), (Capsule, x / 3, z), (Cylinder, x / 2, z)][rng.integers(4)]
        shape = kind(*sizes, collision=True)
        mass = float(rng.uniform(0.1, 3.0))
        inertia = art.Inertia(mass, (0, 0, 0), mass / 12 * np.diag([y * y + z * z, x * x + z * z, x * x + y * y]))
        if not k:
            links.append(art.Link("base", None, art.Floating(), inertia=inertia, shapes=[shape]))
            continue
        joint = art.Prismatic if rng.random() < 0.2 else art.Revolute
        stops = art.Limits(-0.2, 0.2) if joint is art.Prismatic else art.Limits(-1.5, 1.0)
        at = art.Transform(p=rng.uniform(-0.15, 0.15, 3).tolist())
        on = links[rng.integers(len(links))].name
        links.append(art.Link(f"link{k}", on, joint(random_axis(rng), limits=stops), at, inertia, [shape]))
    return art.build(links, name=f"tree {seed}")


def box(seed: int) -> art.Robot:
    """A box with random edges."""
    rng = np.random.default_rng(seed)
    size, mass = rng.uniform(0.02, 0.4, 3), float(rng.uniform(0.1, 5.0))
    inertia = art.Inertia(mass, (0, 0, 0), mass / 12 * np.diag((size**2).sum() - size**2))
    shape = Box(tuple(size.tolist()), collision=True)
    return art.build([art.Link("body", None, art.Floating(), inertia=inertia, shapes=[shape])], name="box")


def among(friction: float) -> art.Scene:
    """A quadruped under balls of 0.3 kg."""
    places = [(0.16 * (k % 3) - 0.16, 0.16 * (k // 3 % 3) - 0.16, 0.75 + 0.16 * (k // 9)) for k in range(24)]
    balls = [art.Ball(radius=0.06, mass=0.3, at=at) for at in places]
    return art.Scene([art.load("quadruped", floating_base=True), *balls, art.Ground(friction)], friction=friction)


def starts(robot: art.Robot, rng: np.random.Generator, lanes: int) -> tuple[np.ndarray, np.ndarray]:
    """Any attitude, joints within their limits, moving and turning; a scene from its start."""
    if isinstance(robot, art.Scene):
        return np.tile(robot.poses["start"], (lanes, 1)), 0.5 * rng.normal(size=(lanes, robot.nv))
    q, limits = robot.random(rng, (lanes,)), robot.limits
    low, high = (np.nan_to_num(x[7:], posinf=np.pi, neginf=-np.pi) for x in (limits.lower, limits.upper))
    q[:, 7:] = rng.uniform(low, high, (lanes, robot.nq - 7))
    q[:, :3] = 0.0
    return lifted(robot, q), rng.normal(size=(lanes, robot.nv))


#: shares of all steps: a step of a humanoid that lies on the ground takes sixty times as long as that of a box
FAMILIES = {"tumbling boxes": 0.65, "quadruped": 0.2, "random trees": 0.1, "biped": 0.04, "humanoid": 0.006}
FAMILIES |= {AMONG: 0.004}


def robots(family: str) -> Iterator[tuple[art.Robot, float]]:
    """Endlessly: a robot, and its friction."""
    seed = 0
    while True:
        rng = np.random.default_rng([seed, 7])
        friction = float(rng.choice([0.0, 0.3, 0.7, 1.2]))
        if family == "random trees":
            robot = tree(seed // 8)
        elif family == AMONG:
            robot = among(friction)
        else:
            robot = box(seed) if family == "tumbling boxes" else art.load(family, floating_base=True)
        yield robot, friction
        seed += 1


def campaign(family: str, steps: int) -> Found:
    """At least so many steps."""
    found = Found()
    for k, (robot, friction) in enumerate(robots(family)):
        if found.steps >= steps:
            return found
        q, v = starts(robot, np.random.default_rng([k, 11]), LANES)
        began = time.process_time()
        ground = None if isinstance(robot, art.Scene) else art.Ground(friction)
        try:
            run = art.simulate(robot, q, v, STEPS * DT, DT, contacts=ground, progress=False)
        except art.Diverged as problem:
            run = problem.run
            found = found._replace(diverged=found.diverged + 1)
        took = time.process_time() - began
        found += judged(run, took)
    return found


HEAD = """# Limp robots that fall

By `python -m tests.simulation.campaign {steps}`: runs of {seconds:g} s at {dt:g} ms in batches of {lanes}, no torque,
restitution 0, friction 0 to 1.2, joints with their stops, from any attitude, moving and turning. A gain is kinetic
energy that the impulses of a step add, beyond {relative:g} of what there is, by inverse dynamics of the stored motion.
Residuals are compared with the largest violation without impulses. Total energy also changes where no impulse acts, by
Euler's method.

| family | steps | gains by impulses | largest, J | above 1e-6 | largest residual | total energy + {notable:g} J \
| largest, J | diverged | µs a step, CPU |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
"""


def main(steps: int, *families: str) -> None:
    """The table; of some families only their rows."""
    warnings.simplefilter("ignore", art.SimulationWarning)
    rows, total = [], Found()
    for family in families or FAMILIES:
        found = campaign(family, round(FAMILIES[family] * steps))
        rows.append(found.row(family))
        print(rows[-1], flush=True)
        total += found
    if families:
        return
    numbers = {"seconds": STEPS * DT, "dt": 1e3 * DT, "lanes": LANES, "relative": RELATIVE, "notable": NOTABLE}
    text = HEAD.format(steps=steps, **numbers) + "\n".join([*rows, total.row("all")]) + "\n"
    Path(__file__).with_suffix(".md").write_text(text)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000, *sys.argv[2:])
