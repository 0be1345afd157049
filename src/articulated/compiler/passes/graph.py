"""The expression graph: hash-consed operations, and the scalar that records them.

A `Graph` is a list of operations in the order in which they were first computed.  A `Node` is a scalar
that refers to one of them together with a sign, so that a - b, b - a and -(a - b) share one
operation.  Numbers stay Python numbers until they meet a node; 0 and 1 fold at once.
"""

import sys
from typing import Any

from ...algebra import scalars
from ..source import TooLong

#: every operation and how many operands it has; an emitter is a table over these
ARITY = {
    "input": 0, "const": 0,
    "neg": 1, "add": 2, "sub": 2, "mul": 2, "div": 2,
    "fma": 3, "fms": 3, "fnma": 3,  # a b + c, a b - c, c - a b, rounded once; made by `sums` and `lower` only
    "sqrt": 1, "sin": 1, "cos": 1, "atan2": 2, "sign": 1,
    "held": 1,  # x itself, with a derivative of zero
    "sine": 1, "cosine": 1,  # what `lower` makes of sin and cos: the same bits on every target
    "less": 2, "select": 3,
}  # fmt: skip

LEAVES = ("input", "const")


class Graph:
    """Operations, each recorded once: `ops[i]` applied to `args[i]`; `TooLong` if there are more than `most`."""

    def __init__(self, most: int = sys.maxsize) -> None:
        self.most = most
        self.ops: list[str] = []
        self.args: list[tuple] = []  # earlier operations; of "input" argument and position, of "const" its value
        self._known: dict[tuple, int] = {}

    def index(self, op: str, *args: Any) -> int:
        """The index of this operation, which is recorded if it is new."""
        key = (op, *args)
        found = self._known.get(key)
        if found is None:
            if len(self.ops) == self.most:
                raise TooLong
            found = self._known[key] = len(self.ops)
            self.ops.append(op)
            self.args.append(args)
        return found

    def input(self, name: str, position: int) -> "Node":
        """The scalar at `position` of the argument `name`."""
        return Node(self, self.index("input", name, position), False)

    def node(self, x: Any) -> "Node":
        """A number as a node of this graph."""
        if isinstance(x, Node):
            return x
        x = float(x)
        return Node(self, self.index("const", abs(x)), x < 0)

    def inverse_of(self, i: int) -> int | None:
        """x, if operation i is 1/x; else None."""
        return self.args[i][1] if self.ops[i] == "div" and self.args[self.args[i][0]] == (1.0,) else None

    def value(self, x: "Node") -> int:
        """The index of an operation equal to `x`, sign included."""
        if not x.negative:
            return x.i
        if self.ops[x.i] == "const":
            return self.index("const", -self.args[x.i][0])
        return self.index("neg", x.i)


class Node:
    """A scalar of the graph: an operation and a sign."""

    __slots__ = ("graph", "i", "negative")

    def __init__(self, graph: Graph, i: int, negative: bool):
        self.graph, self.i, self.negative = graph, i, negative

    def __neg__(self) -> "Node":
        return Node(self.graph, self.i, not self.negative)

    def __pos__(self) -> "Node":
        return self

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, Node):
            if not _is_number(other):
                return NotImplemented
            if other == 0:
                return self
            other = self.graph.node(other)
        return _sum(self, other)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self + (-other)

    def __rsub__(self, other: Any) -> Any:
        return (-self) + other

    def __mul__(self, other: Any) -> Any:
        if not isinstance(other, Node):
            if not _is_number(other):
                return NotImplemented
            if other == 0:
                return 0
            if other == 1:
                return self
            if other == -1:
                return -self
            other = self.graph.node(other)
        graph, a, b = self.graph, self.i, other.i
        if a > b:
            a, b = b, a
        if graph.ops[b] == "div" and graph.inverse_of(b) == a:
            return -1 if self.negative != other.negative else 1
        return Node(graph, graph.index("mul", a, b), self.negative != other.negative)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        if not isinstance(other, Node):
            if not _is_number(other):
                return NotImplemented
            return self * (1 / other)
        if other.i == self.i:
            return -1 if self.negative != other.negative else 1
        return Node(self.graph, self.graph.index("div", self.i, other.i), self.negative != other.negative)

    def __rtruediv__(self, other: Any) -> Any:
        if not _is_number(other):
            return NotImplemented
        return self.graph.node(other) / self if other != 0 else 0

    def __pow__(self, exponent: int) -> Any:
        out: Any = 1
        for _ in range(exponent):
            out = out * self
        return out

    def __lt__(self, other: Any) -> "Node":
        a, b = self.graph.value(self), self.graph.value(self.graph.node(other))
        return Node(self.graph, self.graph.index("less", a, b), False)

    def __gt__(self, other: Any) -> "Node":
        return self.graph.node(other) < self

    def __bool__(self) -> bool:
        raise TypeError("a traced scalar has no truth value: an algorithm must not branch on it (use select)")

    def __repr__(self) -> str:
        return f"{'-' if self.negative else ''}{self.graph.ops[self.i]}#{self.i}"


def _is_number(x: Any) -> bool:
    return isinstance(x, (int, float))


def _sum(a: Node, b: Node) -> Any:
    """±a ± b with the operand recorded first taken as positive."""
    ops, args = a.graph.ops, a.graph.args
    while a.negative != b.negative and ops[a.i] == ops[b.i] == "add":  # (x + y) - (x + z) = y - z
        (x, y), (u, z) = args[a.i], args[b.i]
        if x == u:
            x, u = y, z
        elif x == z or y == u:
            x, u = (y, u) if x == z else (x, z)
        elif y != z:
            break
        a, b = Node(a.graph, x, a.negative), Node(a.graph, u, b.negative)
    if a.i > b.i:
        a, b = b, a
    if a.i == b.i:
        return 0 if a.negative != b.negative else 2 * a
    if ops[a.i] == ops[b.i] == "const":
        return sum(-args[x.i][0] if x.negative else args[x.i][0] for x in (a, b))
    op = "add" if a.negative == b.negative else "sub"
    return Node(a.graph, a.graph.index(op, a.i, b.i), a.negative)


# -- the functions of `scalars` on nodes ------------------------------------------------


@scalars.sin.register
def _(x: Node) -> Node:
    return Node(x.graph, x.graph.index("sin", x.i), x.negative)


@scalars.cos.register
def _(x: Node) -> Node:
    return Node(x.graph, x.graph.index("cos", x.i), False)


@scalars.sqrt.register
def _(x: Node) -> Node:
    return Node(x.graph, x.graph.index("sqrt", x.graph.value(x)), False)


@scalars.sign.register
def _(x: Node) -> Node:
    return Node(x.graph, x.graph.index("sign", x.i), x.negative)


@scalars.held.register
def _(x: Node) -> Node:
    return Node(x.graph, x.graph.index("held", x.i), x.negative)


@scalars.atan2.register
def _(y: Node, x: Node) -> Node:
    return Node(y.graph, y.graph.index("atan2", y.i, y.graph.value(y.graph.node(x))), y.negative)


@scalars.select.register
def _(condition: Node, yes: object, no: object) -> Node:
    graph = condition.graph
    yes, no = graph.node(yes), graph.node(no)
    return Node(graph, graph.index("select", condition.i, graph.value(yes), graph.value(no)), False)
