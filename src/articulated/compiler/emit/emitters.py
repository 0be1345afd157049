"""The emitters of machine code, and the one place that chooses between them."""

from ..target import Target
from .llvm.emitter import LLVM
from .llvm.types import Lanes
from .protocol import Emitter
from .x86.emitter import X86

#: by preference; the last one serves everything
EMITTERS: tuple[Emitter, ...] = (X86, LLVM)


def chosen(target: Target, lanes: Lanes, arrays: int = 0) -> Emitter:
    """The first emitter that can write a function on such vectors that reads and writes so many arrays."""
    return next(emitter for emitter in EMITTERS if emitter.serves(target, lanes, arrays))
