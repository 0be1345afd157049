"""Campaign of `art.Walk` on MuJoCo as the plant at 1 kHz: every body's mass ±10 %, the law has the nominal robot.

`python -m benchmarks.walking [seeds] [words of rows]` writes benchmarks/walking.md after every row; rows without any of
the words are kept as they are there.  Needs mujoco and example-robot-data.
"""

import sys
import tempfile
import time
import warnings
from functools import cache
from pathlib import Path
from typing import NamedTuple

import mujoco
import numpy as np

import articulated as art

SPREAD, STEP, START = 0.1, 1e-3, 0.5
BALL = 0.02  # radius of Bolt's feet, m
STAIRS = ((0.5, 0.03), (0.8, 0.06), (1.1, 0.09))
SOLES = {"left_sole_link": (0.2, 0.12), "right_sole_link": (0.2, 0.12)}


def stairs(x, y):
    return max((z for at, z in STAIRS if x >= at), default=0.0)


class Case(NamedTuple):
    """A row: what is commanded from `START` on, on which ground, and what disturbs."""

    what: str
    gait: str = "trot"
    command: tuple = (0.5, 0.0, 0.0)
    friction: float = 0.6
    push: tuple = (0.0, 0.0, 0.0)  # N, for 0.1 s from 2 s on
    steps: tuple = ()
    options: tuple = ()
    duration: float = 4.0
    robot: str = "quadruped"


SLIPPERY = (("friction", 0.3),)
CASES = [
    Case("trot 1 m/s", command=(1.0, 0.0, 0.0)),
    Case("trot, turning 1 rad/s", command=(0.0, 0.0, 1.0)),
    Case("trot 0.5 m/s, 0.3 m/s to the left, turning 0.5 rad/s", command=(0.5, 0.3, 0.5)),
    *(
        Case(f"trot 0.5 m/s, friction 0.3, 60 N {side}", friction=0.3, push=push, options=SLIPPERY)
        for side, push in zip(
            ("forwards", "backwards", "to the left", "to the right"),
            ((60, 0, 0), (-60, 0, 0), (0, 60, 0), (0, -60, 0)),
            strict=True,
        )
    ),
    Case("trot 0.4 m/s up three steps of 3 cm, known", command=(0.4, 0, 0), steps=STAIRS, duration=5.0,
         options=(("height", 0.08), ("terrain", stairs))),
    Case("the same, unknown", command=(0.4, 0, 0), steps=STAIRS, duration=5.0, options=(("height", 0.08),)),
    Case("walk 0.3 m/s", "walk", command=(0.3, 0.0, 0.0)),
    Case("pace 0.3 m/s", "pace", command=(0.3, 0.0, 0.0)),
    Case("bound 0.3 m/s", "bound", command=(0.3, 0.0, 0.0)),
    Case("pronk 0.2 m/s", "pronk", command=(0.2, 0.0, 0.0)),
    *(
        Case(f"{gait} {speed} m/s, mpc", gait, (speed, 0.0, 0.0), options=(("mpc", True),))
        for gait, speed in (("trot", 0.5), ("trot", 1.0), ("pace", 0.3), ("bound", 0.3))
    ),
    Case("Bolt, on two points, trots 0.2 m/s", command=(0.2, 0, 0), robot="bolt"),
    Case("Talos shifts its weight and walks ten steps, 0.2 m/s", "walk", (0.2, 0, 0), 0.8, robot="talos", duration=8.4,
         options=(("height", 0.22),)),
]  # fmt: skip


@cache
def loaded(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return art.load(name, floating_base=True)


def plant(case, rng):
    """MuJoCo's model of the robot on its ground, with masses of its own."""
    robot, path = loaded(case.robot), Path(tempfile.mkdtemp()) / "robot.xml"
    art.save(robot, path)
    spec = mujoco.MjSpec.from_file(str(path))
    floor = spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[50, 50, 0.1])
    shapes = [*spec.geoms, floor]
    for x, z in case.steps:
        shapes.append(spec.worldbody.add_geom(
            type=mujoco.mjtGeom.mjGEOM_BOX, size=[20, 20, z / 2], pos=[x + 20, 0, z / 2]
        ))  # fmt: skip
    for sole in SOLES if case.robot == "talos" else ():  # its feet are meshes
        body = sole.replace("_sole_link", "").join(("leg_", "_6_link"))
        q = robot.neutral()
        at = np.linalg.solve(robot.pose(q, body), robot.pose(q, sole))[:3, 3] + [0, 0, 0.01]
        box = {"type": mujoco.mjtGeom.mjGEOM_BOX, "size": [0.1, 0.06, 0.01], "pos": at, "mass": 0}
        shapes.append(spec.body(body).add_geom(**box))
    for foot in ("FL_FOOT", "FR_FOOT") if case.robot == "bolt" else ():
        ball = {"type": mujoco.mjtGeom.mjGEOM_SPHERE, "size": [BALL, 0, 0], "mass": 0}
        shapes.append(spec.body(robot.model.frame(foot).body.name).add_geom(
            **ball, pos=np.linalg.solve(robot.pose(robot.neutral(), robot.model.frame(foot).body.name),
                                        robot.pose(robot.neutral(), foot))[:3, 3]
        ))  # fmt: skip
    for shape in shapes:
        shape.friction = [case.friction, 0.005, 0.0001]
    spec.option.timestep = STEP
    model = spec.compile()
    for body in range(1, model.nbody):
        factor = 1 + SPREAD * rng.uniform(-1, 1)
        model.body_mass[body] *= factor
        model.body_inertia[body] *= factor
    return model


