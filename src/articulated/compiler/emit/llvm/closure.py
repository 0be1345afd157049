"""A routine with arrays that stay, as a kernel: `@articulated_one(data)` or `@articulated_batch(n, data, strides)`.

The arrays of the robot, the counts and the tables are constants of the module; the routine's own arrays are allocated
for the time of a call, so that threads may call it at once.
"""

from collections.abc import Sequence
from typing import NamedTuple

from .types import definition, loop

_ALLOCATION = """declare ptr @articulated_allocate(i64)
declare void @articulated_free(ptr)"""


def unusual(precision: str = "float64") -> str:
    """`@unusual(n, array, stride, count)`: negative if one of n rows of numbers holds one that is not finite.

    Such a number has all bits of its exponent set: one more carries into the sign.
    """
    bits, exponent = {"float64": (64, 52), "float32": (32, 23)}[precision]
    number = [
        f"%at = getelementptr i{bits}, ptr %start, i64 %each.k",
        f"%bits = load i{bits}, ptr %at, align {bits // 8}",
        f"%size = and i{bits} %bits, {2 ** (bits - 1) - 1}",
        f"%carried = add i{bits} %size, {2**exponent}",
        f"%found = or i{bits} %before, %carried",
    ]
    inside = [
        "%skip = mul i64 %row.k, %stride",
        "%start = getelementptr i8, ptr %array, i64 %skip",
        *loop("each", "%count", number, "row", "", [f"%before = phi i{bits} [ %any, %row ], [ %found, %each ]"]),
    ]
    rows = loop(
        "row", "%n", inside, latch="each.end", carried=[f"%any = phi i{bits} [ 0, %entry ], [ %found, %each.end ]"]
    )
    head = f"i{bits} @unusual(i64 %n, ptr %array, i64 %stride, i64 %count) nounwind"
    return definition(head, *rows, f"  ret i{bits} %found")


class Setting(NamedTuple):
    """The arguments of a routine of double precision that do not change, and where those that do are found."""

    address: int  # of the routine
    #: "given" and the position among the arrays of a call, "fixed" and where, or "made" first and its offset
    parameters: Sequence[tuple[str, int]]
    counts: Sequence[int]
    tables: Sequence[int]  # addresses
    offsets: Sequence[int]  # of the routine's own arrays
    memory: int  # bytes of these
    first: "First | None" = None


class First(NamedTuple):
    """A kernel that is run first, on some arrays of the call; its results are `size` bytes for each state."""

    address: int
    inputs: Sequence[int]
    size: int


def closure(setting: Setting, entry: str, sizes: Sequence[int]) -> str:
    """The module with one entry point; `sizes` are those of the inputs, which come first in a call."""
    parts = [_ALLOCATION, _words("counts", setting.counts), _words("tables", setting.tables)]
    parts.append(_run(setting, entry))
    if entry == "one":
        parts += [_words("none", [0] * (len(sizes) + len(setting.parameters))), _ONE]
    else:
        parts += [unusual(), _batch(sizes)]
    return "\n\n".join(parts) + "\n"


_ONE = """define void @articulated_one(ptr %data) nounwind {
  call void @run(i64 1, ptr %data, ptr @none)
  ret void
}"""


def _words(name: str, values: Sequence[int]) -> str:
    values = values or [0]
    return f"@{name} = internal constant [{len(values)} x i64] [{', '.join(f'i64 {x}' for x in values)}], align 8"


