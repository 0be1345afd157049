"""Operations of lowered programs bit for bit as compiled: fused multiply-add, and the sine and cosine of kernels.

They are slow.  The fallback without a JIT does not need them: its programs are not lowered, and take NumPy's own sine.
"""

import math
from fractions import Fraction
from typing import Any

import numpy as np

from articulated.compiler.emit import numpy as numpy_emitter
from articulated.compiler.emit.llvm.sincos import SINCOS_CONSTANTS, TWO_OVER_PI

_INTEGER = {"float64": np.int64, "float32": np.int32}


def fma(a: Any, b: Any, c: Any) -> np.ndarray:
    """a b + c rounded once (Boldo and Melquiond 2008; by fractions where that would over- or underflow)."""
    dtype = np.result_type(a, b, c)
    x, y, z = (np.asarray(t, dtype) for t in (a, b, c))
    with np.errstate(all="ignore"):
        if dtype == np.float32:
            product = x.astype(float) * y.astype(float)  # exact
            out = _odd(*_two_sum(product, z.astype(float))).astype(np.float32)
        else:
            high, low = _two_product(x, y)
            carried, tiny = _two_sum(z, low)
            total, rest = _two_sum(high, carried)
            out = total + _odd(*_two_sum(tiny, rest))
        out = np.where(out == 0, x * y + z, out)  # the sign of a zero
        factors = np.isfinite(x) & np.isfinite(y)
        finite = factors & np.isfinite(z)
        out = np.where(finite, out, np.where(factors, z, x * y + z))
        return _extremes(x, y, z, out, finite) if dtype != np.float32 else out


def _extremes(x: np.ndarray, y: np.ndarray, z: np.ndarray, out: np.ndarray, finite: np.ndarray) -> np.ndarray:
    """Exact results where an operand is so large or small that splitting it may over- or underflow."""
    sizes = [np.where(t == 0, 1, abs(t)) for t in (x, y, z)]
    extreme = finite & np.logical_or.reduce([(t < 1e-100) | (t > 1e100) for t in np.broadcast_arrays(*sizes)])
    if extreme.any():
        out, operands = np.array(out), np.broadcast_arrays(x, y, z)
        for index in np.argwhere(extreme):
            out[tuple(index)] = exactly_fused(*(float(t[tuple(index)]) for t in operands))
    return out


def exactly_fused(a: float, b: float, c: float) -> float:
    """a b + c of finite numbers, rounded once."""
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    if not exact:
        return a * b + c  # the sign of a zero
    try:
        size = float(abs(exact))
    except OverflowError:
        size = math.inf
    return size if exact > 0 else -size


def _two_sum(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """a + b as the rounded sum and its error."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


def _two_product(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """a b as the rounded product and its error (Veltkamp, Dekker)."""
    product = a * b
    ah, bh = (x * 134217729.0 - (x * 134217729.0 - x) for x in (a, b))
    al, bl = a - ah, b - bh
    return product, al * bl - (((product - ah * bh) - al * bh) - ah * bl)


def _odd(total: np.ndarray, error: np.ndarray) -> np.ndarray:
    """A sum rounded to odd: if inexact, the neighbor whose last bit is odd."""
    even = (np.asarray(total).view(np.int64) & 1) == 0
    return np.where((error != 0) & even, np.nextafter(total, np.copysign(np.inf, error)), total)


def sine(x: Any) -> np.ndarray:
    """The sine of `emit/llvm/sincos.py`."""
    return _sine_cosine(x)[0]


def cosine(x: Any) -> np.ndarray:
    """The cosine of `emit/llvm/sincos.py`."""
    return _sine_cosine(x)[1]


def _sine_cosine(x: Any) -> tuple[np.ndarray, np.ndarray]:
    x = np.asarray(x)
    x = x if x.dtype == np.float32 else x.astype(float)
    constants = SINCOS_CONSTANTS[x.dtype.name]
    with np.errstate(all="ignore"):
        total = fma(x, _in(x, TWO_OVER_PI), _in(x, constants.magic))
        turns = total - _in(x, constants.magic)
        r = x
        for part in constants.half_pi:
            r = fma(turns, _in(x, -part), r)
        s, c = map(np.array, _polynomials(r, total.view(_INTEGER[x.dtype.name])))
        huge = ~(abs(x) <= constants.limit)
    for index in map(tuple, np.argwhere(huge)):
        angle = float(x[index])
        s[index], c[index] = (math.sin(angle), math.cos(angle)) if math.isfinite(angle) else (math.nan, math.nan)
    return s, c


def _in(x: np.ndarray, value: float) -> np.floating:
    return x.dtype.type(value)


def _polynomials(r: np.ndarray, quarter: Any) -> tuple[np.ndarray, np.ndarray]:
    """Sine and cosine of `quarter` quarter turns and the small angle r."""
    constants = SINCOS_CONSTANTS[r.dtype.name]
    z = r * r
    series = []
    for coefficients in (constants.sin, constants.cos):
        value: Any = _in(r, coefficients[-1])
        for coefficient in coefficients[-2::-1]:
            value = fma(value, z, _in(r, coefficient))
        series.append(value)
    s = fma(r * z, series[0], r)
    c = fma(series[1], z, _in(r, 1.0))
    odd, half = (quarter & 1) != 0, (quarter & 2) != 0
    return _flipped(np.where(odd, c, s), half), _flipped(np.where(odd, s, c), half != odd)


def _flipped(x: np.ndarray, negative: Any) -> np.ndarray:
    return np.where(negative, -x, x)


numpy_emitter.NAMES.update(fma=fma, sine=sine, cosine=cosine)
