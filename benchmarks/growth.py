"""Chains of 10 to 10000 bodies: the first call, every further one, and memory.  Each in a fresh process.

`python -m benchmarks.growth` writes growth.md: every method of ours, 10 to 1000 bodies in steps, and closed loops;
`python -m benchmarks.growth loops` measures these alone.
"""

import importlib
import json
import os
import subprocess
import sys
import tempfile
import time
import timeit
from collections.abc import Sequence
from itertools import pairwise
from math import prod
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
    """Times of a chain of one length."""

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


# -- every method, 10 to 1000 bodies -----------------------------------------------------------

STEPS, SECONDS = (10, 20, 40, 60, 80, 120, 160, 200, 300, 500, 1000), 100
#: the most numbers in a result: beyond, a call allocates memory for longer than it computes
LARGEST = 3e6
#: how time grows with the number of bodies where that is not the size of the result: a matrix is factored
ORDERS = {
    **dict.fromkeys(("mass_matrix_inverse", "operational_space", "forward_dynamics composite_body"), 3),
    "geared forward_dynamics": 3,  # by composite bodies, too: joints that move together cannot be eliminated one by one
}
#: of robots that are not chains of one-axis joints, and derivatives
OTHERS = (
    *("floating inverse_dynamics", "floating mass_matrix", "floating mass_matrix_inverse", "floating coriolis_matrix"),
    *("geared inverse_dynamics", "geared mass_matrix", "geared forward_dynamics"),
    *("derivatives inverse_dynamics", "derivatives forward_dynamics"),
)
#: words before the name of a method
KINDS = ("floating", "geared", "derivatives")
PER_BODY = {"v": 1, "q": 1, "body": 1, "free": 1, "force": 6, "parameter": 10}


def methods() -> list[str]:
    """Every method, and those that run another algorithm by a choice."""
    from articulated.robot.quantities import QUANTITIES

    return [*QUANTITIES, "forward_dynamics articulated_body", "forward_dynamics composite_body"]


def sizes(method: str, bodies: int) -> tuple[int, int]:
    """Numbers in the result of a method, and how they grow: the power of the number of bodies."""
    from articulated.robot.quantities import QUANTITIES

    row = QUANTITIES[_name(method)]
    results = list(row.axes.values()) if isinstance(row.axes, dict) else [row.axes]
    if "derivatives" in method:
        results = [(*axes, "v") for axes in results for _ in row.arrays]
    numbers = sum(prod(PER_BODY[x] * bodies if x in PER_BODY else 4 for x in result) for result in results)
    return numbers, max(1, *(sum(x in PER_BODY for x in result) for result in results))


def _name(method: str) -> str:
    """The method that a line of the table is about."""
    return next(word for word in method.split() if word not in KINDS)


def kind(method: str, bodies: int):
    """The chain, on a free base, or with every eighth joint geared to the first."""
    import articulated as art

    robot = chain(bodies)
    if "geared" in method:
        first = robot.joint_names[0]
        joints = {k: art.Mimic(first, 0.5) for k in range(8, bodies, 8)}
        links = [
            k.replace(joint=k.joint.replace(mimic=joints[i])) if i in joints else k for i, k in enumerate(robot.links)
        ]
        return art.build(links, name=robot.name)
    return robot.floating() if "floating" in method else robot


def chain(bodies: int):
    """A chain whose joints turn about any axes and are placed anyhow: nothing of its program can be left out."""
    import articulated as art

    rng = np.random.default_rng(0)
    links = []
    for k in range(bodies):
        place = art.Transform.from_rpy(rng.uniform(-1, 1, 3), (0.1, 0.02, 0.01))
        joint = art.Revolute(rng.normal(size=3), armature=0.01, damping=0.1)
        spread = np.diag(rng.uniform(1, 2, 3)) * 1e-4
        inertia = art.Inertia(0.1, (0.05, 0.01, 0), spread + 1e-5)
        links.append(art.Link(f"l{k}", f"l{k - 1}" if k else None, joint, place, inertia))
    return art.build(links, name=f"chain{bodies}")


