"""Trajectory files under attack: `python -m tests.simulation.fuzz 20000`.

Each mutant of a saved trajectory has a changed header, a changed array or changed bytes.  It loads, or meets an error
of ours.
"""

import json
import random
import sys
import tempfile
import time
from collections import Counter
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

import articulated as art

from .rollouts import contacts, dog

NASTY: list[Any] = [
    None, True, False, 0, -1, 1, 3, 2**40, 2**63, 10**400, 0.5, 1e999, float("nan"), "", "x", "\0", "\ud800",
    "a" * 9999, [], [None], [[]], [0], [1, [2, 3]], ["x"], ["x"] * 5, {}, {"x": None}, {"damping": -1}, [{}],
    "<robot/>", "../x", "2r",
]  # fmt: skip
OTHERS = ["parameters", "resistances", "moments", "each_friction", "torques", "description"]
ARRAYS = ["float32", "int8", "complex128", "bool", "U3", "S2", "datetime64[s]", "V8", "float16", "uint64"]


def spoilt(rng: random.Random, value: Any) -> Any:
    """The value with one thing in it changed, taken away or put somewhere else."""
    inside = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    if not inside or rng.random() < 0.2:
        return rng.choice(NASTY)
    changed, key = value.copy(), rng.choice(inside)
    if rng.random() < 0.15:
        del changed[key]
    elif rng.random() < 0.15:
        changed[key] = value[rng.choice(inside)]
    else:
        changed[key] = spoilt(rng, value[key])
    return changed


def spoilt_array(rng: random.Random, x: np.ndarray) -> np.ndarray:
    """Another type or another shape."""
    return rng.choice([
        lambda: np.zeros(x.shape, rng.choice(ARRAYS)), lambda: x[..., None], lambda: x[:-1], lambda: np.zeros((0, 3)),
        lambda: np.asfortranarray(x), lambda: x * np.nan, lambda: np.array(3.0), lambda: x.T, lambda: x * 1e150,
    ])()  # fmt: skip


def mutant(rng: random.Random, whole: dict[str, bytes], arrays: dict[str, np.ndarray], path: Path) -> Path:
    """A file beside the whole ones, of any ending."""
    if rng.random() < 0.3:
        ending = rng.choice(list(whole))
        data = bytearray(whole[ending])
        for _ in range(rng.randint(1, 4)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        path.with_suffix(ending).write_bytes(data[: rng.randrange(len(data)) if rng.random() < 0.2 else None])
        return path.with_suffix(ending)
    changed = dict(arrays)
    if rng.random() < 0.7:
        header = json.loads(str(arrays["trajectory"]))
        header |= {rng.choice(OTHERS): rng.choice(NASTY)} if rng.random() < 0.2 else {}
        for _ in range(rng.randint(0, 3)):
            header = spoilt(rng, header)
        changed["trajectory"] = np.array(json.dumps(header))
    else:
        name = rng.choice([name for name in changed if name != "trajectory"])
        changed[name] = spoilt_array(rng, changed[name])
    np.savez(path.with_suffix(".npz"), **changed)
    return path.with_suffix(".npz")


def run(count: int, seed: int, folder: Path) -> Counter[str]:
    """How often each outcome was met; anything else than an error of ours is raised, with the mutant's file."""
    rng, met = random.Random(seed), Counter()
    motion = dog(5, (2,), contact=contacts(5, (2,)))
    whole = {}
    for ending in [".npz", ".csv", *([".parquet"] if find_spec("pyarrow") else [])]:
        motion.save(folder / f"whole{ending}")
        whole[ending] = (folder / f"whole{ending}").read_bytes()
    with np.load(folder / "whole.npz") as archive:
        arrays = dict(archive)
    for _ in range(count):
        path = mutant(rng, whole, arrays, folder / "mutant")
        try:
            art.Trajectory.load(path)
            met["loads"] += 1
        except art.ArticulatedError as problem:
            str(problem).encode()
            met[type(problem).__name__] += 1
    return met


def main(count: int = 10_000, seed: int | None = None) -> None:
    begun, seed = time.time(), int(time.time()) if seed is None else seed
    with tempfile.TemporaryDirectory() as folder:
        met = run(count, seed, Path(folder))
    print(
        f"{count} mutants with seed {seed} in {time.time() - begun:.0f} s, each loads or meets our errors: {dict(met)}"
    )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
