"""Ticks of a whole-body law along a motion and at random fast states, beside TSID on the same tasks.

`python -m benchmarks.whole_body [ticks]` writes benchmarks/whole_body.md: CPU time of one thread, tick by tick in turn.
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


def standing(robot):
    """A pose to stand in: the robot's own, or its joints in the middle of their ranges."""
    for name in ("standing", "half_sitting", "home"):
        if name in robot.poses:
            return np.array(robot.poses[name])
    return robot.neutral()


def law_of(robot, feet, base):
    """Center of mass, orientation of the base and posture, on all feet."""
    q = standing(robot)
    held = art.Contacts(robot, point=feet) if len(feet) == 4 else art.Contacts(robot, surface=feet)
    wanted = [
        art.tasks.CenterOfMass(gain=100, weight=10),
        art.tasks.Frame(base, "orientation", gain=50),
        art.tasks.Posture(gain=20, weight=0.1, target=q),
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


def measured(name, count, rng):
    """Rows of the table: seconds of every tick, and how they ended."""
    file, feet, base = ROBOTS[name]
    robot = art.load(file, floating_base=True)
    law, q0 = law_of(robot, feet, base), standing(robot)
    given = {"center_of_mass": robot.center_of_mass(q0), base: np.eye(3)}
    peer = tsid_tick(name, robot, feet, base, q0)
    for kind in ("motion", "fast"):
        q, v = states(robot, q0, count, kind, rng)
        own, other, status = np.zeros(count), np.full(count, np.nan), {}
        gc.disable()
        for k in range(count):
            before = time.thread_time_ns()
            done = law(q[k], v[k], **given)
            after = time.thread_time_ns()
            own[k] = after - before
            status[done.status] = status.get(done.status, 0) + 1
            if peer and k < 2000:
                before = time.thread_time_ns()
                peer(q[k], v[k])
                other[k] = time.thread_time_ns() - before
            if k % 1000 == 999:
                gc.collect()
        gc.enable()
        batch = min(count, 4096)
        law(q[:2], v[:2], **given)  # compiles
        before = time.thread_time_ns()
        law(q[:batch], v[:batch], **given)
        yield name, kind, own / 1e3, other / 1e3, status, (time.thread_time_ns() - before) / 1e3 / batch


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    rng, rows, histogram = np.random.default_rng(0), [], []
    for name in ROBOTS:
        for _, kind, own, other, status, batch in measured(name, count, rng):
            peer = other[np.isfinite(other)]
            numbers = [np.median(own), np.percentile(own, 99), own.max(), batch]
            ended = f"{status.get('solved', 0)} / {status.get('nearest', 0)}"
            theirs = [np.median(peer), peer.max(), np.median(own) / np.median(peer)] if len(peer) else []
            rows.append([name, kind, *(f"{x:.3g}" for x in numbers), ended, *(f"{x:.3g}" for x in theirs)])
            counts = np.diff([0, *((own <= b).sum() for b in BINS), count])
            histogram.append([name, kind, *map(str, counts)])
            print(" | ".join(rows[-1]), flush=True)
    head = ["robot", "states", "median", "p99", "max", "in a batch", "solved / nearest"]
    head += ["TSID median", "TSID max", "ratio"][: len(rows[0]) - len(head)]
    peers = "TSID (`computeProblemData`, `solve`, `getActuatorForces`) in turn with the first 2,000 ticks"
    text = f"""# Whole-body laws

Made by `python -m benchmarks.whole_body {count}`: CPU time of one thread in µs for a full command in Python, {count}
ticks each; {peers if len(rows[0]) > 7 else "TSID's wheels do not import here"}.
Tasks: center of mass, orientation of the base, posture; friction {FRICTION}, torque limits; Talos on two soles.
"motion": all joints sway by 0.05 rad at 1 Hz; "fast": anywhere near, {SPEED:g} rad/s in every joint and the base.
"in a batch": a state of 4,096 in one call.

{_table(head, rows)}

How many ticks took at most so many µs:

{_table(["robot", "states", *(f"≤ {b}" for b in BINS), "more"], histogram)}
"""
    Path(__file__).with_suffix(".md").write_text(text, "utf-8")


def _table(head, rows):
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *rows])


if __name__ == "__main__":
    main()
