"""List scheduling of a straight-line program: the order of the text, changed where results are not there yet.

A recursion works its way along a limb, each operation waiting for the one before.  Operations from a little
further on fill the time.  From too far on they would lengthen live ranges, and registers run out.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from heapq import heappop, heappush

from ..processors import Processor


def ordered(
    operations: Sequence[int], ops: Sequence[str], reads: Callable[[int], Iterable[int]], processor: Processor
) -> list[int]:
    """The operations, each still after those it reads."""
    return _Schedule(operations, ops, reads, processor).run()


class _Schedule:
    """What is scheduled so far; time counts in half cycles, one operation being issued in each."""

    def __init__(
        self,
        operations: Sequence[int],
        ops: Sequence[str],
        reads: Callable[[int], Iterable[int]],
        processor: Processor,
    ):
        self.operations, self.ops, self.processor = operations, ops, processor
        inside = set(operations)
        self.sources = {i: [k for k in dict.fromkeys(reads(i)) if k in inside] for i in operations}
        self.readers: dict[int, list[int]] = {i: [] for i in operations}
        for i, found in self.sources.items():
            for k in found:
                self.readers[k].append(i)
        self.missing = {i: len(found) for i, found in self.sources.items()}  # operands not scheduled yet
        self.unread = {i: len(self.readers[i]) for i in operations}  # readers not scheduled yet
        self.place = {i: p for p, i in enumerate(operations)}  # in the text
        self.done: dict[int, int] = {}  # when a result is there
        self.ready = {i: 0 for i in operations if not self.missing[i]}  # when the operands of an operation are there
        self.near: list[int] = []  # ready operations within the lookahead
        self.far = [self.place[i] for i in self.ready]  # places of those beyond, a heap
        self.out: list[int] = []

    def run(self) -> list[int]:
        """All operations in their new order."""
        operations, lookahead = self.operations, self.processor.lookahead
        scheduled = [False] * len(operations)
        first = 0  # the first place in the text whose operation is not scheduled yet
        while first < len(operations):
            while self.far and self.far[0] <= first + lookahead:
                self.near.append(operations[heappop(self.far)])
            self.near.remove(i := self._best())
            self._issue(i)
            scheduled[self.place[i]] = True
            while first < len(operations) and scheduled[first]:
                first += 1
        return self.out

    def _best(self) -> int:
        """The cheapest operation: early in the text, not stalled for long, the last reader of its operands."""
        place, ready, sources, unread = self.place, self.ready, self.sources, self.unread
        now, bonus = len(self.out), self.processor.live_range_bonus
        chosen, least = -1, math.inf
        for i in self.near:
            cost = place[i] + max(ready[i] - now, 0) / 2
            if cost - bonus * len(sources[i]) < least:
                cost -= bonus * sum(unread[k] == 1 for k in sources[i])
                if cost < least:
                    chosen, least = i, cost
        return chosen

    def _issue(self, i: int) -> None:
        """Append operation i, and note who can follow it."""
        latency = self.processor.latency.get(self.ops[i], self.processor.short_latency)
        self.done[i] = max(self.ready.pop(i), len(self.out)) + latency
        self.out.append(i)
        for k in self.sources[i]:
            self.unread[k] -= 1
        for reader in self.readers[i]:
            self.missing[reader] -= 1
            if not self.missing[reader]:
                self.ready[reader] = max(self.done[k] for k in self.sources[reader])
                heappush(self.far, self.place[reader])
