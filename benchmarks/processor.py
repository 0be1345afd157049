"""Load of the machine at a moment: time left to a second thread, and to the first.

Two processors of a virtual machine may be one core's two halves, at times: then work that fills a core's
multipliers gains nothing from a second thread, whoever wrote it.
"""

import ctypes
import threading
import time
from functools import cache
from typing import Any

from articulated.compiler.runtime import engine

from .timing import Call

NAME = "machine"
#: turns of the loop, some ten milliseconds: starting a thread does not count
TURNS = 5_000_000
#: turns of the loop that looks whether the core is ours, a fifth of a millisecond
_GLANCE = 200_000


def call(threads: int) -> Call:
    """The loop once, or in two threads at the same time."""
    return Call(
        "spin(turns)" if threads == 1 else "both(spin, turns)", {"spin": _spin(), "both": _both, "turns": TURNS}
    )


def _both(spin, turns: int) -> None:
    other = threading.Thread(target=spin, args=(turns,))
    other.start()
    spin(turns)
    other.join()


def calm() -> float:
    """Seconds of a loop that keeps all four floating-point units busy: longer while somebody else uses the core."""
    begun = time.perf_counter()
    _loop("busy", "fmul {v} {x}, {x}", "fadd {v} {x}, {x}")(_GLANCE)
    return time.perf_counter() - begun


def _spin() -> Any:
    """A loop that keeps both multipliers busy."""
    return _loop("spin", "call {v} @llvm.fma.v4f64({v} {x}, {v} {x}, {v} {x})")


@cache
def _loop(name: str, *operations: str) -> Any:
    """`loop(turns)`, which does the operations by turns on twelve vectors, without the interpreter's lock."""
    vector, sums = "<4 x double>", range(12)
    lines = [
        f"define void @{name}(i64 %n) {{",
        "entry:",
        "  br label %loop",
        "loop:",
        "  %i = phi i64 [ %n, %entry ], [ %less, %loop ]",
        *(f"  %x{k} = phi {vector} [ zeroinitializer, %entry ], [ %y{k}, %loop ]" for k in sums),
        *(f"  %y{k} = {operations[k % len(operations)].format(v=vector, x=f'%x{k}')}" for k in sums),
        "  %less = sub i64 %i, 1",
        "  %more = icmp sgt i64 %less, 0",
        "  br i1 %more, label %loop, label %done",
        "done:",
        *(f"  store volatile {vector} %y{k}, ptr @sink" for k in sums),
        "  ret void",
        "}",
        f"@sink = internal global {vector} zeroinitializer",
        f"declare {vector} @llvm.fma.v4f64({vector}, {vector}, {vector})",
    ]
    code = engine.load(engine.compile_object("\n".join(lines)), [name])
    function = ctypes.CFUNCTYPE(None, ctypes.c_int64)(code[name])
    function.code = code  # type: ignore[attr-defined]  # machine code lives as long as this object
    return function
