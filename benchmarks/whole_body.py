"""Ticks of a whole-body law along a motion and at random fast states, beside TSID on the same tasks.

`python -m benchmarks.whole_body [ticks]` writes benchmarks/whole_body.md: CPU time of one thread, tick by tick in turn;
with `worst` after it, it appends the ticks with the most steps.
Needs `pip install tsid`; without it the columns of TSID stay empty.
"""

import gc
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import articulated as art

FEET = ("FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT")
#: robot, contact frames, and the name of its base
ROBOTS = {
    "solo12": ("solo12", FEET, "base_link"),
    "ANYmal": ("anymal", ("LF_FOOT", "RF_FOOT", "LH_FOOT", "RH_FOOT"), "base"),
    "quadruped": ("quadruped", FEET, "base"),
    "Talos": ("talos_reduced", ("left_sole_link", "right_sole_link"), "base_link"),
}
FRICTION, SPEED = 0.6, 4.0
BINS = (25, 50, 100, 200, 300, 500, 1000)
LATE = 500e3  # ns


def standing(robot):
    """A pose to stand in: the robot's own, or its joints in the middle of their ranges."""
    for name in ("standing", "half_sitting", "home"):
        if name in robot.poses:
            return np.array(robot.poses[name])
    return robot.neutral()


def law_of(robot, feet, base, levels=(0, 0, 0)):
    """Center of mass, orientation of the base and posture, on all feet."""
    q = standing(robot)
    held = art.Contacts(robot, point=feet) if len(feet) == 4 else art.Contacts(robot, surface=feet)
    wanted = [
        art.tasks.CenterOfMass(gain=100, weight=10, level=levels[0]),
        art.tasks.Frame(base, "orientation", gain=50, level=levels[1]),
        art.tasks.Posture(gain=20, weight=0.1, target=q, level=levels[2]),
    ]
    soles = {} if len(feet) == 4 else {"soles": dict.fromkeys(feet, (0.2, 0.1))}
    return art.WholeBody(held, wanted, friction=FRICTION, **soles)


def states(robot, q, count, kind, rng):
    """Along a slow sway of all joints, or anywhere near at `SPEED` rad/s."""
    if kind == "fast":
        near = robot.integrate(np.tile(q, (count, 1)), 0.2 * rng.normal(size=(count, robot.nv)))
        return near, SPEED * rng.normal(size=(count, robot.nv))
    phase = 2 * np.pi * (np.arange(count)[:, None] * 1e-3 + rng.uniform(size=robot.nv))
    v = 0.05 * 2 * np.pi * np.cos(phase)
    return robot.integrate(np.tile(q, (count, 1)), 0.05 * np.sin(phase)), v


