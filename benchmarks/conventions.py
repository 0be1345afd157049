"""Time to convert a state of MuJoCo, beside the law it feeds: `python -m benchmarks.conventions`.

It writes benchmarks/conventions.md.
"""

import platform
from importlib import metadata
from pathlib import Path

import numpy as np

import articulated as art
from articulated.compiler.runtime import call

from .timing import Call, interleaved, ratio

ROUNDS = 15
ROBOTS = ("panda", "quadruped", "humanoid")
SIZES = (1, 16, 256, 4096, 65536)
ABOUT = """# Conversions

Written by `python -m benchmarks.conventions`: q, v and a of MuJoCo to ours, and the inverse dynamics they are for, of
robots on a free base.  Both run in turn within one run; medians of the CPU time of one thread, by state; the ratio is
the median of the ratios in each round.  The last column is the ratio where both write into arrays that are there
(`out=`).  For one state, `from_mujoco` is a Python function of some 90 ns that looks up the robot's machine code, which
takes half as long as the law's.
"""


def row(name: str, size: int) -> str:
    robot, rng = art.load(name).floating(), np.random.default_rng(0)
    shape = () if size == 1 else (size,)
    q, (v, a) = robot.random(rng, shape), rng.normal(size=(2, *shape, robot.nv))
    there = [np.ascontiguousarray(x) for x in art.conventions.to_mujoco(robot, q, v, a)]
    scope = {"robot": robot, "q": q, "v": v, "a": a, "from_mujoco": art.conventions.from_mujoco,
             **dict(zip(("qpos", "qvel", "qacc"), there, strict=True)),
             "kept": tuple(map(np.empty_like, (q, v, a))), "torques": np.empty_like(v)}  # fmt: skip
    calls = {
        "convert": Call("from_mujoco(robot, qpos, qvel, qacc)", scope),
        "law": Call("robot.inverse_dynamics(q, v, a)", scope),
        "convert into": Call("from_mujoco(robot, qpos, qvel, qacc, out=kept)", scope),
        "law into": Call("robot.inverse_dynamics(q, v, a, out=torques)", scope),
    }
    taken = interleaved(calls, ROUNDS)
    convert, law = (float(np.median(taken[key])) / size * 1e9 for key in ("convert", "law"))
    new, into = (1 / ratio(taken[f"law{key}"], taken[f"convert{key}"]) for key in ("", " into"))
    return f"| {name} | {size} | {convert:.0f} ns | {law:.0f} ns | {new:.2f} | {into:.2f} |"


def main() -> None:
    versions = ", ".join(f"{package} {metadata.version(package)}" for package in ("numpy", "llvmlite"))
    way = f"called through Python ({call.reason()})" if call.reason() else "called in C"
    lines = [ABOUT, f"{platform.machine()}; Python {platform.python_version()}, {versions}; {way}.\n"]
    lines += ["| robot | states | from_mujoco | inverse dynamics | ratio | with `out=` |", "| --- " * 6 + "|"]
    lines += [row(name, size) for name in ROBOTS for size in SIZES]
    Path(__file__).with_suffix(".md").write_text("\n".join([*lines, ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
