"""A lowered program as the text of LLVM modules.

`@articulated_batch(n, args, strides)` runs tiles of as many states as a vector has lanes: rows are transposed into a
frame on the stack, the sines and cosines of all joints are taken in one loop, the straight-line code runs, results are
transposed back.  Where the angles are arguments, two tiles are interleaved: one alone would leave execution units idle
while it waits for results.  It returns 1 if the sum of all arguments is not finite, as it is if one of them is not.
The results are then not to be used: the caller looks at the rows one by one.

`@articulated_one(args)` is the same code on scalars, its sines still taken in vectors.  Every operation is the same in
both, and nothing is left for LLVM to contract or reassociate, so a state's numbers do not depend on its place in a
batch.  Sines and cosines are a module of their own, the same for every program.

Only text: whoever compiles it asks for code generation level 1, position-independent code, the
small code model, and no passes before it (they gain nothing).  The processor must have fused
multiply-add; without it the calls to llvm.fma would leave the module.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ...abi import ENTRY_POINTS, Target
from ...passes.schedule import SINCOS_OPS
from ...passes.trace import Program
from . import rows, streams
from .body import pointer_loads, store
from .calls import ENTRY, Calls, allocation, calls_of, one, sincos_call
from .frame import Layout, planned
from .sincos import SINCOS_DECLARATION, sincos_functions
from .types import Lanes

#: bytes of the first-level data cache that the frames of two tiles may fill
FRAME_BYTES = 24 * 1024


def batch(layout: Layout, vector: Lanes) -> list[str]:
    """The entry point, the functions it calls, and those that transpose."""
    calls = calls_of(layout, "batch", vector)
    return [*_transpositions(layout), *calls.definitions, _loop(layout, calls)]


@dataclass(frozen=True)
class _Tile:
    """The names of the values of one tile."""

    name: str  # prefix of what is computed for it
    frame: str = "%frame"
    rows: str = "%at"  # prefix of the pointer to its first row in each array
    count: str | None = None  # of its rows, if they may be fewer than lanes

    def of(self, lines: list[str]) -> list[str]:
        """Lines written for any tile, with the names of this one."""
        return [line.replace("%frame", self.frame).replace("%s.", f"%{self.name}.") for line in lines]


def _loop(layout: Layout, calls: Calls) -> str:
    """The entry point: two tiles at a time, where that pays; one at a time; the rows that are left."""
    lanes, arrays = layout.lanes, layout.arrays
    paired = bool(layout.early) and 2 * layout.slots * lanes.bytes <= FRAME_BYTES
    tiles = 2 if paired else 1
    return "\n".join(
        [
            f"define i32 @articulated_batch(i64 %n, ptr %args, ptr %strides) {ENTRY} {{",
            "entry:",
            *allocation(layout, lanes, tiles),
            *pointer_loads(layout),
            *(line for k in arrays for line in _stride(lanes, k)),
            *streams.choice(layout, streams.streamed(layout)),
            *_constants(layout, tiles),
            "  br label %pairs" if paired else "  br label %singles",
            *(_pairs(layout, calls) if paired else []),
            *_singles(layout, calls, paired),
            *_answer(lanes, bool(streams.streamed(layout))),
            "}",
        ]
    )


def _stride(lanes: Lanes, k: int) -> list[str]:
    """Bytes from row to row of array k, and from tile to tile."""
    return [
        f"  %pstride{k} = getelementptr i64, ptr %strides, i64 {k}",
        f"  %stride{k} = load i64, ptr %pstride{k}, align 8",
        f"  %tile{k} = mul i64 %stride{k}, {lanes.count}",
    ]


def _singles(layout: Layout, calls: Calls, paired: bool) -> list[str]:
    """The loop over one tile at a time, then the tile of rows that are left."""
    lanes, arrays, t, zero = layout.lanes, layout.arrays, layout.lanes.type, layout.lanes.constant(0.0)
    rest = _Tile("rest", count="%left")
    return [
        "singles:",
        f"  %left = phi i64 {_before(paired, '%n', '%many', '%less')}",
        f"  %sum = phi {t} {_before(paired, zero, '%sums', '%whole.sum')}",
        *(f"  %at{k} = phi ptr {_before(paired, f'%arg{k}', f'%one{k}', f'%next{k}')}" for k in arrays),
        f"  %full = icmp uge i64 %left, {lanes.count}",
        "  br i1 %full, label %whole, label %rest",
        "whole:",
        *_tile(layout, calls, _Tile("whole")),
        *_added(lanes, "%whole.sum", ["%sum", *_sums(layout, _Tile("whole"))]),
        *(f"  %next{k} = getelementptr i8, ptr %at{k}, i64 %tile{k}" for k in arrays),
        f"  %less = sub i64 %left, {lanes.count}",
        "  br label %singles",
        "rest:",
        "  %any = icmp ne i64 %left, 0",
        "  br i1 %any, label %some, label %done",
        "some:",
        *_tile(layout, calls, rest),
        *_added(lanes, "%rest.sum", ["%sum", *_sums(layout, rest)]),
        "  br label %done",
    ]


def _answer(lanes: Lanes, streamed: bool) -> list[str]:
    """Return whether the sum of all arguments is not finite."""
    t = lanes.type
    return [
        "done:",
        f"  %all = phi {t} [ %sum, %rest ], [ %rest.sum, %some ]",
        f"  %nil = fsub {t} %all, %all",  # 0 if it is finite, else NaN
        f"  %odd = fcmp uno {t} %nil, {lanes.constant(0.0)}",
        f"  %bad = call i1 @llvm.vector.reduce.or.v{lanes.count}i1(<{lanes.count} x i1> %odd)",
        "  %answer = zext i1 %bad to i32",
        *([streams.FENCE] if streamed else []),
        "  ret i32 %answer",
    ]


def _before(paired: bool, at_first: str, after_pairs: str, after_one: str) -> str:
    """The incoming values of a phi of the loop over single tiles."""
    start = f"[ {after_pairs}, %pairs ]" if paired else f"[ {at_first}, %entry ]"
    return f"{start}, [ {after_one}, %whole ]"


def _pairs(layout: Layout, calls: Calls) -> list[str]:
    """The loop over two tiles at a time, each with a frame of its own."""
    lanes, arrays, apart = layout.lanes, layout.arrays, layout.slots * layout.lanes.bytes
    first, second = _Tile("first", rows="%one"), _Tile("second", "%other", rows="%two")
    early, late = _inputs(layout)
    return [
        "pairs:",
        "  %many = phi i64 [ %n, %entry ], [ %fewer, %pair ]",
        f"  %sums = phi {lanes.type} [ {lanes.constant(0.0)}, %entry ], [ %pair.sum, %pair ]",
        *(f"  %one{k} = phi ptr [ %arg{k}, %entry ], [ %ahead{k}, %pair ]" for k in arrays),
        f"  %enough = icmp uge i64 %many, {2 * lanes.count}",
        "  br i1 %enough, label %pair, label %singles",
        "pair:",
        f"  %other = getelementptr i8, ptr %frame, i64 {apart}",
        *(f"  %two{k} = getelementptr i8, ptr %one{k}, i64 %tile{k}" for k in arrays),
        *_fill(layout, early, first),
        *_fill(layout, early, second),
        *_Tile("both").of(sincos_call(layout, 0, lanes, apart)),
        *_fill(layout, late, first),
        *_fill(layout, late, second),
        *_body(layout, calls, first),
        *_body(layout, calls, second),
        *_empty(layout, first),
        *_empty(layout, second),
        *_added(lanes, "%pair.sum", ["%sums", *_sums(layout, first), *_sums(layout, second)]),
        *(f"  %ahead{k} = getelementptr i8, ptr %two{k}, i64 %tile{k}" for k in arrays),
        f"  %fewer = sub i64 %many, {2 * lanes.count}",
        "  br label %pairs",
    ]


def _tile(layout: Layout, calls: Calls, tile: _Tile) -> list[str]:
    """One tile: arguments into the frame, the stages, results out of it."""
    early, late = _inputs(layout)
    # angles first: the other arguments are transposed while their sines are still being computed
    first = tile.of(calls.by_stage[0]) if early else []
    into = [*_fill(layout, early, tile), *first, *_fill(layout, late, tile)]
    return [*into, *_body(layout, calls, tile), *_empty(layout, tile)]


def _body(layout: Layout, calls: Calls, tile: _Tile) -> list[str]:
    """The stages; those sines that `_tile` and `_pairs` take early are done."""
    return [line for stage in calls.by_stage[bool(layout.early) :] for line in tile.of(stage)]


def _inputs(layout: Layout) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Positions and sizes of the arguments that hold the first angles, and of the others."""
    sizes = [(k, size) for k, (_, size) in enumerate(layout.program.inputs) if size]
    return [x for x in sizes if x[0] in layout.early], [x for x in sizes if x[0] not in layout.early]


