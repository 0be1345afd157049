"""One function of a program as x86-64 assembly: AVX instructions, packed for a batch and scalar for a single state.

The text is the body of a naked function in the module; LLVM's assembler turns it into bytes.  Operations are
ordered first (`passes/order.py`); then each is written in turn, its operands brought to registers as needed.
"""

from collections.abc import Callable, Iterator
from functools import partial

from ...passes.order import ordered
from ...passes.trace import Program
from ..llvm.frame import Layout
from ..protocol import Function, Piece
from ..table import Table
from .memory import CONVENTION, ConstantPool, Memory
from .registers import NEVER, Registers


def function(layout: Layout, piece: Piece, pool: ConstantPool) -> Function:
    """`@name(arrays, frame, scratch, constants)`, its constants added to the pool."""
    assembly = _Assembly(layout, piece, pool)
    text = assembly.text().replace("$", "$$").replace("\n", "\n    ")
    head = f"define internal {CONVENTION} void @{piece.name}(ptr %arrays, ptr %frame, ptr %scratch, ptr %constants)"
    body = f'  call void asm sideeffect "{text}", ""()\n  unreachable'
    pointers = f"ptr %args, ptr %frame, ptr %scratch, ptr @{pool.name}"
    call = f"  call {CONVENTION} void @{piece.name}({pointers})"
    return Function(f"{head} naked noinline nounwind {{\n{body}\n}}", call, assembly.registers.slots)


