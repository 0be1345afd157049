"""Where the assembly of a function finds its numbers: arrays, frame, constants, and scratch beside the registers."""

from ..llvm.frame import Place
from ..llvm.types import Lanes, number
from .windows import addressed, operand

#: a function is given four pointers, in the System V order on every system
CONVENTION = "x86_64_sysvcc"
_ARRAYS, _REGIONS = "rdi", {"frame": "rsi", "scratch": "rdx", "constants": "rcx"}
#: registers for further pointers: those a function may change, then those it has to restore
_CHANGED, _RESTORED = ("rax", "r8", "r9", "r10", "r11", "rdi"), ("rbx", "rbp", "r12", "r13", "r14", "r15")
#: arrays that a function can read and write
MOST_ARRAYS = len(_CHANGED) + len(_RESTORED)
#: instructions up to which a program is kept by the processor as it runs, whatever their bytes
_SHORT = 1000


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
        return operand("constants", self.constants.offset(number(x, self.lanes.precision)))

    def slot(self, k: int) -> str:
        """The operand for a slot of the scratch."""
        return operand("scratch", k * self.lanes.bytes)

    def address(self, place: Place) -> str:
        """The operand for a place in the frame or in an array."""
        base, offset = place
        if base == "%frame":
            return operand("frame", offset)
        if base not in self._pointers:
            self._pointers[base] = (*_CHANGED, *_RESTORED)[len(self._pointers)]
        return f"{offset}(%{self._pointers[base]})"

    def function(self, lines: list[str]) -> list[str]:
        """The body, with addresses for its operands, between what comes before and after it."""
        arrays = list(self._pointers.values())
        spare = [r for r in (*_RESTORED[::-1], *_CHANGED[::-1]) if r not in arrays] if len(lines) > _SHORT else []
        saved = [register for register in _RESTORED if register in (*arrays, *spare)]
        return [
            *(f"pushq %{register}" for register in saved),
            *self._loads(),
            *addressed(lines, _REGIONS, spare),
            *(f"popq %{register}" for register in reversed(saved)),
            *(["vzeroupper"] if self.lanes.count > 1 else []),
            "retq",
        ]

    def _loads(self) -> list[str]:
        """The pointers to arrays, the one that overwrites where they are read from last."""
        ordered = sorted(self._pointers.items(), key=lambda item: item[1] == _ARRAYS)
        return [f"movq {8 * int(name.removeprefix('%arg'))}(%{_ARRAYS}), %{register}" for name, register in ordered]
