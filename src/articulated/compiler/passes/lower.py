"""Replace what no processor has an instruction for: sign, atan2, sine and cosine.

Sign and atan2 become arithmetic here.  Sine and cosine only change their name: `sin` is whatever
sine a target has, `sine` the one of `emit/llvm/sincos.py`, with the same bits on every target and in every
lane.  Emitters compute all of them in one loop instead of inlining the polynomials for each joint.
"""

import math
from dataclasses import replace
from typing import Any

from ...algebra import scalars
from .graph import LEAVES, Graph, Node
from .trace import Output, Program, pruned

#: atan t = t - t (z C0 + z² C1 + …), z = t², |t| < 7/16 (Sun's fdlibm, e_atan.c)
_ATAN = (
    3.33333333333329318027e-01, -1.99999999998764832476e-01, 1.42857142725034663711e-01,
    -1.11111104054623557880e-01, 9.09088713343650656196e-02, -7.69187620504482999495e-02,
    6.66107313738753120669e-02, -5.83357013379057348645e-02, 4.97687799461593236017e-02,
    -3.65315727442169155270e-02, 1.62858201153657823623e-02,
)  # fmt: skip


def lower(program: Program) -> Program:
    """The program in operations that every target has."""
    if not any(op in ("sign", "held", "atan2", "less") for op in program.ops):  # true of most programs
        return replace(program, ops=tuple([RENAMED.get(op, op) for op in program.ops]))
    graph = Graph()
    made: list[Node] = []
    for op, args in zip(program.ops, program.args, strict=True):
        if op in LEAVES:
            made.append(Node(graph, graph.index(op, *args), False))
        elif op in LOWER:
            made.append(LOWER[op](*(made[k] for k in args)))
        else:
            made.append(Node(graph, graph.index(op, *(graph.value(made[k]) for k in args)), False))
    outputs = [Output(o.shape, tuple(_entry(entry, made) for entry in o.entries)) for o in program.outputs]
    return pruned(graph, program.inputs, outputs, program.result)


def _entry(entry: Any, made: list[Node]) -> Any:
    if not isinstance(entry, tuple):
        return entry
    node = made[entry[0]]
    if node.graph.ops[node.i] == "less":
        node = scalars.select(node, 1.0, 0.0)
    return (node.i, node.negative != entry[1])


def _sign(x: Node) -> Node:
    # zero and NaN stay what they are
    return scalars.select(x < 0, -1.0, scalars.select(x > 0, 1.0, x))


def _atan2(y: Node, x: Node) -> Node:
    """Angle of (x, y) to about 2 ulp; the sign of a zero y is ignored, and (0, 0) has angle 0."""
    width, height = _absolute(x), _absolute(y)
    steep = width < height
    large, small = scalars.select(steep, height, width), scalars.select(steep, width, height)
    # small/large below 7/16: the angle itself; above: the angle from the diagonal
    diagonal = 0.4375 * large < small
    numerator = scalars.select(diagonal, small - large, small)
    denominator = scalars.select(diagonal, small + large, scalars.select(large < 5e-324, 1.0, large))
    t = numerator / denominator
    z = t * t
    series: Any = y.graph.node(_ATAN[-1])
    for coefficient in _ATAN[-2::-1]:
        series = fused("fma", series, z, coefficient)
    angle = fused("fnma", t * z, series, t)
    # |t| < 7/16, so the angle from the diagonal is about half of π/4 at most, and does not cancel it
    angle = scalars.select(diagonal, (angle + _tail(math.pi / 4)) + math.pi / 4, angle)
    angle = scalars.select(steep, math.pi / 2 - (angle - _tail(math.pi / 2)), angle)
    angle = scalars.select(x < 0, math.pi - (angle - _tail(math.pi)), angle)
    return scalars.select(y < 0, -angle, angle)


def _tail(x: float) -> float:
    """The rounding error of the multiple x of π/4."""
    return 1.2246467991473532e-16 * (x / math.pi)


def _absolute(x: Node) -> Node:
    return scalars.select(x < 0, -x, x)


def fused(op: str, a: Any, b: Any, c: Any) -> Node:
    """A fused multiply-add of nodes and numbers."""
    graph = next(x.graph for x in (a, b, c) if isinstance(x, Node))
    return Node(graph, graph.index(op, *(graph.value(graph.node(x)) for x in (a, b, c))), False)


def _named(op: str, odd: bool) -> Any:
    def build(x: Node) -> Node:
        return Node(x.graph, x.graph.index(op, x.i), odd and x.negative)

    return build


RENAMED = {"sin": "sine", "cos": "cosine"}
#: the replacement of each operation that is not arithmetic
LOWER = {
    "sign": _sign,
    "held": lambda x: x,
    "atan2": _atan2,
    "sin": _named("sine", True),
    "cos": _named("cosine", False),
}
