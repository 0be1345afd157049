"""Three small kernels, and the sines, whose LLVM text is kept: python -m tests.compiler.kernels writes it anew."""

from pathlib import Path

from articulated.algebra.scalars import array, cos, select, sin, sqrt
from articulated.compiler.emit.llvm.module import ir, sincos_ir
from articulated.compiler.passes.lower import lower
from articulated.compiler.passes.simplify import simplify
from articulated.compiler.passes.trace import trace

from .compiled import target

GOLDEN = Path(__file__).parent / "golden"


def dot(x, y):
    """Sums of products, nothing else."""
    return array([x @ y, 2 - x[0] * y[1], -(x[1] * y[1]) - x[2]])


def pendulum(q, v, a):
    """The torque of two links: sines, then arithmetic."""
    c, s = cos(q[1]), sin(q[1])
    bend = 0.5 * s * v[1] * (2 * v[0] + v[1])
    swing = 9.81 * sin(q[0] + q[1])
    return array([(2 + c) * a[0] + (1 + 0.5 * c) * a[1] - bend + swing, (1 + 0.5 * c) * a[0] + a[1] + swing])


def matrix(x):
    """A symmetric matrix with constants, a branch and a root."""
    d = select(x[0] < x[1], sqrt(x[2]), x[0] / x[1])
    return array([[1, d, 0], [d, x[2], -d], [0, -d, x[2]]])


#: name: (function, sizes, lanes, precision)
KERNELS = {
    "dot": (dot, {"x": 3, "y": 3}, 4, "float64"),
    "pendulum": (pendulum, {"q": 2, "v": 2, "a": 2}, 8, "float64"),
    "matrix": (matrix, {"x": 3}, 8, "float32"),
}
#: lanes of the sines and cosines whose text is kept beside them
SINCOS_LANES = 8


def text(name: str) -> str:
    """The module of a kernel."""
    if name == "sincos":
        return sincos_ir(target(SINCOS_LANES))
    function, sizes, lanes, precision = KERNELS[name]
    return ir(lower(simplify(trace(function, sizes))), target(lanes, precision), precision)


if __name__ == "__main__":
    for name in (*KERNELS, "sincos"):
        (GOLDEN / f"{name}.ll").write_text(text(name))
