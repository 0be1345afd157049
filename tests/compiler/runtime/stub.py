"""A kernel small enough to be read: machine code written by hand, and another in Python."""

import ctypes
from collections import namedtuple
from functools import reduce

import numpy as np

from articulated.compiler.runtime import engine
from articulated.compiler.runtime.call import BATCH, EntryPoints

# x (3,), y (2,) -> their sum (scalar) and 2·x (3,), in straightforward scalar code
STUB = """
define void @articulated_one(ptr %args) {
  %strides = alloca [4 x i64]
  %bad = call i32 @articulated_batch(i64 1, ptr %args, ptr %strides)
  ret void
}
define i32 @articulated_batch(i64 %n, ptr %args, ptr %strides) {
entry:
  %any = icmp sgt i64 %n, 0
  br i1 %any, label %row, label %end
row:
  %i = phi i64 [ 0, %entry ], [ %i1, %row ]
  %seen = phi double [ 0.0, %entry ], [ %seen5, %row ]
POINTERS
  %sum = fadd double %x0, %y1
  store double %sum, ptr %p2
DOUBLES
FINITE
  %i1 = add i64 %i, 1
  %done = icmp eq i64 %i1, %n
  br i1 %done, label %end, label %row
end:
  %all = phi double [ 0.0, %entry ], [ %seen5, %row ]
  %odd = fcmp uno double %all, 0.0
  %bad = zext i1 %odd to i32
  ret i32 %bad
}
"""


def _text() -> str:
    lines = []
    for k in range(4):
        lines += [
            f"  %a{k} = getelementptr ptr, ptr %args, i64 {k}",
            f"  %b{k} = load ptr, ptr %a{k}",
            f"  %t{k} = getelementptr i64, ptr %strides, i64 {k}",
            f"  %s{k} = load i64, ptr %t{k}",
            f"  %o{k} = mul i64 %s{k}, %i",
            f"  %p{k} = getelementptr i8, ptr %b{k}, i64 %o{k}",
        ]
    lines += ["  %x0 = load double, ptr %p0", "  %y1.at = getelementptr double, ptr %p1, i64 1"]
    lines += ["  %y1 = load double, ptr %y1.at", "  %y0 = load double, ptr %p1"]
    doubles = []
    for c in range(3):
        doubles += [
            f"  %in{c} = getelementptr double, ptr %p0, i64 {c}",
            f"  %v{c} = load double, ptr %in{c}",
            f"  %w{c} = fadd double %v{c}, %v{c}",
            f"  %out{c} = getelementptr double, ptr %p3, i64 {c}",
            f"  store double %w{c}, ptr %out{c}",
        ]
    finite, before = [], "%seen"
    for k, name in enumerate(("%v0", "%v1", "%v2", "%y0", "%y1"), start=1):
        finite += [f"  %nil{k} = fsub double {name}, {name}", f"  %seen{k} = fadd double {before}, %nil{k}"]
        before = f"%seen{k}"
    parts = {"POINTERS": lines, "DOUBLES": doubles, "FINITE": finite}
    return reduce(lambda text, part: text.replace(part[0], "\n".join(part[1])), parts.items(), STUB)


Pair = namedtuple("Pair", "total doubled")
X, Y = np.ones((5, 3)), np.ones((5, 2))


def machine_code() -> engine.Code:
    """Its code, mapped anew."""
    return engine.load(engine.compile_object(_text()), ("articulated_one", "articulated_batch"))


def entry_points(code: engine.Code, sizes=(3, 2), shapes=((), (3,)), most=10_000) -> EntryPoints:
    """The kernel for both entry points; with other sizes it reads the first numbers of each."""
    found = EntryPoints(sizes, shapes, Pair, np.dtype(float), most)
    found.add("one", code)
    found.add("batch", code)
    return found


class PythonBatch:
    """Entry points whose batch copies a column, after a function of the caller's has run."""

    def __init__(self, before=lambda: None, result=None, outputs=1):
        self.before, self.outputs = before, outputs
        self.function = BATCH(self._copy)  # entered with the GIL, whoever calls
        self.entry_points = EntryPoints((1,), ((1,),) * outputs, result, np.dtype(float))
        self.entry_points.add("batch", {"articulated_batch": ctypes.cast(self.function, ctypes.c_void_p).value})
        self.attempt = self.entry_points.callee.attempt

    def _copy(self, rows, pointers, strides):
        self.before()
        source, *targets = (ctypes.c_int64 * (1 + self.outputs)).from_address(pointers)
        for target in targets:
            ctypes.memmove(target, source, 8 * rows)
        return bool(np.isnan((ctypes.c_double * rows).from_address(source)).any())


def handed_over(*arguments, **named):
    """A fallback that tells what it was given."""
    return "fallback", arguments, named
