"""Results larger than the caches are written past them, straight to memory.

An ordinary store reads the line it changes first, and drives others out of the cache: the matrices of a batch then cost
more time than their numbers.  Which way is taken is found out once per call, from the bytes it writes.  Only on x86,
and only for results of many columns whose rows begin at multiples of 16 bytes, as a store past the caches needs it.
"""

from collections.abc import Sequence

from . import rows
from .frame import Layout
from .types import Lanes

#: bytes of results from which one call writes them past the caches
STREAMING_BYTES = 8 * 1024 * 1024
#: bytes of a vector whose rows are written at the same time; with more rows, lines would go out half full
_AT_A_TIME = 32
#: what a store past the caches is marked with; and what makes all of them visible to other threads
HINT = "!nontemporal !0"
DECLARATIONS = "declare void @llvm.x86.sse.sfence()\n\n!0 = !{i32 1}"
FENCE = "  call void @llvm.x86.sse.sfence()"


def streamed(layout: Layout) -> list[int]:
    """The results that may be written past the caches."""
    block, many = rows.block(layout.lanes), rows.UNROLLED_COLUMNS
    if not layout.x86 or layout.lanes.count % block:
        return []
    return [j for j, slots in enumerate(layout.columns) if len(slots) > many and len(slots) % block == 0]


def functions(layout: Layout, results: Sequence[int]) -> list[str]:
    """`@stream{j}(frame, array, stride)`: as `@scatter{j}`, past the caches, some rows of a tile after the others."""
    lanes = layout.lanes
    part = Lanes(min(_AT_A_TIME, lanes.bytes) // lanes.size, lanes.precision)
    found = [DECLARATIONS] if results else []
    for j in results:
        calls = [_call(part, f"@stream{j}.part", k) for k in range(lanes.count // part.count)]
        head = f"define internal void @stream{j}(ptr %frame, ptr %array, i64 %stride) {lanes.brief} {{"
        found.append(rows.scatter(part, f"stream{j}.part", f"@columns{j}", layout.columns[j], HINT))
        found.append("\n".join([head, "entry:", *calls, "  ret void", "}"]))
    return found


def _call(part: Lanes, function: str, k: int) -> str:
    """The k-th part of a tile."""
    return f"""  %frame{k} = getelementptr i8, ptr %frame, i64 {k * part.bytes}
  %step{k} = mul i64 %stride, {k * part.count}
  %array{k} = getelementptr i8, ptr %array, i64 %step{k}
  call void {function}(ptr %frame{k}, ptr %array{k}, i64 %stride)"""


def choice(layout: Layout, results: Sequence[int]) -> list[str]:
    """`%scatter{j}`: the function that writes result j in this call."""
    if not results:
        return []
    first, size, odd = len(layout.program.inputs), "0", "0"
    lines = []
    for j in results:
        k = first + j
        lines += [
            f"  %bytes{j} = add i64 {size}, %stride{k}",
            f"  %address{j} = ptrtoint ptr %arg{k} to i64",
            f"  %places{j} = or i64 %address{j}, %stride{k}",
            f"  %odd{j} = or i64 {odd}, %places{j}",
        ]
        size, odd = f"%bytes{j}", f"%odd{j}"
    return [
        *lines,
        f"  %written = mul i64 {size}, %n",
        f"  %large = icmp ugt i64 %written, {STREAMING_BYTES}",
        f"  %uneven = and i64 {odd}, 15",
        "  %even = icmp eq i64 %uneven, 0",
        "  %past = and i1 %large, %even",
        *(f"  %scatter{j} = select i1 %past, ptr @stream{j}, ptr @scatter{j}" for j in results),
    ]
