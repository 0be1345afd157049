"""Lowered programs: the sines, atan2 and sign of compiled kernels against exact values."""

import ctypes
import ctypes.util
import math

import mpmath
import numpy as np
import pytest

from articulated.algebra.scalars import array, atan2, cos, sign, sin
from articulated.compiler.emit.llvm.sincos import SINCOS_CONSTANTS
from articulated.compiler.passes.lower import LOWER, lower
from articulated.compiler.passes.trace import trace

from ..compiled import Compiled, interpreted
from ..exact_operations import cosine, exactly_fused, fma, sine

PRECISIONS = ["float64", "float32"]


def ulps(found, exact):
    """Distance from the exact value in units of the last digit there."""
    spacing = np.spacing(abs(found.dtype.type(float(exact))))
    return abs(float((mpmath.mpf(float(found)) - exact) / mpmath.mpf(float(spacing))))


def sine_program():
    return lower(trace(lambda x: array([sin(x[0]), cos(x[0])]), {"x": 1}))


def angles(rng, precision):
    largest = 1e6 if precision == "float64" else 8e3
    quarters = np.arange(1, 1500) * (math.pi / 2)
    far = rng.integers(1, int(largest / 1.6), 1500) * (math.pi / 2)  # close to where sine or cosine vanishes
    huge = 10.0 ** rng.uniform(np.log10(largest), 38, 200)
    extra = [0.0, -0.0, 1e-30, -5e-5, 6381956970095103 * 2.0**797 if precision == "float64" else 1e38]
    return np.concatenate(
        [rng.uniform(-4, 4, 3000), rng.uniform(-largest, largest, 3000), quarters, -far, huge, -huge, extra]
    ).astype(precision)


@pytest.mark.parametrize("precision", PRECISIONS)
def test_sine_and_cosine_within_two_ulp(rng, precision):
    x = angles(rng, precision)
    x = x[abs(x) <= SINCOS_CONSTANTS[precision].limit]
    found = Compiled(sine_program(), 4, precision).batch([x[:, None]])[0]
    with mpmath.workprec(1300):
        exact = [mpmath.cos_sin(mpmath.mpf(float(t))) for t in x]
        worst = max(max(ulps(f[0], s), ulps(f[1], c)) for f, (c, s) in zip(found, exact, strict=True))
    assert worst <= 1.7


@pytest.mark.parametrize("precision", PRECISIONS)
def test_sines_of_huge_angles_are_those_of_the_c_library(rng, precision):
    x = angles(rng, precision)
    x = x[abs(x) > SINCOS_CONSTANTS[precision].limit]
    code = Compiled(sine_program(), 4, precision)
    expected = np.array([[math.sin(t), math.cos(t)] for t in x.tolist()]).astype(precision)
    np.testing.assert_array_equal(code.batch([x[:, None]])[0], expected)
    np.testing.assert_array_equal(code.each([x[:, None]])[0], expected)
    with mpmath.workprec(1300):
        exact = [mpmath.cos_sin(mpmath.mpf(float(t))) for t in x]
        worst = max(max(abs(f[0] - s), abs(f[1] - c)) for f, (c, s) in zip(expected.tolist(), exact, strict=True))
    assert worst < np.finfo(precision).eps


@pytest.mark.parametrize("precision", PRECISIONS)
def test_compiled_sines_are_numpys_bit_for_bit(rng, precision):
    x = angles(rng, precision)[:, None]
    np.testing.assert_array_equal(
        Compiled(sine_program(), 8, precision).batch([x])[0], interpreted(sine_program(), [x])[0]
    )


@pytest.mark.parametrize("precision", PRECISIONS)
def test_sines_of_what_is_not_finite(precision):
    x = np.array([np.inf, -np.inf, np.nan, 1.0], precision)[:, None]
    found = Compiled(sine_program(), 4, precision).batch([x])[0]
    assert np.isnan(found[:3]).all() and np.isfinite(found[3]).all()
    assert np.isnan(sine(x[:3])).all() and np.isnan(cosine(x[:3])).all()


@pytest.mark.parametrize("precision", PRECISIONS)
def test_atan2_within_four_ulp(rng, precision):
    y, x = (rng.normal(size=(2, 2000)) * 10.0 ** rng.uniform(-6, 6, (2, 2000))).astype(precision)
    y[:4], x[:4] = [0, 0, 1, -1], [1, -1, 0, 0]
    program = lower(trace(lambda p: atan2(p[0], p[1]), {"p": 2}))
    found = Compiled(program, 4, precision).batch([np.stack([y, x], axis=1)])[0][:, 0]
    exact = [mpmath.atan2(float(a), float(b)) for a, b in zip(y, x, strict=True)]
    assert max(ulps(f, e) for f, e in zip(found, exact, strict=True) if e) <= 4
    assert (found[:1] == 0).all()


def test_sign(rng):
    program = lower(trace(lambda x: sign(x[0]), {"x": 1}))
    x = np.array([3.0, -2.0, 0.0, 1e-300, np.nan])[:, None]
    np.testing.assert_array_equal(Compiled(program).batch([x])[0], np.sign(x))


def test_nothing_is_left_to_lower(rng):
    program = lower(trace(lambda x: array([sin(x[0]), cos(x[0]), atan2(x[0], x[1]), sign(x[1])]), {"x": 2}))
    assert not set(program.ops) & set(LOWER)


@pytest.mark.parametrize("precision", PRECISIONS)
def test_fma_rounds_once(rng, precision):
    library = ctypes.CDLL(ctypes.util.find_library("m"))
    exact, kind = (library.fma, ctypes.c_double) if precision == "float64" else (library.fmaf, ctypes.c_float)
    exact.restype, exact.argtypes = kind, [kind] * 3
    a, b = (rng.normal(size=(2, 20000)) * 10.0 ** rng.integers(-15, 15, (2, 20000))).astype(precision)
    c = (-a * b * (1 + rng.normal(size=20000) * 10.0 ** rng.integers(-18, 3, 20000))).astype(precision)
    expected = np.array([exact(*t) for t in zip(a.tolist(), b.tolist(), c.tolist(), strict=True)], precision)
    np.testing.assert_array_equal(fma(a, b, c), expected)


@pytest.mark.parametrize("precision", PRECISIONS)
def test_fma_gives_a_zero_its_sign(precision):
    library = ctypes.CDLL(ctypes.util.find_library("m"))
    library.fma.restype, library.fma.argtypes = ctypes.c_double, [ctypes.c_double] * 3
    values = np.array([0.0, -0.0, 1.0, -0.5, 2.0], precision)
    for a, b, c in np.array(np.meshgrid(values, values, values), precision).reshape(3, -1).T:
        expected = library.fma(a, b, c)
        found = fma(a, b, c)
        assert found == expected and np.signbit(found) == np.signbit(expected), (a, b, c)


def test_fma_at_the_ends_of_the_range():
    for a, b, c in [(1e200, 1e200, -1e300), (1e-200, 1e-160, 5e-324), (1e300, 1e10, -np.inf), (0.0, 5.0, -0.0)]:
        with np.errstate(all="ignore"):
            expected = exactly_fused(a, b, c) if np.isfinite(c) else c
        assert fma(a, b, c) == expected


def test_the_limits_leave_room():
    for constants in SINCOS_CONSTANTS.values():
        assert constants.limit < constants.magic / 4
