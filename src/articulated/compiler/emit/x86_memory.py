"""Where the assembly of a function finds its numbers: arrays, frame, constants, and scratch beside the registers."""

from .llvm_layout import Place
from .llvm_types import Lanes, number

#: a function is given four pointers, in the System V order on every system
CONVENTION = "x86_64_sysvcc"
_ARRAYS, _FRAME, _SCRATCH, _CONSTANTS = "rdi", "rsi", "rdx", "rcx"
#: registers for further pointers: those a function may change, then those it has to restore
_CHANGED, _RESTORED = ("rax", "r8", "r9", "r10", "r11", "rdi"), ("rbx", "rbp", "r12", "r13", "r14", "r15")
#: arrays that a function can read and write
MOST_ARRAYS = len(_CHANGED) + len(_RESTORED)
#: bytes that an address with an offset of one byte reaches, half of them before the pointer
_REACH = 256
_HALF = _REACH // 2


class Constants:
    """Numbers that the functions of a module read from memory, each once."""

    def __init__(self, lanes: Lanes):
        self.lanes = lanes
        self.name = "constants_batch" if lanes.count > 1 else "constants_one"
        self._known: dict[str, int] = {}

    def offset(self, literal: str) -> int:
        """Where a number is, in bytes."""
        return self._known.setdefault(literal, len(self._known)) * self.lanes.bytes

    def text(self) -> str:
        """The table as a global of the module; what is read of a single number is always 16 bytes."""
        rows = [[literal] * self.lanes.count for literal in self._known]
        rows.append([number(0.0, self.lanes.precision)] * (16 // self.lanes.size))
        entries = ", ".join(f"{self.lanes.scalar} {literal}" for row in rows for literal in row)
        kind = f"[{sum(map(len, rows))} x {self.lanes.scalar}]"
        return f"@{self.name} = internal unnamed_addr constant {kind} [{entries}], align 32"


class Memory:
    """The addresses of one function, and the instructions that make its pointers."""

    def __init__(self, lanes: Lanes, constants: Constants):
        self.lanes, self.constants = lanes, constants
        self._pointers: dict[str, str] = {}  # name of an array -> register with its address

    def constant(self, x: float) -> str:
        """The operand for a number."""
        return f"{self.constants.offset(number(x, self.lanes.precision)) - _HALF}(%{_CONSTANTS})"

    def address(self, place: Place) -> str:
        """The operand for a place in the frame or in an array."""
        base, offset = place
        if base == "%frame":
            return f"{offset - _HALF}(%{_FRAME})"
        if base not in self._pointers:
            self._pointers[base] = (*_CHANGED, *_RESTORED)[len(self._pointers)]
        return f"{offset}(%{self._pointers[base]})"

    def function(self, lines: list[str], slots: int) -> list[str]:
        """The body between what comes before and after it, the slots `<k>` of the scratch as addresses."""
        windows = [_SCRATCH, *self._windows(slots)]
        saved = [register for register in self._pointers.values() if register in _RESTORED]
        return [
            *(f"pushq %{register}" for register in saved),
            *self._loads(),
            *(f"subq $-{_HALF}, %{register}" for register in (_FRAME, _SCRATCH, _CONSTANTS)),
            *(f"leaq {_REACH * k}(%{_SCRATCH}), %{register}" for k, register in enumerate(windows) if k),
            *(self._with_slot(line, windows) for line in lines),
            *(f"popq %{register}" for register in reversed(saved)),
            *(["vzeroupper"] if self.lanes.count > 1 else []),
            "retq",
        ]

    def _loads(self) -> list[str]:
        """The pointers to arrays, the one that overwrites where they are read from last."""
        ordered = sorted(self._pointers.items(), key=lambda item: item[1] == _ARRAYS)
        return [f"movq {8 * int(name.removeprefix('%arg'))}(%{_ARRAYS}), %{register}" for name, register in ordered]

    def _windows(self, slots: int) -> list[str]:
        """Spare registers for parts of the scratch beyond the reach of its own pointer."""
        spare = [register for register in _CHANGED if register not in self._pointers.values()]
        return spare[: max(slots * self.lanes.bytes - 1, 0) // _REACH]

    def _with_slot(self, line: str, windows: list[str]) -> str:
        """With the address of a slot, if the line has one."""
        if "<" not in line:
            return line
        before, rest = line.split("<")
        slot, after = rest.split(">")
        window, offset = divmod(int(slot) * self.lanes.bytes, _REACH)
        if window >= len(windows):
            window, offset = 0, int(slot) * self.lanes.bytes
        return f"{before}{offset - _HALF}(%{windows[window]}){after}"
