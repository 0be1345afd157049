"""A quadruped that stands, is dropped and is pushed 500 times: `python -m tests.simulation.pushes` writes pushes.md.

Under springs and dampers at its joints, compiled, as one batch; and under the whole-body law, run by run.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import articulated as art

FEET = ("FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT")
#: seconds: of a run, from one push to the next, and of a push
DURATION, APART, LONG = 10.0, 0.7, 0.1
#: the first run is not pushed, the second begins this high, the others have fourteen pushes each
HEIGHT, RUNS = 0.3, 38
#: of the weight, the largest push
MOST = 0.5


class Robot(NamedTuple):
    """A robot that is pushed: its legs, its springs, and the radius of its feet."""

    name: str
    legs: np.ndarray
    stiffness: float
    damping: float
    radius: float


CATALOGUE = Robot("quadruped", np.array([0.05, 0.7, -1.4] * 4), 60.0, 2.0, 0.0)
SOLO = Robot("solo12", np.array([0, 0.8, -1.6] * 2 + [0, -0.8, 1.6] * 2), 6.0, 0.15, 0.016)


class Found(NamedTuple):
    """Sums of all runs: pushes and falls, depth, residual, and how far the standing robot has moved."""

    pushes: int
    falls: int
    deepest: float  # m
    residual: float
    crept: float  # m, in the last half
    tilt: float  # rad, the largest

    def row(self, who: str, law: str) -> str:
        """A row of the table."""
        told = [who, law, str(self.pushes), str(self.falls), f"{max(0.0, 1e6 * self.deepest):.2g} µm"]
        told += [f"{self.residual:.1e}", f"{1e6 * self.crept:.2g} µm", f"{np.degrees(self.tilt):.0f}°"]
        return "| " + " | ".join(told) + " |"


def start(robot: art.Robot, own: Robot, runs: int) -> np.ndarray:
    """All stand, but for the second, which is in the air."""
    q = np.tile(np.concatenate([robot.neutral()[:7], own.legs]), (runs, 1))
    q[:, 2] = own.radius - min(robot.pose(q[0], foot)[2, 3] for foot in FEET)
    q[1, 2] += HEIGHT
    return q


def pushes(robot: art.Robot, runs: int, dt: float, seed: int = 0) -> np.ndarray:
    """Forces (runs, steps, 6) on the base in its own axes: any direction along the ground, up to half the weight."""
    steps, each, long = round(DURATION / dt), round(APART / dt), round(LONG / dt)
    rng, weight = np.random.default_rng(seed), 9.81 * robot.parameters[::10].sum()
    found = np.zeros((runs, steps, 6))
    for run in range(2, runs):
        for begin in range(each // 2, steps - each // 2, each):
            angle, size = rng.uniform(0, 2 * np.pi), MOST * weight * np.sqrt(rng.uniform())
            found[run, begin : begin + long, :2] = size * np.cos(angle), size * np.sin(angle)
    return found


def judged(run: art.Trajectory, forces: np.ndarray) -> Found:
    """Outcome of all runs."""
    up = run.pose("base_link" if "base_link" in run.robot.frame_names else "base")[..., 2, 2]
    stands = np.median(run.q[0, :, 2])
    fallen = ((run.q[..., 2] < 0.6 * stands) | (up < np.cos(0.8))).any(axis=-1)
    begun = np.diff((np.abs(forces).sum(axis=-1) > 0).astype(int), axis=-1) == 1
    still = run.q[0, len(run) // 2 :, :3]
    return Found(
        int(begun.sum()),
        int(fallen.sum()),
        float(-run.contact.gaps.min()),
        float(run.contact.residual.max()),
        float(np.ptp(still, axis=0).max()),
        float(np.arccos(np.clip(up, -1, 1)).max()),
    )


def under_springs(robot: art.Robot, own: Robot, runs: int = RUNS, dt: float = 1e-3, every: int = 5) -> Found:
    """All runs as one batch; penetrations are those of every fifth step, residuals those of all."""
    legs, stiffness, damping = own.legs, own.stiffness, own.damping
    law = art.traced(lambda t, q, v: stiffness * (legs - q[7:]) - damping * v[6:])
    forces = pushes(robot, runs, dt)
    ground = art.Ground(0.7, feet=dict.fromkeys(FEET, own.radius))
    run = art.simulate(
        robot, start(robot, own, runs), None, DURATION, dt, law, ground, forces={_base(robot): forces}, every=every,
        limits=False, progress=False,
    )  # fmt: skip
    return judged(run, forces)


def _base(robot: art.Robot) -> str:
    return robot.body_names[0]


def whole_body(robot: art.Robot, own: Robot) -> Callable[..., Any]:
    """The law on four feet, after soft legs until it has landed."""
    tasks = [
        art.tasks.CenterOfMass(gain=60, weight=[10, 10, 30]),
        art.tasks.Frame(_base(robot), "orientation", gain=150, weight=10),
        art.tasks.Posture(gain=40, weight=0.05),
    ]
    law = art.WholeBody(art.Contacts(robot, point=FEET), tasks, friction=0.6, contact_damping=20)
    home = start(robot, own, 2)[0]
    goals = {"center_of_mass": robot.center_of_mass(home), _base(robot): np.eye(3), "posture": home}
    steps = law.towards(goals)

    def torques(t: float, q: Any, v: Any) -> Any:
        return own.stiffness * (own.legs - q[7:]) - own.damping * v[6:] if t < 0.6 else steps(t, q, v)

    return torques


def under_whole_body(robot: art.Robot, own: Robot, runs: int = RUNS, dt: float = 2e-3) -> Found:
    """Run by run: the law is a quadratic program in every step."""
    forces, q, made = pushes(robot, runs, dt), start(robot, own, runs), []
    ground = art.Ground(0.7, feet=dict.fromkeys(FEET, own.radius))
    for k in range(runs):
        law = whole_body(robot, own)
        made.append(
            art.simulate(
                robot, q[k], None, DURATION, dt, law, ground, forces={_base(robot): forces[k]}, progress=False,
                limits=False, every=5,
            )
        )  # fmt: skip
    found = [judged(_twice(made[0], run), forces[[0, k]]) for k, run in enumerate(made)]
    return Found(
        sum(each.pushes for each in found),
        sum(each.falls for each in found),
        max(each.deepest for each in found),
        max(each.residual for each in found),
        found[0].crept,
        max(each.tilt for each in found),
    )


def _twice(first: art.Trajectory, run: art.Trajectory) -> art.Trajectory:
    """Two runs as a batch: the one that stands says how high that is."""
    arrays = [np.stack([getattr(first, name), getattr(run, name)]) for name in ("q", "v", "a", "tau")]
    one, other = first.contact, run.contact
    both = {name: np.stack([getattr(one, name), getattr(other, name)]) for name in one.axes}
    return art.Trajectory(first.robot, first.t, *arrays, art.ContactHistory(one.names, frictions=one.frictions, **both))


HEAD = """# Pushed quadrupeds

By `python -m tests.simulation.pushes`: 38 runs of 10 s on flat ground with friction 0.7. The first is left alone,
the second dropped from 0.3 m, the others are pushed at the base every 0.7 s for 0.1 s, in any direction along the
ground, with up to half their weight. A fall is a base lower than 0.6 of its height or tilted by 0.8 rad.

| robot | under | pushes | falls | deepest | largest residual | stands, and moves by | largest tilt |
| --- | --- | --- | --- | --- | --- | --- | --- |
"""


def main() -> None:
    """Every robot under every law, into the table."""
    rows = []
    for own, law, run in (
        (CATALOGUE, "springs", under_springs),
        (SOLO, "springs", under_springs),
        (CATALOGUE, "the whole-body law", under_whole_body),
    ):
        found = run(art.load(own.name, floating_base=True), own)
        rows.append(found.row(own.name, law))
        print(rows[-1], file=sys.stderr, flush=True)
    Path(__file__).with_suffix(".md").write_text(HEAD + "\n".join(rows) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
