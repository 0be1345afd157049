"""The stages of a program as functions of a module, the calls that run them, and the entry point for one state."""

from collections.abc import Sequence
from dataclasses import dataclass

from ...passes.schedule import LEAVES, SINCOS_OPS
from .body import Piece, function, mask, pointer_loads, store, whole
from .frame import Layout
from .sincos import sincos_symbol
from .types import Lanes, number

#: of entry points; Windows would probe a large frame by a call out of the module, so `allocation` touches its pages
ENTRY = 'nounwind "no-stack-arg-probe" "stackrealign"'
_PAGE = 4096


@dataclass(frozen=True)
class Calls:
    """The work for one state, or for one per lane, once its numbers are in the frame."""

    definitions: list[str]  # of functions
    by_stage: list[list[str]]  # of the functions, then of the one for sines and cosines


def calls_of(layout: Layout, name: str, vector: Lanes) -> Calls:
    """The functions of a program; sines and cosines are taken on `vector`."""
    pieces, stage_of = _pieces(layout, name)
    written = [function(layout, piece) for piece in pieces]
    calls: list[list[str]] = [[] for _ in layout.stages]
    for s, (_, call) in zip(stage_of, written, strict=True):
        calls[s].append(call)
    for s, stage in enumerate(layout.stages):
        if stage.angles:
            calls[s] += sincos_call(layout, s, vector)
    return Calls([text for text, _ in written], calls)


def _pieces(layout: Layout, name: str) -> tuple[list[Piece], list[int]]:
    """The pieces of the program that become functions, and the stage of each."""
    stored = [i for i in layout.targets if layout.program.ops[i] in (*LEAVES, *SINCOS_OPS)]
    pieces: list[Piece] = []
    stage_of: list[int] = []
    for s, stage in enumerate(layout.stages):
        # angles are stored before their sines are taken, all other leaves at the end
        leaves = stored if s == len(layout.stages) - 1 else [i for i in stored if i in stage.angles]
        chunks = list(stage.chunks) or [()]
        for k, operations in enumerate(chunks):
            own = leaves if k == len(chunks) - 1 else []
            if operations or own:
                pieces.append(Piece(f"{name}_{len(pieces)}", operations, own))
                stage_of.append(s)
    return pieces, stage_of


def sincos_call(layout: Layout, s: int, vector: Lanes, apart: int = 0) -> list[str]:
    """Sines and cosines of the angles of a stage, of one frame or also of another one `apart` bytes further on."""
    names = [f"%s.{kind}{s}" for kind in ("angles", "sines", "cosines")]
    lines = [
        f"  {name} = getelementptr i8, ptr {base}, i64 {offset}"
        for name, (base, offset) in zip(names, (layout.angles[s], *layout.sines[s]), strict=True)
    ]
    count = len(layout.stages[s].angles) * layout.lanes.count
    # the caller's own array must not be read beyond its end; those in the frame are whole vectors
    last = count - vector.count if layout.angles[s][0] != "%frame" else (count - 1) // vector.count * vector.count
    step, advance = (apart, vector.bytes) if apart else (vector.bytes, 2 * vector.bytes)
    arrays, end = ", ".join(f"ptr {name}" for name in names), last * vector.size + apart
    return [*lines, f"  call void @{sincos_symbol(vector)}({arrays}, i64 {step}, i64 {advance}, i64 {end})"]


def allocation(layout: Layout, vector: Lanes, frames: int = 1) -> list[str]:
    """The stack memory of a call: as many frames, in whole vectors."""
    size = max(-(-frames * layout.slots * layout.lanes.bytes // vector.bytes) * vector.bytes, 1)
    lines = [f"  %frame = alloca [{size} x i8], align {vector.bytes}"]
    # a stack grows by its guard page: each page is touched before the one below it
    for offset in range(size // _PAGE * _PAGE, 0, -_PAGE):
        lines.append(f"  %page{offset} = getelementptr i8, ptr %frame, i64 {offset - 1}")
        lines.append(f"  store volatile i8 0, ptr %page{offset}")
    return lines


def one(layout: Layout, vector: Lanes) -> list[str]:
    """The entry point and the functions it calls."""
    return in_place(layout, vector, "one", "define void @articulated_one(ptr %args)", pointer_loads(layout))


def in_place(layout: Layout, vector: Lanes, name: str, head: str, first: Sequence[str] = ()) -> list[str]:
    """The function that `head` and the lines `first` begin, and those it calls; `name` begins their names."""
    pieces, _ = _pieces(layout, name)
    lines = [*first, *mask(layout), *_constants(layout, vector)]
    if len(pieces) <= 1 and not layout.slots:  # nothing to be called
        return [whole(layout, head, lines, pieces)]
    calls = calls_of(layout, name, vector)
    lines += [line for stage in calls.by_stage for line in stage]
    return [
        *calls.definitions,
        "\n".join([f"{head} {ENTRY} {{", *allocation(layout, vector), *lines, "  ret void", "}"]),
    ]


def _constants(layout: Layout, vector: Lanes) -> list[str]:
    """Stores of the results that are constant: whole vectors where enough equal ones follow each other."""
    lines: list[str] = []
    if layout.wide:
        vector = layout.lanes  # each constant fills one
    left = {place: number(value, vector.precision) for place, value in layout.constants.items()}
    for place, value in layout.constants.items():
        run = [place] if layout.wide else [(place[0], place[1] + k * vector.size) for k in range(vector.count)]
        lanes = vector if all(left.get(p) == number(value, vector.precision) for p in run) else layout.lanes
        if place in left:
            name = f"%k{len(lines)}"
            lines.append(f"  {name} = getelementptr i8, ptr {place[0]}, i64 {place[1]}")
            lines.append(store(layout, lanes, lanes.constant(value), name, place))
            for p in run[: lanes.count]:
                del left[p]
    return lines
