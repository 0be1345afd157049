"""A lowered program as the text of LLVM modules.

`@articulated_batch(n, args, strides)` runs tiles of as many states as a vector has lanes: rows are
transposed into a frame on the stack, the sines of all joints are taken in one loop, the straight-line
body runs, results are transposed back.  `@articulated_one(args)` is the same body on scalars, its sines
still taken in vectors.  Every operation is the same in both, and nothing is left for the compiler to
contract or reorder, so a state's numbers do not depend on where in a batch it stands.  The sines are
a module of their own, `@articulated_sines`, the same for every program.

Only text: whoever compiles it asks for code generation level 1, position-independent code, the
small code model, and no passes before it (they gain nothing).  The processor must have fused
multiply-add; without it the calls to llvm.fma would leave the module.
"""

from collections.abc import Sequence

from ...abi import FORMS, SINCOS_SYMBOL
from ...passes.schedule import SINCOS_OPS, stages
from ...passes.trace import Program
from ..x86 import body, sincos
from .batch import batch
from .frame import Layout
from .huge_angles import huge_sines
from .one import one
from .sincos import sines
from .types import Lanes


def ir(
    program: Program, lanes: int, precision: str = "float64", forms: Sequence[str] = FORMS, assembly: bool = False
) -> str:
    """The module of a lowered program with this many states per vector (at least two).

    With `assembly` the straight-line code is written for x86-64 with AVX2 and FMA, where `body.py` serves.
    """
    vector, scalar = _vector(lanes, precision), Lanes(1, precision)
    parts = [f"declare void @{SINCOS_SYMBOL}(ptr, ptr, ptr, i64, i64, i64)"] if takes_sines(program) else []
    if "batch" in forms:
        own = assembly and body.serves(program, vector)
        parts += batch(Layout(program, stages(program, whole=own), vector, 1), own)
    if "one" in forms:
        own = assembly and body.serves(program, scalar)
        layout = Layout(program, stages(program, whole=own), scalar, vector.count)
        parts += one(layout, vector, own)
    return "\n\n".join(parts) + "\n"


def takes_sines(program: Program) -> bool:
    """Whether a module of this program calls the one with the sines."""
    return any(op in SINCOS_OPS for op in program.ops)


def sines_ir(lanes: int, precision: str = "float64", assembly: bool = False) -> str:
    """The module with the sines that those of programs call."""
    vector = _vector(lanes, precision)
    own = assembly and sincos.serves(vector)
    parts = [sincos.table(vector)] if own else []
    return "\n\n".join([*parts, sines(vector, own).strip(), *huge_sines(vector)]) + "\n"


def _vector(lanes: int, precision: str) -> Lanes:
    return Lanes(max(lanes, 2), precision)
