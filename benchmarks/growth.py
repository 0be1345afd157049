"""Chains of 10 to 10000 bodies: the first call, every further one, and memory.  Each in a fresh process.

`python -m benchmarks.growth` writes growth.md: long chains of ours alone, one state and a batch, and closed loops.
"""

import importlib
import json
import subprocess
import sys
import tempfile
import time
import timeit
from pathlib import Path
from statistics import median
from typing import NamedTuple

import numpy as np

from . import ours
from .grid import progress
from .start import fresh

#: chains each library is asked about: Pinocchio keeps matrices by the dozen, MuJoCo reads 1000 in half a minute
LENGTHS = {
    "articulated": (10, 30, 100, 300, 1000, 3000, 10000),
    "pin": (10, 30, 100),
    "mujoco": (10, 30, 100, 300),
}
QUANTITIES = ("inverse_dynamics", "forward_dynamics")


class Chain(NamedTuple):
    """What a chain of one length costs one library."""

    library: str
    bodies: int
    quantity: str
    first: float  # seconds of the first call, compiling included
    call: float  # seconds of every further one
    memory: float  # MB of the process in the end


def chains() -> list[Chain]:
    """Everything that answers within two minutes."""
    found = []
    for library, lengths in LENGTHS.items():
        for bodies in lengths:
            progress(f"a chain of {bodies}, {library}")
            try:
                *times, memory = fresh("-m", "benchmarks.growth", library, str(bodies))
            except subprocess.TimeoutExpired:
                progress("gave up after two minutes")
                continue
            found += [Chain(library, bodies, name, *pair, memory) for name, pair in zip(QUANTITIES, times, strict=True)]
    return found


def urdf(bodies: int) -> str:
    """Links of a hand's width that turn about y and z by turns."""
    links = "".join(
        f'<link name="l{k}"><inertial><origin xyz="0.05 0 0"/><mass value="0.1"/>'
        '<inertia ixx="1e-4" iyy="2e-4" izz="2e-4" ixy="0" ixz="0" iyz="0"/></inertial></link>'
        for k in range(bodies + 1)
    )
    joints = "".join(
        f'<joint name="j{k:05d}" type="revolute"><parent link="l{k}"/><child link="l{k + 1}"/><origin xyz="0.1 0 0"/>'
        f'<axis xyz="0 {k % 2} {1 - k % 2}"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>'
        for k in range(bodies)
    )
    return f'<robot name="chain{bodies}">{links}{joints}</robot>'


def child(library: str, bodies: int) -> list:
    """First and further calls of each quantity, then the memory, of this process."""
    import psutil

    import articulated as art

    from .robots import Case

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "chain.urdf"
        path.write_text(urdf(bodies), encoding="utf-8")
        case = Case("chain", urdf(bodies), path, False, f"l{bodies}", art.load(path))
    times = [_times(library, case, quantity) for quantity in QUANTITIES]
    return [*times, psutil.Process().memory_info().rss / 2**20]


def _times(library: str, case, quantity: str) -> tuple[float, float]:
    states = case.states()
    if library == "articulated":
        call = ours.call(case, quantity, states)
    else:
        call = importlib.import_module(f".peers.{PEERS[library]}", __package__).calls(case, states)[quantity]
    timer = timeit.Timer(call.statement, timer=time.process_time, globals=call.scope)
    first, again = timer.timeit(1), timer.timeit(1)
    repeats = int(np.clip(5e-3 / max(again, 1e-6), 1, 5000))
    return first, median(timer.timeit(repeats) / repeats for _ in range(5 if again < 0.1 else 1))


PEERS = {"pin": "pinocchio", "mujoco": "mujoco"}


# -- long chains, one state and a batch -------------------------------------------------------

LONG, BATCH, ROUNDS = (300, 1000, 3000, 10000), 64, 15


def chain(bodies: int):
    """The chain of the URDF above."""
    import articulated as art

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "chain.urdf"
        path.write_text(urdf(bodies), encoding="utf-8")
        return art.load(path)


def per_state(robot, quantity: str, batch: int) -> tuple[float, float]:
    """CPU seconds of the first call, compiling included, and of each state in further ones."""
    rng = np.random.default_rng(0)
    given = [0.1 * rng.uniform(-1, 1, (batch, robot.nv)) for _ in range(3)]
    arrays = given if batch > 1 else [x[0] for x in given]
    spent = []
    for _ in range(ROUNDS + 1):
        began = time.thread_time()
        getattr(robot, quantity)(*arrays)
        spent.append(time.thread_time() - began)
    return spent[0], median(spent[1:]) / batch