def one_state(method: str, bodies: int) -> tuple[float, float]:
    """CPU seconds of the first call of a method, and of each further one, for one state."""
    from articulated.robot.quantities import QUANTITIES

    name, robot, rng = _name(method), kind(method, bodies), np.random.default_rng(0)
    row, choice = QUANTITIES[name], method.partition(name)[2].split()
    given = [robot.integrate(robot.neutral(), 0.1 * rng.uniform(-1, 1, robot.nv))]
    given += [0.1 * rng.uniform(-1, 1, robot.nv) for _ in row.arrays[1:]]
    given += [f"l{bodies - 1}"] if "frame" in row.required else []
    options = {"method": choice[0]} if choice else {}
    call = robot.derivatives(name) if "derivatives" in method else getattr(robot, name)
    timer = timeit.Timer(lambda: call(*given, **options), timer=time.process_time)
    first, again = timer.timeit(1), timer.timeit(1)
    repeats = int(np.clip(2e-3 / max(again, 1e-6), 1, 2000))
    return first, min(timer.timeit(repeats) / repeats for _ in range(7 if again < 0.1 else 2))


def steps(method: str) -> list[tuple[int, float, float]]:
    """Bodies, first and further calls, for every length whose result is not too large."""
    found = []
    for bodies in STEPS:
        if sizes(method, bodies)[0] <= LARGEST:
            progress(f"{method}, {bodies} bodies")
            found.append((bodies, *fresh("-m", "benchmarks.growth", "one", method, str(bodies), timeout=SECONDS)))
    return found


def jumps(method: str, found: list[tuple[int, float, float]]) -> list[float]:
    """Each step's time over that of the step before, as many times as the bodies and the growth of the method say."""
    order = ORDERS.get(method, ORDERS.get(_name(method), sizes(method, 10)[1]))
    return [t / before / (bodies / fewer) ** order for (fewer, _, before), (bodies, _, t) in pairwise(found)]


def table(methods: Sequence[str]) -> list[str]:
    """A line for each method: microseconds of the shortest chain, then the jump of every step, and first calls."""
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    head = ["method", f"{STEPS[0]} bodies", *map(str, STEPS[1:]), "first call, 10", "200", "1000"]
    lines = [f"| {' | '.join(head)} |", "| --- " * len(head) + "|"]
    for method in methods:
        found = steps(method)
        first = {bodies: seconds for bodies, seconds, _ in found}
        cells = [f"{x:.2g}" for x in jumps(method, found)]
        cells += [""] * (len(STEPS) - 1 - len(cells))
        cells += [f"{first[n]:.2g} s" if n in first else "" for n in (10, 200, 1000)]
        lines.append(f"| {method.replace('_', ' ')} | {found[0][2] * 1e6:.2g} µs | {' | '.join(cells)} |")
        print(lines[-1], flush=True)
    return lines


TEXT = f"""# Growth

Made by `python -m benchmarks.growth`: one state of a general chain, every method, CPU time of one thread, each length
in a fresh process without a cache. The first column is the time of a call for {STEPS[0]} bodies; the others are jumps:
the time over that of the column before, divided by the growth that the method has anyway (as the numbers in its result,
or as the bodies cubed where a matrix is factored). 1 is no jump. Up to 200 bodies there is straight-line code, unless
that is too long; else there are loops over bodies, compiled once for all robots. Results of more than {LARGEST:.0e}
numbers are left out. `python -m benchmarks.growth rows METHOD …` measures single lines, as was done for some of these.
"""


OTHER_TEXT = """## Other joints, and derivatives

The chain on a free base; the chain with every eighth joint geared to the first; derivatives by all arguments. Up to
120,000 operations and 200 bodies these are straight-line code; longer ones are loops over rows of one axis each, which
another kernel finds from the state, or are composed of such loops by NumPy.
"""


