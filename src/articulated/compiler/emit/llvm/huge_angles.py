"""Sine and cosine of angles too large for the fast reduction, one at a time; `passes/sincos.py` defines them."""

from ...passes.sincos import SINCOS_CONSTANTS, WORDS
from .sincos import fma, polynomials, remainder, turns
from .types import Lanes, number


def huge_sincos(lanes: Lanes) -> list[str]:
    """`@huge_sines(x, s, c, offset)`, which corrects the vector at `offset`, and what it calls."""
    double = Lanes(1)
    parts = [_table(), _exact(double), _huge(lanes)]
    if lanes.precision == "float32":
        parts.append(_in_double(double))
    return [part.strip() for part in parts]


def _huge(lanes: Lanes) -> str:
    """Every angle of a vector that is beyond the limit, one by one."""
    t, size = lanes.scalar, lanes.size
    limit = number(SINCOS_CONSTANTS[lanes.precision].limit, lanes.precision)
    return f"""
define internal void @huge_sines(ptr %x, ptr %s, ptr %c, i64 %offset) noinline cold nounwind {{
entry:
  %pair = alloca [2 x double]
  %second = getelementptr i8, ptr %pair, i64 8
  %xs = getelementptr i8, ptr %x, i64 %offset
  %ss = getelementptr i8, ptr %s, i64 %offset
  %cs = getelementptr i8, ptr %c, i64 %offset
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %end ]
  %px = getelementptr {t}, ptr %xs, i64 %i
  %angle = load {t}, ptr %px, align {size}
  %size = call {t} @llvm.fabs.f{8 * size}({t} %angle)
  %fine = fcmp ole {t} %size, {limit}
  br i1 %fine, label %end, label %exact
exact:
{_converted(lanes, "%wide", "%angle", "fpext")}
  call void {"@exact_sines" if size == 8 else "@double_sines"}(double %wide, ptr %pair)
  %wide.s = load double, ptr %pair
  %wide.c = load double, ptr %second
{_converted(lanes, "%new.s", "%wide.s", "fptrunc")}
{_converted(lanes, "%new.c", "%wide.c", "fptrunc")}
  %ps = getelementptr {t}, ptr %ss, i64 %i
  %pc = getelementptr {t}, ptr %cs, i64 %i
  store {t} %new.s, ptr %ps, align {size}
  store {t} %new.c, ptr %pc, align {size}
  br label %end
end:
  %next = add i64 %i, 1
  %again = icmp ult i64 %next, {lanes.count}
  br i1 %again, label %loop, label %done
done:
  ret void
}}
"""


def _converted(lanes: Lanes, out: str, x: str, how: str) -> str:
    """out = x in double (`fpext`) or from double (`fptrunc`)."""
    if lanes.size == 8:
        return f"  {out} = fadd double {x}, -0.0"
    kinds = ("float", "double") if how == "fpext" else ("double", "float")
    return f"  {out} = {how} {kinds[0]} {x} to {kinds[1]}"


def _in_double(double: Lanes) -> str:
    """An angle too large for single precision, in double."""
    return f"""
define internal void @double_sines(double %angle, ptr %pair) noinline cold nounwind {{
  %size = call double @llvm.fabs.f64(double %angle)
  %fine = fcmp ole double %size, {number(SINCOS_CONSTANTS["float64"].limit, "float64")}
  br i1 %fine, label %near, label %far
far:
  call void @exact_sines(double %angle, ptr %pair)
  ret void
near:
{turns(double, "%angle")}
{remainder(double, "%angle")}
{polynomials(double, "%bits")}
  %second = getelementptr i8, ptr %pair, i64 8
  store double %sin, ptr %pair
  store double %cos, ptr %second
  ret void
}}
"""


def _table() -> str:
    words = ", ".join(f"i64 {w - 2**64 if w >> 63 else w}" for w in WORDS)
    return f"@two_over_pi = internal unnamed_addr constant [{len(WORDS)} x i64] [{words}], align 64"


