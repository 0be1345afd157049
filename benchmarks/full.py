"""Everything against the peers, in some minutes: writes results.md and plots.

`python -m benchmarks.full 0.3` takes three tenths of the rounds, for a first look.
"""

import sys
import tempfile
from pathlib import Path

from . import growth, plots, report, start
from .grid import grid, others, progress, single_precision, two_threads
from .peers import installed
from .robots import ROBOTS, case

RESULTS = Path(__file__).parent / "results.md"


def main(scale: float = 1.0) -> None:
    peers, missing = installed()
    main_peers = [peer for peer in peers if peer.NAME in ("pin", "mujoco")]
    pinocchio = next(peer for peer in main_peers if peer.NAME == "pin")
    with tempfile.TemporaryDirectory() as folder:
        cases = [case(name, Path(folder)) for name in ROBOTS]
        for one in cases:
            for peer in main_peers:
                peer.check(one)
        progress("the libraries agree")
        rows = list(grid(cases, main_peers, scale))
        rest, notes = others(cases, [peer for peer in peers if peer not in main_peers], scale)
        single = list(single_precision(cases, scale))
        threads = list(two_threads(cases, pinocchio, scale))
    repeats = 3 if scale >= 1 else 1
    compiled = {name: start.compiling(name, repeats) for name in ROBOTS}
    imported = start.imports(repeats)
    chains = growth.chains()
    pictures = plots.draw(rows + rest, chains)
    notes += [f"{name}: {why}" for name, why in missing.items()]
    sections = {
        "headlines": report.headlines(rows),
        **{name: report.of_robot(rows, name) for name in ROBOTS},
        "others": [*report.of_others(rest), *(f"- Not measured: {note}" for note in notes), ""],
        "float32": report.precisions(single),
        "threads": report.threads(threads),
        "compiling": report.compiling(compiled),
        "importing": report.imports(imported),
        "growth": report.growth(chains),
    }
    RESULTS.write_text(page(sections, pictures), encoding="utf-8")
    progress(f"wrote {RESULTS.name} and {len(pictures)} plots")


def page(sections: dict[str, list[str]], pictures: list[str]) -> str:
    """The results with what one has to know to read them."""
    lines = [
        "# Measurements",
        "",
        "Written by `make bench`. Every library reads the same URDF, without friction and with the fingers of the",
        "Panda fixed. Before anything is timed, forces, mass matrix and accelerations must agree with Pinocchio's to",
        "1e-10, forces and accelerations with MuJoCo's to 1e-9, and one quantity with each further library's (dynibo",
        "at its own gravity, 9.80665). Candidates run in turn within one run; times are medians of the CPU time of",
        "one thread, ratios the medians of the ratios in each round, and a round waits a little until no other program",
        "uses the core (benchmarks/timing.py). One state: a call from Python without `out`,",
        "its result dropped at once, so that ours fills the same arrays again and allocates none (docs/kernels.md).",
        "Batches: row-major arrays in, results into an array that is there. Pinocchio works in its own",
        "order of memory, with `rneaInParallel` and `abaInParallel` where they serve and a loop in Python elsewhere",
        "(not repeated for the largest batch, as a loop costs the same per state); MuJoCo in a loop, with the steps",
        "of its pipeline each quantity needs, Jacobian and pose at the body that carries the frame. Results of",
        "more than 256 MB are left out.",
        "",
        report.machine(),
        "",
    ]
    for name, content in sections.items():
        title, text = TITLES.get(name, (name, EACH))
        lines += [f"## {title}", "", text, "", *content]
    lines += ["## Plots", "", *(f"![{name}](plots/{name})" for name in pictures), ""]
    return "\n".join(lines)


EACH = "Our time per state, then how many times longer Pinocchio and MuJoCo take."
TITLES = {
    "headlines": ("Against Pinocchio", "How many times longer Pinocchio takes; in brackets what we set out to reach."),
    "others": ("Further libraries", "Their time per state by the clock, and how many times longer than ours that is."),
    "float32": ("Single precision", "Time per state, N = 4096."),
    "threads": (
        "Two threads",
        "Time per state by the clock, N = 65536, and what the second thread brings: the median of the ratios in each\n"
        "round, then the ratio of the shortest times. Last what it brings a loop of multiply-adds in the same rounds:\n"
        "two processors of a virtual machine are now and then halves of one core.",
    ),
    "compiling": (
        "Compiling",
        "CPU time of first calls in a fresh process; with an empty / a filled cache.",
    ),
    "importing": ("Importing", "In a fresh process that has imported NumPy."),
    "growth": ("Long chains", "One state, each length in a fresh process without a cache; CPU time."),
}


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
