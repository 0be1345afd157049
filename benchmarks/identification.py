"""Normal equations and identification: `OPENBLAS_NUM_THREADS=1 python -m benchmarks.identification` writes the page.

CPU time of one thread; the ways are interleaved, the median of several turns counts.
"""

import platform
import statistics
import time
import tracemalloc
import warnings
from functools import partial
from pathlib import Path

import numpy as np

import articulated as art
from articulated.identification.tiles import layout

STATES, TURNS = 16_384, 5
COLUMNS = (
    "robot", "base parameters", "Normal", "with friction", "NumPy", "Pinocchio, chunks", "Pinocchio, state by state",
    "Pinocchio / Normal", "first call, s",
)  # fmt: skip
HEAD = f"| {' | '.join(COLUMNS)} |"


def samples(robot: art.Robot, count: int) -> dict[str, np.ndarray]:
    """Random states and torques."""
    rng = np.random.default_rng(0)
    v, a, tau = rng.normal(size=(3, count, robot.nv))
    q = robot.integrate(np.broadcast_to(robot.neutral(), (count, robot.nq)), rng.normal(size=(count, robot.nv)))
    return {"q": np.asarray(q), "v": v, "a": a, "tau": tau}


def by_numpy(robot: art.Robot, block: dict[str, np.ndarray]) -> np.ndarray:
    """YᵀY from `robot.regressor`, chunk by chunk."""
    count = len(robot.parameters)
    G = np.zeros((count + 1, count + 1))
    for k in range(0, len(block["q"]), 512):
        q, v, a, tau = (block[name][k : k + 512] for name in ("q", "v", "a", "tau"))
        Y = np.concatenate([np.asarray(robot.regressor(q, v, a)), tau[..., None]], axis=-1).reshape(-1, count + 1)
        G += Y.T @ Y
    return G


def by_pinocchio(model: object, block: dict[str, np.ndarray]) -> np.ndarray:
    """YᵀY from `computeJointTorqueRegressor`, state by state into chunks."""
    import pinocchio

    data, count = model.createData(), 10 * (model.njoints - 1)
    G = np.zeros((count + 1, count + 1))
    rows = np.empty((512 * model.nv, count + 1))
    for k in range(0, len(block["q"]), 512):
        part = [block[name][k : k + 512] for name in ("q", "v", "a", "tau")]
        for i, (q, v, a, tau) in enumerate(zip(*part, strict=True)):
            own = slice(i * model.nv, (i + 1) * model.nv)
            rows[own, :-1] = pinocchio.computeJointTorqueRegressor(model, data, q, v, a)
            rows[own, -1] = tau
        used = rows[: len(part[0]) * model.nv]
        G += used.T @ used
    return G


def by_states(model: object, block: dict[str, np.ndarray]) -> np.ndarray:
    """YᵀY from `computeJointTorqueRegressor`, added state by state."""
    import pinocchio

    data, count = model.createData(), 10 * (model.njoints - 1)
    G, g = np.zeros((count, count)), np.zeros(count)
    for q, v, a, tau in zip(*(block[name] for name in ("q", "v", "a", "tau")), strict=True):
        Y = pinocchio.computeJointTorqueRegressor(model, data, q, v, a)
        G += Y.T @ Y
        g += Y.T @ tau
    return G


def timed(ways: dict, turns: int = TURNS) -> dict[str, float]:
    """Median CPU seconds of each way, one after the other in every turn."""
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(turns):
        for name, way in ways.items():
            begin = time.process_time()
            way()
            seconds[name].append(time.process_time() - begin)
    return {name: statistics.median(x) for name, x in seconds.items()}


def pinocchio_model(robot: art.Robot, floating: bool, folder: Path) -> object:
    """The same robot in Pinocchio, from a URDF."""
    import pinocchio

    path = folder / "robot.urdf"
    art.save(robot, path)
    return (
        pinocchio.buildModelFromUrdf(str(path), pinocchio.JointModelFreeFlyer())
        if floating
        else pinocchio.buildModelFromUrdf(str(path))
    )


