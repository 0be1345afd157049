"""Pointers that move along memory, so that most displacements fit one byte.

A longer displacement adds three bytes to its instruction, and code that does not fit the µop cache is limited by
the bytes it has to fetch and decode.  Memory is divided into blocks that one pointer reaches with such
displacements.  The program is known to its end, so the pointer that moves is the one whose block is used farthest in
the future, as in register allocation (Belady 1966).
"""

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence

from ...processors import Processor

#: bytes within reach of a pointer by displacements of one byte, half of them before it
REACH = 256
HALF = REACH // 2
_NEVER = 1 << 60
_OPERAND = re.compile(r"<(\w+) (\d+)>")

Block = tuple[str, int]  # a region of memory, and the number of the block in it


def operand(region: str, offset: int) -> str:
    """A placeholder for a place in memory, until its address is known."""
    return f"<{region} {offset}>"


def addressed(
    lines: Sequence[str], regions: Mapping[str, str], spare: Sequence[str], processor: Processor
) -> list[str]:
    """The lines, at most one operand in each, with addresses; a region has a register that points to its beginning.

    Pointers move only if there are spare registers for more of them.
    """
    return _Windows(lines, regions, spare, processor).lines


class _Windows:
    def __init__(self, lines: Sequence[str], regions: Mapping[str, str], spare: Sequence[str], processor: Processor):
        self.processor = processor
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
        if self.moving and block not in self.pointers and self._pays(block, i):
            self._point(block, i)
        register = self.pointers.get(block) or self._nearest(block)
        return f"{offset - REACH * self.blocks[register][1] - HALF}(%{register})"

    def _pays(self, block: Block, i: int) -> bool:
        """Whether a block is used so often from line i on that a pointer to it pays."""
        return self._use(block, i, self.processor.window_uses - 1) - i < self.processor.window_lines

    def _point(self, block: Block, i: int) -> None:
        """Move a pointer to a block, unless the blocks of all pointers are used sooner."""
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
        """Pointers that may move to this block: a region keeps at least one, from which the others are computed."""
        regions = [region for region, _ in self.blocks.values()]
        return [r for r, (region, _) in self.blocks.items() if region == block[0] or regions.count(region) > 1]

    def _nearest(self, block: Block) -> str:
        """The pointer into the same region that is closest to a block."""
        own = [register for register, (region, _) in self.blocks.items() if region == block[0]]
        return min(own, key=lambda register: abs(self.blocks[register][1] - block[1]))

    def _use(self, block: Block, i: int, further: int = 0) -> int:
        """The line of the first use of a block from line i on, `further` uses skipped."""
        uses = self.uses.get(block, ())
        k = bisect_left(uses, i) + further
        return uses[k] if k < len(uses) else _NEVER
