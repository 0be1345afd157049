"""Derivatives of programs: against differences of 100 digits, forward against backward, and where they are a choice."""

import numpy as np
import pytest

import articulated as art
from articulated.algebra import scalars
from articulated.algebra.rotations import exponential_quaternion, rotation_vector
from articulated.algebra.scalars import array, eye, select
from articulated.compiler.passes.differentiate import PARTIALS, Linearized, cost_backward, cost_forward, jacobian
from articulated.compiler.passes.graph import ARITY, LEAVES
from articulated.compiler.passes.simplify import REPLAY, count, folded
from articulated.compiler.passes.trace import Output, Program, trace
from tests.compiler.random_programs import ARGUMENTS, WEIGHTS, random_program
from tests.many_digits import mpmath
from tests.near import near

#: made by later passes only: there is nothing to differentiate them for
LATER = {"fma", "fms", "fnma", "sine", "cosine"}
TRACED = {op: weight for op, weight in WEIGHTS.items() if op not in LATER}


def values(program, arguments):
    """All results of a program on scalars of any kind."""
    made = []
    for op, args in zip(program.ops, program.args, strict=True):
        if op in LEAVES:
            made.append(arguments[args[0]][args[1]] if op == "input" else mpmath.mpf(args[0]))
        else:
            try:
                made.append(REPLAY[op](*(made[k] for k in args)))
            except (ArithmeticError, ValueError):
                made.append(mpmath.nan)
    return [-made[e[0]] if e[1] else made[e[0]] for o in program.outputs for e in o.entries]


def identity():
    return {name: eye(size) for name, size in ARGUMENTS}


@pytest.mark.parametrize("seed", range(6))
def test_random_programs_against_differences_of_many_digits(seed):
    program = random_program(seed, graphs=200, operations=8, weights=TRACED)
    rng = np.random.default_rng(seed)
    step = mpmath.mpf(10) ** -30
    compared = 0
    with mpmath.workdps(100):
        at = {name: array([mpmath.mpf(float(x)) for x in rng.uniform(-2, 2, size)]) for name, size in ARGUMENTS}
        found = jacobian(program, at, identity())
        for name, size in ARGUMENTS:
            for k in range(size):
                unit = eye(size)[k]
                plus, minus = (values(program, {**at, name: at[name] + sign * step * unit}) for sign in (1, -1))
                for row, (high, low) in enumerate(zip(plus, minus, strict=True)):
                    difference, exact = (high - low) / (2 * step), found[name][0][row, k]
                    if mpmath.isfinite(difference) and abs(difference) < 1e9:
                        # constants are floats: what is made of constants alone has their digits
                        assert abs(difference - exact) <= 1e-12 * (1 + abs(difference)), (name, row, k)
                        compared += difference != 0
    assert compared > 200


@pytest.mark.parametrize("seed", range(6))
def test_forward_is_backward(seed):
    program = random_program(seed, graphs=40, operations=8, weights=TRACED)
    rng = np.random.default_rng(seed)
    at = Linearized(program, {name: array(rng.uniform(-2, 2, size)) for name, size in ARGUMENTS})
    backward = at.backward([eye(40)], [name for name, _ in ARGUMENTS])
    for name, size in ARGUMENTS:
        (forward,) = at.forward({name: eye(size)})
        one, other = np.array(forward, float), np.array(backward[name], float)
        finite = np.isfinite(one) & np.isfinite(other) & (abs(one) < 1e9)
        assert (abs(one - other)[finite] <= 1e-9 * (1 + abs(one[finite]))).all()  # products of eight operations cancel


def test_every_operation_has_a_rule_or_is_made_later():
    assert set(ARITY) == {*PARTIALS, *LEAVES, *LATER}


def test_an_operation_without_a_rule_is_named():
    program = Program((("x", 1),), ("input", "fma"), (("x", 0), (0, 0, 0)), (Output((), ((1, False),)),), None)
    with pytest.raises(art.ArticulatedError, match="'fma'"):
        Linearized(program, {"x": array([1.0])})


def both(function, *at):
    """The derivative of a function of scalars, forward and backward."""
    names = [f"x{k}" for k in range(len(at))]
    program = trace(lambda **given: function(*(given[name][0] for name in names)), dict.fromkeys(names, 1))
    here = Linearized(program, {name: array([x]) for name, x in zip(names, at, strict=True)})
    (forward,) = here.forward({name: eye(len(at))[k : k + 1] for k, name in enumerate(names)})
    backward = here.backward([array([[1]])], names)
    return [float(x) for x in forward], [float(backward[name][0, 0]) for name in names]