class _Assembly:
    """The instructions of one function as they are written."""

    def __init__(self, layout: Layout, piece: Piece, pool: ConstantPool):
        self.layout, self.lanes, self.program = layout, layout.lanes, layout.program
        self.processor = layout.processor
        self.operations = ordered(piece.operations, self.program.ops, partial(reads, self.program), self.processor)
        self.leaves, self.memory = piece.leaves, Memory(layout.lanes, pool, self.processor)
        self.lines: list[str] = []
        self.homes: dict[int, str] = {}  # memory operands of values that need no spill slot
        uses: dict[int, list[int]] = {}
        for step, i in enumerate(self.operations):
            for k in reads(self.program, i):
                uses.setdefault(k, []).append(step)
        self.registers = Registers(uses, self._home, self.memory.slot, self._write, self.processor.reload_bonus)
        self.precision = "d" if self.lanes.size == 8 else "s"
        self.kind = ("p" if layout.wide else "s") + self.precision
        self.register = "ymm" if layout.wide else "xmm"

    def text(self) -> str:
        """All instructions, one a line."""
        for i in self.operations:
            write, mnemonic = INSTRUCTIONS[self.program.ops[i]]
            write(self, i, mnemonic, *self.program.args[i])
            self._store(i)
            self.registers.release([i])
            self.registers.end_step()
        for i in self.leaves:
            self._bring(i)
            self._store(i)
        return "\n".join(self.memory.function(self.lines))

    # -- memory ---------------------------------------------------------------------------

    def _home(self, i: int) -> str | None:
        """The memory operand of a value that is not computed here, or has been stored to the frame."""
        if i not in self.homes and self.program.ops[i] == "const":
            self.homes[i] = self.memory.constant(self.program.args[i][0])
        elif i not in self.homes and i in self.layout.place:
            self.homes[i] = self.memory.address(self.layout.place[i])
        return self.homes.get(i)

    def _store(self, i: int) -> None:
        """To the frame and the results, where the layout says so."""
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
            inside = self.layout.wide or all(part[0] == "%" for part in parts)
            name = f"vmovap{self.precision}" if inside else f"vmov{self.kind}"
        texts = (f"%{self.register}{part[1:]}" if part[0] == "%" else part for part in parts)
        self.lines.append(f"{name} {', '.join(texts)}")

    def negate(self, i: int, mnemonic: str, x: int) -> None:
        """-x."""
        register, out = self._unary(x)
        self._negated(register, out)
        self.registers.hold(i, out)

    def unary(self, i: int, mnemonic: str, x: int) -> None:
        """An instruction of one operand; the scalar ones take the upper half of their result from another."""
        register, out = self._unary(x)
        sources = [f"%{register}"] * (1 if self.layout.wide else 2)
        self._write(f"{mnemonic}{self.kind}", *sources, f"%{out}")
        self.registers.hold(i, out)

    def _unary(self, x: int) -> tuple[int, int]:
        """The registers of the only operand and of the result."""
        self._bring(x, x)
        register = self.registers.of[x]
        self.registers.release([x])
        return register, self.registers.take([x])

    def _negated(self, register: int, out: int) -> None:
        self._write(f"vxorp{self.precision}", self.memory.constant(-0.0), f"%{register}", f"%{out}")

    def commutative(self, i: int, mnemonic: str, x: int, y: int) -> None:
        """An instruction of two operands in either order: the one in memory comes second."""
        if x not in self.registers.of and y in self.registers.of:
            x, y = y, x
        self.binary(i, mnemonic, x, y)

    def binary(self, i: int, mnemonic: str, x: int, y: int) -> None:
        """An instruction of two operands; the second may be in memory."""
        registers = self.registers
        self._bring(x, x, y)
        if self._soon(y):
            self._bring(y, x, y)
        first, second = registers.operand(x), registers.operand(y)
        registers.release((x, y))
        out = registers.take((x, y))
        self._write(f"{mnemonic}{self.kind}", second, first, f"%{out}")
        registers.hold(i, out)

    def select(self, i: int, mnemonic: str, condition: int, yes: int, no: int) -> None:
        """One of two values by the mask of a comparison, which is computed anew for each use."""
        registers, (x, y) = self.registers, self.program.args[condition]
        _, compare = INSTRUCTIONS[self.program.ops[condition]]
        keep = (x, y, yes, no)
        self._bring(x, *keep)
        mask = registers.take(keep)
        self._write(f"{compare}{self.kind}", registers.operand(y), registers.operand(x), f"%{mask}")
        self._bring(yes, *keep)
        self._bring(no, *keep)
        parts = [registers.operand(value) for value in (yes, no)]
        registers.release(keep)
        out = registers.take(keep)
        self._write(f"{mnemonic}p{self.precision}", f"%{mask}", *parts, f"%{out}")
        registers.hold(i, out)
        registers.free.append(mask)

    def fused(self, i: int, mnemonic: str, x: int, y: int, z: int) -> None:
        """± x y ± z.  The result overwrites one of the three operands, and another may be in memory."""
        registers, keep = self.registers, (x, y, z)
        for value in keep:
            if self._soon(value) or keep.count(value) > 1:
                self._bring(value, *keep)
        lost, out = self._overwritten(keep)
        elsewhere = [value for value in keep if value not in registers.of and value != lost]
        for value in sorted(elsewhere, key=registers.next_use)[:-1]:
            self._bring(value, *keep)
        # the digits say which operands are multiplied and which is added, counted from the destination
        if lost == z:
            order, parts = "231", [x, y] if x not in registers.of else [y, x]
        else:
            other = y if lost == x else x
            order, parts = ("213", [z, other]) if other in registers.of else ("132", [other, z])
        texts = [registers.operand(value) for value in parts]
        if registers.of.get(lost) == out:
            registers.leave(lost)
        registers.release(keep)
        self._write(f"{mnemonic}{order}{self.kind}", *texts, f"%{out}")
        registers.hold(i, out)

    def _overwritten(self, values: tuple[int, int, int]) -> tuple[int, int]:
        """The operand that the result overwrites, and the register it is in; of equally good ones the addend.

        Best is one whose live range ends here, then one in memory, which is loaded for the purpose, then one that
        can be loaded again later.  Otherwise a copy is made.
        """
        registers = self.registers
        held = [value for value in reversed(values) if value in registers.of]
        dead = [value for value in held if registers.next_use(value) == NEVER]
        if dead:
            return dead[0], registers.of[dead[0]]
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
        """To a register, if it is not in one, without evicting the values `keep`."""
        if value not in self.registers.of:
            self.registers.load(value, keep)

    def _soon(self, value: int) -> bool:
        """Whether a value is used again so soon that it is worth a register; more so while registers are free."""
        within = self.processor.keep_within * (2 if self.registers.free else 1)
        return self.registers.next_use(value) - self.registers.step < within


def reads(program: Program, i: int) -> Iterator[int]:
    """The operands of operation i; a comparison is computed anew where it is used, so its operands count."""
    for k in program.args[i]:
        if program.ops[k] == "less":
            yield from program.args[k]
        else:
            yield k


def _at_its_use(assembly: _Assembly, i: int, mnemonic: str, *args: int) -> None:
    raise AssertionError("a comparison is written by the selection that uses it")


#: each operation: how its operands are brought to registers, and the instruction without its type
INSTRUCTIONS: Table[tuple[Callable[..., None], str]] = Table("x86-64 assembly", {
    "neg": (_Assembly.negate, "vxor"), "sqrt": (_Assembly.unary, "vsqrt"),
    "add": (_Assembly.commutative, "vadd"), "mul": (_Assembly.commutative, "vmul"),
    "sub": (_Assembly.binary, "vsub"), "div": (_Assembly.binary, "vdiv"),
    "fma": (_Assembly.fused, "vfmadd"), "fms": (_Assembly.fused, "vfmsub"), "fnma": (_Assembly.fused, "vfnmadd"),
    "less": (_at_its_use, "vcmplt_oq"), "select": (_Assembly.select, "vblendv"),
})  # fmt: skip