def _fill(layout: Layout, inputs: list[tuple[int, int]], tile: _Tile) -> list[str]:
    """Transpose arguments into the frame; `_sums` of them tell whether all are finite."""
    lines, lanes = [], layout.lanes
    for k, size in inputs:
        to, array, total = f"%{tile.name}.tile{k}", f"ptr {tile.rows}{k}, i64 %stride{k}", f"%{tile.name}.sum{k}"
        lines.append(f"  {to} = getelementptr i8, ptr {tile.frame}, i64 {layout.first[k][1]}")
        if tile.count is None and rows.blocked(lanes, size):
            lines.append(f"  {total} = call {lanes.type} @gather{size}({array}, ptr {to})")
        else:
            some = f"{array}, i64 {tile.count or lanes.count}, ptr {to}, i64 {size}"
            one = f"{lanes.scalar} {total}.one"
            lines.append(f"  {total}.one = call {lanes.scalar} @gather_some({some})")
            lines.append(f"  {total} = insertelement {lanes.type} {lanes.constant(0.0)}, {one}, i32 0")
    return lines


def _sums(layout: Layout, tile: _Tile) -> list[str]:
    """The names of the sums of a tile's arguments."""
    return [f"%{tile.name}.sum{k}" for part in _inputs(layout) for k, _ in part]


