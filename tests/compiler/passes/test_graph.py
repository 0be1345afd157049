"""Nodes fold as they are made."""

import math

import numpy as np
import pytest

from articulated.algebra.scalars import array, cos, sin
from articulated.compiler.passes.graph import LEAVES, Graph
from articulated.compiler.passes.trace import trace

from ..compiled import interpreted


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (lambda x, y: x + 0, lambda x, y: x),
        (lambda x, y: x * 1, lambda x, y: x),
        (lambda x, y: -(0 - x), lambda x, y: x),
        (lambda x, y: x - y, lambda x, y: -(y - x)),
        (lambda x, y: (-x) * y, lambda x, y: -(x * y)),
        (lambda x, y: x + y, lambda x, y: y + x),
        (lambda x, y: sin(-x), lambda x, y: -sin(x)),
        (lambda x, y: cos(-x), lambda x, y: cos(x)),
        (lambda x, y: x * y / 1, lambda x, y: y * x),
        (lambda x, y: (x + y) - (x + sin(x)), lambda x, y: y - sin(x)),
        (lambda x, y: (y + x) - (sin(y) + y), lambda x, y: x - sin(y)),
        (lambda x, y: -(x + y) - (-(sin(x) + y)), lambda x, y: sin(x) - x),
        (lambda x, y: (x + y) - (x + x * y) + x, lambda x, y: (y - x * y) + x),
    ],
)
def test_equal_expressions_share_one_operation(left, right):
    graph = Graph()
    x, y = graph.input("x", 0), graph.input("x", 1)
    a, b = left(x, y), right(x, y)
    assert (a.i, a.negative) == (b.i, b.negative)


def test_exact_zeros_and_ones_vanish():
    x = Graph().input("x", 0)
    assert x - x == 0 and x * 0 == 0 and 0 * x == 0 and x / x == 1 and x / (-x) == -1


def test_a_node_has_no_truth_value():
    x = Graph().input("x", 0)
    with pytest.raises(TypeError, match="select"):
        bool(x < 1)


def test_unused_operations_are_not_traced():
    program = trace(lambda x: (x * x, x[:1])[1], {"x": 3})
    assert program.ops == ("input",)


def test_a_program_is_what_was_traced(rng):
    program = trace(lambda x, y: array([x[0] * y[1] - 3, -x[1], 7.0, math.pi * y[0] / x[0]]), {"x": 2, "y": 2})
    x, y = rng.normal(size=(2, 5, 2))
    out = interpreted(program, [x, y])[0]
    expected = np.stack([x[:, 0] * y[:, 1] - 3, -x[:, 1], np.full(5, 7.0), math.pi * y[:, 0] / x[:, 0]], axis=1)
    np.testing.assert_array_equal(out, expected)


def test_long_sums_that_differ_in_one_term():
    def difference(x):
        a, b = x[0], x[1]
        for term in x[2:]:
            a, b = a + term, b + term
        return array([a - b, (x[0] + 1.0) - (x[0] + 2.0)])

    program = trace(difference, {"x": 5000})
    assert [op for op in program.ops if op not in LEAVES] == ["sub"]
    assert program.outputs[0].entries[1] == -1.0
