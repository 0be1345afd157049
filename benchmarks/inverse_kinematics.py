"""Inverse kinematics against other libraries, one core, interleaved: `python -m benchmarks.inverse_kinematics`.

The same URDF of a Panda, the same random reachable poses of its hand, all joints within their limits, and success means
within 1e-6 (m and rad).  Each library restarts from random configurations until it succeeds, up to 100 times; where
all start first is the middle of the ranges, but for ours, which chooses.  The Robotics Toolbox searches in C++
(`ik_LM`, Chan's damping, its default); pink and mink solve quadratic programs, in a loop as their examples have it: dt
and gain 1, Levenberg-Marquardt damping 1, up to 100 steps a start.  A tick of `DifferentialIK` has limits of positions
and velocities, and a posture; with targets anywhere five of seven joints are at a limit.  Writes inverse_kinematics.md.
"""

import tempfile
import time
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np

import articulated as art

from .robots import Case, case

HERE = Path(__file__).parent
TOLERANCE, RESTARTS, STEPS, ROUNDS = 1e-6, 100, 100, 5
#: poses of a round: in batches for ours; peers take them one by one, and those in Python fewer
BATCHES, ALL, IN_C, IN_PYTHON = (1, 16, 256, 10_000), 10_000, 50, 4
#: poses that are timed one by one
SINGLE = 1000
#: arms that differential inverse kinematics moves at once
ARMS = 1000
#: an end of a range that is missed by rounding
AT = 1e-9
Solver = Callable[[np.ndarray], np.ndarray]


def toolbox(own: Case) -> Solver:
    """The Robotics Toolbox: one search in C++ with its own restarts."""
    import roboticstoolbox as rtb
    from roboticstoolbox.models.URDF.URDFRobot import URDF_read

    links, name, *_ = URDF_read(str(own.path))
    ets = rtb.Robot(links, name=name).ets(end=own.frame)
    middle = np.mean(own.robot.limits[:2], axis=0)

    def solve(pose: np.ndarray) -> np.ndarray:
        # its tolerance is of half the square of the error
        return ets.ik_LM(pose, q0=middle, tol=TOLERANCE**2 / 2, slimit=RESTARTS, joint_limits=True).q

    return solve


def pink(own: Case) -> Solver:
    """Pink: quadratic programs on Pinocchio."""
    import pink as peer
    import pinocchio as pin
    from pink.exceptions import NoSolutionFound
    from pink.limits import ConfigurationLimit

    model = pin.buildModelFromXML(own.urdf)
    data, task = model.createData(), peer.tasks.FrameTask(own.frame, 1.0, 1.0, lm_damping=1.0)
    limits = [ConfigurationLimit(model, config_limit_gain=1.0)]

    def search(q: np.ndarray, pose: np.ndarray) -> np.ndarray:
        task.set_target(pin.SE3(pose))
        configuration = peer.Configuration(model, data, q)
        for _ in range(STEPS):
            if abs(task.compute_error(configuration)).max() <= TOLERANCE:
                break
            try:
                v = peer.solve_ik(configuration, [task], 1.0, solver="daqp", limits=limits, safety_break=False)
            except NoSolutionFound:  # a joint is beyond its limit by rounding
                break
            configuration.integrate_inplace(v, 1.0)
        return configuration.q

    return _restarted(own, search)


def mink(own: Case) -> Solver:
    """Mink: quadratic programs on MuJoCo."""
    import mink as peer
    import mujoco

    root = ElementTree.fromstring(own.urdf)
    settings = {"fusestatic": "false", "balanceinertia": "true", "discardvisual": "true"}
    ElementTree.SubElement(ElementTree.SubElement(root, "mujoco"), "compiler", settings)
    model = mujoco.MjModel.from_xml_string(ElementTree.tostring(root, encoding="unicode"))
    task = peer.FrameTask(own.frame, "body", 1.0, 1.0, lm_damping=1.0)
    limits = [peer.ConfigurationLimit(model, gain=1.0)]

    def search(q: np.ndarray, pose: np.ndarray) -> np.ndarray:
        task.set_target(peer.SE3.from_matrix(pose))
        configuration = peer.Configuration(model, q)
        for _ in range(STEPS):
            if abs(task.compute_error(configuration)).max() <= TOLERANCE:
                break
            try:
                v = peer.solve_ik(configuration, [task], 1.0, "daqp", limits=limits, safety_break=False)
            except peer.NoSolutionFound:  # a joint is beyond its limit by rounding
                break
            configuration.integrate_inplace(v, 1.0)
        return configuration.q

    return _restarted(own, search)


def _restarted(own: Case, search: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> Solver:
    """Searches from the middle of the ranges, then from random configurations."""
    rng, (lower, upper) = np.random.default_rng(1), own.robot.limits[:2]

    def solve(pose: np.ndarray) -> np.ndarray:
        q = (lower + upper) / 2
        for _ in range(1 + RESTARTS):
            q = np.clip(search(q, pose), lower, upper)
            if reached(own, q, pose):
                return q
            q = rng.uniform(lower, upper)
        return q

    return solve


def reached(own: Case, q: np.ndarray, pose: np.ndarray) -> bool:
    """Whether a solution is one: the pose within the tolerance, the joints within their limits."""
    found, (lower, upper) = own.robot.pose(q, own.frame), own.robot.limits[:2]
    turn = found[:3, :3].T @ pose[:3, :3]
    angle = np.linalg.norm([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]]) / 2
    near = max(abs(found[:3, 3] - pose[:3, 3]).max(), angle, 1 - np.trace(turn) / 3) <= 2 * TOLERANCE
    return bool(near and (q >= lower - AT).all() and (q <= upper + AT).all())


