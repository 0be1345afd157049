"""Straight-line LLVM functions: one per chunk of a program."""

from ...passes.trace import Program
from .frame import Layout, Place
from .types import Lanes

_FMA = "{d} = call {t} @llvm.fma.{s}({t} {0}, {t} {1}, {t} {2})"

#: each operation as instructions: {d} the result, {t} the vector type, {b} its comparisons
LLVM = {
    "neg": "{d} = fneg {t} {0}", "add": "{d} = fadd {t} {0}, {1}", "sub": "{d} = fsub {t} {0}, {1}",
    "mul": "{d} = fmul {t} {0}, {1}", "div": "{d} = fdiv {t} {0}, {1}",
    "fma": _FMA,
    "fms": "{d}.n = fneg {t} {2}\n  " + _FMA.replace("{2}", "{d}.n"),
    "fnma": "{d}.n = fneg {t} {0}\n  " + _FMA.replace("{0}", "{d}.n"),
    "sqrt": "{d} = call {t} @llvm.sqrt.{s}({t} {0})",
    "less": "{d} = fcmp olt {t} {0}, {1}", "select": "{d} = select {b} {0}, {t} {1}, {t} {2}",
}  # fmt: skip

#: what is not an instruction: operands in memory or literals, and what `lower` and the sine loop take care of
ELSEWHERE = {"input", "const", "sine", "cosine", "sin", "cos", "atan2", "sign"}


#: lines after which a value in memory is read again rather than kept in a register
RELOAD = 60
#: pointers to the frame that a chunk is given
FRAMES = 4


class Body:
    """The text of one chunk as it is written."""

    def __init__(self, layout: Layout):
        self.layout, self.lanes = layout, layout.lanes
        self.program: Program = layout.program
        self.lines: list[str] = []
        self.names: dict[int, str] = {}
        # worth 3 % of the time of a short program, but costs a third of the compile time of a long one
        self.again = sum(len(stage.chunks) for stage in layout.stages) <= len(layout.stages)
        self.loaded: dict[int, int] = {}  # by value in memory, the line that read it last
        self.counter = self.turn = 0

    def write(self, chunk: tuple[int, ...], leaves: list[int]) -> str:
        """Operations of the chunk and their stores; then stores of values that are no operation of it."""
        for i in chunk:
            self._operation(i)
            self._store(i)
        for i in leaves:
            self._operand(i)
            self._store(i)
        return "\n".join(self.lines)

    def _operation(self, i: int) -> None:
        names = [self._operand(k) for k in self.program.args[i]]
        lanes = self.lanes
        text = LLVM[self.program.ops[i]].format(*names, d=f"%v{i}", t=lanes.type, s=lanes.suffix, b=lanes.of("i1"))
        self.lines.append("  " + text)
        self.names[i] = f"%v{i}"

    def _operand(self, i: int) -> str:
        stale = self.again and i in self.loaded and len(self.lines) - self.loaded[i] > RELOAD
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
        """From memory, through the next of several pointers to the same frame.

        A compiler that recognised the address would keep the value and spill it to a second place.
        """
        base, offset = self.layout.place[i]
        if base == "%frame" and self.again:
            self.turn = (self.turn + 1) % FRAMES
            base = f"%frame{self.turn}" if self.turn else "%frame"
        align = self.lanes.bytes if base.startswith("%frame") else self.lanes.size
        self.names[i] = self._temporary(f"load {self.lanes.type}, ptr {self._pointer((base, offset))}, align {align}")
        self.loaded[i] = len(self.lines)

    def _store(self, i: int) -> None:
        for place, negative in self.layout.targets.get(i, ()):
            name = self.names[i]
            if negative:
                name = self._temporary(f"fneg {self.lanes.type} {name}")
            self.lines.append(store(self.lanes, name, self._pointer(place), place))

    def _pointer(self, place: Place) -> str:
        base, offset = place
        return base if not offset else self._temporary(f"getelementptr i8, ptr {base}, i64 {offset}")

    def _temporary(self, text: str) -> str:
        self.counter += 1
        self.lines.append(f"  %t{self.counter} = {text}")
        return f"%t{self.counter}"


def store(lanes: Lanes, name: str, pointer: str, place: Place) -> str:
    """One store; only frames are aligned to whole vectors."""
    align = lanes.bytes if place[0] == "%frame" else lanes.size
    return f"  store {lanes.type} {name}, ptr {pointer}, align {align}"


def chunk(layout: Layout, name: str, operations: tuple[int, ...], leaves: list[int]) -> str:
    """One function `@name(ptr %args, ptr %frame)`."""
    text = Body(layout).write(operations, leaves)
    arguments = []
    if not layout.batch:
        arguments = argument_loads(layout.program, text)
    frames = ", ".join(f"ptr %{frame}" for frame in frame_names())
    head = f"define internal void @{name}(ptr %args, {frames}) {layout.lanes.attributes} {{"
    return "\n".join([head, *arguments, text, "  ret void", "}"])


def frame_names() -> list[str]:
    """The names under which a chunk knows its frame."""
    return ["frame", *(f"frame{k}" for k in range(1, FRAMES))]


def argument_loads(program: Program, text: str | None = None) -> list[str]:
    """Loads of the pointers of the arrays that `text` uses."""
    count = len(program.inputs) + len(program.outputs)
    lines = []
    for k in range(count):
        if text is None or f"%arg{k}," in text or f"%arg{k}\n" in text:
            lines += [
                f"  %parg{k} = getelementptr ptr, ptr %args, i64 {k}",
                f"  %arg{k} = load ptr, ptr %parg{k}, align 8",
            ]
    return lines
