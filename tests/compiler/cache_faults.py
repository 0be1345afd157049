"""A cache whose writers are killed and whose files are spoilt: `python -m tests.compiler.cache_faults 200`.

Each round starts a program on what the rounds before have left.  It is killed with `kill -9` at a random time, or it
finishes, with the right numbers and without a word; then some files are cut, overwritten, emptied or exchanged.
"""

import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import articulated as art

PROGRAM = """
import sys, warnings, numpy as np, articulated as art
warnings.simplefilter("error")
robot = art.load("scara")
q = np.linspace(0.1, 0.4, robot.nq)
for method in ("mass_matrix", "gravity_forces", "center_of_mass", "centroidal_map"):
    print(getattr(robot, method)(q).tobytes().hex())
"""


def started(folder: str) -> subprocess.Popen:
    environment = {**os.environ, "ARTICULATED_CACHE": folder, "PYTHONPATH": str(Path(art.__file__).parents[1])}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen([sys.executable, "-c", PROGRAM], **pipes, env=environment, text=True)


def spoil(rng: random.Random, folder: Path) -> None:
    """About half of the files."""
    paths = sorted(path for path in folder.iterdir() if rng.random() < 0.5)
    for path in paths:
        data = bytearray(path.read_bytes())
        for _ in range(rng.randint(1, 4) if data else 0):
            data[rng.randrange(len(data))] = rng.randrange(256)
        other = rng.choice(paths).read_bytes()
        path.write_bytes(rng.choice([data, data[: rng.randrange(len(data) + 1)], b"", other, other + data]))


def run(count: int, seed: int, folder: Path) -> Counter[str]:
    """How often programs were killed and how often they finished."""
    rng, met, expected = random.Random(seed), Counter(), started("off").communicate()
    assert len(expected[0].splitlines()) == 4 and not expected[1], expected
    begun = time.monotonic()
    started(str(folder)).communicate()
    took = time.monotonic() - begun
    for _ in range(count):
        process = started(str(folder))
        if rng.random() < 0.7:
            time.sleep(rng.uniform(0, took))
            process.kill()
        found = process.communicate()
        assert process.returncode in (0, -9) and (process.returncode or found == expected), found
        met["killed" if process.returncode else "finished, right"] += 1
        if rng.random() < 0.5 and folder.exists():
            spoil(rng, folder)
            met["spoilt"] += 1
    return met


def main(count: int = 20, seed: int | None = None) -> None:
    begun, seed = time.time(), int(time.time()) if seed is None else seed
    with tempfile.TemporaryDirectory() as folder:
        met = run(count, seed, Path(folder) / "cache")
    print(f"{count} programs with seed {seed} in {time.time() - begun:.0f} s: {dict(met)}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
