"""Derivatives against Pinocchio from Python, for one state and in batches: `python -m benchmarks.derivatives [file]`.

Pinocchio computes one state per call; its batch is a loop in Python.  Candidates run in turn within one run, on a
loaded machine; medians of the CPU time of one thread, ratios medians of the ratios in each round; results are
compared before they are timed. A batch is a plain call, whose results (Talos: 95 and 142 MB) get the memory of those
of the call before.
"""

import os
import platform
import subprocess
import sys
import tempfile
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pinocchio as pin

import articulated as art
from articulated.compiler import pipeline
from articulated.compiler.passes.simplify import count
from articulated.robot.methods import requests

from .robots import Case, agree, case, pinocchio_twin
from .timing import Call, interleaved

ROBOTS = ("ur5", "panda", "solo12", "talos")
STATES, IN_CACHE, LOOP, ROUNDS = 4096, 256, 128, 9
THEIRS = {"inverse_dynamics": pin.computeRNEADerivatives, "forward_dynamics": pin.computeABADerivatives}
TITLES = {"inverse_dynamics": "∂tau/∂q and ∂tau/∂v", "forward_dynamics": "∂a/∂q, ∂a/∂v and M⁻¹"}
#: by all three arrays, a mass matrix or its inverse comes along; of inverse dynamics q and v are asked for
WRT = {"inverse_dynamics": ("q", "v"), "forward_dynamics": ("q", "v", "tau")}
#: seconds that a first call may take
COLD = {"ur5": 0.5, "panda": 0.5, "talos": 6}
#: what the table is held against, for one state and 4096 (issue: the floor, not the goal)
FLOOR = {"inverse_dynamics": {"ur5": (7, 42), "panda": (6, 28), "solo12": (5, 20), "talos": (5, 12)},
         "forward_dynamics": {"ur5": (7, 35), "panda": (5, 25), "solo12": (5, 15), "talos": (3, 7)}}  # fmt: skip


def loop(function: Any, model: Any, data: Any, q: np.ndarray, v: np.ndarray, last: np.ndarray) -> None:
    """As one writes it."""
    for i in range(len(q)):
        function(model, data, q[i], v[i], last[i])


def row(found: Case, method: str) -> str:
    """One row of the table."""
    robot, model = found.robot, pinocchio_twin(found)
    data, order = model.createData(), robot.permutation("pinocchio")
    one, many = found.states(), found.states(STATES)
    ours, theirs = robot.derivatives(method, wrt=WRT[method]), THEIRS[method]
    begun = time.process_time()
    ours(many.q, many.v, many.a)
    cold = time.process_time() - begun
    q, v, a = art.conventions.to_pinocchio(robot, many.q[:LOOP], many.v[:LOOP], many.a[:LOOP])[:3]
    reference = theirs(model, data, q[0], v[0], a[0])
    for x, y in zip(ours(many.q[0], many.v[0], many.a[0])[:2], reference[:2], strict=True):
        agree(f"{found.name}, {method}", x[np.ix_(order, order)], y, 1e-9)
    scope = {"ours": ours, "theirs": theirs, "loop": loop, "model": model, "data": data, "one": one, "many": many,
             "q": q, "v": v, "a": a, "out": ours(many.q, many.v, many.a)}  # fmt: skip
    times = interleaved(
        {
            "one": Call("ours(one.q, one.v, one.a)", scope),
            "their one": Call("theirs(model, data, q[0], v[0], a[0])", scope),
            "many": Call("ours(many.q, many.v, many.a)", scope),
            "given": Call("ours(many.q, many.v, many.a, out=out)", scope),
            "their many": Call("loop(theirs, model, data, q, v, a)", scope),
        },
        ROUNDS,
    )
    single = np.median(times["their one"] / times["one"])
    batch = np.median((times["their many"] / LOOP) / (times["many"] / STATES))
    floor = FLOOR[method][found.name]
    given, many = (np.median(times[name]) / STATES * 1e9 for name in ("given", "many"))
    return (
        f"| {found.name} | {operations(found, method)} | {np.median(times['one']) * 1e6:.2f} µs "
        f"| {single:.1f}× ({floor[0]}) | {many:.0f} ns | {batch:.1f}× ({floor[1]}) | {given:.0f} ns | {cold:.2f} s |"
    )


def operations(found: Case, method: str) -> int:
    """Operations of the compiled program."""
    kernels = found.robot.derivatives(method, wrt=WRT[method]).kernels
    (plain,), _ = requests(found.robot, [method])
    return sum(count(pipeline.program(kernels.kernel(kernels.derived(plain)).source)).values())


