"""Model-predictive control of the Panda at 1 kHz: its hand follows a moving point, in `art.Simulator` and in MuJoCo.

`chrt -f 20 python -m benchmarks.predictive_control` writes benchmarks/predictive_control.md.  Needs mujoco.
"""

import gc
import platform
import sys
import tempfile
import time
from importlib import metadata
from pathlib import Path

import numpy as np

import articulated as art

#: steps of the horizon and their length; length of a tick; time that is controlled and the part that is judged, s
T, DT, TICK, DURATION, SETTLED = 20, 0.02, 1e-3, 5.0, 1.0
FRAME = "panda_hand"
#: runs of each plant
RUNS = 3
#: ticks before the first one
WARM = 50


def target(start, t):
    """A circle of 8 cm radius in two seconds, from its top."""
    angle = np.pi * np.asarray(t)
    return start + 0.08 * np.stack([0 * angle, np.sin(angle), np.cos(angle) - 1], axis=-1)


class Controller:
    """One iteration a tick, from the torques of the tick before, shifted by a part of a step."""

    def __init__(self, robot):
        self.robot, self.home = robot, robot.poses["home"]
        self.start, self.held = robot.pose(self.home, FRAME)[:3, 3], robot.gravity_forces(self.home)
        self.times, self.cpu, self.wall = DT * np.arange(T + 1), [], []
        self.begin()

    def begin(self):
        """Back to the start; what runs from here on is in the caches of the processor."""
        for _ in range(WARM):
            self.tau, self.first = np.tile(self.held, (T, 1)), None
            self(0.0, self.home, np.zeros(self.robot.nv))
        self.tau, self.first, self.cpu, self.wall = np.tile(self.held, (T, 1)), None, [], []

    def __call__(self, t, q, v):
        """The torques of a tick, which begins when its time has come."""
        self.first = self.first or time.perf_counter()
        time.sleep(max(0.0, self.first + t - time.perf_counter()))
        began, cpu = time.perf_counter(), time.thread_time()
        goal = target(self.start, t + self.times)[None]
        costs = [
            art.costs.control(1e-4, self.held),
            art.costs.state(self.home, weight=[0.1] * 7 + [0.05] * 7, final=[0.1] * 7 + [0.1] * 7),
            art.costs.frame(FRAME, goal, 1e3, 1e2),
        ]
        plan = art.Problem(self.robot, T, costs, DT).solve(q, v, self.tau, iterations=1).tau
        self.tau = plan + TICK / DT * np.diff(plan, axis=0, append=plan[-1:])
        self.cpu.append(time.thread_time() - cpu)
        self.wall.append(time.perf_counter() - began)
        return plan[0]


def in_simulator(robot, law):
    """Ticks in `art.Simulator`; the states at all of them."""
    sim, states = art.Simulator(robot, dt=TICK), []
    sim.reset(law.home)
    law.begin()
    for k in range(round(DURATION / TICK)):
        states.append(sim.q.copy())
        sim.step(law(k * TICK, sim.q, sim.v))
    return np.array(states)


def in_mujoco(robot, law):
    """Ticks in MuJoCo, on the robot that was saved for it."""
    import mujoco

    with tempfile.TemporaryDirectory() as folder:
        art.save(robot, path := Path(folder) / "panda.xml")
        model = mujoco.MjModel.from_xml_path(str(path))
    model.opt.timestep = TICK
    data, states = mujoco.MjData(model), []
    data.qpos[:] = law.home
    law.begin()
    for k in range(round(DURATION / TICK)):
        states.append(data.qpos.copy())
        data.qfrc_applied[:] = law(k * TICK, data.qpos.copy(), data.qvel.copy())
        mujoco.mj_step(model, data)
    return np.array(states)


def main() -> None:
    """Measure, and write the page."""
    robot = art.load("panda")
    lines = [
        "| plant | tick, CPU time, ms: median | p99 | largest | wall: p99 | over 1 ms | hand off: mean, mm | largest |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    Controller(robot)  # compiles
    gc.disable()  # a tick leaves no cycles of references
    for name, plant in RUNS * [("`art.Simulator`", in_simulator), ("MuJoCo", in_mujoco)]:
        law = Controller(robot)
        q = plant(robot, law)
        t = TICK * np.arange(len(q))
        off = 1e3 * np.linalg.norm(robot.pose(q, FRAME)[:, :3, 3] - target(law.start, t), axis=1)[t >= SETTLED]
        cpu, wall = (1e3 * np.array(x) for x in (law.cpu, law.wall))
        row = [f"{x:.2f}" for x in (np.median(cpu), np.percentile(cpu, 99), cpu.max(), np.percentile(wall, 99))]
        row += [f"{(wall > 1e3 * TICK).sum()} of {len(wall)}", f"{off.mean():.2f}", f"{off.max():.2f}"]
        lines.append(f"| {name} | {' | '.join(row)} |")
    versions = ", ".join(f"{name} {metadata.version(name)}" for name in ("numpy", "llvmlite", "mujoco"))
    text = f"""# Predictive control

By `chrt -f 20 python -m benchmarks.predictive_control` (real-time priority): the hand of the Panda follows a point on a
circle of 8 cm radius, two seconds a turn, for {DURATION:g} s at {1 / TICK:g} Hz, in real time.  At every tick a new
`art.Problem` is made (the target moves) and one iteration is run from the measured state and the torques of the tick
before, shifted by a part of a step; the horizon is {T} steps of {DT} s, longer than a tick; limits of torques,
positions and velocities are part of it.  A tick is all of that.  Before the first one {WARM} ticks are run at the
start; the garbage collector is off, since a tick leaves no cycles of references; the machine has other work; the hand
is judged from {SETTLED:g} s on.  Late ticks come in bursts, in which every part of a tick takes two to three times its
CPU time, without page faults or longer searches: others use the caches.

{platform.machine()}; Python {platform.python_version()}, {versions}.

"""
    Path(__file__).with_suffix(".md").write_text(text + "\n".join(lines) + "\n")
    print("\n".join(lines))


if __name__ == "__main__":
    sys.exit(main())
