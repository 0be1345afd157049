"""Chains of 10 to 10000 bodies: the first call, every further one, and memory.  Each in a fresh process."""

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


if __name__ == "__main__":
    print(json.dumps(child(sys.argv[1], int(sys.argv[2]))))
