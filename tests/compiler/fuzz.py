"""Random programs on every target: python -m tests.compiler.fuzz 1000000 [first seed]."""

import sys
import time

import numpy as np

from articulated.compiler.passes.lower import lower
from articulated.compiler.passes.simplify import simplify

from .compiled import Compiled, interpreted
from .random_programs import all_operations, random_arguments, random_program

GRAPHS = 100  # in one program
TARGETS = [
    (1, "float64"),
    (2, "float64"),
    (4, "float64"),
    (8, "float64"),
    (4, "float32"),
    (8, "float32"),
    (16, "float32"),
]


def compare(seed: int, graphs: int = GRAPHS) -> str | None:
    """Difference between NumPy and machine code for one random program, or None."""
    lanes, precision = TARGETS[seed % len(TARGETS)]
    program = random_program(seed, graphs)
    program = lower(simplify(program) if seed % 2 else program)
    arrays = random_arguments(np.random.default_rng(seed), 19, precision)
    expected, code = interpreted(program, arrays)[0], Compiled(program, lanes, precision)
    for found in (code.batch(arrays)[0], code.each(arrays)[0]):
        if np.array_equal(found, expected, equal_nan=True):
            continue
        defined = ~divides_by_zero(program, arrays)
        if not np.array_equal(found[defined], expected[defined], equal_nan=True):
            where = first_difference(program, lanes, precision, arrays)
            return f"seed {seed}, {lanes} lanes of {precision}: {where}"
    return None


def divides_by_zero(program, arrays) -> np.ndarray:
    """States that divide by zero: LLVM makes a b - c of -(c - a b), and that turns the sign of a zero."""
    whole = all_operations(program)
    columns = {entry[0]: k for k, entry in enumerate(whole.outputs[0].entries)}
    values = interpreted(whole, arrays)[0]
    zero = [
        columns[args[1]] for op, args in zip(whole.ops, whole.args, strict=True) if op == "div" and args[1] in columns
    ]
    return (values[:, zero] == 0).any(axis=1)


def first_difference(program, lanes, precision, arrays) -> str:
    """The first operation whose value differs, every prefix of the program compared."""
    whole = all_operations(program)
    expected, found = interpreted(whole, arrays)[0], Compiled(whole, lanes, precision).batch(arrays)[0]
    wrong = ~((expected == found) | (np.isnan(expected) & np.isnan(found)))
    if not wrong.any():
        return "only in the whole program"
    column = int(wrong.any(axis=0).argmax())
    state = int(wrong[:, column].argmax())
    i = whole.outputs[0].entries[column][0]
    values = f"{expected[state, column]!r} against {found[state, column]!r}"
    return f"operation {i}, {whole.ops[i]}{whole.args[i]}, state {state}: {values}"


def main(count: int, first: int = 0) -> int:
    """Fuzz `count` graphs; the number of programs that differ."""
    failures, start = 0, time.perf_counter()
    for seed in range(first, first + -(-count // GRAPHS)):
        problem = compare(seed)
        if problem:
            failures += 1
            print(problem, flush=True)
        if (seed - first) % 500 == 499:
            print(f"{(seed - first + 1) * GRAPHS} graphs in {time.perf_counter() - start:.0f} s", flush=True)
    print(f"{count} graphs, {failures} programs differ")
    return failures


if __name__ == "__main__":
    sys.exit(bool(main(*(int(x) for x in sys.argv[1:3] or ["10000"]))))