def _exact(double: Lanes) -> str:
    """Any finite angle of at least 1; NaN for what is not finite."""
    return f"""
define internal void @exact_sines(double %angle, ptr %pair) noinline cold nounwind {{
entry:
  %second = getelementptr i8, ptr %pair, i64 8
  %size = call double @llvm.fabs.f64(double %angle)
  %finite = fcmp olt double %size, 0x7FF0000000000000
  br i1 %finite, label %reduce, label %nan
nan:
  store double 0x7FF8000000000000, ptr %pair
  store double 0x7FF8000000000000, ptr %second
  ret void
reduce:
{_turn_bits()}
{_fraction()}
{_small_angle(double)}
{polynomials(double, "%bits")}
  %below = fcmp olt double %angle, 0.0
  %sin.minus = fneg double %sin
  %sin.signed = select i1 %below, double %sin.minus, double %sin
  store double %sin.signed, ptr %pair
  store double %cos, ptr %second
  ret void
}}
"""


def _turn_bits() -> str:
    """%product: 2 bits of quarter turns and 126 of fraction, from 192 bits of 2/π."""
    words = [
        f"  %at{k} = add i64 %word, {k}\n"
        f"  %p{k} = getelementptr i64, ptr @two_over_pi, i64 %at{k}\n"
        f"  %a{k} = load i64, ptr %p{k}"
        for k in range(4)
    ]
    windows = [
        f"  %w{k} = call i64 @llvm.fshl.i64(i64 %a{k}, i64 %a{k + 1}, i64 %shift)\n"
        f"  %x{k} = zext i64 %w{k} to i128\n"
        f"  %y{k} = mul i128 %m, %x{k}"
        for k in range(3)
    ]
    return "\n".join(
        [
            "  %raw = bitcast double %size to i64",
            "  %biased = lshr i64 %raw, 52",
            f"  %digits = and i64 %raw, {2**52 - 1}",
            f"  %mantissa = or i64 %digits, {2**52}",
            "  %m = zext i64 %mantissa to i128",
            f"  %start = sub i64 %biased, {1075 - 62}",
            "  %word = lshr i64 %start, 6",
            "  %shift = and i64 %start, 63",
            *words,
            *windows,
            "  %carry = lshr i128 %y2, 64",
            "  %upper = shl i128 %y0, 64",
            "  %middle = add i128 %y1, %carry",
            "  %product = add i128 %upper, %middle",
        ]
    )


def _fraction() -> str:
    """%bits, the nearest quarter turn, and the rest of the product as %high + %lower after %zeros leading zeros."""
    return f"""  %rounded = add i128 %product, {2**125}
  %quarter = lshr i128 %rounded, 126
  %bits = trunc i128 %quarter to i64
  %kept = and i128 %rounded, {2**126 - 1}
  %fraction = sub i128 %kept, {2**125}
  %negative = icmp slt i128 %fraction, 0
  %minus = sub i128 0, %fraction
  %positive = select i1 %negative, i128 %minus, i128 %fraction
  %zeros = call i128 @llvm.ctlz.i128(i128 %positive, i1 true)
  %shifted = shl i128 %positive, %zeros
  %top = lshr i128 %shifted, 75
  %top64 = trunc i128 %top to i64
  %high = sitofp i64 %top64 to double
  %next = lshr i128 %shifted, 22
  %next64 = trunc i128 %next to i64
  %next53 = and i64 %next64, {2**53 - 1}
  %whole = sitofp i64 %next53 to double
  %lower = fmul double %whole, {number(2.0**-53, "float64")}"""


def _small_angle(double: Lanes) -> str:
    """%r: the fraction times π/2, the rounding errors of the products added."""
    hi_pi, lo_pi, _ = (number(x, "float64") for x in SINCOS_CONSTANTS["float64"].half_pi)
    return f"""  %p = fmul double %high, {hi_pi}
  %np = fneg double %p
{fma(double, "%e0", "%high", hi_pi, "%np")}
{fma(double, "%e1", "%high", lo_pi, "%e0")}
{fma(double, "%e2", "%lower", hi_pi, "%e1")}
  %full = fadd double %p, %e2
  %zeros64 = trunc i128 %zeros to i64
  %exponent = sub i64 {1023 - 51}, %zeros64
  %power = shl i64 %exponent, 52
  %scale = bitcast i64 %power to double
  %r.size = fmul double %full, %scale
  %r.minus = fneg double %r.size
  %r = select i1 %negative, double %r.minus, double %r.size"""
