"""What an emitter of machine code is.

A kernel is a module of LLVM: the loop over a batch, transpositions, the function for sines and cosines (`llvm/`).
The straight-line code in it, which is nearly all of its time, is an emitter's.  A new emitter is one file or folder
with a value that has these members, and a place in the tuple of `emitters.py`.  It has to know every operation
that is left after `passes/lower.py`, and to round each as IEEE 754 says: tests compare all emitters bit by bit.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from ..target import Target
from .llvm.frame import Layout
from .llvm.types import Lanes


class Piece(NamedTuple):
    """A part of a program that becomes one function."""

    name: str
    operations: tuple[int, ...]
    leaves: list[int]  # inputs, constants, sines and cosines that are stored as they are


class Function(NamedTuple):
    """A function for a piece, in the text of a module."""

    text: str  # its definition
    call: str  # the line that calls it
    slots: int = 0  # spill slots it needs


class Emitter(Protocol):
    """Writes straight-line code into a module of LLVM."""

    @property
    def name(self) -> str:
        """What it is called in messages."""

    @property
    def ops(self) -> Mapping[str, Any]:
        """What it writes for each operation."""

    @property
    def whole(self) -> bool:
        """Whether a long program may be one function: if not, it is cut, as compile time grows faster than length."""

    def serves(self, target: Target, lanes: Lanes, arrays: int) -> bool:
        """Whether it can write a function on such vectors that reads and writes so many arrays."""

    def functions(self, layout: Layout, pieces: Sequence[Piece]) -> tuple[list[Function], list[str]]:
        """A function for each piece, and the global data of the module that they read."""

    def sincos(self, lanes: Lanes) -> tuple[list[str], str]:
        """Global data, and the lines for two vectors v = 0, 1 of angles.

        They read the angles at %atx.v and store sines at %ats.v and cosines at %atc.v; %more.v is %most.v plus
        the squares of their numbers of quarter turns.
        """