# -- closed loops -----------------------------------------------------------------------------

LOOPS = (1, 2, 4, 6, 7, 10, 12, 13, 20, 28, 40)
LAWS = ("inverse_dynamics", "forward_dynamics")
MOTORS = ("at the cranks", "at every joint")


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


def loop_child(loops: int, motors: str) -> list[tuple[float, float]]:
    """First and further calls of each law, in this process."""
    import articulated as art

    held, q = ladder(loops)
    if motors == MOTORS[1]:
        held = art.Contacts(held.robot, loops=[(f"pin{i}", f"eye{i}") for i in range(loops)])
    found = []
    for law in LAWS:
        still = np.zeros(3 * loops)
        last = still if law == "inverse_dynamics" else np.zeros(len(held.actuated))
        timer = timeit.Timer(lambda law=law, v=still, x=last: getattr(held, law)(q, v, x), timer=time.process_time)
        first, again = timer.timeit(1), timer.timeit(1)
        repeats = int(np.clip(5e-3 / max(again, 1e-6), 1, 5000))
        found.append((first, min(timer.timeit(repeats) / repeats for _ in range(9))))
    return found


def loop_lines() -> list[str]:
    """The table of closed loops, each number of them in a fresh process without a cache."""
    lines = [
        "## Closed loops", "",
        "Contacts of four-bars on top of each other, three rows and three joints each, with motors at the cranks or at "
        "every joint: CPU time of one thread, the least of nine, in a fresh process without a cache. A jump is the "
        "time over that of the line before, divided by the growth of the loops cubed: rows are factored. Torques of up "
        "to twelve loops with motors at the cranks, and all else of up to six, are straight-line code; larger sets are "
        "loops over rows.",
        "",
        "| motors | loops | inverse dynamics: first call | one state | jump | forward dynamics: first call | one state "
        "| jump |",
        "| --- " * 8 + "|",
    ]  # fmt: skip
    for motors in MOTORS:
        before: list[float] = []
        for fewer, loops in zip((1, *LOOPS), LOOPS, strict=False):
            progress(f"{loops} loops, motors {motors}")
            times = fresh("-m", "benchmarks.growth", "loops", str(loops), motors)
            own = [one for _, one in times]
            jumps = [f"{t / b / (loops / fewer) ** 3:.2g}" for t, b in zip(own, before, strict=False)] or ["", ""]
            cells = [
                f"{first:.2g} s | {one * 1e6:.3g} µs | {jump}" for (first, one), jump in zip(times, jumps, strict=True)
            ]
            lines.append(f"| {motors} | {loops} | {' | '.join(cells)} |")
            before = own
    return lines


def renew_loops() -> None:
    """The section on closed loops alone, measured again."""
    page = Path(__file__).parent / "growth.md"
    kept = page.read_text(encoding="utf-8").split("## Closed loops")[0]
    page.write_text(kept + "\n".join(loop_lines()) + "\n", encoding="utf-8")


def main() -> None:
    """Measure, print, write the table."""
    (Path(__file__).parent / "growth.md").write_text(
        "\n".join([TEXT, *table(methods()), "", OTHER_TEXT, *table(OTHERS), "", *loop_lines()]) + "\n", encoding="utf-8"
    )


if __name__ == "__main__":
    if sys.argv[1:2] == ["one"]:
        print(json.dumps(one_state(sys.argv[2], int(sys.argv[3]))))
    elif sys.argv[1:] == ["loops"]:
        renew_loops()
    elif sys.argv[1:2] == ["loops"]:
        print(json.dumps(loop_child(int(sys.argv[2]), sys.argv[3])))
    elif sys.argv[1:2] == ["rows"]:
        table(sys.argv[2:])
    elif len(sys.argv) > 2:
        print(json.dumps(child(sys.argv[1], int(sys.argv[2]))))
    else:
        main()
