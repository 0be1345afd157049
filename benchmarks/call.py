"""Overhead of a call: in C, through Python, through the method, and NumPy's own for comparison.

`python -m benchmarks.call` writes benchmarks/call.md.
"""

import os
import platform
import sys
import tempfile
from importlib import metadata
from pathlib import Path

import numpy as np

import articulated as art
from articulated.compiler.runtime import call

from . import processor
from .robots import Case, case
from .timing import Call, interleaved

ROUNDS = 15
#: what is called, as a user writes it; in braces the functions of one of the ways
CASES = {
    "inverse dynamics, result dropped": "{id}(q, v, a)",
    "inverse dynamics, kept": "kept.append({id}(q, v, a))",
    "inverse dynamics, `out=`": "{id}(q, v, a, out=tau)",
    "mass matrix, result dropped": "{M}(q)",
    "mass matrix, `out=`": "{M}(q, out=full)",
    "M and bias forces in one call": "{both}(q, v)",
    "Jacobian of a frame": "{J}(q, frame)",
    "inverse dynamics, 16 states": "{id}(qs, vs, vs)",
    "inverse dynamics, 4096 states": "{id}(many_q, many_v, many_v)",
}
WAYS = ("in C", "through Python", "the method")
HEAD = """# A call

Written by `python -m benchmarks.call`: one call from Python, arrays in, arrays out, everything included.  In C is the
extension `_call.c`; through Python is what an installation without a C compiler does; the method is the way through
`Robot`'s own code to the call in C, which every call but the first leaves out.  Candidates run in turn within one run;
medians of the CPU time of one thread.  A ufunc on the same vectors (`np.add(v, a)`) is what NumPy itself takes.

{machine}; Python {python}, {versions}.
"""


def functions(robot: art.Robot, wish: str, frame: str) -> dict:
    """The functions of a robot that are called in one of the two ways."""
    os.environ["ARTICULATED_EXTENSION"] = wish
    own = art.Robot(robot.model)
    own.warm("inverse_dynamics", "mass_matrix", ("jacobian", frame))
    both = own.compile("mass_matrix", "bias_forces")
    del os.environ["ARTICULATED_EXTENSION"]
    return {"id": own.inverse_dynamics, "M": own.mass_matrix, "J": own.jacobian, "both": both, "own": own}


def rows(robot: Case, rounds: int) -> list[list[str]]:
    one, few, many = robot.states(), robot.states(16), robot.states(4096)
    nv = robot.robot.nv
    scope = {
        "q": one.q, "v": one.v, "a": one.a, "tau": np.empty(nv), "full": np.empty((nv, nv)), "kept": [], "np": np,
        "frame": robot.frame, "qs": few.q, "vs": few.v, "many_q": many.q, "many_v": many.v,
    }  # fmt: skip
    made = {way: functions(robot.robot, wish, robot.frame) for way, wish in zip(WAYS, ("", "off"), strict=False)}
    own = made["in C"]["own"]
    methods = {"id": "inverse_dynamics", "M": "mass_matrix", "J": "jacobian"}
    made["the method"] = {short: getattr(type(own), name).__get__(own) for short, name in methods.items()}
    found = [["`np.add(v, a)`", *[""] * len(WAYS), *timed({"floor": Call("np.add(v, a)", scope)}, rounds)]]
    for text, statement in CASES.items():
        calls = {
            way: Call(statement.format(**{name: name for name in names}), {**scope, **names, "kept": []})
            for way, names in made.items()
            if way != "the method" or "{both}" not in statement
        }
        taken = timed(calls, rounds)
        found.append([text, *taken, *[""] * (len(WAYS) + 1 - len(taken))])
    return found


def timed(calls: dict[str, Call], rounds: int) -> list[str]:
    return [_readable(float(np.median(x))) for x in interleaved(calls, rounds, calm=processor.calm).values()]


def _readable(seconds: float) -> str:
    return f"{1e9 * seconds:.0f} ns" if seconds < 1e-6 else f"{1e6 * seconds:.3g} µs"


def main(rounds: int = ROUNDS) -> None:
    if problem := call.reason():
        raise SystemExit(f"there is no call in C to measure: {problem}")
    versions = ", ".join(f"{name} {metadata.version(name)}" for name in ("numpy", "llvmlite"))
    text = HEAD.format(machine=platform.machine(), python=platform.python_version(), versions=versions)
    with tempfile.TemporaryDirectory() as folder:
        for name in ("panda", "solo12"):
            text += f"\n| {name} | {' | '.join(WAYS)} | NumPy |\n|{' --- |' * (len(WAYS) + 2)}\n"
            text += "".join(f"| {' | '.join(row)} |\n" for row in rows(case(name, Path(folder)), rounds))
    Path(__file__).with_name("call.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
