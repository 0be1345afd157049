"""Single steps from Python against `mj_step`, one robot, interleaved: `python -m benchmarks.simulator [ROUNDS]`.

Both sides are a Python loop that gives torques and takes a step of 1 ms: `sim.step(tau)` of `art.Simulator`, and
`data.qfrc_applied[:] = tau; mj_step(model, data)`.  Panda falls, without joint limits; the others stand on their feet,
held by servos or, in MuJoCo, springs and dampers of the same gains.  `alone` is a step of the compiled loop of
`art.simulate`, so that the difference is what a call from Python adds.  Writes simulator.md.
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
from .simulation_contacts import DT, FRICTION, SCENES, Scene, mujoco_model, start

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


def row(name: str, sim: art.Simulator, model: Any, q: np.ndarray, rounds: int) -> list[str]:
    """Of the table."""
    theirs = art.conventions.to_mujoco(sim.robot, q, np.zeros(sim.robot.nv))
    ours, alone, there = (in_turn(rounds, stepped(sim, q), together(sim, q), peer(model, theirs.q)) / STEPS * 1e6).T
    ratio = np.median(there / ours)
    each = [f"{np.median(x):.2f} µs" for x in (ours, alone, ours - alone, there)]
    return [name, *each, f"{ratio:.1f}×"]


def standing(scene: Scene, folder: Path, rounds: int) -> list[str]:
    """A row of a robot on its feet."""
    own = case(scene.robot, folder)
    q, springs = start(scene._replace(states=1), own.robot)
    feet: Any = scene.feet if scene.robot == "talos" else dict.fromkeys(scene.feet, scene.radius)
    sim = art.Simulator(
        own.robot, DT, art.Ground(FRICTION, feet=feet), limits=scene.limits,
        stiffness=springs.stiffness, damping=springs.damping,
    )  # fmt: skip
    sim.step(target=q[0])
    return row(scene.name, sim, mujoco_model(scene, own, springs), q[0], rounds)


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    with tempfile.TemporaryDirectory() as folder:
        arm = case("panda", Path(folder))
        sim = art.Simulator(arm.robot, DT, limits=False)
        rows = [row("Panda, falling", sim, unlimited(mujoco_twin(arm)), arm.states(1).q[0], rounds)]
        rows += [standing(scene, Path(folder), rounds) for scene in (SCENES[0], SCENES[-1])]
    head = ["scene", "`sim.step`", "alone", "a call adds", "`mj_step`", "ratio"]
    text = (__doc__ or "").split("\n\n")[1].replace("  Writes simulator.md.", "")
    lines = ["# Single steps from Python", "", "Written by `python -m benchmarks.simulator`, one core:", text]
    lines += ["Times are medians of the CPU time of one thread.", ""]
    lines += ["| " + " | ".join(cells) + " |" for cells in (head, ["---"] * len(head), *rows)]
    (HERE / "simulator.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
