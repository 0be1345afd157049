"""Random programs: many small graphs side by side on shared arguments."""

import random

import numpy as np

from articulated.compiler.passes.graph import ARITY, Graph
from articulated.compiler.passes.trace import Output, Program, pruned

#: operations by weight; the lowered ones and those made of arithmetic by `lower`
WEIGHTS = {
    "add": 60, "sub": 60, "mul": 80, "neg": 10, "div": 20, "sqrt": 10, "sin": 5, "cos": 5,
    "fma": 20, "fms": 10, "fnma": 10, "sine": 5, "cosine": 5, "atan2": 1, "sign": 5, "less": 0, "select": 20,
}  # fmt: skip
ARGUMENTS = (("x", 5), ("y", 3))


def random_program(seed: int, graphs: int = 100, operations: int = 5, weights: dict[str, int] = WEIGHTS) -> Program:
    """`graphs` results, each from about `operations` random operations."""
    rng = random.Random(seed)
    graph = Graph()
    leaves = [graph.index("input", name, k) for name, size in ARGUMENTS for k in range(size)]
    constants = [graph.index("const", value) for value in (0.5, 1.0, 2.0, -3.25, 0.1)]
    entries = []
    for _ in range(graphs):
        mine = [*rng.sample(leaves, 4), rng.choice(constants)]
        for op in rng.choices(list(weights), list(weights.values()), k=operations):
            operands = [mine[-1 - min(int(rng.expovariate(0.4)), len(mine) - 1)] for _ in range(ARITY[op])]
            if op == "select":
                operands[0] = graph.index("less", *rng.choices(mine, k=2))
            mine.append(graph.index(op, *operands))
        entries.append((mine[-1], rng.random() < 0.3))
    return pruned(graph, ARGUMENTS, [Output((len(entries),), tuple(entries))], None)


def random_arguments(rng: np.random.Generator, states: int, dtype: object = float) -> list[np.ndarray]:
    """Arguments with a few zeros, equal numbers and large angles among them."""
    arrays = []
    for _, size in ARGUMENTS:
        x = rng.uniform(-3, 3, (states, size))
        x[rng.random(x.shape) < 0.02] = 0
        x[rng.random(x.shape) < 0.02] = 1
        x[rng.random(x.shape) < 0.01] *= 1e11
        arrays.append(x.astype(dtype))
    return arrays


def all_operations(program: Program) -> Program:
    """The same program with every operation as a result: its prefixes."""
    numbers = [i for i, op in enumerate(program.ops) if op != "less"]
    return Program(
        program.inputs, program.ops, program.args, (Output((len(numbers),), tuple((i, False) for i in numbers)),), None
    )
