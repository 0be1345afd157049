"""What a second thread brings a loop of multiply-adds: the most that the machine has to give at that moment.

Two processors of a virtual machine may be one core's two halves, at times: then work that fills a core's
multipliers gains nothing from a second thread, whoever wrote it.
"""

import ctypes
import threading
from functools import cache

from articulated.compiler import engine

from .timing import Call

NAME = "machine"
#: turns of the loop, some ten milliseconds: starting a thread does not count
TURNS = 5_000_000
_SUMS = 12


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


@cache
def _spin():
    """`spin(turns)`, which does not hold the interpreter's lock."""
    vector, names = "<4 x double>", range(_SUMS)
    lines = [
        "define void @spin(i64 %n) {",
        "entry:",
        "  br label %loop",
        "loop:",
        "  %i = phi i64 [ %n, %entry ], [ %less, %loop ]",
        *(f"  %x{k} = phi {vector} [ zeroinitializer, %entry ], [ %y{k}, %loop ]" for k in names),
        *(
            f"  %y{k} = call {vector} @llvm.fma.v4f64({vector} %x{k}, {vector} %x{k}, {vector} %x{(k + 1) % _SUMS})"
            for k in names
        ),
        "  %less = sub i64 %i, 1",
        "  %more = icmp sgt i64 %less, 0",
        "  br i1 %more, label %loop, label %done",
        "done:",
        *(f"  store volatile {vector} %y{k}, ptr @sink" for k in names),
        "  ret void",
        "}",
        f"@sink = internal global {vector} zeroinitializer",
        f"declare {vector} @llvm.fma.v4f64({vector}, {vector}, {vector})",
    ]
    code = engine.load(engine.compile_object("\n".join(lines)), ["spin"])
    function = ctypes.CFUNCTYPE(None, ctypes.c_int64)(code["spin"])
    function.code = code  # machine code lives as long as this object
    return function
