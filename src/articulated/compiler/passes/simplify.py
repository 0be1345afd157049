"""Algebraic simplification: fewer operations for the same values, up to rounding.

A program is replayed on fresh nodes, which fold as they are made (0 and 1, signs, x - x, common
subexpressions); the rules below add constant folding through products, shared divisors and equal branches.
Then `sums` flattens sums and contracts products into them.  Dead code is dropped on the way.
Of several formulations of one algorithm the shortest is kept.
"""

import math
import operator
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...algebra import scalars
from ...housekeeping import uncollected
from ..source import TooLong
from .graph import LEAVES, Graph, Node
from .sums import fuse
from .trace import Output, Program, pruned, trace

#: how each operation is replayed on nodes and numbers alike
REPLAY: dict[str, Callable[..., Any]] = {
    "neg": operator.neg,
    "add": operator.add,
    "sub": operator.sub,
    "mul": lambda a, b: a * b if isinstance(a, Node) and isinstance(b, Node) else _product(a, b),
    "div": operator.truediv,
    "fma": lambda a, b, c: a * b + c,
    "fms": lambda a, b, c: a * b - c,
    "fnma": lambda a, b, c: c - a * b,
    "sqrt": scalars.sqrt,
    "sin": scalars.sin,
    "cos": scalars.cos,
    "sine": scalars.sin,
    "cosine": scalars.cos,
    "atan2": lambda y, x: _angle(y, x),
    "sign": scalars.sign,
    "held": scalars.held,
    "less": operator.lt,
    "select": lambda c, yes, no: yes if _same(yes, no) else scalars.select(c, yes, no),
}


def simplify(program: Program) -> Program:
    """A program with the same results in fewer operations; products and sums become fused operations."""
    return fuse(folded(program))


def count(program: Program) -> Counter[str]:
    """The number of operations of each kind that a processor has to carry out."""
    return Counter(op for op in program.ops if op not in LEAVES)


def folded(program: Program) -> Program:
    """Constants folded, and one reciprocal where several divisions share a divisor."""
    graph = Graph()
    shared = Counter(args[1] for op, args in zip(program.ops, program.args, strict=True) if op == "div")
    made: list[Any] = []
    for op, args in zip(program.ops, program.args, strict=True):
        if op == "input":
            made.append(graph.input(*args))
        elif op == "const":
            made.append(args[0])
        elif op == "div" and shared[args[1]] > 1 and isinstance(made[args[1]], Node):
            made.append(made[args[0]] * (1 / made[args[1]]))
        else:
            made.append(_replayed(graph, op, [made[k] for k in args]))
    outputs = [Output(o.shape, tuple(_entry(entry, made) for entry in o.entries)) for o in program.outputs]
    return pruned(graph, program.inputs, outputs, program.result)


def _replayed(graph: Graph, op: str, values: list[Any]) -> Any:
    try:
        return REPLAY[op](*values)
    except (ArithmeticError, ValueError):  # 1/0, sqrt(-1): left to the compiled code, which gives inf or NaN
        return Node(graph, graph.index(op, *(graph.value(graph.node(x)) for x in values)), False)


def _entry(entry: Any, made: list[Any]) -> Any:
    if not isinstance(entry, tuple):
        return entry
    x = -made[entry[0]] if entry[1] else made[entry[0]]
    return (x.i, x.negative) if isinstance(x, Node) else float(x)


def _product(a: Any, b: Any) -> Any:
    """a b, where a constant times a constant multiple folds to one constant factor."""
    if not isinstance(b, Node):
        a, b = b, a
    if isinstance(b, Node) and not isinstance(a, Node) and b.graph.ops[b.i] == "mul":
        for k, i in enumerate(b.graph.args[b.i]):
            if b.graph.ops[i] == "const":
                other = Node(b.graph, b.graph.args[b.i][1 - k], b.negative)
                return (a * b.graph.args[i][0]) * other
    return a * b


def _angle(y: Any, x: Any) -> Any:
    if isinstance(y, Node) or not isinstance(x, Node):
        return scalars.atan2(y, x)
    return scalars.atan2(x.graph.node(y), x)


def _same(a: Any, b: Any) -> bool:
    if isinstance(a, Node) and isinstance(b, Node):
        return (a.i, a.negative) == (b.i, b.negative)
    return not isinstance(a, Node) and not isinstance(b, Node) and a == b and math.copysign(1, a) == math.copysign(1, b)


#: operations up to which a program is compiled, in some seconds; NumPy source is ready in a tenth of that
MOST_OPERATIONS = 120_000
#: operations that a trace may record, dead code included, for each one that the program may have
RECORDED = 2


def shortest(functions: Sequence[Callable[..., Any]], sizes: Mapping[str, int]) -> Program:
    """The shortest of the functions of vectors, simplified; `TooLong` if none is short enough to be compiled."""
    traced: list[Program] = []
    most = MOST_OPERATIONS
    with uncollected():
        for function in functions:
            try:
                traced.append(trace(function, sizes, RECORDED * most))
            except TooLong:
                continue
            most = min(most, len(traced[-1]))
        if not (short := [program for program in traced if len(program) <= MOST_OPERATIONS]):
            raise TooLong
        return simplify(min(short, key=len))
