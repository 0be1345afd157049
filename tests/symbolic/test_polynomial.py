"""The ring: arithmetic agrees with SymPy, equal expressions have equal terms."""

from fractions import Fraction

import numpy as np
import pytest
import sympy

from articulated.algebra import scalars
from articulated.symbolic.equations.presentation import _signed_bits, _sum_of_angles
from articulated.symbolic.ring.convert import in_ring, plain
from articulated.symbolic.ring.elimination import combinations_of, reduced_rows
from articulated.symbolic.ring.polynomial import Polynomial, Ring
from articulated.symbolic.ring.state import partial_derivative

x, y, m = sympy.symbols("x y m", real=True)


def random_expression(rng: np.random.Generator, depth: int = 3) -> sympy.Expr:
    if depth == 0:
        return [x, y, m, sympy.sin(x), sympy.cos(x), sympy.sin(y), sympy.cos(x + y), sympy.Integer(2)][rng.integers(8)]
    a, b = random_expression(rng, depth - 1), random_expression(rng, depth - 1)
    return [a + b, a - b, a * b][rng.integers(3)]


@pytest.mark.parametrize("seed", range(20))
def test_lifting_and_showing_are_inverse(seed):
    rng = np.random.default_rng(seed)
    expression = random_expression(rng)
    ring = Ring()
    polynomial = in_ring(ring, expression)
    point = {s: float(rng.normal()) for s in (x, y, m)}
    assert abs(float((plain(polynomial) - expression).subs(point))) < 1e-12
    assert in_ring(ring, plain(polynomial)) == polynomial
    assert in_ring(ring, sympy.expand(expression)) == polynomial
    derivative = partial_derivative(polynomial, x)
    assert derivative == in_ring(ring, sympy.diff(expression, x))


def test_zero_is_known_to_be_zero():
    ring = Ring()
    one = in_ring(ring, sympy.sin(x) ** 2 + sympy.cos(x) ** 2)
    assert one == 1 and isinstance(one, int)
    assert in_ring(ring, sympy.cos(x + y) - sympy.cos(x) * sympy.cos(y) + sympy.sin(x) * sympy.sin(y)) == 0
    assert in_ring(ring, sympy.sin(2 * x) - 2 * sympy.sin(x) * sympy.cos(x)) == 0


def test_symbols_cancel_with_their_inverses():
    ring = Ring()
    assert in_ring(ring, m * (x + 1 / m)) == in_ring(ring, m * x + 1)


def test_floats_that_were_written_are_exact():
    ring = Ring()
    found = in_ring(ring, x) * 0.1 + in_ring(ring, x) * 0.2
    assert found == in_ring(ring, x) * Fraction(3, 10)


def test_halves_of_angles_are_angles_of_their_own():
    ring = Ring()
    angle = in_ring(ring, x) * Fraction(1, 2)
    c, s = scalars.cos(angle), scalars.sin(angle)
    assert c * c + s * s == 1 and isinstance(c, Polynomial)
    assert scalars.sin(-angle) == -s


def test_elimination_counts_independent_rows():
    rows = [{0: 1, 1: 2}, {0: 2, 1: 4}, {1: 3, 2: 1}, {0: 1, 1: 5, 2: 1}]
    assert len(reduced_rows(rows)) == 2
    assert len(reduced_rows([{j: float(c) for j, c in row.items()} for row in rows])) == 2
    assert combinations_of(rows) == [(0, {0: 1, 1: 2, 3: 1}), (2, {2: 1, 3: 1})]


def test_powers_that_do_not_fit_are_refused():
    with pytest.raises(OverflowError, match="101"):
        in_ring(Ring(), x**101)


def test_a_sum_of_angles_joins_what_is_there_already():
    """c_a c_b - s_a s_b + 3 cos(a + b) is 4 cos(a + b)."""
    ring = Ring()
    ca, cb = ring.circle(x)[0], ring.circle(y)[0]
    sa, sb, ct = ring.circle(x)[1], ring.circle(y)[1], ring.circle(x + y)[0]
    bits = [_signed_bits(ring, angle) for angle in (x, y, x + y)]
    terms = (ca * cb - sa * sb + 3 * ct).terms
    assert _sum_of_angles(ring, terms, *bits, 1) == (4 * ct).terms


def test_one_over_a_sum_cancels_with_it():
    ring = Ring()
    p, q = in_ring(ring, x * m + y), in_ring(ring, m + 2)
    assert p * (1 / p) == 1 and (p * q) * (1 / p) == q
    assert (p * p) * (1 / p) * (1 / p) == 1
    assert in_ring(ring, 3 * x * y) * (1 / in_ring(ring, 6 * x)) == in_ring(ring, y) * Fraction(1, 2)
    assert len(ring.divisors) == 1 and 1 / p == 1 / in_ring(ring, y + x * m)


@pytest.mark.parametrize("times", [2, 3, 4, 5, -2, -3])
def test_several_turns(times):
    ring = Ring()
    for f in (sympy.cos, sympy.sin):
        found = plain(in_ring(ring, f(times * x)))
        assert abs(float(found.subs(x, 0.7)) - float(f(times * sympy.Float(0.7)))) < 1e-12
