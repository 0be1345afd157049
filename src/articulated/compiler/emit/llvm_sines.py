"""Sine and cosine of an array of angles as LLVM functions; `sines.py` says how they work."""

from ..sines import SINES, TWO_OVER_PI, WORDS, Sines
from .llvm_types import Lanes, number


def functions(lanes: Lanes) -> list[str]:
    """`@sines(x, s, c, vectors)`, and the exact routine it calls for huge angles."""
    double = Lanes(1)
    parts = [_table(), _exact(double), _loop(lanes), _huge(lanes)]
    if lanes.precision == "float32":
        parts.append(_in_double(double))
    return [part.strip() for part in parts]


def _loop(lanes: Lanes) -> str:
    t, size = lanes.type, lanes.size
    limit = lanes.constant(_largest_turn(SINES[lanes.precision]))
    reduce = f"@llvm.vector.reduce.and.v{lanes.count}i1(" + f"{lanes.of('i1')} %fine)"
    test = "%all = and i1 %fine, true" if lanes.count == 1 else f"%all = call i1 {reduce}"
    return f"""
define internal void @sines(ptr %x, ptr %s, ptr %c, i64 %vectors) noinline nounwind "stackrealign" {{
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %most = phi {t} [ {lanes.constant(0.0)}, %entry ], [ %more, %loop ]
  %offset = mul i64 %i, {lanes.bytes}
  %px = getelementptr i8, ptr %x, i64 %offset
  %ps = getelementptr i8, ptr %s, i64 %offset
  %pc = getelementptr i8, ptr %c, i64 %offset
  %angle = load {t}, ptr %px, align {size}
{_turns(lanes, "%angle")}
{_fma(lanes, "%more", "%turns", "%turns", "%most")}
{_remainder(lanes, "%angle")}
{_polynomials(lanes, "%bits")}
  store {t} %sin, ptr %ps, align {size}
  store {t} %cos, ptr %pc, align {size}
  %next = add i64 %i, 1
  %again = icmp ult i64 %next, %vectors
  br i1 %again, label %loop, label %check
check:
  ; one test for all angles: the sum of squares is NaN or large if any of them is
  %fine = fcmp ole {t} %more, {limit}
  {test}
  br i1 %all, label %done, label %huge
huge:
  call void @huge_sines(ptr %x, ptr %s, ptr %c, i64 %vectors)
  ret void
done:
  ret void
}}
"""


def _largest_turn(constants: Sines) -> float:
    return (constants.limit * TWO_OVER_PI) ** 2


def _fma(lanes: Lanes, out: str, a: str, b: str, c: str) -> str:
    t = lanes.type
    return f"  {out} = call {t} @llvm.fma.{lanes.suffix}({t} {a}, {t} {b}, {t} {c})"


def _turns(lanes: Lanes, x: str) -> str:
    """The nearest whole number of quarter turns, as a float and in the low bits of an integer."""
    magic = lanes.constant(SINES[lanes.precision].magic)
    return "\n".join(
        [
            _fma(lanes, "%sum", x, lanes.constant(TWO_OVER_PI), magic),
            f"  %turns = fsub {lanes.type} %sum, {magic}",
            f"  %bits = bitcast {lanes.type} %sum to {lanes.whole}",
        ]
    )


def _remainder(lanes: Lanes, x: str) -> str:
    lines, rest = [], x
    for k, part in enumerate(SINES[lanes.precision].half_pi):
        out = "%r" if k == 2 else f"%r{k}"
        lines.append(_fma(lanes, out, "%turns", lanes.constant(-part), rest))
        rest = out
    return "\n".join(lines)


def _polynomials(lanes: Lanes, bits: str) -> str:
    """%sin and %cos of k quarter turns (in the low bits of `bits`) and the angle %r."""
    t, w, top = lanes.type, lanes.whole, 8 * lanes.size - 1
    constants = SINES[lanes.precision]
    lines = [f"  %z = fmul {t} %r, %r"]
    for name, coefficients in (("ps", constants.sin), ("pc", constants.cos)):
        value = lanes.constant(coefficients[-1])
        for k in reversed(range(len(coefficients) - 1)):
            lines.append(_fma(lanes, f"%{name}.{k}", value, "%z", lanes.constant(coefficients[k])))
            value = f"%{name}.{k}"
    lines += [
        f"  %rz = fmul {t} %r, %z",
        _fma(lanes, "%sine", "%rz", "%ps.0", "%r"),
        f"  %zz = fmul {t} %z, %z",
        _fma(lanes, "%low", "%z", lanes.constant(-0.5), lanes.constant(1.0)),
        _fma(lanes, "%cosine", "%zz", "%pc.0", "%low"),
        # odd quarter turns swap sine and cosine; bit 1 turns the sign of one, bits 0 and 1 of the other
        f"  %odd = shl {w} {bits}, {lanes.integer(top)}",
        f"  %swap = icmp slt {w} %odd, {lanes.integer(0)}",
        f"  %half = shl {w} {bits}, {lanes.integer(top - 1)}",
        f"  %flip.s = and {w} %half, {lanes.integer(-(1 << top))}",
        f"  %mix = xor {w} %half, %odd",
        f"  %flip.c = and {w} %mix, {lanes.integer(-(1 << top))}",
    ]
    for out, yes, no in (("s", "%cosine", "%sine"), ("c", "%sine", "%cosine")):
        lines += [
            f"  %{out}.v = select {lanes.of('i1')} %swap, {t} {yes}, {t} {no}",
            f"  %{out}.b = bitcast {t} %{out}.v to {w}",
            f"  %{out}.f = xor {w} %{out}.b, %flip.{out}",
            f"  %{'sin' if out == 's' else 'cos'} = bitcast {w} %{out}.f to {t}",
        ]
    return "\n".join(lines)


