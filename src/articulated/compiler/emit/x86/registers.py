"""Register allocation for a straight-line program, which is known to its end.

When a register is needed and none is free, the value whose next use is farthest away is evicted (Belady 1966).
A value that is in memory anyway is evicted without a store; any other is first spilled to a slot of its own.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from heapq import heappop, heappush

#: vector registers of AVX2
REGISTERS = 16
#: the step of a use that does not come
NEVER = 1 << 60


class Registers:
    """The state of all registers at one step of the program."""

    def __init__(
        self,
        uses: Mapping[int, Sequence[int]],
        home: Callable[[int], str | None],
        slot: Callable[[int], str],
        write: Callable[..., None],
        reload_bonus: int,
    ):
        self.uses = uses  # of each value: the steps that read it, in order
        self.home = home  # of each value: its memory operand, if it is in memory without having been spilled
        self.slot = slot  # the memory operand of a spill slot
        self.write = write  # writes a move between memory and a register
        self.reload_bonus = reload_bonus  # how much nearer the next use of a value with a copy in memory may be
        self.step = 0
        self.of: dict[int, int] = {}  # value -> register
        self.value: list[int | None] = [None] * REGISTERS
        self.free = list(reversed(range(REGISTERS)))
        self.slots = 0  # spill slots in use at the same time, at most
        self._slot: dict[int, int] = {}  # of spilled values
        self._free_slots: list[int] = []  # a heap: the lowest slots are used first, so that few are touched
        self._dying: list[int] = []  # slots whose last reader is the instruction being written
        self._passed: dict[int, int] = {}  # of each value: how many of its uses are over
        self._next: dict[int, int] = {}  # of each value: its next use, as of the last time it was asked for

    def next_use(self, value: int) -> int:
        """The first step after this one that reads a value."""
        found = self._next.get(value, -1)
        if found <= self.step:
            uses, k = self.uses.get(value, ()), self._passed.get(value, 0)
            while k < len(uses) and uses[k] <= self.step:
                k += 1
            found = uses[k] if k < len(uses) else NEVER
            self._passed[value], self._next[value] = k, found
        return found

    def memory(self, value: int) -> str | None:
        """The memory operand of a value; None if it is only in a register."""
        return self.slot(self._slot[value]) if value in self._slot else self.home(value)

    def operand(self, value: int) -> str:
        """The operand of a value, in a register or in memory."""
        found = f"%{self.of[value]}" if value in self.of else self.memory(value)
        assert found
        return found

    def take(self, keep: Collection[int]) -> int:
        """A register for something new; the values `keep` are not evicted."""
        if self.free:
            return self.free.pop()
        register = self._victim(keep)
        value = self.value[register]
        assert value is not None
        if self.memory(value) is None:
            if not self._free_slots:
                self._free_slots, self.slots = [self.slots], self.slots + 1
            self._slot[value] = heappop(self._free_slots)
            self.write("move", f"%{register}", self.slot(self._slot[value]))
        del self.of[value]
        self.value[register] = None
        return register

    def _victim(self, keep: Collection[int]) -> int:
        """The register whose value is used last; one that needs no store may be used sooner."""
        longest, register = -1, -1
        for r, value in enumerate(self.value):
            if value is not None and value not in keep:
                distance = self.next_use(value) - self.step
                if self.reload_bonus * distance > longest:
                    score = distance if self.memory(value) is None else self.reload_bonus * distance
                    if score > longest:
                        longest, register = score, r
        assert register >= 0
        return register

    def load(self, value: int, keep: Collection[int]) -> None:
        """Load a value from memory into a register."""
        register, place = self.take(keep), self.memory(value)
        self.write("move", place, f"%{register}")
        self.hold(value, register)

    def hold(self, value: int, register: int) -> None:
        """Note that the register holds this value from now on."""
        self.of[value], self.value[register] = register, value

    def leave(self, value: int) -> int:
        """Note that a value is no longer in its register, and return the register."""
        register = self.of.pop(value)
        self.value[register] = None
        return register

    def release(self, values: Collection[int]) -> None:
        """Free the registers and slots of those values whose live range ends here."""
        for value in set(values):
            if self.next_use(value) == NEVER:
                if value in self.of:
                    self.free.append(self.leave(value))
                if value in self._slot:
                    self._dying.append(self._slot.pop(value))

    def end_step(self) -> None:
        """The instruction is written: slots that it was the last to read can be reused."""
        for slot in self._dying:
            heappush(self._free_slots, slot)
        self._dying = []
        self.step += 1
