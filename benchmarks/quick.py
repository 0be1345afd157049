"""The headline ratios against Pinocchio in under a minute, one a line: `name ratio`."""

import sys
import tempfile
from pathlib import Path

from . import ours, processor
from .peers import pinocchio
from .robots import ROBOTS, case
from .timing import interleaved, ratio

BATCH = 4096
ROUNDS = 15
#: quantity -> the sizes in the table of targets
HEADLINES = {
    "inverse_dynamics": ((), BATCH),
    "forward_dynamics": ((), BATCH),
    "mass_matrix": ((), BATCH),
    ours.FUSED: ((),),
}


def main(rounds: int = ROUNDS) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for name in ROBOTS:
            robot = case(name, Path(folder))
            pinocchio.check(robot)
            for size in ((), BATCH):
                states = robot.states(size)
                theirs = pinocchio.calls(robot, states)
                for quantity in (q for q, sizes in HEADLINES.items() if size in sizes):
                    calls = {"ours": ours.call(robot, quantity, states), "theirs": theirs[quantity]}
                    found = interleaved(calls, rounds, calm=processor.calm)
                    label = f"batch{size}" if size else "one"
                    print(f"{name}.{quantity}.{label} {ratio(found['theirs'], found['ours']):.1f}", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
