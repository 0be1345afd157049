"""The order of the operations of a straight-line program: that of the text, but without waiting for results.

A recursion works its way along a limb, each operation waiting for the one before.  Taking operations from a little
further on meanwhile keeps the processor busy; taking them from too far costs registers.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from heapq import heappop, heappush

#: how far ahead of the text an operation may come, in operations
WINDOW = 24
#: half cycles from operation to result, as on current processors; others take one cycle
_LATENCY = {"add": 6, "sub": 6, "mul": 8, "fma": 8, "fms": 8, "fnma": 8, "div": 26, "sqrt": 40}
#: places in the text that a register set free is worth; a half cycle of waiting is worth half a place
_FREED = 12


def ordered(operations: Sequence[int], ops: Sequence[str], reads: Callable[[int], Iterable[int]]) -> list[int]:
    """The operations, each still after those it reads."""
    inside = set(operations)
    sources = {i: [k for k in dict.fromkeys(reads(i)) if k in inside] for i in operations}
    readers: dict[int, list[int]] = {i: [] for i in operations}
    for i, found in sources.items():
        for k in found:
            readers[k].append(i)
    missing, unread = {i: len(found) for i, found in sources.items()}, {i: len(readers[i]) for i in operations}
    place = {i: p for p, i in enumerate(operations)}
    done = dict.fromkeys(operations, 0)  # when a result is there, in half cycles: two operations begin in a cycle
    ready = {i: 0 for i in operations if not missing[i]}  # when an operation could begin
    near: list[int] = []  # those among them that may come now
    far = [place[i] for i in ready]  # the places of the others, a heap
    out: list[int] = []
    first = 0  # the first place in the text whose operation is still to come
    taken = [False] * len(operations)

    def best() -> int:
        chosen, least = -1, math.inf
        for i in near:
            cost = place[i] + max(ready[i] - len(out), 0) / 2
            if cost - _FREED * len(sources[i]) < least:
                cost -= _FREED * sum(unread[k] == 1 for k in sources[i])
                if cost < least:
                    chosen, least = i, cost
        return chosen

    while first < len(operations):
        while far and far[0] <= first + WINDOW:
            near.append(operations[heappop(far)])
        near.remove(i := best())
        done[i] = max(ready.pop(i), len(out)) + _LATENCY.get(ops[i], 2)
        taken[place[i]] = True
        out.append(i)
        for k in sources[i]:
            unread[k] -= 1
        for reader in readers[i]:
            missing[reader] -= 1
            if not missing[reader]:
                ready[reader] = max(done[k] for k in sources[reader])
                heappush(far, place[reader])
        while first < len(operations) and taken[first]:
            first += 1
    return out
