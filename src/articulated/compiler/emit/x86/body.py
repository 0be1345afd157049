"""Straight-line programs as x86-64 assembly: AVX2 for a batch, its scalar instructions for a single state.

LLVM chooses the same instructions, but shares out sixteen registers less well: long programs run up to a third
faster this way, and are compiled several times as fast.  The text is the body of a function of the module,
LLVM's assembler turns it into bytes.  Each operation is one instruction of the same rounding, so the numbers are
bitwise those of `llvm_body.py`.
"""

from collections.abc import Iterator
from functools import partial

from ...passes.order import ordered
from ...passes.trace import Program
from ..llvm.frame import Layout
from ..llvm.types import Lanes
from .memory import CONVENTION, MOST_ARRAYS, Constants, Memory
from .registers import NEVER, Registers

__all__ = ["CONVENTION", "Constants", "function", "serves"]

#: steps within which a value in memory has to be used again to be kept in a register
NEAR = 8

_TWO = {"add": "vadd", "sub": "vsub", "mul": "vmul", "div": "vdiv"}
_FUSED = {"fma": "vfmadd", "fms": "vfmsub", "fnma": "vfnmadd"}
_SYMMETRIC = ("add", "mul")


def serves(program: Program, lanes: Lanes) -> bool:
    """Whether this file can write the body of a program on such vectors."""
    few = len(program.inputs) + len(program.outputs) <= MOST_ARRAYS
    return few if lanes.count == 1 else lanes.bytes == 32


def function(
    layout: Layout, name: str, operations: tuple[int, ...], leaves: list[int], constants: Constants
) -> tuple[str, int]:
    """One function `@name(arrays, frame, scratch, constants)`, and how many slots of scratch it needs."""
    assembly = Assembly(layout, operations, leaves, constants)
    text = assembly.text().replace("$", "$$").replace("\n", "\n    ")
    head = f"define internal {CONVENTION} void @{name}(ptr %arrays, ptr %frame, ptr %scratch, ptr %constants)"
    body = f'  call void asm sideeffect "{text}", ""()\n  unreachable'
    return f"{head} naked noinline nounwind {{\n{body}\n}}", assembly.registers.slots