def _added(lanes: Lanes, out: str, names: list[str]) -> list[str]:
    """out = the sum of all names."""
    sums = [f"{out}.{k}" for k in range(len(names) - 1)] + [out]
    values = [lanes.constant(0.0), *sums]
    return [
        f"  {step} = fadd {lanes.type} {value}, {name}" for step, value, name in zip(sums, values, names, strict=False)
    ]


def _empty(layout: Layout, tile: _Tile) -> list[str]:
    """Transpose results out of the frame."""
    lines, streamed = [], streams.streamed(layout)
    for j, slots in enumerate(layout.columns):
        k = len(layout.program.inputs) + j
        array = f"ptr {tile.rows}{k}, i64 %stride{k}"
        if slots and tile.count is None and rows.blocked(layout.lanes, len(slots)):
            function = f"{'%' if j in streamed else '@'}scatter{j}"
            lines.append(f"  call void {function}(ptr {tile.frame}, {array})")
        elif slots:
            some = f"i64 {tile.count or layout.lanes.count}, i64 {len(slots)}"
            lines.append(f"  call void @scatter_some(ptr {tile.frame}, ptr @columns{j}, {array}, {some})")
    return lines


def _transpositions(layout: Layout) -> list[str]:
    """The functions that `_fill` and `_empty` call, and the tables of where each column of a result is."""
    lanes = layout.lanes
    parts = [rows.gather_some(lanes), rows.scatter_some(lanes)]
    for size in sorted({size for _, size in layout.program.inputs if rows.blocked(lanes, size)}):
        parts.append(rows.gather(lanes, f"gather{size}", size))
    for j, slots in enumerate(layout.columns):
        if slots:
            entries = ", ".join(f"i32 {slot * lanes.bytes}" for slot in slots)
            kind = f"[{len(slots)} x i32]"
            parts.append(f"@columns{j} = internal unnamed_addr constant {kind} [{entries}], align 64")
        if rows.blocked(lanes, len(slots)):
            parts.append(rows.scatter(lanes, f"scatter{j}", f"@columns{j}", slots))
    return [*parts, *streams.functions(layout, streams.streamed(layout))]


def _constants(layout: Layout, tiles: int) -> list[str]:
    """Stores of the results that are constant, once into every frame."""
    lines: list[str] = []
    for t in range(tiles):
        for place, value in layout.constants.items():
            name, offset = f"%k{len(lines)}", place[1] + t * layout.slots * layout.lanes.bytes
            lines.append(f"  {name} = getelementptr i8, ptr {place[0]}, i64 {offset}")
            lines.append(store(layout, layout.lanes, layout.lanes.constant(value), name, place))
    return lines


#: by entry point: the function that writes it, and whether it works on whole vectors
_WRITERS: dict[str, tuple[Callable[[Layout, Lanes], list[str]], bool]] = {
    "batch": (batch, True),
    "one": (one, False),
}


def ir(
    program: Program,
    target: Target,
    precision: str = "float64",
    entries: Sequence[str] = ENTRY_POINTS,
) -> str:
    """The module of a lowered program with these entry points."""
    vector = Lanes(target.lanes(precision), precision)
    parts = [SINCOS_DECLARATION] if takes_sincos(program) else []
    for entry, (write, wide) in _WRITERS.items():
        if entry in entries:
            lanes = vector if wide else Lanes(1, precision)
            parts += write(planned(program, target, lanes, not wide), vector)
    return "\n\n".join(parts) + "\n"


def takes_sincos(program: Program) -> bool:
    """True if a module of this program calls the one with sines and cosines."""
    return any(op in SINCOS_OPS for op in program.ops)


def sincos_ir(target: Target, precision: str = "float64") -> str:
    """The module with the sines and cosines that those of programs call."""
    return "\n\n".join(sincos_functions(Lanes(target.lanes(precision), precision))) + "\n"