PEERS: dict[str, tuple[str, Callable[[Case], Solver], int]] = {
    "Robotics Toolbox, `ik_LM`": ("roboticstoolbox-python", toolbox, IN_C),
    "pink": ("pin-pink", pink, IN_PYTHON),
    "mink": ("mink", mink, IN_PYTHON),
}


def rows(own: Case) -> list[list[str]]:
    """The table: each candidate with its time for a solution, how many it found, and the ratio to ours."""
    poses = own.robot.pose(own.robot.random(0, (ALL,)), own.frame)
    solvers: dict[str, tuple[Solver, int]] = {}
    missing = []
    for name, (package, make, many) in PEERS.items():
        try:
            solvers[f"{name} ({package} {metadata.version(package)})"] = make(own), many
        except ImportError as missed:
            missing.append([name, "", "", f"could not be imported: {missed}"])
    ours = {size: [] for size in BATCHES}
    theirs: dict[str, list[float]] = {name: [] for name in solvers}
    good: dict[str, list[bool]] = {name: [] for name in solvers}
    for size in BATCHES:
        found = own.robot.inverse_kinematics({own.frame: poses[:size]}, tolerance=TOLERANCE)
    hits = np.mean([reached(own, q, pose) for q, pose in zip(found.q, poses, strict=True)])
    for k in range(ROUNDS):
        for size in BATCHES:
            ours[size].append(_ours(own, poses, size))
        for name, (solve, many) in solvers.items():
            some = poses[k * many : (k + 1) * many]
            began = time.thread_time()
            q = [solve(pose) for pose in some]
            theirs[name].append((time.thread_time() - began) / many)
            good[name] += [reached(own, x, pose) for x, pose in zip(q, some, strict=True)]
    alone = np.min([[_alone(own, pose) for pose in poses[:SINGLE]] for _ in range(ROUNDS)], axis=0)
    said = f"{_time(alone)}, p99 {_time(np.percentile(alone, 99))}"
    out = [[f"ours, one pose; the median of {SINGLE}, each the least of {ROUNDS} times", said, "", ""]]
    out += [
        [f"ours, {size} at once", _time(ours[size]), "" if size < ALL else f"{100 * hits:.2f} % of {ALL}", ""]
        for size in BATCHES
    ]
    for name, times in theirs.items():
        ratio = f"{np.median(np.array(times) / ours[ALL]):.0f}×"
        out.append([name, _time(times), f"{100 * np.mean(good[name]):.1f} % of {len(good[name])}", ratio])
    return out + missing


def ticks(own: Case) -> list[list[str]]:
    """Rows of differential inverse kinematics: one tick, and many arms at once beside a loop over them."""
    law = art.DifferentialIK(own.robot, [own.frame], gain=5.0, dt=0.01, posture=own.robot.neutral())
    out, rng = [], np.random.default_rng(0)
    for title, reach in (("0.3 rad away", 0.3), ("anywhere", 3.0)):
        q = own.robot.random(1, (ARMS,))
        near = np.clip(q + rng.uniform(-reach, reach, q.shape), *own.robot.limits[:2])
        targets = own.robot.pose(near, own.frame)
        law(q, {own.frame: targets})
        single, whole = np.empty(ROUNDS), np.empty(ROUNDS)
        for k in range(ROUNDS):
            began = time.thread_time()
            for x, pose in zip(q, targets, strict=True):
                law(x, {own.frame: pose})
            single[k] = (time.thread_time() - began) / ARMS
            began = time.thread_time()
            law(q, {own.frame: targets})
            whole[k] = (time.thread_time() - began) / ARMS
        ratio = f"{np.median(single / whole):.0f}× a loop"
        out.append([f"`DifferentialIK`, a tick; targets {title}", _time(single), "", ""])
        out.append([f"{ARMS} arms at once", _time(whole), "", ratio])
    return out


def _alone(own: Case, pose: np.ndarray) -> float:
    """Seconds for one pose."""
    began = time.thread_time()
    own.robot.inverse_kinematics({own.frame: pose}, tolerance=TOLERANCE)
    return time.thread_time() - began


def _ours(own: Case, poses: np.ndarray, size: int) -> float:
    """Seconds for a solution in batches of a size."""
    number = 1 if size == ALL else max(4, 256 // size)
    began = time.thread_time()
    for k in range(number):
        own.robot.inverse_kinematics({own.frame: poses[k * size : (k + 1) * size]}, tolerance=TOLERANCE)
    return (time.thread_time() - began) / (number * size)


def _time(seconds: Any) -> str:
    found = float(np.median(seconds)) * 1e6
    return f"{found:.3g} µs" if found < 1e3 else f"{found / 1e3:.3g} ms"


def main() -> None:
    head = ["", "a solution", "within 1e-6 and limits", f"ratio to ours, {ALL} at once"]
    with tempfile.TemporaryDirectory() as folder:
        own = case("panda", Path(folder))
        found = [*rows(own), *ticks(own)]
    text = (__doc__ or "").split("\n\n")[1].replace("  Writes inverse_kinematics.md.", "")
    lines = [
        "# Inverse kinematics", "",
        "Written by `python -m benchmarks.inverse_kinematics`: one core, in turn.  " + text.strip(),
        "Times are medians of the CPU time of one thread; every result is checked by our forward kinematics.", "",
        "| " + " | ".join(head) + " |", "| " + " | ".join("---" for _ in head) + " |",
        *("| " + " | ".join(row) + " |" for row in found),
    ]  # fmt: skip
    (HERE / "inverse_kinematics.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
