"""Which register holds which value of a straight-line program, by looking ahead.

A program without branches is known to its end, so where a register is wanted and none is free, the one whose
value is needed latest is given up (Belady 1966).  A value that is in memory as well is given up for nothing; any
other is first stored in a slot of its own.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from heapq import heappop, heappush

REGISTERS = 16
#: the step of a use that does not come
NEVER = 1 << 60
#: how much nearer the next use of a value may be that is given up without a store
CHEAPER = 2


class Registers:
    """The state of all registers at one step of the program."""

    def __init__(
        self,
        uses: Mapping[int, Sequence[int]],
        home: Callable[[int], str | None],
        slot: Callable[[int], str],
        write: Callable[..., None],
    ):
        self.uses = uses  # of each value: the steps that read it, in order
        self.home = home  # of each value: where it is in memory from the start, if it is
        self.slot = slot  # the operand for a slot
        self.write = write  # a move between memory and a register, as text
        self.step = 0
        self.of: dict[int, int] = {}  # value -> register
        self.value: list[int | None] = [None] * REGISTERS
        self.free = list(reversed(range(REGISTERS)))
        self.slots = 0  # in use at the same time, at most
        self._slot: dict[int, int] = {}  # of values that had to be stored
        self._free_slots: list[int] = []  # a heap: what is in use lies close together
        self._read: list[int] = []  # slots whose last reader is the instruction being made
        self._passed: dict[int, int] = {}  # of each value: uses that are over
        self._next: dict[int, int] = {}  # ... and the one after them

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
        """The operand for a value in memory; None if it is only in a register."""
        return self.slot(self._slot[value]) if value in self._slot else self.home(value)

    def operand(self, value: int) -> str:
        """The operand for a value, wherever it is."""
        found = f"%{self.of[value]}" if value in self.of else self.memory(value)
        assert found
        return found

    def take(self, keep: Collection[int]) -> int:
        """A register for something new; those of the values `keep` stay."""
        if self.free:
            return self.free.pop()
        register = self._least_missed(keep)
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

    def _least_missed(self, keep: Collection[int]) -> int:
        """The register whose value is not needed for longest; one that is in memory may be needed sooner."""
        longest, register = -1, -1
        for r, value in enumerate(self.value):
            if value is not None and value not in keep:
                distance = self.next_use(value) - self.step
                if CHEAPER * distance > longest:
                    unmissed = distance if self.memory(value) is None else CHEAPER * distance
                    if unmissed > longest:
                        longest, register = unmissed, r
        assert register >= 0
        return register

    def load(self, value: int, keep: Collection[int]) -> None:
        """Bring a value from memory to a register of its own."""
        register, place = self.take(keep), self.memory(value)
        self.write("move", place, f"%{register}")
        self.hold(value, register)

    def hold(self, value: int, register: int) -> None:
        """From now on the register holds this value."""
        self.of[value], self.value[register] = register, value

    def leave(self, value: int) -> int:
        """The register of a value, which is no longer there."""
        register = self.of.pop(value)
        self.value[register] = None
        return register

    def forget(self, values: Collection[int]) -> None:
        """Free the registers and slots of those values that are not used again."""
        for value in set(values):
            if self.next_use(value) == NEVER:
                if value in self.of:
                    self.free.append(self.leave(value))
                if value in self._slot:
                    self._read.append(self._slot.pop(value))

    def end_step(self) -> None:
        """The instruction is made: slots that it was the last to read can be written."""
        for slot in self._read:
            heappush(self._free_slots, slot)
        self._read = []
        self.step += 1
