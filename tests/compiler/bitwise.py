"""One state, a batch, a place in it and threads give the same bits: `python -m tests.compiler.bitwise 2000`."""

import random
import sys
import time

import numpy as np

import articulated as art

from ..methods import EVALUATED, arguments, results

#: by name, and whether on a free base
ROBOTS = [("2r", False), ("scara", False), ("ur5", False), ("ur5", True), ("panda", False), ("quadruped", True)]


def compare(robot: art.Robot, method: str, rng: np.random.Generator) -> list[str]:
    """The ways of asking whose answer differs from that of the batch."""
    n = int(rng.integers(2, 80))
    given = arguments(robot, method, rng, (n,))
    arrays = {name for name, x in given.items() if isinstance(x, np.ndarray)}

    def asked(rows: slice | int, strided: bool = False, **options: int) -> tuple[np.ndarray, ...]:
        chosen = {name: x[rows] if name in arrays else x for name, x in given.items()}
        if strided:
            chosen = {name: np.asfortranarray(x) if name in arrays else x for name, x in chosen.items()}
        return results(getattr(robot, method)(**chosen, **options))

    k, whole = int(rng.integers(n)), asked(slice(None))
    ways = {
        "alone": (asked(k), k), "from another place": (asked(slice(k, None)), slice(k, None)),
        "on 2 threads": (asked(slice(None), threads=2), slice(None)),
        "column by column": (asked(slice(None), strided=True), slice(None)),
    }  # fmt: skip
    same = {way: all(map(_same, found, (x[rows] for x in whole))) for way, (found, rows) in ways.items()}
    return [way for way, right in same.items() if not right]


def _same(x: np.ndarray, y: np.ndarray) -> bool:
    return x.shape == y.shape and x.tobytes() == y.tobytes()


def main(count: int = 500, seed: int | None = None) -> None:
    begun, seed = time.time(), int(time.time()) if seed is None else seed
    choice, rng = random.Random(seed), np.random.default_rng(seed)
    robots = [art.load(name, floating_base=floats) for name, floats in ROBOTS]
    wrong = 0
    for _ in range(count):
        robot, method = choice.choice(robots), choice.choice(EVALUATED)
        if method == "operational_space" and robot.nv < 6:
            continue  # it has no inertia in some directions
        if differing := compare(robot, method, rng):
            wrong += 1
            print(f"{robot.name}.{method} differs {', '.join(differing)}", flush=True)
    print(f"{count} batches with seed {seed} in {time.time() - begun:.0f} s, asked in 5 ways: {wrong} differ")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