@pytest.mark.parametrize(
    "function, at, expected",
    [
        (lambda x: select(x * x < 1e-4, 1 - x * x / 6, scalars.sin(x) / x), [0.0], [0.0]),
        (lambda x: select(x < 0, scalars.sqrt(-x), 3 * x), [2.0], [3.0]),
        (lambda x: select(x < 0, x, 1 / select(x < 0, 1.0, x)), [-1.0], [1.0]),
        (lambda x: select(x < 1, x * x, scalars.sqrt(x - 1) / (x - 1) * x), [0.5], [1.0]),
        (lambda x: scalars.sqrt(x), [0.0], [0.0]),
        (lambda x, y: scalars.sqrt(x * x + y * y), [0.0, 0.0], [0.0, 0.0]),
        (lambda y, x: scalars.atan2(y, x), [0.0, 0.0], [0.0, 0.0]),
        (lambda y, x: scalars.atan2(y, x), [0.0, -2.0], [-0.5, 0.0]),
        (lambda x: scalars.sign(x) * x, [0.0], [0.0]),
    ],
)
def test_choices(function, at, expected):
    for found in both(function, *at):
        assert found == expected


def both_branches(x):
    """Two selects that share 1 / x[1] in their other branches."""
    inverse = 1 / x[1]
    return select(x[0] < 1, x[0] * x[1], inverse) + select(x[1] < 1, x[0] * x[1], inverse * inverse)


@pytest.mark.parametrize(
    "function, at, expected",
    [
        (lambda x: select(x[0] < 1, x[0] * x[1], 1 / x[0]), [0.0, 0.0], [[0, 1], [1, 0]]),
        (lambda x: select(x[0] < 1, x[0] * x[1], scalars.sqrt(x[0] - 1) / (x[0] - 1)), [0.0, 2.0], [[0, 1], [1, 0]]),
        (lambda x: select(x[0] < 1, select(x[1] < 1, x[0] * x[1], 1 / x[1]), 1 / x[0]), [0.0] * 2, [[0, 1], [1, 0]]),
        (both_branches, [0.0, 0.0], [[0, 2], [2, 0]]),
        (both_branches, [0.0, 2.0], [[0, 1], [1, 6 / 16]]),
        (both_branches, [4.0, 2.0], [[0, 0], [0, 2 / 8 + 6 / 16]]),
    ],
)
def test_second_derivatives_where_an_adjoint_is_zero_and_the_other_branch_is_not_finite(function, at, expected):
    """Forward and backward, each over each: a zero that a branch makes is not a zero of the state."""
    program, here, unit = trace(lambda x: function(x), {"x": 2}), {"x": array(at)}, {"x": eye(2)}
    for inner in (True, False):
        first = trace(lambda x, way=inner: jacobian(program, {"x": x}, unit, way)["x"][0], {"x": 2})
        for outer in (True, False):
            assert np.array_equal(np.array(jacobian(first, here, unit, outer)["x"][0], float), expected)


def test_nan_stays_nan():
    for function in (scalars.sqrt, lambda x: scalars.atan2(x, x + 1), lambda x: x * scalars.sqrt(x)):
        assert all(np.isnan(found).all() for found in both(function, float("nan")))


@pytest.mark.parametrize("angle", [0.0, 1e-13, 1e-9, 1e-3, 0.5, 3.0, np.pi, 3.5])
def test_a_rotation_vector_at_any_angle_undoes_the_exponential(angle):
    axis = np.array([0.48, -0.6, 0.64])
    program = trace(lambda w: rotation_vector(exponential_quaternion(w)), {"w": 3})
    found = np.array(jacobian(program, {"w": array(angle * axis)}, {"w": eye(3)})["w"][0], float)
    # beyond half a turn it is shorter the other way round: w - 2π w/|w|
    across = 2 * np.pi / angle * (np.eye(3) - np.outer(axis, axis)) if angle > np.pi else 0
    near(found, np.eye(3) - across)


def test_what_cannot_matter_is_never_formed():
    program = trace(lambda x, y: array([x[0] * x[0], y[0] * y[1]]), {"x": 1, "y": 2})
    found = trace(
        lambda x, y: jacobian(program, {"x": x, "y": y}, {"x": eye(1), "y": eye(2)})["y"][0], {"x": 1, "y": 2}
    )
    assert found.outputs[0].entries[:2] == (0.0, 0.0) and sum(count(folded(found)).values()) == 0


def test_the_cheaper_direction_is_taken():
    def many_in(x):
        y = (x * x).sum()
        for _ in range(20):
            y = scalars.sin(y)
        return y

    def many_out(x):
        return array([scalars.sin(x[0] * (k + 2)) for k in range(20)])

    for function, size in ((many_in, 20), (many_out, 1)):
        program = trace(lambda x, f=function: f(x), {"x": size})
        maps = {"x": eye(size)}
        least = min(cost_forward(program, maps), cost_backward(program, maps))
        assert least <= len(program)
        made = trace(lambda x, p=program, m=maps: jacobian(p, {"x": x}, m)["x"][0], {"x": size})
        assert len(made) < 3 * len(program)
