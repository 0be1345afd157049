"""Run an algorithm once on graph nodes and record what it did: a straight-line program."""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...algebra.scalars import array
from .graph import LEAVES, Graph, Node


@dataclass(frozen=True)
class Output:
    """One array of results: each entry an operation and whether it is negated, or a number."""

    shape: tuple[int, ...]
    entries: tuple[Any, ...]


@dataclass(frozen=True)
class Program:
    """Operations in topological order, without dead code.

    `ops[i]` is applied to `args[i]`: indices of earlier operations, except that an input has
    (argument name, position) and a constant its value.
    """

    inputs: tuple[tuple[str, int], ...]  # argument name and number of scalars
    ops: tuple[str, ...]
    args: tuple[tuple, ...]
    outputs: tuple[Output, ...]
    result: type | None  # NamedTuple the outputs go into; None for a single array

    def __len__(self) -> int:
        return len(self.ops)


def trace(function: Callable[..., Any], sizes: Mapping[str, int], most: int = sys.maxsize) -> Program:
    """The program of `function(**arguments)`, each argument a vector of the given size.

    `TooLong` if it records more than `most` operations, dead code included.
    """
    graph = Graph(most)
    arguments = {name: array([graph.input(name, k) for k in range(size)]) for name, size in sizes.items()}
    found = function(**arguments)
    many = isinstance(found, tuple)
    outputs = [_output(part) for part in (found if many else (found,))]
    return pruned(graph, tuple(sizes.items()), outputs, type(found) if many else None)


def _output(found: Any) -> Output:
    values = np.empty((), object)
    if isinstance(found, np.ndarray):
        values = found
    else:
        values[()] = found
    entries = tuple((x.i, x.negative) if isinstance(x, Node) else float(x) for x in values.ravel())
    return Output(values.shape, entries)


def pruned(graph: Graph, inputs: tuple, outputs: list[Output], result: type | None) -> Program:
    """The program without dead code: only the operations that outputs depend on, renumbered."""
    needed = [False] * len(graph.ops)
    for output in outputs:
        for entry in output.entries:
            if isinstance(entry, tuple):
                needed[entry[0]] = True
    for i in reversed(range(len(graph.ops))):
        if needed[i] and graph.ops[i] not in LEAVES:
            for operand in graph.args[i]:
                needed[operand] = True
    number = [0] * len(graph.ops)
    ops: list[str] = []
    args: list[tuple] = []
    for i, op in enumerate(graph.ops):
        if needed[i]:
            number[i] = len(ops)
            ops.append(op)
            args.append(graph.args[i] if op in LEAVES else tuple([number[k] for k in graph.args[i]]))
    renumbered = tuple(
        Output(o.shape, tuple((number[e[0]], e[1]) if isinstance(e, tuple) else e for e in o.entries)) for o in outputs
    )
    return Program(inputs, tuple(ops), tuple(args), renumbered, result)
