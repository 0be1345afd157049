"""When and where each operation runs: stages around the sines, chunks, and slots of a scratch frame.

All sines of a program are computed together in one vector loop, so a program is cut where
angles become known: first what the angles need, then their sines, then the rest.  The rest is cut
into chunks once it is long, because a compiler's time grows faster than the length of a function.
Values that cross a cut live in a slot of a frame in memory.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from .graph import LEAVES
from .trace import Program

SINCOS_OPS = ("sine", "cosine")
#: not part of a chunk: in memory, in the sine loop, or made again where it is used
ELSEWHERE = (*LEAVES, *SINCOS_OPS, "less")

#: a program of up to this many operations stays one function
WHOLE = 2000
#: operations of a chunk of a longer one
CHUNK = 300


@dataclass(frozen=True)
class Stage:
    """Chunks of operations to run in order, then the sines of some angles."""

    chunks: tuple[tuple[int, ...], ...]
    angles: tuple[int, ...]  # operations; sine and cosine k of the stage are of angle k


def stages(program: Program, whole: bool = False) -> list[Stage]:
    """The operations by stage, each stage in one chunk if it is to be `whole`; the last stage has no angles."""
    depth = _sine_depths(program)
    angles: dict[int, dict[int, None]] = {}  # by depth, each once, in order
    for i, (op, args) in enumerate(zip(program.ops, program.args, strict=True)):
        if op in SINCOS_OPS:
            angles.setdefault(depth[i], {})[args[0]] = None
    last = max(angles, default=0)
    stage = [last] * len(program)  # the stage an operation runs in: as late as its angle allows
    for d in sorted(angles, reverse=True):
        for i in _needed(program, angles[d]):
            stage[i] = min(stage[i], d - 1)
    out = []
    for d in range(last + 1):
        mine = [i for i, op in enumerate(program.ops) if stage[i] == d and op not in ELSEWHERE]
        out.append(Stage(_chunks(mine, whole), tuple(angles.get(d + 1, ()))))
    return out


def _sine_depths(program: Program) -> list[int]:
    """How many sines have to be taken one after the other to get each operation."""
    depth: list[int] = []
    for op, args in zip(program.ops, program.args, strict=True):
        deepest = 0 if op in LEAVES else max((depth[k] for k in args), default=0)
        depth.append(deepest + (op in SINCOS_OPS))
    return depth


def _needed(program: Program, roots: Iterable[int]) -> set[int]:
    found, todo = set(), list(roots)
    while todo:
        i = todo.pop()
        if i not in found and program.ops[i] not in LEAVES:
            found.add(i)
            todo += program.args[i]
    return found


def _chunks(operations: list[int], whole: bool) -> tuple[tuple[int, ...], ...]:
    count = 1 if whole or len(operations) <= WHOLE else -(-len(operations) // CHUNK)
    size = -(-len(operations) // count)
    return tuple(tuple(operations[k : k + size]) for k in range(0, len(operations), size or 1))


def crossing(program: Program, chunks: list[tuple[int, ...]]) -> dict[int, int]:
    """A slot for each operation used in a later chunk than its own; slots are reused."""
    home = {i: c for c, chunk in enumerate(chunks) for i in chunk}
    last: dict[int, int] = {}
    for c, chunk in enumerate(chunks):
        for i in chunk:
            for operand in operands(program, i):
                if home.get(operand, c) != c:
                    last[operand] = c
    ends: dict[int, list[int]] = {}
    for i, c in last.items():
        ends.setdefault(c, []).append(i)
    slots: dict[int, int] = {}
    free: list[int] = []
    size = 0
    for c, chunk in enumerate(chunks):
        for i in chunk:
            if i in last:
                if not free:
                    free, size = [size], size + 1
                slots[i] = free.pop()
        free += [slots[i] for i in ends.get(c, ())]
    return slots


def operands(program: Program, i: int) -> list[int]:
    """What operation i reads; a comparison is made again where it is used, so its operands count."""
    out: list[int] = []
    for k in program.args[i]:
        if program.ops[k] == "less":
            out += program.args[k]
        elif program.ops[k] != "const":
            out.append(k)
    return out
