"""The one sine and cosine of every compiled kernel, of an array of angles, as an LLVM function.

x = k π/2 + r with |r| <= π/4 and k the nearest integer.  x·(2/π) is rounded to k by adding and subtracting
1.5·2^p, which leaves the low bits of k in the low bits of the sum.  Then k times π/2, in three parts
(Cody and Waite 1980), is subtracted from x by fused multiply-adds; the first difference is exact.  Two
polynomials in r give sin and cos; k says which is which, and their signs.  Beyond `limit` an angle goes to the C
library, in double precision.
"""

import re
from dataclasses import dataclass

from ...abi import LIBM_SYMBOLS, SINCOS_SYMBOL
from .types import Lanes, number


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


#: in a module that calls the function
SINCOS_DECLARATION = f"declare void @{SINCOS_SYMBOL}(ptr, ptr, ptr, i64, i64, i64)"


def sincos_functions(lanes: Lanes) -> list[str]:
    """The function `SINCOS_SYMBOL`, the one for huge angles that it calls, and the declarations of libm's."""
    declarations = [f"declare double @{name}(double)" for name in LIBM_SYMBOLS]
    return [*declarations, _all_sines(lanes).strip(), _huge_sines(lanes).strip()]


def sincos_symbol(lanes: Lanes) -> str:
    """The function for vectors of so many angles: that of all kernels, or one of a module's own for single angles."""
    return SINCOS_SYMBOL if lanes.count > 1 else f"{SINCOS_SYMBOL}_of_one"


def _all_sines(lanes: Lanes) -> str:
    """`@articulated_sincos(x, s, c, step, advance, end)`: sine and cosine of vectors of angles, two at a time.

    The vectors begin at the bytes 0, step, advance, advance + step, 2 advance, …; the last one begins at `end`.
    With step one vector and advance two they are those of one array, where the last may overlap the one before;
    with another step, those of two arrays.
    """
    t, name, linkage = lanes.type, sincos_symbol(lanes), "internal " if lanes.count == 1 else ""
    limit = lanes.constant((SINCOS_CONSTANTS[lanes.precision].limit * TWO_OVER_PI) ** 2)
    reduce = f"@llvm.vector.reduce.and.v{lanes.count}i1(" + f"{lanes.of('i1')} %fine)"
    test = "%all = and i1 %fine, true" if lanes.count == 1 else f"%all = call i1 {reduce}"
    addresses = "\n".join(
        f"  %at{array}.{v} = getelementptr i8, ptr %{array}, i64 %offset.{v}" for array in "xsc" for v in (0, 1)
    )
    return f"""
define {linkage}void @{name}(ptr %x, ptr %s, ptr %c, i64 %step, i64 %advance, i64 %end) {lanes.attributes} {{
entry:
  br label %loop
loop:
  %offset.0 = phi i64 [ 0, %entry ], [ %next, %loop ]
  %most.0 = phi {t} [ {lanes.constant(0.0)}, %entry ], [ %more.0, %loop ]
  %most.1 = phi {t} [ {lanes.constant(0.0)}, %entry ], [ %more.1, %loop ]
{_following("%offset.1", "%offset.0", "%step")}
{addresses}
{_two_vectors(lanes)}
{_following("%next", "%offset.0", "%advance")}
  %finished = icmp eq i64 %offset.1, %end
  br i1 %finished, label %check, label %loop
check:
  ; one test for all angles: the sum of squares is NaN or large if any of them is
  %total = fadd {t} %more.0, %more.1
  %fine = fcmp ole {t} %total, {limit}
  {test}
  br i1 %all, label %done, label %huge
huge:
  %at.0 = phi i64 [ 0, %check ], [ %then, %huge ]
{_following("%at.1", "%at.0", "%step")}
  call void @huge_sines(ptr %x, ptr %s, ptr %c, i64 %at.0)
  call void @huge_sines(ptr %x, ptr %s, ptr %c, i64 %at.1)
{_following("%then", "%at.0", "%advance")}
  %over = icmp eq i64 %at.1, %end
  br i1 %over, label %done, label %huge
done:
  ret void
}}
"""


