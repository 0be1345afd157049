"""Straight-line code as x86-64 assembly, for AVX2 and FMA.

LLVM selects the same instructions, but allocates sixteen registers less well: long programs run up to a third
faster this way, and are compiled several times as fast.  Each operation is one instruction that rounds as
LLVM's does, so the numbers are the same to the last bit.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...target import Target
from ..llvm.frame import Layout
from ..llvm.types import Lanes
from ..protocol import Function, Piece
from . import body, sincos
from .memory import MOST_ARRAYS, ConstantPool

#: bytes of the registers that the assembly for vectors is written for
_WIDTH = 32


@dataclass(frozen=True)
class _X86:
    name: str = "x86-64 assembly"
    whole: bool = True

    @property
    def ops(self) -> Mapping[str, Any]:
        return body.INSTRUCTIONS

    def serves(self, target: Target, lanes: Lanes, arrays: int) -> bool:
        runs = target.x86 and {"avx2", "fma"} <= target.features
        return runs and arrays <= MOST_ARRAYS and (lanes.count == 1 or lanes.bytes == _WIDTH)

    def functions(self, layout: Layout, pieces: Sequence[Piece]) -> tuple[list[Function], list[str]]:
        if not pieces:
            return [], []
        pool = ConstantPool(layout.lanes, f"constants_{pieces[0].name}")
        return [body.function(layout, piece, pool) for piece in pieces], [pool.text()]

    def sincos(self, lanes: Lanes) -> tuple[list[str], str]:
        return [sincos.table(lanes)], sincos.two_vectors(lanes)


X86 = _X86()
