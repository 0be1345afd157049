"""Pointers that are moved along memory, so that most operands lie within reach of an offset of one byte.

An address with a longer offset takes three bytes more, and a long program waits for its instructions.  Memory is
looked at in blocks of the reach of such an offset.  The program is known to its end, so the pointer that gives way
to another block is the one whose block is needed latest, as with values in registers.
"""

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence

#: bytes within reach of a pointer, half of them before it
REACH = 256
HALF = REACH // 2
#: a block gets a pointer if it is used this often within so many lines
_OFTEN, _SOON = 3, 128
_NEVER = 1 << 60
_OPERAND = re.compile(r"<(\w+) (\d+)>")

Block = tuple[str, int]  # a region of memory, and which part of it


def operand(region: str, offset: int) -> str:
    """What stands for a place in memory until its address is known."""
    return f"<{region} {offset}>"


def addressed(lines: Sequence[str], regions: Mapping[str, str], spare: Sequence[str]) -> list[str]:
    """The lines, at most one operand in each, with addresses; a region has a register that points to its beginning.

    Pointers move if there are spare registers for more of them.
    """
    return _Windows(lines, regions, spare).lines


class _Windows:
    def __init__(self, lines: Sequence[str], regions: Mapping[str, str], spare: Sequence[str]):
        self.uses: dict[Block, list[int]] = {}
        found = [_OPERAND.search(line) for line in lines]
        for i, match in enumerate(found):
            if match:
                self.uses.setdefault((match[1], int(match[2]) // REACH), []).append(i)
        self.blocks = {register: (region, 0) for region, register in regions.items()}
        self.pointers = {block: register for register, block in self.blocks.items()}
        self.moving, self.spare = bool(spare), list(spare)
        self.lines = [f"subq $-{HALF}, %{register}" for register in regions.values()]
        for i, (line, match) in enumerate(zip(lines, found, strict=True)):
            self.lines.append(line[: match.start()] + self._address(i, match) + line[match.end() :] if match else line)

    def _address(self, i: int, match: re.Match[str]) -> str:
        region, offset = match[1], int(match[2])
        block = (region, offset // REACH)
        if self.moving and block not in self.pointers and self._use(block, i, _OFTEN - 1) - i < _SOON:
            self._point(block, i)
        register = self.pointers.get(block) or self._nearest(block)
        return f"{offset - REACH * self.blocks[register][1] - HALF}(%{register})"

    def _point(self, block: Block, i: int) -> None:
        """Let a register point to a block, unless all others are needed sooner."""
        near = self._nearest(block)
        offset = REACH * (block[1] - self.blocks[near][1])
        if self.spare:
            register = self.spare.pop()
        else:
            register = max(self._movable(block), key=lambda r: self._use(self.blocks[r], i))
            if self._use(self.blocks[register], i) < self._use(block, i, 1):
                return
            del self.pointers[self.blocks[register]]
        self.lines.append(f"leaq {offset}(%{near}), %{register}")
        self.blocks[register], self.pointers[block] = block, register

    def _movable(self, block: Block) -> list[str]:
        """Registers that can leave their blocks: a region keeps one, from which the others are reached."""
        regions = [region for region, _ in self.blocks.values()]
        return [r for r, (region, _) in self.blocks.items() if region == block[0] or regions.count(region) > 1]

    def _nearest(self, block: Block) -> str:
        own = [register for register, (region, _) in self.blocks.items() if region == block[0]]
        return min(own, key=lambda register: abs(self.blocks[register][1] - block[1]))

    def _use(self, block: Block, i: int, further: int = 0) -> int:
        """The line of the first use of a block from line i on, or of one further on."""
        uses = self.uses.get(block, ())
        k = bisect_left(uses, i) + further
        return uses[k] if k < len(uses) else _NEVER