def _huge_sines(lanes: Lanes) -> str:
    """`@huge_sines(x, s, c, offset)`: every angle beyond the limit of the vector at `offset`, one by one, by libm."""
    t, size = lanes.scalar, lanes.size
    sin, cos = LIBM_SYMBOLS
    return f"""
define internal void @huge_sines(ptr %x, ptr %s, ptr %c, i64 %offset) noinline cold nounwind {{
entry:
  %xs = getelementptr i8, ptr %x, i64 %offset
  %ss = getelementptr i8, ptr %s, i64 %offset
  %cs = getelementptr i8, ptr %c, i64 %offset
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %end ]
  %px = getelementptr {t}, ptr %xs, i64 %i
  %angle = load {t}, ptr %px, align {size}
  %size = call {t} @llvm.fabs.f{8 * size}({t} %angle)
  %fine = fcmp ole {t} %size, {number(SINCOS_CONSTANTS[lanes.precision].limit, lanes.precision)}
  br i1 %fine, label %end, label %huge
huge:
{_converted(lanes, "%wide", "%angle", "fpext")}
  %wide.s = call double @{sin}(double %wide)
  %wide.c = call double @{cos}(double %wide)
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
        return f"  {out} = bitcast double {x} to double"
    kinds = ("float", "double") if how == "fpext" else ("double", "float")
    return f"  {out} = {how} {kinds[0]} {x} to {kinds[1]}"


def _following(out: str, offset: str, step: str) -> str:
    """out = the offset a step further, but not beyond the end."""
    lines = [
        f"  {out}.far = add i64 {offset}, {step}",
        f"  {out}.past = icmp ugt i64 {out}.far, %end",
        f"  {out} = select i1 {out}.past, i64 %end, i64 {out}.far",
    ]
    return "\n".join(lines)


def _two_vectors(lanes: Lanes) -> str:
    """The lines of the loop, the two vectors interleaved."""
    pairs = zip(_vector(lanes, ".0"), _vector(lanes, ".1"), strict=True)
    return "\n".join(line for pair in pairs for line in pair)


def _vector(lanes: Lanes, tag: str) -> list[str]:
    """The lines for one of the two vectors, `tag` appended to its names."""
    lines = [
        f"  %angle = load {lanes.type}, ptr %atx, align {lanes.size}",
        _turns(lanes, "%angle"),
        _fma(lanes, "%more", "%turns", "%turns", "%most"),
        _remainder(lanes, "%angle"),
        _polynomials(lanes),
        f"  store {lanes.type} %sin, ptr %ats, align {lanes.size}",
        f"  store {lanes.type} %cos, ptr %atc, align {lanes.size}",
    ]
    return re.sub(r"%([a-z][\w.]*)", rf"%\1{tag}", "\n".join(lines)).split("\n")


def _fma(lanes: Lanes, out: str, a: str, b: str, c: str) -> str:
    """out = a b + c, rounded once."""
    t = lanes.type
    return f"  {out} = call {t} @llvm.fma.{lanes.suffix}({t} {a}, {t} {b}, {t} {c})"


def _turns(lanes: Lanes, x: str) -> str:
    """%turns, the nearest whole number of quarter turns, and %bits, whose low bits are that number."""
    magic = lanes.constant(SINCOS_CONSTANTS[lanes.precision].magic)
    return "\n".join(
        [
            _fma(lanes, "%sum", x, lanes.constant(TWO_OVER_PI), magic),
            f"  %turns = fsub {lanes.type} %sum, {magic}",
            f"  %bits = bitcast {lanes.type} %sum to {lanes.whole}",
        ]
    )


def _remainder(lanes: Lanes, x: str) -> str:
    """%r: x without its %turns quarter turns."""
    lines, rest = [], x
    for k, part in enumerate(SINCOS_CONSTANTS[lanes.precision].half_pi):
        out = "%r" if k == 2 else f"%r{k}"
        lines.append(_fma(lanes, out, "%turns", lanes.constant(-part), rest))
        rest = out
    return "\n".join(lines)


def _polynomials(lanes: Lanes) -> str:
    """%sin and %cos of the angle %r and as many quarter turns as the low bits of %bits say."""
    t, w, top = lanes.type, lanes.whole, 8 * lanes.size - 1
    constants = SINCOS_CONSTANTS[lanes.precision]
    lines = [f"  %z = fmul {t} %r, %r"]
    for name, coefficients in (("ps", constants.sin), ("pc", constants.cos)):
        value = lanes.constant(coefficients[-1])
        for k in reversed(range(len(coefficients) - 1)):
            lines.append(_fma(lanes, f"%{name}.{k}", value, "%z", lanes.constant(coefficients[k])))
            value = f"%{name}.{k}"
    lines += [
        f"  %rz = fmul {t} %r, %z",
        _fma(lanes, "%sine", "%rz", "%ps.0", "%r"),
        _fma(lanes, "%cosine", "%pc.0", "%z", lanes.constant(1.0)),
        # an odd number of quarter turns swaps sine and cosine; bit 1 flips the sign of sine, bits 0 xor 1 of cosine
        f"  %odd = shl {w} %bits, {lanes.integer(top)}",
        f"  %swap = icmp slt {w} %odd, {lanes.integer(0)}",
        f"  %half = shl {w} %bits, {lanes.integer(top - 1)}",
        f"  %flip.s = and {w} %half, {lanes.integer(-(1 << top))}",
        f"  %flip.c = xor {w} %flip.s, %odd",
    ]
    for out, yes, no in (("s", "%cosine", "%sine"), ("c", "%sine", "%cosine")):
        lines += [
            f"  %{out}.v = select {lanes.of('i1')} %swap, {t} {yes}, {t} {no}",
            f"  %{out}.b = bitcast {t} %{out}.v to {w}",
            f"  %{out}.f = xor {w} %{out}.b, %flip.{out}",
            f"  %{'sin' if out == 's' else 'cos'} = bitcast {w} %{out}.f to {t}",
        ]
    return "\n".join(lines)
