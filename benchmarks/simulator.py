"""One robot from Python against a loop of `mj_step`, interleaved: `python -m benchmarks.simulator [ROUNDS]`.

Both sides are a Python loop that gives torques and takes a step of 1 ms: `sim.step(tau)` of `art.Simulator`, and
`data.qfrc_applied[:] = tau; mj_step(model, data)`.  Panda falls, without joint limits; the others stand on their feet,
held by servos or, in MuJoCo, springs and dampers of the same gains.  `alone` is a step of the compiled loop of
`art.simulate`, so that the difference is what a call from Python adds.

`art.simulate` of the same robots, with springs and dampers of their joints: a call of one step, which computes two,
steps of calls of 100 and of 1000 with everything stored, and what a torque function in Python that returns zeros adds
to a step, itself included.  Writes simulator.md.
"""

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import articulated as art

from .robots import case, mujoco_twin
from .simulation import in_turn, unlimited
from .simulation_contacts import DT, FRICTION, SCENES, Scene, Springs, mujoco_model, start

HERE = Path(__file__).parent
STEPS = 500


def peer(model: Any, q: np.ndarray) -> Callable[[], None]:
    """A loop of `mj_step`."""
    import mujoco

    data, tau = mujoco.MjData(model), np.zeros(model.nv)

    def run() -> None:
        mujoco.mj_resetData(model, data)
        data.qpos[:] = q
        for _ in range(STEPS):
            data.qfrc_applied[:] = tau
            mujoco.mj_step(model, data)

    return run


def stepped(sim: art.Simulator, q: np.ndarray) -> Callable[[], None]:
    """A loop of `sim.step`."""
    tau = np.zeros(sim.robot.nv)

    def run() -> None:
        sim.reset(q)
        for _ in range(STEPS):
            sim.step(tau)

    return run


def together(sim: art.Simulator, q: np.ndarray) -> Callable[[], None]:
    """The same steps in one call."""

    def run() -> None:
        sim.reset(q)
        sim.step(steps=STEPS)

    return run


def called(robot: art.Robot, q: np.ndarray, model: Any, rounds: int, **options: Any) -> list[str]:
    """Calls of `art.simulate`, as a row of the table."""
    tau = np.zeros(robot.nv)

    def run(steps: int, **more: Any) -> Callable[[], Any]:
        def calls() -> None:
            for _ in range(1000 // steps):
                art.simulate(robot, q, duration=steps * DT, dt=DT, progress=False, **options, **more)

        return calls

    theirs = art.conventions.to_mujoco(robot, q, np.zeros(robot.nv)).q
    runs = run(1), run(100), run(1000), run(1000, torque=lambda t, q, v: tau), peer(model, theirs)
    short, some, many, python, there = (in_turn(rounds, *runs) * 1e3).T
    ratios = [np.median(there * 1000 / STEPS / x) for x in (some, many)]
    return [
        f"{np.median(short):.0f} µs", f"{np.median(some):.2f} µs ({ratios[0]:.1f}×)",
        f"{np.median(many):.2f} µs ({ratios[1]:.1f}×)", f"{np.median(python - many):.1f} µs",
    ]  # fmt: skip


def sprung(robot: art.Robot, springs: Springs) -> art.Robot:
    """The robot with these springs and dampers at its joints."""
    own = dict(zip(robot.joint_names[1:], zip(*springs, strict=True), strict=True))
    links = []
    for link in robot.model.links:
        if (name := link.joint.name) in own:
            rest, stiffness, damping = map(float, own[name])
            link = link.replace(joint=link.joint.replace(rest=rest, stiffness=stiffness, damping=damping))
        links.append(link)
    return art.build(links, robot.gravity, robot.name)


def row(name: str, sim: art.Simulator, model: Any, q: np.ndarray, rounds: int) -> list[str]:
    """A row of the table."""
    theirs = art.conventions.to_mujoco(sim.robot, q, np.zeros(sim.robot.nv))
    ours, alone, there = (in_turn(rounds, stepped(sim, q), together(sim, q), peer(model, theirs.q)) / STEPS * 1e6).T
    ratio = np.median(there / ours)
    each = [f"{np.median(x):.2f} µs" for x in (ours, alone, ours - alone, there)]
    return [name, *each, f"{ratio:.1f}×"]


def standing(scene: Scene, folder: Path, rounds: int) -> tuple[list[str], list[str]]:
    """Rows of a robot on its feet."""
    own = case(scene.robot, folder)
    q, springs = start(scene, own.robot, 1)
    feet: Any = scene.feet if scene.robot == "talos" else dict.fromkeys(scene.feet, scene.radius)
    sim = art.Simulator(
        own.robot, DT, art.Ground(FRICTION, feet=feet), limits=scene.limits,
        stiffness=springs.stiffness, damping=springs.damping,
    )  # fmt: skip
    sim.step(target=q[0])
    model = mujoco_model(scene, own, springs)
    first = row(scene.name, sim, model, q[0], rounds)
    options = {"contacts": art.Ground(FRICTION, feet=feet), "limits": scene.limits}
    return first, [scene.name, *called(sprung(own.robot, springs), q[0], model, rounds, **options)]


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    with tempfile.TemporaryDirectory() as folder:
        arm = case("panda", Path(folder))
        sim = art.Simulator(arm.robot, DT, limits=False)
        model, q = unlimited(mujoco_twin(arm)), arm.states(1).q[0]
        first = row("Panda, falling", sim, model, q, rounds)
        rows = [(first, ["Panda, falling", *called(arm.robot, q, model, rounds, limits=False)])]
        rows += [standing(scene, Path(folder), rounds) for scene in (SCENES[0], SCENES[3])]
    heads = (
        ["scene", "`sim.step`", "alone", "a call adds", "`mj_step`", "ratio"],
        ["scene", "one step", "100 steps, each", "1000 steps, each", "a Python function adds"],
    )
    _, *texts = (__doc__ or "").replace("  Writes simulator.md.", "").strip().split("\n\n")
    lines = [
        "# One robot from Python",
        "",
        "Written by `python -m benchmarks.simulator`, one core; times are medians of the",
    ]
    lines += ["CPU time of one thread, ratios to `mj_step` called from Python.  On a machine with other work"]
    lines += ["`chrt -f 50` before the command keeps that from driving the code of a call out of the caches."]
    for text, head, some in zip(texts, heads, zip(*rows, strict=True), strict=True):
        lines += ["", text, ""]
        lines += ["| " + " | ".join(cells) + " |" for cells in (head, ["---"] * len(head), *some)]
    (HERE / "simulator.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
