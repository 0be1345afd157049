"""The two functions of a module that are called from outside, and those only they call."""

from . import llvm_rows
from .llvm_body import FRAMES, argument_loads, chunk, store
from .llvm_layout import Layout
from .llvm_sines import NAME as SINES
from .llvm_types import Lanes

#: large frames stay unprobed on Windows, where a probe would be a call out of the module
_ENTRY = 'nounwind "no-stack-arg-probe" "stackrealign"'


def one(layout: Layout, vector: Lanes) -> list[str]:
    """`@articulated_one(args)` and its chunks."""
    functions, calls = _steps(layout, "one", vector)
    lines = [*_runs(layout, vector), *(line for stage in calls for line in stage)]
    loads = argument_loads(layout.program, "\n".join(lines))
    head = f"define void @articulated_one(ptr %args) {_ENTRY} {{"
    return [*functions, "\n".join([head, _frame(layout, vector), *loads, *lines, "  ret void", "}"])]


def batch(layout: Layout) -> list[str]:
    """`@articulated_batch(n, args, strides)`, its chunks and the moves between rows and vectors."""
    functions, calls = _steps(layout, "batch", layout.lanes)
    return [*_moves(layout), *functions, _loop(layout, calls)]


def _loop(layout: Layout, calls: list[list[str]]) -> str:
    program, lanes = layout.program, layout.lanes
    arrays = range(len(program.inputs) + len(program.outputs))
    loads = argument_loads(program)
    for k in arrays:
        loads += [
            f"  %pstride{k} = getelementptr i64, ptr %strides, i64 {k}",
            f"  %stride{k} = load i64, ptr %pstride{k}, align 8",
            f"  %tile{k} = mul i64 %stride{k}, {lanes.count}",
        ]
    return "\n".join(
        [
            f"define void @articulated_batch(i64 %n, ptr %args, ptr %strides) {_ENTRY} {{",
            "entry:",
            _frame(layout, lanes),
            *loads,
            *_constants(layout),
            "  br label %head",
            "head:",
            "  %left = phi i64 [ %n, %entry ], [ %less, %whole ]",
            *(f"  %at{k} = phi ptr [ %arg{k}, %entry ], [ %next{k}, %whole ]" for k in arrays),
            f"  %full = icmp uge i64 %left, {lanes.count}",
            "  br i1 %full, label %whole, label %rest",
            "whole:",
            *_tile(layout, calls, None),
            *(f"  %next{k} = getelementptr i8, ptr %at{k}, i64 %tile{k}" for k in arrays),
            f"  %less = sub i64 %left, {lanes.count}",
            "  br label %head",
            "rest:",
            "  %any = icmp ne i64 %left, 0",
            "  br i1 %any, label %some, label %done",
            "some:",
            *_tile(layout, calls, "%left"),
            "  br label %done",
            "done:",
            "  ret void",
            "}",
        ]
    )


def _tile(layout: Layout, calls: list[list[str]], rows: str | None) -> list[str]:
    """Calls for one tile: arguments in, the stages, results out."""
    inputs = list(enumerate(layout.program.inputs))
    # the angles first: the other arguments are moved while their sines are still on the way
    early = [(k, x) for k, x in inputs if k in layout.early]
    late = [(k, x) for k, x in inputs if k not in layout.early]
    lines = _fill(layout, early, rows)
    first = calls[0] if early else []
    lines += [*first, *_fill(layout, late, rows), *(line for stage in calls[bool(early) :] for line in stage)]
    text = "\n".join(lines + _empty(layout, rows))
    # the same calls appear for whole tiles and for the rest: names must differ
    return (text.replace("%s.", "%rest.") if rows else text).split("\n")


def _fill(layout: Layout, inputs: list, rows: str | None) -> list[str]:
    lines = []
    for k, (_, size) in inputs:
        if size:
            tile = f"%s.tile{k}"
            lines.append(f"  {tile} = getelementptr i8, ptr %frame, i64 {layout.first[k][1]}")
            if rows is None and llvm_rows.blocked(layout.lanes, size):
                lines.append(f"  call void @gather{size}(ptr %at{k}, i64 %stride{k}, ptr {tile})")
            else:
                count = rows or layout.lanes.count
                some = f"ptr %at{k}, i64 %stride{k}, i64 {count}, ptr {tile}, i64 {size}"
                lines.append(f"  call void @gather_some({some})")
    return lines


