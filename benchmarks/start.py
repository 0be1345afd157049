"""Before the first number: importing, compiling, fetching from the cache, memory.  Each in a fresh process."""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from .grid import progress
from .ours import ARGUMENTS

if TYPE_CHECKING:
    from .robots import Case, States

#: what is compiled for every robot
METHODS = ("inverse_dynamics", "mass_matrix", "forward_dynamics", "fused")
#: what is imported after NumPy
IMPORTS = {
    "`import articulated` with its names": "import articulated; articulated.Robot",
    "… and `load` a robot": "import articulated; articulated.load('panda')",
    "`import pinocchio`": "import pinocchio",
    "`import mujoco`": "import mujoco",
}
_TIMED = """
import numpy, psutil, time
before, begun = psutil.Process().memory_info().rss, time.process_time()
{statement}
taken = time.process_time() - begun
print(f'[{{taken}}, {{(psutil.Process().memory_info().rss - before) / 2**20}}]')
"""


def fresh(*command: str, cache: str = "off", timeout: float = 120):
    """Output of a new process, as JSON; compiled functions are kept in `cache`."""
    done = subprocess.run(
        [sys.executable, *command],
        env={**os.environ, "ARTICULATED_CACHE": cache},
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
        timeout=timeout,
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)[:60]}: {done.stderr.strip().splitlines()[-1:]}")
    return json.loads(done.stdout.splitlines()[-1])


def imports(repeats: int) -> dict[str, tuple[float, float]]:
    """Seconds of CPU and megabytes beyond NumPy."""
    found = {}
    for name, statement in IMPORTS.items():
        progress(name)
        taken = [fresh("-c", _TIMED.format(statement=statement)) for _ in range(repeats)]
        found[name] = tuple(median(values) for values in zip(*taken, strict=True))
    return found


def compiling(robot: str, repeats: int) -> dict[str, dict[str, float]]:
    """Seconds of CPU for first calls, "cold" and "cached"; under "memory" what the process holds in the end."""
    progress(f"{robot}, compiled in a fresh process")
    taken: dict[str, list[dict[str, float]]] = {"cold": [], "cached": []}
    for _ in range(repeats):
        with tempfile.TemporaryDirectory() as folder:
            for way in taken:
                taken[way].append(fresh("-m", "benchmarks.start", robot, cache=str(Path(folder) / "kernels")))
    return {way: {name: median(run[name] for run in runs) for name in runs[0]} for way, runs in taken.items()}


def child(name: str) -> dict[str, float]:
    """The times of this process, which has compiled nothing yet: first calls with one state, then with a batch."""
    import psutil

    import articulated as art

    from .robots import case

    with tempfile.TemporaryDirectory() as folder:
        subject = case(name, Path(folder))
    pendulum = art.build([art.Link("rod", joint=art.Revolute(axis=(0, 1, 0)), inertia=art.Inertia(1, (0, 0, 1)))])
    found = {"LLVM itself": _taken(lambda: pendulum.inverse_dynamics([0.0], [0.0], [0.0]))}
    for method in METHODS:
        call = _first_call(subject, method)
        for size, title in (((), method), (16, f"{method}, batch")):
            states = subject.states(size)
            found[title] = _taken(partial(call, states))
    return {**found, "memory": psutil.Process().memory_info().rss / 2**20}


def _first_call(subject: "Case", method: str) -> Callable[["States"], Any]:
    """A user's program, the fused function made by the first call that needs it."""
    if method == "fused":
        made: list[Callable] = []

        def fused(states: "States") -> Any:
            if not made:
                made.append(subject.robot.compile("mass_matrix", "bias_forces", ("jacobian", subject.frame)))
            return made[0](states.q, states.v)

        return fused
    arrays = ARGUMENTS[method].split(", ")
    return lambda states: getattr(subject.robot, method)(*(getattr(states, x) for x in arrays))


def _taken(call: Callable[[], Any]) -> float:
    begun = time.process_time()
    call()
    return time.process_time() - begun


if __name__ == "__main__":
    print(json.dumps(child(sys.argv[1])))