def walked(case, seed):
    """Whether it is up at the end, how far from where the command leads, in m and rad, and the CPU time of a tick."""
    robot, rng = loaded(case.robot), np.random.default_rng(seed)
    model = plant(case, rng)
    data, late = mujoco.MjData(model), 0.05 * rng.uniform()
    soles = {"soles": SOLES} if case.robot == "talos" else {}
    walk = art.Walk(robot, case.gait, **dict(case.options), **soles)
    data.qpos[:] = art.conventions.to_mujoco(robot, walk.home)
    if case.robot == "bolt":
        data.qpos[2] += BALL - robot.pose(walk.home, "FL_FOOT")[2, 3]
    ideal, times, high = np.zeros(3), [], walk.home[2]
    for k in range(round(case.duration / STEP)):
        t = k * STEP
        vx, vy, turn = case.command if t >= START else (0.0, 0.0, 0.0)
        walk.command(vx, vy, turn)
        q, v = art.conventions.from_mujoco(robot, data.qpos.copy(), data.qvel.copy())
        if not q[2] > 0.6 * high or robot.pose(q, robot.body_names[0])[2, 2] < 0.6:
            return False, np.nan, np.nan, np.median(times)
        before = time.thread_time_ns()
        data.qfrc_applied[:] = walk(t, q, v)
        times.append((time.thread_time_ns() - before) / 1e3)
        data.xfrc_applied[1, :3] = case.push if 2.0 + late <= t < 2.1 + late else 0.0
        mujoco.mj_step(model, data)
        c, s = np.cos(ideal[2]), np.sin(ideal[2])
        ideal += STEP * np.array([c * vx - s * vy, s * vx + c * vy, turn])
    R = robot.pose(q, robot.body_names[0])
    off = (np.arctan2(R[1, 0], R[0, 0]) - ideal[2] + np.pi) % (2 * np.pi) - np.pi
    return True, np.linalg.norm(q[:2] - ideal[:2]), abs(off), np.median(times)


def main():
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    head = ["case", "up at the end", "off the command, median", "largest", "heading off, largest", "tick"]
    lines = [head, ["---"] * len(head)]
    words, page = sys.argv[2:], Path(__file__).with_suffix(".md")
    kept = {line.split(" | ")[0][2:]: line[2:-2].split(" | ") for line in page.read_text("utf-8").splitlines()[10:]}
    for case in CASES:
        if words and not any(word in case.what for word in words):
            lines.append(kept[case.what])
            continue
        up, off, turned, tick = np.array([walked(case, seed) for seed in range(seeds)], float).T
        stays = up > 0
        some = [
            f"{1e3 * np.median(off[stays]):.0f} mm",
            f"{1e3 * off[stays].max():.0f} mm",
            f"{turned[stays].max():.3f} rad",
        ]
        lines.append(
            [
                case.what,
                f"{stays.sum()} of {seeds}",
                *(some if stays.any() else ["", "", ""]),
                f"{np.median(tick):.0f} µs",
            ]
        )
        print(" | ".join(lines[-1]), flush=True)
        page.write_text(text(seeds, lines + [kept[x.what] for x in CASES[len(lines) - 2 :] if x.what in kept]), "utf-8")


def text(seeds, lines):
    table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return f"""# Walking

Made by `python -m benchmarks.walking {seeds}`: `art.Walk` on MuJoCo as the plant at 1 kHz, from a saved MJCF file with
a floor. Every body's mass and inertia are those of the model times 1 ± {SPREAD:g}, {seeds} seeds; the law has the
nominal robot and the true state, no sensor of the feet. The command begins after {START} s as a step; pushes are 60 N
at the base for 0.1 s. "off the command": the base from where the integral of the command leads at the end (4 s; steps
5 s, Talos 8.4 s).
The law knows the friction of its row; gains and step heights were tuned on cases of this table. Talos' file has
meshes only: its soles in the plant are boxes; Bolt's feet are balls of {1e3 * BALL:g} mm. The rows
of mpc and Bolt were made last, on a machine with more load. "tick": median CPU time of a tick in Python on a loaded
machine, references and law.

{table}
"""


if __name__ == "__main__":
    main()