def _huge(lanes: Lanes) -> str:
    """Every angle beyond the limit again, one by one."""
    t, size = lanes.scalar, lanes.size
    limit = number(SINES[lanes.precision].limit, lanes.precision)
    return f"""
define internal void @huge_sines(ptr %x, ptr %s, ptr %c, i64 %vectors) noinline cold nounwind {{
entry:
  %pair = alloca [2 x double]
  %second = getelementptr i8, ptr %pair, i64 8
  %count = mul i64 %vectors, {lanes.count}
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %end ]
  %px = getelementptr {t}, ptr %x, i64 %i
  %angle = load {t}, ptr %px, align {size}
  %size = call {t} @llvm.fabs.f{8 * size}({t} %angle)
  %fine = fcmp ole {t} %size, {limit}
  br i1 %fine, label %end, label %exact
exact:
{_widened(lanes, "%wide", "%angle", "fpext")}
  call void {"@exact_sines" if size == 8 else "@double_sines"}(double %wide, ptr %pair)
  %wide.s = load double, ptr %pair
  %wide.c = load double, ptr %second
{_widened(lanes, "%new.s", "%wide.s", "fptrunc")}
{_widened(lanes, "%new.c", "%wide.c", "fptrunc")}
  %ps = getelementptr {t}, ptr %s, i64 %i
  %pc = getelementptr {t}, ptr %c, i64 %i
  store {t} %new.s, ptr %ps, align {size}
  store {t} %new.c, ptr %pc, align {size}
  br label %end
end:
  %next = add i64 %i, 1
  %again = icmp ult i64 %next, %count
  br i1 %again, label %loop, label %done
done:
  ret void
}}
"""


def _widened(lanes: Lanes, out: str, x: str, how: str) -> str:
    if lanes.size == 8:
        return f"  {out} = fadd double {x}, -0.0"
    kinds = ("float", "double") if how == "fpext" else ("double", "float")
    return f"  {out} = {how} {kinds[0]} {x} to {kinds[1]}"


def _in_double(double: Lanes) -> str:
    """An angle too large for single precision, in double."""
    return f"""
define internal void @double_sines(double %angle, ptr %pair) noinline cold nounwind {{
  %size = call double @llvm.fabs.f64(double %angle)
  %fine = fcmp ole double %size, {number(SINES["float64"].limit, "float64")}
  br i1 %fine, label %near, label %far
far:
  call void @exact_sines(double %angle, ptr %pair)
  ret void
near:
{_turns(double, "%angle")}
{_remainder(double, "%angle")}
{_polynomials(double, "%bits")}
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
    """`sines.reduced` operation by operation, then the same polynomials; NaN for what is not finite."""
    hi_pi, lo_pi, _ = (number(x, "float64") for x in SINES["float64"].half_pi)
    words = "\n".join(
        f"  %at{k} = add i64 %word, {k}\n"
        f"  %p{k} = getelementptr i64, ptr @two_over_pi, i64 %at{k}\n"
        f"  %a{k} = load i64, ptr %p{k}"
        for k in range(4)
    )
    windows = "\n".join(
        f"  %w{k} = call i64 @llvm.fshl.i64(i64 %a{k}, i64 %a{k + 1}, i64 %shift)\n  %x{k} = zext i64 %w{k} to i128"
        for k in range(3)
    )
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
  %raw = bitcast double %size to i64
  %biased = lshr i64 %raw, 52
  %digits = and i64 %raw, {2**52 - 1}
  %mantissa = or i64 %digits, {2**52}
  %m = zext i64 %mantissa to i128
  %start = sub i64 %biased, {1075 - 62}
  %word = lshr i64 %start, 6
  %shift = and i64 %start, 63
{words}
{windows}
  ; the product modulo 2^192, its low word only for the carry
  %y2 = mul i128 %m, %x2
  %y1 = mul i128 %m, %x1
  %y0 = mul i128 %m, %x0
  %carry = lshr i128 %y2, 64
  %upper = shl i128 %y0, 64
  %middle = add i128 %y1, %carry
  %product = add i128 %upper, %middle
  %rounded = add i128 %product, {2**125}
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
  %lower = fmul double %whole, {number(2.0**-53, "float64")}
  %p = fmul double %high, {hi_pi}
  %np = fneg double %p
{_fma(double, "%e0", "%high", hi_pi, "%np")}
{_fma(double, "%e1", "%high", lo_pi, "%e0")}
{_fma(double, "%e2", "%lower", hi_pi, "%e1")}
  %full = fadd double %p, %e2
  %zeros64 = trunc i128 %zeros to i64
  %exponent = sub i64 {1023 - 51}, %zeros64
  %power = shl i64 %exponent, 52
  %scale = bitcast i64 %power to double
  %r.size = fmul double %full, %scale
  %r.minus = fneg double %r.size
  %r = select i1 %negative, double %r.minus, double %r.size
{_polynomials(double, "%bits")}
  %below = fcmp olt double %angle, 0.0
  %sin.minus = fneg double %sin
  %sin.signed = select i1 %below, double %sin.minus, double %sin
  store double %sin.signed, ptr %pair
  store double %cos, ptr %second
  ret void
}}
"""