def tsid_tick(name, robot, feet, base, q0):
    """The same tasks as TSID has them; None where it is not installed."""
    try:
        import pinocchio as pin
        import tsid
    except ImportError:
        return None
    path = Path(tempfile.mkdtemp()) / f"{name}.urdf"
    art.save(art.load(ROBOTS[name][0]), path)  # TSID adds the base
    twin = tsid.RobotWrapper(str(path), pin.StdVec_StdString(), pin.JointModelFreeFlyer(), False)
    law = tsid.InverseDynamicsFormulationAccForce("tsid", twin, False)
    law.computeProblemData(0.0, q0, np.zeros(robot.nv))
    data, kept = law.data(), []
    for foot in feet:
        if len(feet) == 4:
            contact = tsid.ContactPoint(foot, twin, foot, np.array([0, 0, 1.0]), FRICTION, 0.0, 1e5)
            contact.useLocalFrame(False)
            size = 3
        else:
            corners = np.array([[-0.1, -0.1, 0.1, 0.1], [-0.05, 0.05, -0.05, 0.05], [0, 0, 0, 0]])
            contact = tsid.Contact6d(foot, twin, foot, corners, np.array([0, 0, 1.0]), FRICTION, 0.0, 1e5)
            size = 6
        contact.setKp(np.zeros(size))
        contact.setKd(np.zeros(size))
        contact.setReference(twin.framePosition(data, twin.model().getFrameId(foot)))
        law.addRigidContact(contact, 1e-5, 1.0, 1)
        kept.append(contact)
    com, posture = tsid.TaskComEquality("com", twin), tsid.TaskJointPosture("posture", twin)
    turn = tsid.TaskSE3Equality("base", twin, base)
    for task, gain, size in ((com, 100.0, 3), (posture, 20.0, robot.nv - 6), (turn, 50.0, 6)):
        task.setKp(gain * np.ones(size))
        task.setKd(2 * np.sqrt(gain) * np.ones(size))
    turn.setMask(np.array([0, 0, 0, 1.0, 1, 1]))
    law.addMotionTask(com, 10.0, 1, 0.0)
    law.addMotionTask(posture, 0.1, 1, 0.0)
    law.addMotionTask(turn, 1.0, 1, 0.0)
    com.setReference(tsid.TrajectoryEuclidianConstant("com", robot.center_of_mass(q0)).computeNext())
    posture.setReference(tsid.TrajectoryEuclidianConstant("posture", q0[7:]).computeNext())
    turn.setReference(tsid.TrajectorySE3Constant("base", pin.SE3.Identity()).computeNext())
    limits = tsid.TaskActuationBounds("torques", twin)
    most = np.array(robot.limits.effort)[6:]
    limits.setBounds(-most, most)
    law.addActuationTask(limits, 1.0, 0, 0.0)
    solver = tsid.SolverHQuadProgFast("qp")
    solver.resize(law.nVar, law.nEq, law.nIn)
    kept += [twin, data, com, posture, turn, limits]

    def tick(q, v, kept=kept):
        found = solver.solve(law.computeProblemData(0.0, q, v))
        return law.getActuatorForces(found), found.status

    return tick


def ticked(law, q, v, given, peer=None):
    """CPU and wall time of every tick, µs, those of the peer's first ones in turn, and how the ticks ended."""
    count = len(q)
    cpu, wall, other, status = np.zeros(count), np.zeros(count), [], {}
    gc.disable()
    for k in range(count):
        started, before = time.perf_counter_ns(), time.thread_time_ns()
        done = law(q[k], v[k], **given)
        cpu[k], wall[k] = time.thread_time_ns() - before, time.perf_counter_ns() - started
        status[done.status] = status.get(done.status, 0) + 1
        if peer and k < 2000:
            before = time.thread_time_ns()
            peer(q[k], v[k])
            other.append(time.thread_time_ns() - before)
        if k % 1000 == 999:
            gc.collect()
    late = [min(timed(law, q[k], v[k], given) for _ in range(5)) for k in np.flatnonzero(cpu > LATE)]
    gc.enable()
    return cpu / 1e3, wall / 1e3, np.array(other) / 1e3, status, np.array(late) / 1e3


def timed(law, q, v, given):
    """CPU time of a tick, ns."""
    before = time.thread_time_ns()
    law(q, v, **given)
    return time.thread_time_ns() - before


def measured(name, count, rng):
    """Rows of the tables of one robot."""
    file, feet, base = ROBOTS[name]
    robot = art.load(file, floating_base=True)
    law, three, q0 = law_of(robot, feet, base), law_of(robot, feet, base, (0, 1, 2)), standing(robot)
    given = {"center_of_mass": robot.center_of_mass(q0), base: np.eye(3)}
    peer = tsid_tick(name, robot, feet, base, q0)
    for kind in ("motion", "fast"):
        q, v = states(robot, q0, count, kind, rng)
        ticked(law, q[:50], v[:50], given)
        cpu, wall, other, status, late = ticked(law, q, v, given, peer)
        some = min(count, 5000)
        levels = ticked(three, q[:some], v[:some], given)
        batch = min(count, 4096)
        together = np.median([timed(law, q[:batch], v[:batch], given) for _ in range(12)][1:])  # the first compiles
        yield kind, cpu, wall, other, status, late, levels, together / 1e3 / batch


