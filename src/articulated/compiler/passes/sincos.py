"""The one sine and cosine of every compiled kernel: its constants.

x = k π/2 + r with |r| <= π/4 and k the nearest integer.  x·(2/π) is rounded to k by adding and subtracting
1.5·2^p, which leaves the low bits of k in the low bits of the sum.  Then k times π/2, in three parts
(Cody and Waite 1980), is subtracted from x by fused multiply-adds; the first difference is exact.  Two
polynomials in r give sin and cos; k says which is which, and their signs.  Beyond `limit` an angle goes to the C
library, in double precision.
"""

from dataclasses import dataclass


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
