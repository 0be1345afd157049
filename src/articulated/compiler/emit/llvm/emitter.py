"""Straight-line code left to LLVM: it selects instructions, allocates registers and orders them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...target import Target
from ..protocol import Function, Piece
from . import body, sincos
from .frame import Layout
from .types import Lanes


@dataclass(frozen=True)
class _LLVM:
    name: str = "LLVM"
    whole: bool = False

    @property
    def ops(self) -> Mapping[str, str]:
        return body.INSTRUCTIONS

    def serves(self, target: Target, lanes: Lanes, arrays: int) -> bool:
        return True

    def functions(self, layout: Layout, pieces: Sequence[Piece]) -> tuple[list[Function], list[str]]:
        return [body.function(layout, piece) for piece in pieces], []

    def sincos(self, lanes: Lanes) -> tuple[list[str], str]:
        return [], sincos.two_vectors(lanes)


LLVM = _LLVM()
