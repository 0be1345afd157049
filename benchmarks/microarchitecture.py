"""Kernels over a grid of each constant of `compiler/processors.py`, to find the values for a processor.

`python -m benchmarks.microarchitecture` writes benchmarks/microarchitecture.md: batches of three kernels, each constant
changed by itself, for the straight-line code in assembly and for LLVM's.  All candidates compute the same bits.
"""

import os
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import articulated as art
from articulated.compiler import pipeline
from articulated.compiler.emit.emitters import LLVM, X86
from articulated.compiler.processors import GENERIC, Processor
from articulated.compiler.runtime import engine
from articulated.compiler.target import Target

from . import ours, processor
from .grid import progress
from .report import machine, table
from .robots import Case, States, case
from .timing import Call, interleaved, ratio

#: short, long and very long: with and without room in the µop cache
KERNELS = (("panda", "inverse_dynamics"), ("solo12", "forward_dynamics"), ("talos", "inverse_dynamics"))
STATES = 1024
ROUNDS = 25
#: a value that is never reached
NONE = 1 << 30

#: of the batch loop, whoever writes the code inside
LOOP: dict[str, tuple[Any, ...]] = {"frame_bytes": (0, NONE), "unrolled_columns": (0, 12, 64),
                                    "streaming_bytes": (0, NONE)}  # fmt: skip
#: by who writes the straight-line code: the constants it reads, and other values for each
GRID: dict[str, dict[str, tuple[Any, ...]]] = {
    X86.name: {
        "latency": (0.5, 1.5, 2),  # times the generic one
        "lookahead": (0, 8, 16, 48, 96),
        "live_range_bonus": (0, 6, 24),
        "reload_bonus": (1, 3, 4),
        "keep_within": (0, 4, 16),
        "uop_cache": (0, 4000, NONE),
        "window_uses": (2, 4),
        "window_lines": (64, 256),
        **LOOP,
    },
    LLVM.name: {
        "reload_after": (20, 40, 120, NONE),
        "frame_pointers": (1, 2, 8),
        "whole": (500, NONE),
        "chunk": (150, 600),
        **LOOP,
    },
}


def candidate(subject: Case, quantity: str, states: States, target: Target) -> Call:
    """A call with a batch, compiled for a target as if it were this machine."""
    own = replace(subject, robot=art.Robot(subject.robot.model))
    call = ours.call(own, quantity, states)
    here, engine.host = engine.host, lambda: target
    try:
        exec(call.statement, call.scope)  # the first call compiles
    finally:
        engine.host = here
    return call


def targets() -> dict[str, Target]:
    """By emitter, the target that lets it write batches here: assembly needs vectors of 32 bytes."""
    host = engine.host()
    assembly = replace(host, width=32)
    found = {X86.name: assembly} if pipeline.emitter_name(assembly, "batch") == X86.name else {}
    return {**found, LLVM.name: replace(host, x86=False)}


def variants(emitter: str) -> Iterator[tuple[str, Any, Processor]]:
    """Every constant with every other value, by itself."""
    for name, values in GRID[emitter].items():
        for value in values:
            changed: Any = value
            if name == "latency":
                changed = {op: round(value * cycles) for op, cycles in GENERIC.latency.items()}
            yield name, value, replace(GENERIC, **{name: changed})


def measured(emitter: str, target: Target, folder: Path) -> list[str]:
    """One table: times relative to the generic constants, a line per value, a column per kernel."""
    grid = {(name, value): made for name, value, made in variants(emitter)}
    columns = []
    for robot, quantity in KERNELS:
        progress(f"{emitter}: {robot}, {quantity}")
        subject = case(robot, folder)
        states = subject.states(STATES)
        calls = {
            key: candidate(subject, quantity, states, replace(target, processor=made))
            for key, made in {"generic": GENERIC, "again": GENERIC, **grid}.items()
        }
        for key, call in calls.items():
            out = calls["generic"].scope["out"]
            assert (call.scope["out"] == out).all(), f"{key}: {robot}, {quantity} differs"
            call.scope["out"] = out  # all use the same memory
        columns.append(interleaved(calls, ROUNDS, calm=processor.calm))
    nanoseconds = [f"{1e9 * np.median(found['generic']) / STATES:.0f} ns a state" for found in columns]
    lines = [["generic", "", *nanoseconds]]
    for key in ("again", *grid):
        shown = ("generic again", "") if key == "again" else (f"`{key[0]}`", _value(*key))
        lines.append([*shown, *(f"{ratio(found[key], found['generic']):.2f}" for found in columns)])
    head = ["constant", "value", *(f"{robot}, {quantity.replace('_', ' ')}" for robot, quantity in KERNELS)]
    return table(head, lines)


def _value(name: str, value: Any) -> str:
    """A value of the grid, and the generic one beside it."""
    usual = getattr(GENERIC, name)
    if name == "latency":
        return f"{value} times"
    return f"{'unlimited' if value == NONE else value} (generic {usual})"


HEAD = """# Constants of the micro-architecture

By `python -m benchmarks.microarchitecture`: batches of {states} states, one constant of `compiler/processors.py`
changed at a time.  Numbers are times relative to the generic constants, medians of the ratios over {rounds} rounds in
which all candidates run in turn; above 1 is slower.  The line "generic again" is the same code once more: what it
differs from 1 is noise, and so are differences of that size in other lines, the more so on a shared machine.

{machine}  LLVM calls the processor {processor}.
"""


def main() -> None:
    """Measure, write, show."""
    os.environ["ARTICULATED_CACHE"] = "off"  # its keys do not know what is changed here
    sections = []
    with tempfile.TemporaryDirectory() as folder:
        for emitter, target in targets().items():
            sections += [f"## {emitter}, {target.lanes()} states per vector", ""]
            sections += measured(emitter, target, Path(folder))
    name = engine.target().split("; ")[2]
    head = HEAD.format(states=STATES, rounds=ROUNDS, machine=machine(), processor=name)
    text = "\n".join([head, *sections]).rstrip() + "\n"
    Path(__file__).with_suffix(".md").write_text(text, encoding="utf-8")
    sys.stdout.write(text)


if __name__ == "__main__":
    main()
