"""Simplified programs have fewer operations and the same values."""

import numpy as np
import pytest

from articulated.algebra.scalars import array, cos, select, sin, sqrt
from articulated.compiler.passes.simplify import count, simplify
from articulated.compiler.passes.trace import trace

from ..compiled import interpreted
from ..random_programs import random_arguments, random_program


def kinds(function, **sizes):
    return dict(count(simplify(trace(function, sizes))))


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda x: x[0] * x[1] + x[2], {"fma": 1}),
        (lambda x: x[2] - x[0] * x[1], {"fnma": 1}),
        (lambda x: x[0] * x[1] + x[2] * x[3], {"mul": 1, "fma": 1}),
        (lambda x: (x[0] * x[1] + x[2] * x[3]) + (x[0] * x[2] + x[1] * x[3]), {"mul": 1, "fma": 3}),
        (lambda x: 2 * x[0] + 3 * x[0] + x[1], {"fma": 1}),
        (lambda x: 3 * (2 * x[0]), {"mul": 1}),
        (lambda x: (x[0] + x[1]) - x[1], {}),
        (lambda x: x[0] + (x[1] - x[0]), {}),
        (lambda x: x[0] * (x[1] - x[1] + 1), {}),
        (lambda x: select(x[0] < x[1], x[2], x[2]), {}),
        (lambda x: array([x[0] / x[3], x[1] / x[3], x[2] / x[3]]), {"div": 1, "mul": 3}),
        # a product that several sums of products share is made once and starts them all
        (lambda x: array([x[0] * x[1] + x[2] * x[3], x[0] * x[1] - x[2] * x[2]]), {"mul": 1, "fma": 1, "fnma": 1}),
        # one that is used by itself as well is not multiplied again
        (lambda x: array([x[0] * x[1] + x[2], x[0] * x[1]]), {"mul": 1, "add": 1}),
    ],
)
def test_operations_that_remain(function, expected):
    assert kinds(function, x=4) == expected


def test_numbers_are_evaluated():
    program = simplify(trace(lambda x: array([sqrt(x[0] - x[0] + 4.0) + 1, sin(0 * x[0]), cos(0 * x[0])]), {"x": 1}))
    assert program.outputs[0].entries == (3.0, 0.0, 1.0) and not program.ops


def test_division_by_zero_is_left_to_the_processor():
    zero = trace(lambda x: (x[0] + 1) / (x[0] - x[0] + x[1]), {"x": 2})
    assert count(simplify(zero)) == {"add": 1, "div": 1}


@pytest.mark.parametrize("seed", range(40))
def test_values_stay_the_same(seed):
    smooth = {"add": 6, "sub": 6, "mul": 8, "neg": 1, "sin": 1, "cos": 1, "fma": 1, "fms": 1, "fnma": 1}
    program = random_program(seed, graphs=30, operations=12, weights=smooth)
    simple = simplify(program)
    arrays = [np.clip(x, -1, 1) for x in random_arguments(np.random.default_rng(seed), 11)]
    before, after = interpreted(program, arrays)[0], interpreted(simple, arrays)[0]
    np.testing.assert_allclose(after, before, rtol=1e-9, atol=1e-9)
    assert sum(count(simple).values()) <= sum(count(program).values()) * 1.01


@pytest.mark.parametrize("seed", range(10))
def test_simplifying_twice_changes_no_values(seed):
    smooth = {"add": 6, "sub": 6, "mul": 8, "neg": 1}
    program = simplify(random_program(seed, graphs=20, weights=smooth))
    arrays = random_arguments(np.random.default_rng(seed), 7)
    once, twice = interpreted(program, arrays)[0], interpreted(simplify(program), arrays)[0]
    np.testing.assert_allclose(twice, once, rtol=1e-9, atol=1e-9 * abs(once).max())
