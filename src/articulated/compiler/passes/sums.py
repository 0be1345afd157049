"""Sums of products as chains of fused multiply-adds.

A sum whose only use is in another sum is merged into it, so every sum is a flat list of signed terms.
A product with one or two uses, all in sums, is contracted: each sum multiplies and adds in one
instruction.  One with more uses is computed once, as multipliers are scarcer than adders.
A chain adds its terms in the order in which they become available, the latest last.

This decides how sums are associated, and so how they round: it must not depend on the processor.
"""

from collections import Counter
from typing import Any

from .graph import LEAVES, Graph, Node
from .trace import Output, Program, pruned

#: cycles from operands to result, roughly, 4 if not listed; sines are computed before everything else
_LATENCY = {"div": 13, "sqrt": 18, "neg": 1, "select": 2, "less": 3, "sin": 0, "cos": 0, "sine": 0, "cosine": 0}

#: a product with this many uses is computed once
_MANY = 3

#: a flat sum: the factor of each operation in it, ±1 or another constant
Terms = dict[int, float]


def fuse(program: Program) -> Program:
    """Sums flattened, products contracted into them."""
    return _Fusion(program).run()


class _Fusion:
    def __init__(self, program: Program):
        self.program, self.ops, self.args = program, program.ops, program.args
        self.uses = self._uses()
        self.terms = self._flatten()
        self.contracted = self._contracted()
        self.graph = Graph()
        self.available: list[int] = []  # of each new operation, the cycle its result is there in
        self.made: dict[int, Any] = {}  # Node, or a number where everything cancelled

    # -- the program as it was -----------------------------------------------------------

    def _uses(self) -> list[int]:
        uses = [0] * len(self.ops)
        for op, args in zip(self.ops, self.args, strict=True):
            if op not in LEAVES:
                for k in args:
                    uses[k] += 1
        self._count_outputs(uses)
        return uses

    def _count_outputs(self, uses: list[int]) -> None:
        for output in self.program.outputs:
            for entry in output.entries:
                if isinstance(entry, tuple):
                    uses[entry[0]] += 1

    def _flatten(self) -> dict[int, Terms]:
        """The terms of every sum that is not merged into another one."""
        terms: dict[int, Terms] = {}
        for i, op in enumerate(self.ops):
            if op in ("add", "sub"):
                total: Terms = {}
                for sign, k in zip((1, -1 if op == "sub" else 1), self.args[i], strict=True):
                    inner = terms.pop(k) if k in terms and self.uses[k] == 1 else {k: 1.0}
                    for x, factor in inner.items():
                        self._add(total, x, sign * factor)
                terms[i] = total
        return terms

    def _add(self, total: Terms, x: int, factor: float) -> None:
        """Add a term; constant factors are pulled out of products, and terms that cancel disappear."""
        if self.ops[x] == "mul" and self.uses[x] == 1:
            a, b = self.args[x]
            for c, y in ((a, b), (b, a)):
                if self.ops[c] == "const":
                    x, factor = y, factor * self.args[c][0]
                    break
        total[x] = total.get(x, 0.0) + factor
        if total[x] == 0:
            del total[x]

    def _contracted(self) -> set[int]:
        """Products with few uses, all in sums: they are never computed by themselves."""
        in_sums: Counter[int] = Counter()
        for total in self.terms.values():
            if len(total) > 1:
                in_sums.update(x for x, factor in total.items() if factor in (1, -1) and self.ops[x] == "mul")
        uses = self._uses_when_flat()
        return {x for x, n in in_sums.items() if n == uses[x] < _MANY}

    def _uses_when_flat(self) -> list[int]:
        """The number of uses of each operation by flat sums, other operations and outputs; merged sums use nothing."""
        uses = [0] * len(self.ops)
        for i, op in enumerate(self.ops):
            if op not in LEAVES:
                for k in self.terms.get(i, ()) if op in ("add", "sub") else self.args[i]:
                    uses[k] += 1
        self._count_outputs(uses)
        return uses

    # -- the program as it becomes ----------------------------------------------------------

    def run(self) -> Program:
        merged = {i for i, op in enumerate(self.ops) if op in ("add", "sub") and i not in self.terms}
        for i, op in enumerate(self.ops):
            if i in self.terms:
                self.made[i] = self._sum(self.terms[i])
            elif i not in merged and i not in self.contracted:
                self.made[i] = self._other(op, self.args[i])
        outputs = [Output(o.shape, tuple(map(self._entry, o.entries))) for o in self.program.outputs]
        return pruned(self.graph, self.program.inputs, outputs, self.program.result)

    def _entry(self, entry: Any) -> Any:
        if not isinstance(entry, tuple):
            return entry
        x = self.made[entry[0]]
        return (x.i, x.negative != entry[1]) if isinstance(x, Node) else (-x if entry[1] else x)

    def _other(self, op: str, args: tuple) -> Any:
        if op == "const":
            return float(args[0])
        if op == "input":
            return self._node(op, *args)
        values = [self.made[k] for k in args]
        if op == "mul":
            return values[0] * values[1] if not _both_nodes(values) else self._multiplied(*values)
        if op == "div" and _both_nodes(values):
            a, b = values
            return Node(self.graph, self._node(op, a.i, b.i).i, a.negative != b.negative)
        return self._node(op, *(self.graph.value(self.graph.node(x)) for x in values))

    def _multiplied(self, a: Node, b: Node) -> Node:
        first, second = sorted((a.i, b.i))
        return Node(self.graph, self._node("mul", first, second).i, a.negative != b.negative)

    def _sum(self, total: Terms) -> Any:
        parts = sorted((self._part(x, factor) for x, factor in total.items()), key=lambda part: part[0])
        constant = sum(part[3] for part in parts if not part[2])
        parts = [part for part in parts if part[2]]
        if constant:
            parts.insert(0, (0, constant < 0, (self.graph.node(constant),), 0.0))
        # begin with a term that is no product, if possible with a positive one
        parts.sort(key=lambda part: (len(part[2]) > 1, part[1]))
        return self._chain(parts[0], sorted(parts[1:], key=lambda part: part[0])) if parts else 0.0

    def _part(self, x: int, factor: float) -> tuple[int, bool, tuple[Node, ...], float]:
        """(when available, negative, factors, value): one or two nodes; none if the term is the number `value`."""
        negative = factor < 0
        if factor not in (1, -1):
            values = [self.made[x], abs(factor)]
        elif x in self.contracted:
            a, b = self.args[x]
            values = [self.made[a], self.made[b]]
        else:
            values = [self.made[x]]
        nodes, number, when = [], 1.0, 0
        for value in values:
            if isinstance(value, Node):
                nodes.append(value)
                negative = negative != value.negative
                when = max(when, self._when(value.i))
            else:
                number *= value
        if number < 0:
            negative, number = not negative, -number
        if not nodes or not number:
            return (0, False, (), (-number if negative else number) if not nodes else 0.0)
        if number != 1:
            nodes.append(self.graph.node(number))
        return (when, negative, tuple(nodes), 0.0)

    def _chain(self, first: tuple, rest: list[tuple]) -> Node:
        _, negative, factors, _ = first
        total = factors[0].i if len(factors) == 1 else self._multiplied(*factors).i
        for _, sign, (a, *b), _ in rest:
            same = sign == negative
            if b:
                total = self._node("fma" if same else "fnma", *sorted((a.i, b[0].i)), total).i
            elif same:
                total = self._node("add", *sorted((total, a.i))).i
            else:
                total = self._node("sub", total, a.i).i
        return Node(self.graph, total, negative)

    def _node(self, op: str, *args: Any) -> Node:
        return Node(self.graph, self.graph.index(op, *args), False)

    def _when(self, i: int) -> int:
        """The length of the critical path to new operation i, in cycles."""
        known = self.available
        while len(known) <= i:
            op, args = self.graph.ops[len(known)], self.graph.args[len(known)]
            known.append(0 if op in LEAVES else max([known[j] for j in args]) + _LATENCY.get(op, 4))
        return known[i]


def _both_nodes(values: list[Any]) -> bool:
    return all(isinstance(x, Node) for x in values)
