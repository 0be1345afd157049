"""A lowered program as the text of LLVM modules.

`@articulated_batch(n, args, strides)` runs tiles of as many states as a vector has lanes: rows are transposed into a
frame on the stack, the sines and cosines of all joints are taken in one loop, the straight-line code runs, results are
transposed back.  `@articulated_one(args)` is the same code on scalars, its sines still taken in vectors.  Every
operation is the same in both, and nothing is left for LLVM to contract or reassociate, so a state's numbers do not
depend on its place in a batch.  Sines and cosines are a module of their own, the same for every program.

Only text: whoever compiles it asks for code generation level 1, position-independent code, the
small code model, and no passes before it (they gain nothing).  The processor must have fused
multiply-add; without it the calls to llvm.fma would leave the module.
"""

from collections.abc import Callable, Sequence

from ...abi import ENTRY_POINTS, Target
from ...passes.schedule import SINCOS_OPS
from ...passes.trace import Program
from .batch import batch
from .calls import one
from .frame import Layout, planned
from .sincos import SINCOS_DECLARATION, sincos_functions
from .types import Lanes

#: by entry point: the function that writes it, and whether it works on whole vectors
_WRITERS: dict[str, tuple[Callable[[Layout, Lanes], list[str]], bool]] = {
    "batch": (batch, True),
    "one": (one, False),
}


def ir(
    program: Program,
    target: Target,
    precision: str = "float64",
    entries: Sequence[str] = ENTRY_POINTS,
) -> str:
    """The module of a lowered program with these entry points."""
    vector = Lanes(target.lanes(precision), precision)
    parts = [SINCOS_DECLARATION] if takes_sincos(program) else []
    for entry, (write, wide) in _WRITERS.items():
        if entry in entries:
            lanes = vector if wide else Lanes(1, precision)
            parts += write(planned(program, target, lanes, not wide), vector)
    return "\n\n".join(parts) + "\n"


def takes_sincos(program: Program) -> bool:
    """True if a module of this program calls the one with sines and cosines."""
    return any(op in SINCOS_OPS for op in program.ops)


def sincos_ir(target: Target, precision: str = "float64") -> str:
    """The module with the sines and cosines that those of programs call."""
    return "\n\n".join(sincos_functions(Lanes(target.lanes(precision), precision))) + "\n"