def _run(setting: Setting, entry: str) -> str:
    """The call of the routine, its arrays in order and its own memory allocated."""
    count, size = len(setting.parameters), setting.first.size if setting.first else 0
    lines = [
        f"%args = alloca [{count} x i64], align 8",
        f"%steps = alloca [{count} x i64], align 8",
        f"%locals = alloca [{max(len(setting.offsets), 1)} x i64], align 8",
        f"%made.size = mul i64 %n, {size}",
        f"%size = add i64 %made.size, {setting.memory + 64}",
        "%block = call ptr @articulated_allocate(i64 %size)",
        "%address = ptrtoint ptr %block to i64",
        "%above = add i64 %address, 63",
        "%start = and i64 %above, -64",
        f"%made = add i64 %start, {setting.memory}",
    ]
    if setting.first:
        lines += _first(setting.first, entry)
    for k, (kind, where) in enumerate(setting.parameters):
        if kind == "given":
            lines += [*_taken("args", k, "data", where), *_taken("steps", k, "strides", where)]
        elif kind == "made":
            lines += [f"%made{k} = add i64 %made, {where}", *_stored("args", k, f"%made{k}")]
            lines += _stored("steps", k, str(size))
        else:
            lines += [*_stored("args", k, str(where)), *_stored("steps", k, "0")]
    for k, offset in enumerate(setting.offsets):
        lines += [f"%local{k} = add i64 %start, {offset}", *_stored("locals", k, f"%local{k}")]
    lines += [
        f"call i32 inttoptr (i64 {setting.address} to ptr)"
        "(i64 %n, ptr %args, ptr %steps, ptr @counts, ptr @tables, ptr %locals)",
        "call void @articulated_free(ptr %block)",
        "ret void",
    ]
    head = "define internal void @run(i64 %n, ptr %data, ptr %strides) nounwind {"
    return "\n".join([head, *(f"  {line}" for line in lines), "}"])


def _first(first: First, entry: str) -> list[str]:
    """The call of the kernel that is run before."""
    count = len(first.inputs)
    lines = [f"%first.{table} = alloca [{count + 1} x i64], align 8" for table in ("args", "steps")]
    for k, where in enumerate(first.inputs):
        lines += [*_taken("first.args", k, "data", where), *_taken("first.steps", k, "strides", where)]
    lines += [*_stored("first.args", count, "%made"), *_stored("first.steps", count, str(first.size))]
    function = f"inttoptr (i64 {first.address} to ptr)"
    if entry == "one":
        return [*lines, f"call void {function}(ptr %first.args)"]
    return [*lines, f"%odd.first = call i32 {function}(i64 %n, ptr %first.args, ptr %first.steps)"]


def _taken(table: str, k: int, source: str, where: int) -> list[str]:
    """Entry k of a table, as the caller has it."""
    return [
        f"%from.{table}{k} = getelementptr i64, ptr %{source}, i64 {where}",
        f"%{table}{k} = load i64, ptr %from.{table}{k}, align 8",
        *_stored(table, k, f"%{table}{k}"),
    ]


def _stored(table: str, k: int, value: str) -> list[str]:
    place = f"%to.{table}{k}"
    return [f"{place} = getelementptr i64, ptr %{table}, i64 {k}", f"store i64 {value}, ptr {place}, align 8"]


def _batch(sizes: Sequence[int]) -> str:
    """The routine for every state; 1 if a number is not finite, else 0."""
    lines, total = [], "0"
    for k, size in enumerate(sizes):
        lines += [
            f"%at{k} = getelementptr ptr, ptr %data, i64 {k}",
            f"%array{k} = load ptr, ptr %at{k}, align 8",
            f"%step.at{k} = getelementptr i64, ptr %strides, i64 {k}",
            f"%step{k} = load i64, ptr %step.at{k}, align 8",
            f"%same{k} = icmp eq i64 %step{k}, 0",  # for all states
            f"%rows{k} = select i1 %same{k}, i64 1, i64 %n",
            f"%found{k} = call i64 @unusual(i64 %rows{k}, ptr %array{k}, i64 %step{k}, i64 {size})",
            f"%any{k} = or i64 {total}, %found{k}",
        ]
        total = f"%any{k}"
    head = "define i32 @articulated_batch(i64 %n, ptr %data, ptr %strides) nounwind {"
    lines += [
        "call void @run(i64 %n, ptr %data, ptr %strides)",
        f"%sign = lshr i64 {total}, 63",
        "%odd = trunc i64 %sign to i32",
        "ret i32 %odd",
    ]
    return "\n".join([head, *(f"  {line}" for line in lines), "}"])