class Assembly:
    """The text of one function as it is written."""

    def __init__(self, layout: Layout, operations: tuple[int, ...], leaves: list[int], constants: Constants):
        self.layout, self.lanes, self.program = layout, layout.lanes, layout.program
        self.operations = ordered(operations, self.program.ops, partial(_reads, self.program))
        self.leaves, self.memory = leaves, Memory(layout.lanes, constants)
        self.lines: list[str] = []
        self.homes: dict[int, str] = {}  # operands of values in memory
        uses: dict[int, list[int]] = {}
        for step, i in enumerate(self.operations):
            for k in _reads(self.program, i):
                uses.setdefault(k, []).append(step)
        self.registers = Registers(uses, self._home, self.memory.slot, self._write)
        self.precision = "d" if self.lanes.size == 8 else "s"
        self.kind = ("p" if layout.batch else "s") + self.precision
        self.register = "ymm" if layout.batch else "xmm"

    def text(self) -> str:
        """All instructions, one a line."""
        for i in self.operations:
            self._operation(i)
            self._store(i)
            self.registers.forget([i])
            self.registers.end_step()
        for i in self.leaves:
            self._bring(i)
            self._store(i)
        return "\n".join(self.memory.function(self.lines))

    # -- memory ---------------------------------------------------------------------------

    def _home(self, i: int) -> str | None:
        """Where a value that is not made here is found."""
        if i not in self.homes and self.program.ops[i] == "const":
            self.homes[i] = self.memory.constant(self.program.args[i][0])
        elif i not in self.homes and i in self.layout.place:
            self.homes[i] = self.memory.address(self.layout.place[i])
        return self.homes.get(i)

    def _store(self, i: int) -> None:
        for place, negative in self.layout.targets.get(i, ()):
            source, address = self.registers.of[i], self.memory.address(place)
            if negative:
                source = self.registers.take([i])
                self._negated(self.registers.of[i], source)
                self.registers.free.append(source)
            elif place[0] == "%frame" and i not in self.homes:
                self.homes[i] = address
            self._write("move", f"%{source}", address)

    # -- instructions ---------------------------------------------------------------------

    def _write(self, name: str, *parts: str) -> None:
        """One instruction: sources, then the destination; registers by number."""
        if name == "move":
            inside = self.layout.batch or all(part[0] == "%" for part in parts)
            name = f"vmovap{self.precision}" if inside else f"vmov{self.kind}"
        texts = (f"%{self.register}{part[1:]}" if part[0] == "%" else part for part in parts)
        self.lines.append(f"{name} {', '.join(texts)}")

    def _operation(self, i: int) -> None:
        op, args = self.program.ops[i], self.program.args[i]
        if op in _FUSED:
            self._fused(i, op, *args)
        elif op in _TWO:
            self._two(i, op, *args)
        elif op == "select":
            self._select(i, *args)
        else:
            self._one(i, op, *args)

    def _one(self, i: int, op: str, x: int) -> None:
        self._bring(x, x)
        register = self.registers.of[x]
        self.registers.forget([x])
        out = self.registers.take([x])
        if op == "neg":
            self._negated(register, out)
        else:
            sources = [f"%{register}"] * (1 if self.layout.batch else 2)
            self._write(f"v{op}{self.kind}", *sources, f"%{out}")
        self.registers.hold(i, out)

    def _negated(self, register: int, out: int) -> None:
        self._write(f"vxorp{self.precision}", self.memory.constant(-0.0), f"%{register}", f"%{out}")

    def _two(self, i: int, op: str, x: int, y: int) -> None:
        registers = self.registers
        if op in _SYMMETRIC and x not in registers.of and y in registers.of:
            x, y = y, x
        self._bring(x, x, y)
        if self._soon(y):
            self._bring(y, x, y)
        first, second = registers.operand(x), registers.operand(y)
        registers.forget((x, y))
        out = registers.take((x, y))
        self._write(f"{_TWO[op]}{self.kind}", second, first, f"%{out}")
        registers.hold(i, out)

    def _select(self, i: int, condition: int, yes: int, no: int) -> None:
        """One of two values, by the mask of a comparison (which is made for each use of it)."""
        registers, (x, y) = self.registers, self.program.args[condition]
        keep = (x, y, yes, no)
        self._bring(x, *keep)
        mask = registers.take(keep)
        self._write(f"vcmplt_oq{self.kind}", registers.operand(y), registers.operand(x), f"%{mask}")
        self._bring(yes, *keep)
        self._bring(no, *keep)
        parts = [registers.operand(value) for value in (yes, no)]
        registers.forget(keep)
        out = registers.take(keep)
        self._write(f"vblendvp{self.precision}", f"%{mask}", *parts, f"%{out}")
        registers.hold(i, out)
        registers.free.append(mask)

    def _fused(self, i: int, op: str, x: int, y: int, z: int) -> None:
        """± x y ± z.  The result replaces one of the three, and another may be in memory."""
        registers, keep = self.registers, (x, y, z)
        for value in keep:
            if self._soon(value) or keep.count(value) > 1:
                self._bring(value, *keep)
        lost, out = self._replaced(keep)
        elsewhere = [value for value in keep if value not in registers.of and value != lost]
        for value in sorted(elsewhere, key=registers.next_use)[:-1]:
            self._bring(value, *keep)
        if lost == z:
            order, parts = "231", [x, y] if x not in registers.of else [y, x]
        else:
            other = y if lost == x else x
            order, parts = ("213", [z, other]) if other in registers.of else ("132", [other, z])
        texts = [registers.operand(value) for value in parts]
        if registers.of.get(lost) == out:
            registers.leave(lost)
        registers.forget(keep)
        self._write(f"{_FUSED[op]}{order}{self.kind}", *texts, f"%{out}")
        registers.hold(i, out)

    def _replaced(self, values: tuple[int, int, int]) -> tuple[int, int]:
        """Which of the values the result replaces, and the register where it is: the sum is the first choice."""
        registers = self.registers
        held = [value for value in reversed(values) if value in registers.of]
        over = [value for value in held if registers.next_use(value) == NEVER]
        if over:
            return over[0], registers.of[over[0]]
        if len(held) < len(values):
            value = next(value for value in reversed(values) if value not in registers.of)
            out = registers.take(values)
            registers.write("move", registers.memory(value), f"%{out}")
            return value, out
        far = [value for value in held if registers.memory(value) and not self._soon(value)]
        if far:
            return far[0], registers.of[far[0]]
        out = registers.take(values)
        registers.write("move", registers.operand(held[0]), f"%{out}")
        return held[0], out

    def _bring(self, value: int, *keep: int) -> None:
        """To a register, if it is not in one."""
        if value not in self.registers.of:
            self.registers.load(value, keep)

    def _soon(self, value: int) -> bool:
        """Whether a value in memory is used again before long."""
        reach = 2 * NEAR if self.registers.free else NEAR
        return self.registers.next_use(value) - self.registers.step < reach


def _reads(program: Program, i: int) -> Iterator[int]:
    """What operation i reads; a comparison is made again where it is used, so its operands count."""
    for k in program.args[i]:
        if program.ops[k] == "less":
            yield from program.args[k]
        else:
            yield k