def _empty(layout: Layout, rows: str | None) -> list[str]:
    lines = []
    for j, slots in enumerate(layout.columns):
        k = len(layout.program.inputs) + j
        if slots and rows is None and llvm_rows.blocked(layout.lanes, len(slots)):
            lines.append(f"  call void @scatter{j}(ptr %frame, ptr %at{k}, i64 %stride{k})")
        elif slots:
            count = rows or layout.lanes.count
            some = f"ptr %frame, ptr @columns{j}, ptr %at{k}, i64 %stride{k}, i64 {count}, i64 {len(slots)}"
            lines.append(f"  call void @scatter_some({some})")
    return lines


def _moves(layout: Layout) -> list[str]:
    lanes = layout.lanes
    parts = [llvm_rows.gather_some(lanes), llvm_rows.scatter_some(lanes)]
    for size in sorted({size for _, size in layout.program.inputs if llvm_rows.blocked(lanes, size)}):
        parts.append(llvm_rows.gather(lanes, f"gather{size}", size))
    for j, slots in enumerate(layout.columns):
        if slots:
            entries = ", ".join(f"i32 {slot * lanes.bytes}" for slot in slots)
            kind = f"[{len(slots)} x i32]"
            parts.append(f"@columns{j} = internal unnamed_addr constant {kind} [{entries}], align 64")
        if llvm_rows.blocked(lanes, len(slots)):
            parts.append(llvm_rows.scatter(lanes, f"scatter{j}", f"@columns{j}", slots))
    return parts


def _steps(layout: Layout, name: str, vector: Lanes) -> tuple[list[str], list[list[str]]]:
    """The chunks as functions, and by stage the calls that run them and take the sines after them."""
    functions: list[str] = []
    calls: list[list[str]] = []
    leaves = [i for i in layout.targets if layout.program.ops[i] in ("input", "const", "sine", "cosine")]
    frames = ", ".join(["ptr %frame"] * FRAMES)
    for s, stage in enumerate(layout.stages):
        calls.append([])
        last = s == len(layout.stages) - 1
        # arguments and sines that are stored as they are: angles before their sines, the others at the end
        mine = leaves if last else [i for i in leaves if i in stage.angles]
        pieces = list(stage.chunks) or [()]
        for operations in pieces:
            extra = mine if operations is pieces[-1] else []
            if operations or extra:
                title = f"{name}_{len(functions)}"
                functions.append(chunk(layout, title, operations, extra))
                calls[-1].append(f"  call void @{title}(ptr %args, {frames})")
        if stage.angles:
            calls[-1] += _sine_calls(layout, s, vector)
    return functions, calls


def _sine_calls(layout: Layout, s: int, vector: Lanes) -> list[str]:
    names = [f"%s.{kind}{s}" for kind in ("angles", "sines", "cosines")]
    lines = [
        f"  {name} = getelementptr i8, ptr {base}, i64 {offset}"
        for name, (base, offset) in zip(names, (layout.angles[s], *layout.sines[s]), strict=True)
    ]
    count = len(layout.stages[s].angles) * layout.lanes.count
    # the caller's own array must not be read beyond its end; those in the frame are whole vectors
    first = count - vector.count if layout.angles[s][0] != "%frame" else (count - 1) // vector.count * vector.count
    arrays = ", ".join(f"ptr {name}" for name in names)
    return [*lines, f"  call void @{SINES}({arrays}, i64 {first * vector.size})"]


def _runs(layout: Layout, vector: Lanes) -> list[str]:
    """Entries of a single state's results that are numbers, whole vectors of equal ones at a time."""
    lines: list[str] = []
    left = dict(layout.constants)
    for place, value in layout.constants.items():
        run = [(place[0], place[1] + k * vector.size) for k in range(vector.count)]
        lanes = vector if all(left.get(p) == value for p in run) else layout.lanes
        if place in left:
            name = f"%k{len(lines)}"
            lines.append(f"  {name} = getelementptr i8, ptr {place[0]}, i64 {place[1]}")
            lines.append(store(lanes, lanes.constant(value), name, place))
            for p in run[: lanes.count]:
                del left[p]
    return lines


def _constants(layout: Layout) -> list[str]:
    """Entries of the results that are numbers, in the frame of a batch."""
    lines = []
    for k, (place, value) in enumerate(layout.constants.items()):
        lines.append(f"  %k{k} = getelementptr i8, ptr {place[0]}, i64 {place[1]}")
        lines.append(store(layout.lanes, layout.lanes.constant(value), f"%k{k}", place))
    return lines


def _frame(layout: Layout, vector: Lanes) -> str:
    size = layout.slots * layout.lanes.bytes
    return f"  %frame = alloca [{max(size, 1)} x i8], align {vector.bytes}"