def normal_rows() -> list[str]:
    """The table of normal equations."""
    import tempfile

    rows = []
    for name, floating, count in (
        ("panda", False, STATES),
        ("solo12", True, STATES // 4),
        ("talos", True, STATES // 16),
    ):
        fixed = art.load(name)
        robot = fixed.floating() if floating else fixed
        block = samples(robot, count)
        begin = time.process_time()
        art.Normal(robot, {key: x[:16] for key, x in block.items()})
        ready = time.process_time() - begin
        with tempfile.TemporaryDirectory() as folder:
            model = pinocchio_model(fixed, floating, Path(folder))
        found = timed({
            "ours": partial(art.Normal, robot, block), "friction": partial(art.Normal, robot, block, True),
            "numpy": partial(by_numpy, robot, block), "pinocchio": partial(by_pinocchio, model, block),
            "states": partial(by_states, model, block),
        })  # fmt: skip
        each = {way: seconds / count * 1e6 for way, seconds in found.items()}
        plan = layout(robot)
        ratios = ", ".join(f"{each[way] / each['ours']:.0f}" for way in ("pinocchio", "states"))
        label = f"{name}{' floating' if floating else ''}"
        rows.append(
            f"| {label} | {len(plan.base)} | {each['ours']:.2f} | {each['friction']:.2f} | {each['numpy']:.1f} | "
            f"{each['pinocchio']:.1f} | {each['states']:.1f} | {ratios} | {ready:.1f} |"
        )
    return rows


def whole_rows() -> list[str]:
    """Identification of many samples."""
    robot, rows = art.load("panda"), []
    block = samples(robot, 100_000)
    noise = np.random.default_rng(1).normal(0, 0.2, (100_000, 7))
    log = block | {
        "tau": np.asarray(robot.inverse_dynamics(block["q"], block["v"], block["a"])) + 0.4 * block["v"] + noise
    }
    art.identify(robot, log)
    found = timed({"five": lambda: art.identify(robot, log), "none": lambda: art.identify(robot, log, folds=0)})
    rows.append(f"| 10⁵ Panda samples with friction, consistent, 5 folds | {found['five']:.2f} s |")
    rows.append(f"| the same without folds | {found['none']:.2f} s |")
    million = samples(robot, 1_000_000)
    taken = timed({"million": partial(art.Normal, robot, million)})["million"]
    tracemalloc.start()
    art.Normal(robot, million)
    grown = tracemalloc.get_traced_memory()[1] / 2**20
    tracemalloc.stop()
    rows.append(f"| normal equations of 10⁶ Panda states | {taken:.2f} s, {grown:.0f} MB beside the arrays |")
    begin, total = time.process_time(), 0
    for _ in range(100):
        total = art.Normal(robot, million) + total
    rows.append(f"| 10⁸ Panda states (10⁶ of them a hundred times), one core | {time.process_time() - begin:.0f} s |")
    begin = time.process_time()
    motion = art.excitation(robot, 10.0)
    seconds, condition = time.process_time() - begin, motion.info["condition"]
    rows.append(f"| an excitation of 10 s for a Panda | {seconds:.1f} s, condition {condition:.0f} |")
    assert total.samples == 100_000_000
    return rows


def main() -> None:
    """Write the page."""
    warnings.simplefilter("ignore", art.ModelWarning)
    text = f"""# Identification

Written by `OPENBLAS_NUM_THREADS=1 python -m benchmarks.identification` on {platform.machine()}, Python
{platform.python_version()}, NumPy
{np.__version__}; CPU time, ways interleaved, the median of {TURNS} turns. The machine was shared with other
work: ratios say more than microseconds.

## Normal equations: µs a state

`art.Normal` sums YᵀY, Yᵀτ and τᵀτ in base columns, joint by joint; NumPy is `robot.regressor` and a matrix product in
chunks of 512 states; Pinocchio is `computeJointTorqueRegressor`, its rows gathered for the same product, or Y.T @ Y
added state by state.

{HEAD}
|---|---|---|---|---|---|---|---|---|
{chr(10).join(normal_rows())}

## Whole runs

| what | time |
|---|---|
{chr(10).join(whole_rows())}
"""
    (Path(__file__).parent / "identification.md").write_text(text, "utf-8")
    print(text)


if __name__ == "__main__":
    main()
