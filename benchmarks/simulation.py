"""Steps without contacts against MuJoCo, one core, interleaved: `python -m benchmarks.simulation [ROUNDS]`.

The same robots, states and dt = 1 ms, semi-implicit Euler on both sides, no damping, no friction, no joint limits.  A
batch falls freely: `art.simulate`, with everything it does around its loop, against `mujoco.rollout`, which stores
every state, too.  One cart-pole is balanced for 20 s by the same law, as a traced and as a Python function, against a
loop of `mj_step` in Python.
"""

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import articulated as art

from .robots import case, mujoco_twin

HERE = Path(__file__).parent
DT, STATES, STEPS, SOME = 1e-3, 1024, 200, 64
BALANCED = 20_000  # steps of a cart-pole
GAINS = (-10.0, -80.0, -12.0, -15.0)
UPRIGHT = np.array([0.0, np.pi])


def in_turn(rounds: int, *runs: Callable[[], Any]) -> np.ndarray:
    """Seconds of each run in each round, CPU time of this thread, (rounds, runs)."""
    for run in runs:
        run()
    found = np.empty((rounds, len(runs)))
    for k in range(rounds):
        for i, run in enumerate(runs):
            began = time.thread_time()
            run()
            found[k, i] = time.thread_time() - began
    return found


def row(name: str, how: str, ours: np.ndarray, theirs: np.ndarray, apart: float) -> list[str]:
    """A row of the table; times are seconds of a step."""
    ratio = np.median(theirs / ours)
    return [name, how, f"{np.median(ours) * 1e6:.3g} µs", f"{np.median(theirs) * 1e6:.3g} µs", f"{ratio:.1f}×",
            f"{apart:.0e}"]  # fmt: skip


# -- a batch that falls -----------------------------------------------------------------------


def unlimited(model: Any) -> Any:
    """A model of MuJoCo as ours is simulated here."""
    model.opt.timestep, model.opt.gravity[:] = DT, (0, 0, -9.81)
    model.dof_damping[:] = model.dof_frictionloss[:] = model.jnt_limited[:] = 0
    return model


def falling(name: str, title: str, folder: Path, rounds: int) -> list[list[str]]:
    """Rows of the table: all samples stored, and the last alone."""
    import mujoco
    from mujoco import rollout

    own = case(name, folder)
    robot, states = own.robot, own.states(STATES)
    q, v = states.q, 0.1 * states.v
    model = unlimited(mujoco_twin(own))
    data = mujoco.MjData(model)
    theirs = art.conventions.to_mujoco(robot, q[:SOME], v[:SOME])
    state = np.zeros((SOME, mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS)))
    state[:, 1 : 1 + model.nq], state[:, 1 + model.nq : 1 + model.nq + model.nv] = theirs.q, theirs.v

    def run(every: int) -> art.Trajectory:
        return art.simulate(robot, q, v, STEPS * DT, DT, limits=False, every=every, progress=False)

    with rollout.Rollout(nthread=0) as peer:

        def roll() -> Any:
            return peer.rollout(model, data, state, nstep=STEPS)[0]

        times = in_turn(rounds, lambda: run(1), lambda: run(STEPS), roll)
        there = roll()[:, -1, 1 : 1 + model.nq + model.nv]
    back = art.conventions.from_mujoco(robot, there[:, : model.nq], there[:, model.nq :])
    apart = float(np.abs(robot.difference(run(STEPS).q[:SOME, -1], back.q)).max())
    here, last, peers = times[:, 0] / STATES / STEPS, times[:, 1] / STATES / STEPS, times[:, 2] / SOME / STEPS
    return [row(title, "every step stored", here, peers, apart), row(title, "the last state only", last, peers, apart)]


# -- one that is balanced ---------------------------------------------------------------------


def balance(t: float, q: Any, v: Any) -> list[Any]:
    """The law of both sides."""
    return [-GAINS[0] * q[0] - GAINS[1] * (q[1] - np.pi) - GAINS[2] * v[0] - GAINS[3] * v[1], 0.0]


def balanced(folder: Path, rounds: int) -> list[list[str]]:
    """Rows of the table: traced, and called."""
    import mujoco

    robot, start = art.load("cart_pole").frictionless(), UPRIGHT + np.array([0.0, 0.1])
    art.save(robot, folder / "cart_pole.xml")
    model = unlimited(mujoco.MjModel.from_xml_path(str(folder / "cart_pole.xml")))
    data, path = mujoco.MjData(model), np.empty((BALANCED + 1, 2))
    traced = art.traced(balance)

    def run(torque: Any) -> art.Trajectory:
        return art.simulate(robot, start, None, BALANCED * DT, DT, torque, limits=False, progress=False)

    def loop() -> np.ndarray:
        mujoco.mj_resetData(model, data)
        data.qpos[:] = path[0] = start
        for k in range(BALANCED):
            data.qfrc_applied[:] = balance(data.time, data.qpos, data.qvel)
            mujoco.mj_step(model, data)
            path[k + 1] = data.qpos
        return path

    times = in_turn(rounds, lambda: run(traced), lambda: run(balance), loop) / BALANCED
    apart = [float(np.abs(run(torque).q - loop()).max()) for torque in (traced, balance)]
    kinds = ("one state, traced function", "one state, Python function")
    return [row("cart-pole", kind, times[:, k], times[:, 2], apart[k]) for k, kind in enumerate(kinds)]


def main(rounds: int) -> None:
    """Measure, print, write the table."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rows = falling("panda", f"Panda, {STATES} states", folder, rounds)
        rows += falling("talos", f"Talos, floating, {STATES} states", folder, rounds)
        rows += balanced(folder, rounds)
    head = ["what", "how", "ours, a step", "MuJoCo, a step", "ratio", "apart at the end"]
    about = " ".join((__doc__ or "").split("\n\n")[1].split())
    lines = [
        "# Steps without contacts", "", f"Made by `python -m benchmarks.simulation`. {about}",
        f"Medians of {rounds} rounds in turn, CPU time of one thread; MuJoCo's batch has {SOME} states.", "",
        "| " + " | ".join(head) + " |", "| " + " | ".join("---" for _ in head) + " |",
        *("| " + " | ".join(cells) + " |" for cells in rows),
    ]  # fmt: skip
    (HERE / "simulation.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 15)