def worst(count):
    """Appends the states with the most steps, each tick the least of five: what other work adds is left out."""
    rng, rows = np.random.default_rng(0), []
    for name, (file, feet, base) in ROBOTS.items():
        robot = art.load(file, floating_base=True)
        law, q0 = law_of(robot, feet, base), standing(robot)
        given = {"center_of_mass": robot.center_of_mass(q0), base: np.eye(3)}
        for kind in ("motion", "fast"):
            q, v = states(robot, q0, count, kind, rng)
            parts = [slice(k, k + 2000) for k in range(0, count, 2000)]
            steps = np.concatenate([law(q[k], v[k], **given).iterations for k in parts])
            some = np.argsort(-steps)[:200]
            cpu = np.min([ticked(law, q[some], v[some], given)[0] for _ in range(5)], axis=0)
            rows.append([name, kind, str(steps.max()), *(f"{x:.3g}" for x in (np.median(cpu), cpu.max()))])
            print(rows[-1], flush=True)
    table = _table(["robot", "states", "most steps", "median", "max"], rows)
    text = f"""
Made by `python -m benchmarks.whole_body {count} worst`: the 200 of the same {count} states with the most steps of the
solver, CPU time in µs, each the least of five ticks.  Steps bound the work of a tick: what took longer above was other
work of the machine.

{table}
"""
    path = Path(__file__).with_suffix(".md")
    path.write_text(path.read_text("utf-8") + text, "utf-8")


def spread(x):
    """Median, p99, p99.99 and the largest."""
    return [f"{y:.3g}" for y in (np.median(x), *np.percentile(x, (99, 99.99)), x.max())]


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 125_000
    rng, rows, histogram, beside = np.random.default_rng(0), [], [], []
    for name in ROBOTS:
        for kind, cpu, wall, other, status, late, levels, batch in measured(name, count, rng):
            ended = " / ".join(str(status.get(x, 0)) for x in ("solved", "nearest"))
            rows.append([name, kind, *spread(cpu), *spread(wall), ended])
            counts = map(str, np.diff([0, *((cpu <= b).sum() for b in BINS), count]))
            histogram.append([name, kind, *counts, f"{late.max():.3g}" if len(late) else ""])
            median, first = np.median(cpu), np.median(cpu[: len(other)]) if len(other) else np.nan
            peer = [f"{np.median(other):.3g}", f"{first / np.median(other):.2f}"] if len(other) else ["", ""]
            three = np.median(levels[0])
            unsure = levels[3].get("unconfirmed", 0)
            beside.append([name, kind, f"{median:.3g}", *peer, f"{batch:.3g}", f"{three:.3g}", f"{three / median:.2f}",
                           f"{levels[0].max():.3g}", str(unsure)])  # fmt: skip
            print(" | ".join(rows[-1] + beside[-1][2:]), flush=True)
    four = ["median", "p99", "p99.99", "max"]
    head = ["robot", "states", *(f"CPU {x}" for x in four), *(f"wall {x}" for x in four), "solved / nearest"]
    last = ["robot", "states", "law", "TSID", "ratio", "in a batch", "three levels", "ratio", "max", "unconfirmed"]
    text = f"""# Whole-body laws

Made by `python -m benchmarks.whole_body {count}`: µs for a command in Python (torques, as TSID gives; forces,
active constraints and residuals are computed when they are asked for), {count} ticks each, CPU time of the
thread and time on the wall; the machine was shared with other work, which the wall shows.
Tasks: center of mass, orientation of the base, posture; friction {FRICTION}, torque limits; Talos on two soles.
"motion": all joints sway by 0.05 rad at 1 Hz; "fast": anywhere near, {SPEED:g} rad/s in every joint and the base.

{_table(head, rows)}

How many ticks took at most so many µs of CPU time; "again": the largest of those above {LATE / 1e3:g} when they were
repeated, each the least of five.

{_table(["robot", "states", *(f"≤ {b}" for b in BINS), "more", "again"], histogram)}

Beside others, medians of CPU time in µs.  TSID 1.7 (`computeProblemData`, `solve`, `getActuatorForces`) in turn with
the first 2,000 ticks, and the ratio on these; "in a batch": a state of 4,096 in one call, of eleven; "three levels":
each task on its own, 5,000 ticks, their ratio to one level, the largest, and how many were not confirmed.

{_table(last, beside)}
"""
    Path(__file__).with_suffix(".md").write_text(text, "utf-8")


def _table(head, rows):
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *rows])


if __name__ == "__main__":
    worst(int(sys.argv[1])) if "worst" in sys.argv else main()
