"""The cuts of a program: into stages around its sines and cosines, and long stages into chunks.

All sines of a program are computed together in one vector loop, so a program is cut where angles
become known: first what the angles depend on, then their sines, then the rest.  A long stage is cut into
chunks, because LLVM's compile time grows faster than the length of a function.  Values that
are live across a cut have a slot in the frame.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from .graph import LEAVES
from .trace import Program

SINCOS_OPS = ("sine", "cosine")
#: not part of a chunk: in memory, computed by the sine loop, or rematerialised at its use
ELSEWHERE = (*LEAVES, *SINCOS_OPS, "less")


@dataclass(frozen=True)
class Stage:
    """Chunks of operations to run in order, and the angles whose sines and cosines follow."""

    chunks: tuple[tuple[int, ...], ...]
    angles: tuple[int, ...]  # operations


def stages(program: Program, whole: int, chunk: int) -> list[Stage]:
    """The operations by stage, one of more than `whole` operations in chunks; the last stage has no angles."""
    depth = _sincos_depths(program)
    angles: dict[int, dict[int, None]] = {}  # by depth, each once, in order
    for i, (op, args) in enumerate(zip(program.ops, program.args, strict=True)):
        if op in SINCOS_OPS:
            angles.setdefault(depth[i], {})[args[0]] = None
    last = max(angles, default=0)
    stage = [last] * len(program)  # an operation runs in the last stage unless an angle depends on it
    for d in sorted(angles, reverse=True):
        for i in _dependencies(program, angles[d]):
            stage[i] = min(stage[i], d - 1)
    out = []
    for d in range(last + 1):
        mine = [i for i, op in enumerate(program.ops) if stage[i] == d and op not in ELSEWHERE]
        out.append(Stage(_chunks(mine, whole, chunk), tuple(angles.get(d + 1, ()))))
    return out


def _sincos_depths(program: Program) -> list[int]:
    """The largest number of sines and cosines on a path from the inputs to each operation."""
    depth: list[int] = []
    for op, args in zip(program.ops, program.args, strict=True):
        deepest = 0 if op in LEAVES else max((depth[k] for k in args), default=0)
        depth.append(deepest + (op in SINCOS_OPS))
    return depth


def _dependencies(program: Program, roots: Iterable[int]) -> set[int]:
    """The roots and all operations they depend on, leaves left out."""
    found, todo = set(), list(roots)
    while todo:
        i = todo.pop()
        if i not in found and program.ops[i] not in LEAVES:
            found.add(i)
            todo += program.args[i]
    return found


def _chunks(operations: list[int], whole: int, chunk: int) -> tuple[tuple[int, ...], ...]:
    count = 1 if len(operations) <= whole else -(-len(operations) // chunk)
    size = -(-len(operations) // count)
    return tuple(tuple(operations[k : k + size]) for k in range(0, len(operations), size or 1))


def crossing(program: Program, chunks: list[tuple[int, ...]]) -> dict[int, int]:
    """A slot for each operation that is live across chunks; slots are reused when live ranges end."""
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
    """The operands of operation i without constants; a comparison is rematerialised at its use: its operands count."""
    out: list[int] = []
    for k in program.args[i]:
        if program.ops[k] == "less":
            out += program.args[k]
        elif program.ops[k] != "const":
            out.append(k)
    return out
