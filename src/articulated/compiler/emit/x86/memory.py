"""The memory of an assembly function: the caller's arrays, the frame, spill slots and constants, by pointer."""

from ...processors import Processor
from ..llvm.frame import Place
from ..llvm.types import Lanes, number
from .windows import addressed, operand

#: a function is given four pointers, in the registers of the System V convention on every system
CONVENTION = "x86_64_sysvcc"
_ARRAYS, _REGIONS = "rdi", {"frame": "rsi", "scratch": "rdx", "constants": "rcx"}
#: registers for further pointers
_CALLER_SAVED, _CALLEE_SAVED = ("rax", "r8", "r9", "r10", "r11", "rdi"), ("rbx", "rbp", "r12", "r13", "r14", "r15")
#: arrays that a function can read and write, each with a pointer in a register
MOST_ARRAYS = len(_CALLER_SAVED) + len(_CALLEE_SAVED)


class ConstantPool:
    """The constants that the functions of a module read from memory, each once."""

    def __init__(self, lanes: Lanes, name: str):
        self.lanes, self.name = lanes, name
        self._known: dict[str, int] = {}

    def offset(self, literal: str) -> int:
        """Where a constant is, in bytes."""
        return self._known.setdefault(literal, len(self._known)) * self.lanes.bytes

    def text(self) -> str:
        """The pool as a global of the module, padded: `vxorpd` reads 16 bytes even of a scalar."""
        rows = [[literal] * self.lanes.count for literal in self._known]
        rows.append([number(0.0, self.lanes.precision)] * (16 // self.lanes.size))
        entries = ", ".join(f"{self.lanes.scalar} {literal}" for row in rows for literal in row)
        kind = f"[{sum(map(len, rows))} x {self.lanes.scalar}]"
        return f"@{self.name} = internal unnamed_addr constant {kind} [{entries}], align 32"


class Memory:
    """The memory operands of one function, and the instructions that set up its pointers."""

    def __init__(self, lanes: Lanes, pool: ConstantPool, processor: Processor):
        self.lanes, self.pool, self.processor = lanes, pool, processor
        self._pointers: dict[str, str] = {}  # name of an array -> register with its address

    def constant(self, x: float) -> str:
        """The operand for a constant."""
        return operand("constants", self.pool.offset(number(x, self.lanes.precision)))

    def slot(self, k: int) -> str:
        """The operand for a spill slot."""
        return operand("scratch", k * self.lanes.bytes)

    def address(self, place: Place) -> str:
        """The operand for a place in the frame or in an array."""
        base, offset = place
        if base == "%frame":
            return operand("frame", offset)
        if base not in self._pointers:
            self._pointers[base] = (*_CALLER_SAVED, *_CALLEE_SAVED)[len(self._pointers)]
        return f"{offset}(%{self._pointers[base]})"

    def function(self, lines: list[str]) -> list[str]:
        """The body with its addresses filled in, between prologue and epilogue.

        Code that does not fit the µop cache gets moving pointers, which keep its instructions short.
        """
        arrays, spare = list(self._pointers.values()), []
        if len(lines) > self.processor.uop_cache:
            spare = [r for r in (*_CALLEE_SAVED[::-1], *_CALLER_SAVED[::-1]) if r not in arrays]
        saved = [register for register in _CALLEE_SAVED if register in (*arrays, *spare)]
        return [
            *(f"pushq %{register}" for register in saved),
            *self._loads(),
            *addressed(lines, _REGIONS, spare, self.processor),
            *(f"popq %{register}" for register in reversed(saved)),
            *(["vzeroupper"] if self.lanes.count > 1 else []),
            "retq",
        ]

    def _loads(self) -> list[str]:
        """Loads of the pointers to arrays; the one that overwrites their table comes last."""
        ordered = sorted(self._pointers.items(), key=lambda item: item[1] == _ARRAYS)
        return [f"movq {8 * int(name.removeprefix('%arg'))}(%{_ARRAYS}), %{register}" for name, register in ordered]