# -- closed loops -----------------------------------------------------------------------------

LOOPS = (1, 2, 5, 10, 20, 40)
LAWS = ("inverse_dynamics", "forward_dynamics")


def ladder(loops: int):
    """Four-bars on top of each other, a motor at each crank, and a configuration."""
    import articulated as art

    y, links, below = (0, -1, 0), [art.Link("base")], "base"
    bar = art.Inertia(1.0, (0.5, 0, 0), np.diag([1e-3, 0.1, 0.1]))
    for i in range(loops):
        pin, eye = [(f"pin{i}", art.Transform(p=(2.0, 0, 0)))], [(f"eye{i}", art.Transform(p=(1.5, 0, 0)))]
        links += [
            art.Link(f"crank{i}", below, art.Revolute(y), inertia=bar),
            art.Link(f"coupler{i}", f"crank{i}", art.Revolute(y), art.Transform(p=(1.0, 0, 0)), bar, frames=pin),
            art.Link(f"rocker{i}", below, art.Revolute(y), art.Transform(p=(2.0, 0, 0)), bar, frames=eye),
        ]
        below = f"coupler{i}"
    robot = art.build(links, name="ladder")
    pairs = [(f"pin{i}", f"eye{i}") for i in range(loops)]
    held = art.Contacts(robot, loops=pairs, passive=[n for n in robot.joint_names if "crank" not in n])
    return held, np.tile([1.0, -0.5, 1.5], loops) + 0.1 * np.random.default_rng(0).normal(size=3 * loops)


def loop_child(loops: int) -> list[tuple[float, float]]:
    """First and further calls of each law, in this process."""
    held, q = ladder(loops)
    found = []
    for law in LAWS:
        still = np.zeros(3 * loops)
        last = still if law == "inverse_dynamics" else np.zeros(loops)
        timer = timeit.Timer(lambda law=law, v=still, x=last: getattr(held, law)(q, v, x), timer=time.process_time)
        first, again = timer.timeit(1), timer.timeit(1)
        repeats = int(np.clip(5e-3 / max(again, 1e-6), 1, 5000))
        found.append((first, median(timer.timeit(repeats) / repeats for _ in range(ROUNDS))))
    return found


def loop_lines() -> list[str]:
    """The table of closed loops, each number of them in a fresh process without a cache."""
    lines = [
        "## Closed loops", "",
        "Contacts of four-bars on top of each other: CPU time of one thread, in a fresh process without a cache. Laws "
        "of up to nine are straight-line code; larger sets are computed on arrays.", "",
        "| loops | rows | quantity | first call | one state |", "| --- | --- | --- | --- | --- |",
    ]  # fmt: skip
    for loops in LOOPS:
        times = fresh("-m", "benchmarks.growth", "loops", str(loops))
        for law, (first, one) in zip(LAWS, times, strict=True):
            cells = f"{first * 1e3:.3g} ms | {one * 1e3:.3g} ms"
            lines.append(f"| {loops} | {3 * loops} | {law.replace('_', ' ')} | {cells} |")
    return lines


def main() -> None:
    """Measure, print, write the tables."""
    lines = [
        "# Long chains", "",
        f"Made by `python -m benchmarks.growth`: CPU time of one thread, medians of {ROUNDS} calls; a batch has "
        f"{BATCH} states. One routine serves all of them: the first call of the first line compiles it, or "
        "fetches it from the cache.", "",
        "| bodies | quantity | first call | one state | a state of a batch |", "| --- | --- | --- | --- | --- |",
    ]  # fmt: skip
    for bodies in LONG:
        robot = chain(bodies)
        for quantity in QUANTITIES:
            first, one = per_state(robot, quantity, 1)
            _, each = per_state(robot, quantity, BATCH)
            cells = f"{first * 1e3:.3g} ms | {one * 1e3:.3g} ms | {each * 1e3:.3g} ms"
            lines.append(f"| {bodies} | {quantity.replace('_', ' ')} | {cells} |")
    lines += ["", *loop_lines()]
    (Path(__file__).parent / "growth.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines))


if __name__ == "__main__":
    if sys.argv[1:2] == ["loops"]:
        print(json.dumps(loop_child(int(sys.argv[2]))))
    elif len(sys.argv) > 2:
        print(json.dumps(child(sys.argv[1], int(sys.argv[2]))))
    else:
        main()
