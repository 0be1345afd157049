"""Before the first number: importing, compiling, fetching from the cache, memory.  Each in a fresh process."""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from .grid import progress

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
    """What a new process prints, as JSON; compiled functions are kept in `cache`."""
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
    """Seconds of CPU for each method, "cold" and "cached"; under "memory" what the process holds in the end."""
    progress(f"{robot}, compiled in a fresh process")
    taken: dict[str, list[dict[str, float]]] = {"cold": [], "cached": []}
    for _ in range(repeats):
        with tempfile.TemporaryDirectory() as folder:
            for way in taken:
                taken[way].append(fresh("-m", "benchmarks.start", robot, cache=str(Path(folder) / "kernels")))
    return {way: {name: median(run[name] for run in runs) for name in runs[0]} for way, runs in taken.items()}


def child(name: str) -> dict[str, float]:
    """The times of this process, which has compiled nothing yet."""
    import psutil

    import articulated as art

    from .robots import case

    with tempfile.TemporaryDirectory() as folder:
        subject = case(name, Path(folder))
    pendulum = art.build([art.Link("rod", joint=art.Revolute(axis=(0, 1, 0)), inertia=art.Inertia(1, (0, 0, 1)))])
    wanted = {method: (subject.robot.warm, [method]) for method in METHODS[:-1]}
    wanted["fused"] = (subject.robot.compile, ["mass_matrix", "bias_forces", ("jacobian", subject.frame)])
    found = {}
    for what, (function, arguments) in {"LLVM itself": (pendulum.warm, ["inverse_dynamics"]), **wanted}.items():
        begun = time.process_time()
        function(*arguments)
        found[what] = time.process_time() - begun
    return {**found, "memory": psutil.Process().memory_info().rss / 2**20}


if __name__ == "__main__":
    print(json.dumps(child(sys.argv[1])))
