"""The one sine and cosine of every compiled kernel: constants, and the exact reduction of huge angles.

x = k π/2 + r with |r| <= π/4 and k the nearest integer.  x·(2/π) is rounded to k by adding and subtracting
1.5·2^p, which leaves the low bits of k in the low bits of the sum.  Then k times π/2, in three parts
(Cody and Waite 1980), is subtracted from x by fused multiply-adds; the first difference is exact.  Two
polynomials in r give sin and cos; k says which is which, and their signs.  Beyond `limit` the fraction of
x·(2/π) comes from integer arithmetic with 1200 bits of 2/π (Payne and Hanek 1983).
"""

import math
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class SincosConstants:
    """Constants for one precision; polynomials by rising power of r², without the leading terms."""

    limit: float  # |x| up to which the three-part reduction holds
    magic: float  # 1.5 × 2^(digits of the format)
    half_pi: tuple[float, float, float]
    sin: tuple[float, ...]  # sin r = r + r³ (S0 + S1 r² + …)
    cos: tuple[float, ...]  # cos r = 1 + r² (C0 + C1 r² + …)


TWO_OVER_PI = 0.6366197723675814

#: Sun's fdlibm k_sin.c and k_cos.c in double, Cephes sinf.c in single precision
SINCOS_CONSTANTS = {
    "float64": SincosConstants(
        limit=2.0**30,
        magic=1.5 * 2.0**52,
        half_pi=(1.5707963267948966, 6.123233995736766e-17, -1.4973849048591698e-33),
        sin=(
            -1.66666666666666324348e-01, 8.33333333332248946124e-03, -1.98412698298579493134e-04,
            2.75573137070700676789e-06, -2.50507602534068634195e-08, 1.58969099521155010221e-10,
        ),
        cos=(
            -0.5, 4.16666666666666019037e-02, -1.38888888888741095749e-03, 2.48015872894767294178e-05,
            -2.75573143513906633035e-07, 2.08757232129817482790e-09, -1.13596475577881948265e-11,
        ),
    ),
    "float32": SincosConstants(
        limit=2.0**13,
        magic=1.5 * 2.0**23,
        half_pi=(1.5707963705062866, -4.371138828673793e-08, -1.7151245100058819e-15),
        sin=(-1.6666654611e-1, 8.3321608736e-3, -1.9515295891e-4),
        cos=(-0.5, 4.166664568298827e-2, -1.388731625493765e-3, 2.443315711809948e-5),
    ),
}  # fmt: skip


def _two_over_pi(bits: int) -> int:
    """floor(2/π · 2^bits), π by Machin's formula in integers."""
    guard = bits + 64

    def arctan_inverse(n: int) -> int:
        term = total = (1 << guard) // n
        k = 1
        while term:
            term //= -n * n
            k += 2
            total += term // k
        return total

    pi = 4 * (4 * arctan_inverse(5) - arctan_inverse(239))
    return ((2 << (guard + bits)) // pi) % (1 << bits)


#: 2/π in words of 64 bits after one word of zeros, most significant first
WORDS = tuple((_two_over_pi(19 * 64) >> (64 * (18 - k))) & (2**64 - 1) if k >= 0 else 0 for k in range(-1, 19))


def reduced(x: float) -> tuple[int, float]:
    """(k mod 4, r) of a finite |x| >= 1: the definition, which the compiled code follows bit by bit."""
    hi_pi, lo_pi, _ = SINCOS_CONSTANTS["float64"].half_pi
    mantissa, exponent = math.frexp(abs(x))
    mantissa, exponent = int(mantissa * 2**53), exponent - 53
    # bits of 2/π that contribute multiples of 4 quarter turns are skipped
    window = 0
    for word in WORDS:
        window = window << 64 | word
    window = (window >> (len(WORDS) * 64 - (exponent + 62) - 192)) & (2**192 - 1)
    turns = (mantissa * window >> 64) & (2**128 - 1)  # 2 bits of quadrant, 126 of fraction
    quadrant = ((turns + 2**125) >> 126) & 3
    fraction = ((turns + 2**125) & (2**126 - 1)) - 2**125
    zeros = 128 - abs(fraction).bit_length()
    shifted = abs(fraction) << zeros
    high, low = float(shifted >> 75), float((shifted >> 22) & (2**53 - 1)) * 2.0**-53
    # (high + low) π/2, the rounding errors of the products added
    product = high * hi_pi
    rest = exactly_fused(high, hi_pi, -product)
    rest = exactly_fused(high, lo_pi, rest)
    rest = exactly_fused(low, hi_pi, rest)
    r = (product + rest) * 2.0 ** (-51 - zeros)
    return quadrant, -r if fraction < 0 else r


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