#: of a process of its own: seconds of the first call, and how many MB more it has taken at most
FIRST_CALL = """
import sys, time
from pathlib import Path
import numpy as np
import articulated as art
path, floating, method, wrt = sys.argv[1], sys.argv[2] == "True", sys.argv[3], sys.argv[4].split()
robot = art.load(path, floating_base=floating).frictionless()
q, v = robot.random(0, (64,)), np.ones((64, robot.nv))
robot.center_of_mass(q)  # LLVM is there
Path("/proc/self/clear_refs").write_text("5")  # the peak starts from here
most = lambda: int(Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0]) / 1024
before, begun = most(), time.process_time()
robot.derivatives(method, wrt=wrt)(q, v, v)
print(time.process_time() - begun, most() - before)
"""


HESSIANS = "Beside inverse dynamics of the same states, both into arrays that are there (at most 20 times its cost)."
FIRST_CALLS = "CPU time, LLVM imported, each in a process of its own (Linux); memory is what its peak grows by."


def first_calls(found: Case, method: str, cache: Path) -> str:
    """One row: a batch for the first time, and for the first time in another process that finds it in the cache."""
    given = [str(found.path), str(found.floating), method, " ".join(WRT[method])]
    environment = {**os.environ, "ARTICULATED_CACHE": str(cache / f"{found.name}_{method}")}
    cold, kept = (
        [float(x) for x in subprocess.run(
            [sys.executable, "-c", FIRST_CALL, *given], env=environment, capture_output=True, text=True, check=True
        ).stdout.split()]
        for _ in range(2)
    )  # fmt: skip
    limit = COLD.get(found.name)
    said = f" ({limit})" if limit else ""
    return (
        f"| {found.name} | {TITLES[method]} | {cold[0]:.2f} s{said} | {cold[1]:.0f} MB | {1e3 * kept[0]:.0f} ms (50) |"
    )


def hessian(found: Case) -> str:
    """One row: of λᵀ tau, beside inverse dynamics, in operations and in time for one state and in batches."""
    (plain,), _ = requests(found.robot, ["inverse_dynamics"])
    asking = found.robot.hessian("inverse_dynamics", wrt=("q", "v"))
    kernels = asking.kernels
    asked = kernels.derived(plain, ["cotangent_0"])
    of = [sum(count(pipeline.program(k.kernel(r).source)).values())
          for k, r in ((found.robot.kernels, plain), (kernels, asked))]  # fmt: skip
    ratios = []
    for shape in ((), (IN_CACHE,), (STATES,)):
        state = found.states(*shape)
        scope = {"robot": found.robot, "s": state, "hessian": asking, "tau": np.empty_like(state.v),
                 "out": asking(state.q, state.v, state.a, cotangents=state.tau)}  # fmt: skip
        times = interleaved(
            {
                "tau": Call("robot.inverse_dynamics(s.q, s.v, s.a, out=tau)", scope),
                "hessian": Call("hessian(s.q, s.v, s.a, cotangents=s.tau, out=out)", scope),
            },
            4 * ROUNDS,
        )
        ratios.append(f"{np.median(times['hessian'] / times['tau']):.1f}×")
    return f"| {found.name} | {of[0]} | {of[1]} | {of[1] / of[0]:.1f} | {' | '.join(ratios)} |"


def table(folder: Path) -> str:
    """The page."""
    packages = ", ".join(f"{name} {version(name)}" for name in ("numpy", "llvmlite", "pin"))
    about, _, how = (__doc__ or "").partition(": `")
    lines = [
        "# Derivatives", "", f"{about}; written by `python -m benchmarks.derivatives`.", *how.splitlines()[1:], "",
        f"{platform.machine()}; Python {platform.python_version()}, {packages}.  In brackets: the target.", "",
    ]  # fmt: skip
    head = (
        "| robot | operations | one state | times Pinocchio | per state, N = 4096 | times Pinocchio | with `out=` | "
        "cold compile |"
    )
    for method, title in TITLES.items():
        lines += [f"## {title}", "", head, "| --- | --- | --- | --- | --- | --- | --- | --- |"]
        lines += [row(case(name, folder), method) for name in ROBOTS] + [""]
    lines += ["## First calls with a batch", "", FIRST_CALLS, "", "| robot | | cold | memory | from the cache |",
              "| --- | --- | --- | --- | --- |"]  # fmt: skip
    lines += [first_calls(case(name, folder), method, folder) for name in ROBOTS for method in TITLES] + [""]
    lines += ["## Hessians of λᵀ tau by q and v", "", HESSIANS, "",
              "| robot | operations of inverse dynamics | of the Hessian | ratio | one state | of 256 | of 4096 |",
              "| --- | --- | --- | --- | --- | --- | --- |"]  # fmt: skip
    lines += [hessian(case(name, folder)) for name in ("ur5", "panda")] + [""]
    return "\n".join(lines)


if __name__ == "__main__":
    os.environ["ARTICULATED_CACHE"] = "off"
    with tempfile.TemporaryDirectory() as scratch:
        page = table(Path(scratch))
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(page, encoding="utf-8")
    print(page)
