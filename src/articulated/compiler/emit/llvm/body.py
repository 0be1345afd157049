"""The functions of a program as LLVM instructions."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from ...passes.trace import Program
from .frame import Layout, Place
from .types import Lanes

#: instructions after which a value in memory is loaded again; LLVM would keep it in a register, and spill it
RELOAD_AFTER = 60
#: pointers to the same frame, so that LLVM does not see that a load repeats another; where values are not loaded again,
#: one is for loads and one for stores, which touch different slots: LLVM need not compare each with each
FRAME_POINTERS = 4

_FMA = "{d} = call {t} @llvm.fma.{s}({t} {0}, {t} {1}, {t} {2})"

#: each operation as instructions: {d} the result, {t} the vector type, {b} that of its comparisons
INSTRUCTIONS = {
    "neg": "{d} = fneg {t} {0}", "add": "{d} = fadd {t} {0}, {1}", "sub": "{d} = fsub {t} {0}, {1}",
    "mul": "{d} = fmul {t} {0}, {1}", "div": "{d} = fdiv {t} {0}, {1}",
    "fma": _FMA,
    "fms": "{d}.n = fneg {t} {2}\n  " + _FMA.replace("{2}", "{d}.n"),
    "fnma": "{d}.n = fneg {t} {0}\n  " + _FMA.replace("{0}", "{d}.n"),
    "sqrt": "{d} = call {t} @llvm.sqrt.{s}({t} {0})",
    "less": "{d} = fcmp olt {t} {0}, {1}", "select": "{d} = select {b} {0}, {t} {1}, {t} {2}",
}  # fmt: skip


class Piece(NamedTuple):
    """A part of a program that becomes one function."""

    name: str
    operations: tuple[int, ...]
    leaves: list[int]  # inputs, constants, sines and cosines that are stored as they are


def function(layout: Layout, piece: Piece) -> tuple[str, str]:
    """`@name(arg0, …, frame, frame1, …)`, and the line that calls it.

    It takes the arrays of a single state that it uses, and the same frame several times.
    """
    body = _Body(layout)
    text = body.write(piece)
    used = {int(k) for k in re.findall(r"%arg(\d+)\b", text)}
    own = parameters(layout, sorted(used)) if layout.in_place else []
    kind = "ptr" if body.reloads else "ptr noalias"
    frames = [f"{kind} %frame{k or ''}" for k in range(FRAME_POINTERS if body.reloads else 2)]
    head = f"define internal void @{piece.name}({', '.join([*own, *frames])}) {layout.lanes.attributes} {{"
    call = f"  call void @{piece.name}({', '.join([*own, *['ptr %frame'] * len(frames)])})"
    return "\n".join([head, *mask(layout), text, "  ret void", "}"]), call


def whole(layout: Layout, head: str, first: list[str], pieces: list[Piece]) -> str:
    """The function that `head` begins: these lines, then a piece that needs no frame."""
    kind = layout.lanes.attributes if layout.wide else layout.lanes.brief
    lines = [*first, *(_Body(layout).write(piece) for piece in pieces)]
    return "\n".join([f"{head} {kind} {{", *lines, "  ret void", "}"])


class _Body:
    """The instructions of one function as they are written."""

    def __init__(self, layout: Layout):
        self.layout, self.lanes = layout, layout.lanes
        self.program: Program = layout.program
        self.lines: list[str] = []
        self.names: dict[int, str] = {}
        # loading again takes 3 % off the time of a short program, but adds a third to the compile time of a long one
        self.reloads = sum(len(stage.chunks) for stage in layout.stages) <= len(layout.stages)
        self.loaded: dict[int, int] = {}  # by value in memory, the line of its last load
        self.temporaries = self.turn = 0

    def write(self, piece: Piece) -> str:
        """Operations and their stores, then the stores of leaves."""
        for i in piece.operations:
            self._operation(i)
            self._store(i)
        for i in piece.leaves:
            self._operand(i)
            self._store(i)
        return "\n".join(self.lines)

    def _operation(self, i: int) -> None:
        names = [self._operand(k) for k in self.program.args[i]]
        lanes, template = self.lanes, INSTRUCTIONS[self.program.ops[i]]
        text = template.format(*names, d=f"%v{i}", t=lanes.type, s=lanes.suffix, b=lanes.of("i1"))
        self.lines.append("  " + text)
        self.names[i] = f"%v{i}"

    def _operand(self, i: int) -> str:
        age = len(self.lines) - self.loaded.get(i, len(self.lines))
        stale = self.reloads and age > RELOAD_AFTER
        if i in self.names and not stale:
            return self.names[i]
        op = self.program.ops[i]
        if op == "const":
            self.names[i] = self.lanes.constant(self.program.args[i][0])
        elif op == "less":
            self._operation(i)
        else:
            self._load(i)
        return self.names[i]

    def _load(self, i: int) -> None:
        """Load a value from memory, through the next of several pointers to the same frame.

        If LLVM saw that the address is one it has loaded from, it would keep the value and spill it.
        """
        base, offset = self.layout.place[i]
        if base == "%frame" and self.reloads:
            self.turn = (self.turn + 1) % FRAME_POINTERS
            base = f"%frame{self.turn}" if self.turn else "%frame"
        align = self.lanes.bytes if base.startswith("%frame") else self.lanes.size
        if self.layout.splat(base):
            one = self._temporary(f"load {self.lanes.scalar}, ptr {self._pointer((base, offset))}, align {align}")
            first = self._temporary(f"insertelement {self.lanes.type} poison, {self.lanes.scalar} {one}, i32 0")
            all_lanes = f"<{self.lanes.count} x i32> zeroinitializer"
            self.names[i] = self._temporary(
                f"shufflevector {self.lanes.type} {first}, {self.lanes.type} poison, {all_lanes}"
            )
            self.loaded[i] = len(self.lines)
            return
        self.names[i] = self._temporary(f"load {self.lanes.type}, ptr {self._pointer((base, offset))}, align {align}")
        self.loaded[i] = len(self.lines)

    def _store(self, i: int) -> None:
        for place, negative in self.layout.targets.get(i, ()):
            if place[0] == "%frame" and not self.reloads:
                place = "%frame1", place[1]
            name = self.names[i]
            if negative:
                name = self._temporary(f"fneg {self.lanes.type} {name}")
            self.lines.append(store(self.layout, self.lanes, name, self._pointer(place), place))

    def _pointer(self, place: Place) -> str:
        base, offset = place
        return base if not offset else self._temporary(f"getelementptr i8, ptr {base}, i64 {offset}")

    def _temporary(self, text: str) -> str:
        self.temporaries += 1
        self.lines.append(f"  %t{self.temporaries} = {text}")
        return f"%t{self.temporaries}"


def store(layout: Layout, lanes: Lanes, name: str, pointer: str, place: Place) -> str:
    """One store; only frames are aligned to whole vectors."""
    framed = place[0].startswith("%frame")
    if layout.masked and not framed:
        kind, mask = f"v{lanes.count}f{8 * lanes.size}.p0", f"<{lanes.count} x i1> %mask"
        return f"  call void @llvm.masked.store.{kind}({lanes.type} {name}, ptr align {lanes.size} {pointer}, {mask})"
    align = lanes.bytes if framed else lanes.size
    return f"  store {lanes.type} {name}, ptr {pointer}, align {align}"


def parameters(layout: Layout, arrays: Iterable[int]) -> list[str]:
    """Pointers to arrays of the caller by their positions, and a word with the lanes that are stored."""
    return [*(f"ptr %arg{k}" for k in arrays), *(["i64 %word"] if layout.masked else [])]


def mask(layout: Layout) -> list[str]:
    """The lanes that are stored, from the bits of the word."""
    if not layout.masked:
        return []
    lanes = layout.lanes
    return [
        f"  %bits = trunc i64 %word to i{lanes.count}",
        f"  %mask = bitcast i{lanes.count} %bits to {lanes.of('i1')}",
    ]


def pointer_loads(layout: Layout) -> list[str]:
    """Loads of the pointers to all arrays of the caller."""
    lines = []
    for k in layout.arrays:
        lines += [f"  %parg{k} = getelementptr ptr, ptr %args, i64 {k}", f"  %arg{k} = load ptr, ptr %parg{k}, align 8"]
    return lines
