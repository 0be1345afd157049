define internal void @sines(ptr %x, ptr %s, ptr %c, i64 %last) noinline nounwind "stackrealign" "prefer-vector-width"="512" {
entry:
  br label %loop
loop:
  %offset = phi i64 [ 0, %entry ], [ %next, %loop ]
  %most = phi <8 x double> [ <double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000>, %entry ], [ %more, %loop ]
  %px = getelementptr i8, ptr %x, i64 %offset
  %ps = getelementptr i8, ptr %s, i64 %offset
  %pc = getelementptr i8, ptr %c, i64 %offset
  %angle = load <8 x double>, ptr %px, align 8
  %sum = call <8 x double> @llvm.fma.v8f64(<8 x double> %angle, <8 x double> <double 0x3FE45F306DC9C883, double 0x3FE45F306DC9C883, double 0x3FE45F306DC9C883, double 0x3FE45F306DC9C883, double 0x3FE45F306DC9C883, double 0x3FE45F306DC9C883, double 0x3FE45F306DC9C883, double 0x3FE45F306DC9C883>, <8 x double> <double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000>)
  %turns = fsub <8 x double> %sum, <double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000>
  %bits = bitcast <8 x double> %sum to <8 x i64>
  %more = call <8 x double> @llvm.fma.v8f64(<8 x double> %turns, <8 x double> %turns, <8 x double> %most)
  %r0 = call <8 x double> @llvm.fma.v8f64(<8 x double> %turns, <8 x double> <double 0xBFF921FB54442D18, double 0xBFF921FB54442D18, double 0xBFF921FB54442D18, double 0xBFF921FB54442D18, double 0xBFF921FB54442D18, double 0xBFF921FB54442D18, double 0xBFF921FB54442D18, double 0xBFF921FB54442D18>, <8 x double> %angle)
  %r1 = call <8 x double> @llvm.fma.v8f64(<8 x double> %turns, <8 x double> <double 0xBC91A62633145C07, double 0xBC91A62633145C07, double 0xBC91A62633145C07, double 0xBC91A62633145C07, double 0xBC91A62633145C07, double 0xBC91A62633145C07, double 0xBC91A62633145C07, double 0xBC91A62633145C07>, <8 x double> %r0)
  %r = call <8 x double> @llvm.fma.v8f64(<8 x double> %turns, <8 x double> <double 0x391F1976B7ED8FBC, double 0x391F1976B7ED8FBC, double 0x391F1976B7ED8FBC, double 0x391F1976B7ED8FBC, double 0x391F1976B7ED8FBC, double 0x391F1976B7ED8FBC, double 0x391F1976B7ED8FBC, double 0x391F1976B7ED8FBC>, <8 x double> %r1)
  %z = fmul <8 x double> %r, %r
  %ps.4 = call <8 x double> @llvm.fma.v8f64(<8 x double> <double 0x3DE5D93A5ACFD57C, double 0x3DE5D93A5ACFD57C, double 0x3DE5D93A5ACFD57C, double 0x3DE5D93A5ACFD57C, double 0x3DE5D93A5ACFD57C, double 0x3DE5D93A5ACFD57C, double 0x3DE5D93A5ACFD57C, double 0x3DE5D93A5ACFD57C>, <8 x double> %z, <8 x double> <double 0xBE5AE5E68A2B9CEB, double 0xBE5AE5E68A2B9CEB, double 0xBE5AE5E68A2B9CEB, double 0xBE5AE5E68A2B9CEB, double 0xBE5AE5E68A2B9CEB, double 0xBE5AE5E68A2B9CEB, double 0xBE5AE5E68A2B9CEB, double 0xBE5AE5E68A2B9CEB>)
  %ps.3 = call <8 x double> @llvm.fma.v8f64(<8 x double> %ps.4, <8 x double> %z, <8 x double> <double 0x3EC71DE357B1FE7D, double 0x3EC71DE357B1FE7D, double 0x3EC71DE357B1FE7D, double 0x3EC71DE357B1FE7D, double 0x3EC71DE357B1FE7D, double 0x3EC71DE357B1FE7D, double 0x3EC71DE357B1FE7D, double 0x3EC71DE357B1FE7D>)
  %ps.2 = call <8 x double> @llvm.fma.v8f64(<8 x double> %ps.3, <8 x double> %z, <8 x double> <double 0xBF2A01A019C161D5, double 0xBF2A01A019C161D5, double 0xBF2A01A019C161D5, double 0xBF2A01A019C161D5, double 0xBF2A01A019C161D5, double 0xBF2A01A019C161D5, double 0xBF2A01A019C161D5, double 0xBF2A01A019C161D5>)
  %ps.1 = call <8 x double> @llvm.fma.v8f64(<8 x double> %ps.2, <8 x double> %z, <8 x double> <double 0x3F8111111110F8A6, double 0x3F8111111110F8A6, double 0x3F8111111110F8A6, double 0x3F8111111110F8A6, double 0x3F8111111110F8A6, double 0x3F8111111110F8A6, double 0x3F8111111110F8A6, double 0x3F8111111110F8A6>)
  %ps.0 = call <8 x double> @llvm.fma.v8f64(<8 x double> %ps.1, <8 x double> %z, <8 x double> <double 0xBFC5555555555549, double 0xBFC5555555555549, double 0xBFC5555555555549, double 0xBFC5555555555549, double 0xBFC5555555555549, double 0xBFC5555555555549, double 0xBFC5555555555549, double 0xBFC5555555555549>)
  %pc.4 = call <8 x double> @llvm.fma.v8f64(<8 x double> <double 0xBDA8FAE9BE8838D4, double 0xBDA8FAE9BE8838D4, double 0xBDA8FAE9BE8838D4, double 0xBDA8FAE9BE8838D4, double 0xBDA8FAE9BE8838D4, double 0xBDA8FAE9BE8838D4, double 0xBDA8FAE9BE8838D4, double 0xBDA8FAE9BE8838D4>, <8 x double> %z, <8 x double> <double 0x3E21EE9EBDB4B1C4, double 0x3E21EE9EBDB4B1C4, double 0x3E21EE9EBDB4B1C4, double 0x3E21EE9EBDB4B1C4, double 0x3E21EE9EBDB4B1C4, double 0x3E21EE9EBDB4B1C4, double 0x3E21EE9EBDB4B1C4, double 0x3E21EE9EBDB4B1C4>)
  %pc.3 = call <8 x double> @llvm.fma.v8f64(<8 x double> %pc.4, <8 x double> %z, <8 x double> <double 0xBE927E4F809C52AD, double 0xBE927E4F809C52AD, double 0xBE927E4F809C52AD, double 0xBE927E4F809C52AD, double 0xBE927E4F809C52AD, double 0xBE927E4F809C52AD, double 0xBE927E4F809C52AD, double 0xBE927E4F809C52AD>)
  %pc.2 = call <8 x double> @llvm.fma.v8f64(<8 x double> %pc.3, <8 x double> %z, <8 x double> <double 0x3EFA01A019CB1590, double 0x3EFA01A019CB1590, double 0x3EFA01A019CB1590, double 0x3EFA01A019CB1590, double 0x3EFA01A019CB1590, double 0x3EFA01A019CB1590, double 0x3EFA01A019CB1590, double 0x3EFA01A019CB1590>)
  %pc.1 = call <8 x double> @llvm.fma.v8f64(<8 x double> %pc.2, <8 x double> %z, <8 x double> <double 0xBF56C16C16C15177, double 0xBF56C16C16C15177, double 0xBF56C16C16C15177, double 0xBF56C16C16C15177, double 0xBF56C16C16C15177, double 0xBF56C16C16C15177, double 0xBF56C16C16C15177, double 0xBF56C16C16C15177>)
  %pc.0 = call <8 x double> @llvm.fma.v8f64(<8 x double> %pc.1, <8 x double> %z, <8 x double> <double 0x3FA555555555554C, double 0x3FA555555555554C, double 0x3FA555555555554C, double 0x3FA555555555554C, double 0x3FA555555555554C, double 0x3FA555555555554C, double 0x3FA555555555554C, double 0x3FA555555555554C>)
  %rz = fmul <8 x double> %r, %z
  %sine = call <8 x double> @llvm.fma.v8f64(<8 x double> %rz, <8 x double> %ps.0, <8 x double> %r)
  %zz = fmul <8 x double> %z, %z
  %low = call <8 x double> @llvm.fma.v8f64(<8 x double> %z, <8 x double> <double 0xBFE0000000000000, double 0xBFE0000000000000, double 0xBFE0000000000000, double 0xBFE0000000000000, double 0xBFE0000000000000, double 0xBFE0000000000000, double 0xBFE0000000000000, double 0xBFE0000000000000>, <8 x double> <double 0x3FF0000000000000, double 0x3FF0000000000000, double 0x3FF0000000000000, double 0x3FF0000000000000, double 0x3FF0000000000000, double 0x3FF0000000000000, double 0x3FF0000000000000, double 0x3FF0000000000000>)
  %cosine = call <8 x double> @llvm.fma.v8f64(<8 x double> %zz, <8 x double> %pc.0, <8 x double> %low)
  %odd = shl <8 x i64> %bits, <i64 63, i64 63, i64 63, i64 63, i64 63, i64 63, i64 63, i64 63>
  %swap = icmp slt <8 x i64> %odd, <i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0>
  %half = shl <8 x i64> %bits, <i64 62, i64 62, i64 62, i64 62, i64 62, i64 62, i64 62, i64 62>
  %flip.s = and <8 x i64> %half, <i64 -9223372036854775808, i64 -9223372036854775808, i64 -9223372036854775808, i64 -9223372036854775808, i64 -9223372036854775808, i64 -9223372036854775808, i64 -9223372036854775808, i64 -9223372036854775808>
  %mix = xor <8 x i64> %half, %odd
  %flip.c = and <8 x i64> %mix, <i64 -9223372036854775808, i64 -9223372036854775808, i64 -9223372036854775808, i64 -9223372036854775808, i64 -9223372036854775808, i64 -9223372036854775808, i64 -9223372036854775808, i64 -9223372036854775808>
  %s.v = select <8 x i1> %swap, <8 x double> %cosine, <8 x double> %sine
  %s.b = bitcast <8 x double> %s.v to <8 x i64>
  %s.f = xor <8 x i64> %s.b, %flip.s
  %sin = bitcast <8 x i64> %s.f to <8 x double>
  %c.v = select <8 x i1> %swap, <8 x double> %sine, <8 x double> %cosine
  %c.b = bitcast <8 x double> %c.v to <8 x i64>
  %c.f = xor <8 x i64> %c.b, %flip.c
  %cos = bitcast <8 x i64> %c.f to <8 x double>
  store <8 x double> %sin, ptr %ps, align 8
  store <8 x double> %cos, ptr %pc, align 8
  %ahead = add i64 %offset, 64
  %past = icmp ugt i64 %ahead, %last
  %next = select i1 %past, i64 %last, i64 %ahead
  %finished = icmp eq i64 %offset, %last
  br i1 %finished, label %check, label %loop
check:
  ; one test for all angles: the sum of squares is NaN or large if any of them is
  %fine = fcmp ole <8 x double> %more, <double 0x4399F02F6222C721, double 0x4399F02F6222C721, double 0x4399F02F6222C721, double 0x4399F02F6222C721, double 0x4399F02F6222C721, double 0x4399F02F6222C721, double 0x4399F02F6222C721, double 0x4399F02F6222C721>
  %all = call i1 @llvm.vector.reduce.and.v8i1(<8 x i1> %fine)
  br i1 %all, label %done, label %huge
huge:
  call void @huge_sines(ptr %x, ptr %s, ptr %c, i64 %last)
  ret void
done:
  ret void
}

@two_over_pi = internal unnamed_addr constant [20 x i64] [i64 0, i64 -6703182060581546711, i64 -277156292786332224, i64 -2638381946312093631, i64 -121206125134887583, i64 -5249950069107600672, i64 452944820249399836, i64 -135693905287338178, i64 -1692731182770600828, i64 -1613291254968254911, i64 4148332274289687028, i64 -7168499653074671557, i64 2303758334597371919, i64 -1211730484530615009, i64 7869616827067468215, i64 5712322887342352941, i64 8441921394348257659, i64 4397547296490951402, i64 7780917995555872008, i64 6197850593633725355], align 64

define internal void @exact_sines(double %angle, ptr %pair) noinline cold nounwind {
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
  %digits = and i64 %raw, 4503599627370495
  %mantissa = or i64 %digits, 4503599627370496
  %m = zext i64 %mantissa to i128
  %start = sub i64 %biased, 1013
  %word = lshr i64 %start, 6
  %shift = and i64 %start, 63
  %at0 = add i64 %word, 0
  %p0 = getelementptr i64, ptr @two_over_pi, i64 %at0
  %a0 = load i64, ptr %p0
  %at1 = add i64 %word, 1
  %p1 = getelementptr i64, ptr @two_over_pi, i64 %at1
  %a1 = load i64, ptr %p1
  %at2 = add i64 %word, 2
  %p2 = getelementptr i64, ptr @two_over_pi, i64 %at2
  %a2 = load i64, ptr %p2
  %at3 = add i64 %word, 3
  %p3 = getelementptr i64, ptr @two_over_pi, i64 %at3
  %a3 = load i64, ptr %p3
  %w0 = call i64 @llvm.fshl.i64(i64 %a0, i64 %a1, i64 %shift)
  %x0 = zext i64 %w0 to i128
  %y0 = mul i128 %m, %x0
  %w1 = call i64 @llvm.fshl.i64(i64 %a1, i64 %a2, i64 %shift)
  %x1 = zext i64 %w1 to i128
  %y1 = mul i128 %m, %x1
  %w2 = call i64 @llvm.fshl.i64(i64 %a2, i64 %a3, i64 %shift)
  %x2 = zext i64 %w2 to i128
  %y2 = mul i128 %m, %x2
  %carry = lshr i128 %y2, 64
  %upper = shl i128 %y0, 64
  %middle = add i128 %y1, %carry
  %product = add i128 %upper, %middle
  %rounded = add i128 %product, 42535295865117307932921825928971026432
  %quarter = lshr i128 %rounded, 126
  %bits = trunc i128 %quarter to i64
  %kept = and i128 %rounded, 85070591730234615865843651857942052863
  %fraction = sub i128 %kept, 42535295865117307932921825928971026432
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
  %next53 = and i64 %next64, 9007199254740991
  %whole = sitofp i64 %next53 to double
  %lower = fmul double %whole, 0x3CA0000000000000
  %p = fmul double %high, 0x3FF921FB54442D18
  %np = fneg double %p
  %e0 = call double @llvm.fma.f64(double %high, double 0x3FF921FB54442D18, double %np)
  %e1 = call double @llvm.fma.f64(double %high, double 0x3C91A62633145C07, double %e0)
  %e2 = call double @llvm.fma.f64(double %lower, double 0x3FF921FB54442D18, double %e1)
  %full = fadd double %p, %e2
  %zeros64 = trunc i128 %zeros to i64
  %exponent = sub i64 972, %zeros64
  %power = shl i64 %exponent, 52
  %scale = bitcast i64 %power to double
  %r.size = fmul double %full, %scale
  %r.minus = fneg double %r.size
  %r = select i1 %negative, double %r.minus, double %r.size
  %z = fmul double %r, %r
  %ps.4 = call double @llvm.fma.f64(double 0x3DE5D93A5ACFD57C, double %z, double 0xBE5AE5E68A2B9CEB)
  %ps.3 = call double @llvm.fma.f64(double %ps.4, double %z, double 0x3EC71DE357B1FE7D)
  %ps.2 = call double @llvm.fma.f64(double %ps.3, double %z, double 0xBF2A01A019C161D5)
  %ps.1 = call double @llvm.fma.f64(double %ps.2, double %z, double 0x3F8111111110F8A6)
  %ps.0 = call double @llvm.fma.f64(double %ps.1, double %z, double 0xBFC5555555555549)
  %pc.4 = call double @llvm.fma.f64(double 0xBDA8FAE9BE8838D4, double %z, double 0x3E21EE9EBDB4B1C4)
  %pc.3 = call double @llvm.fma.f64(double %pc.4, double %z, double 0xBE927E4F809C52AD)
  %pc.2 = call double @llvm.fma.f64(double %pc.3, double %z, double 0x3EFA01A019CB1590)
  %pc.1 = call double @llvm.fma.f64(double %pc.2, double %z, double 0xBF56C16C16C15177)
  %pc.0 = call double @llvm.fma.f64(double %pc.1, double %z, double 0x3FA555555555554C)
  %rz = fmul double %r, %z
  %sine = call double @llvm.fma.f64(double %rz, double %ps.0, double %r)
  %zz = fmul double %z, %z
  %low = call double @llvm.fma.f64(double %z, double 0xBFE0000000000000, double 0x3FF0000000000000)
  %cosine = call double @llvm.fma.f64(double %zz, double %pc.0, double %low)
  %odd = shl i64 %bits, 63
  %swap = icmp slt i64 %odd, 0
  %half = shl i64 %bits, 62
  %flip.s = and i64 %half, -9223372036854775808
  %mix = xor i64 %half, %odd
  %flip.c = and i64 %mix, -9223372036854775808
  %s.v = select i1 %swap, double %cosine, double %sine
  %s.b = bitcast double %s.v to i64
  %s.f = xor i64 %s.b, %flip.s
  %sin = bitcast i64 %s.f to double
  %c.v = select i1 %swap, double %sine, double %cosine
  %c.b = bitcast double %c.v to i64
  %c.f = xor i64 %c.b, %flip.c
  %cos = bitcast i64 %c.f to double
  %below = fcmp olt double %angle, 0.0
  %sin.minus = fneg double %sin
  %sin.signed = select i1 %below, double %sin.minus, double %sin
  store double %sin.signed, ptr %pair
  store double %cos, ptr %second
  ret void
}

define internal void @huge_sines(ptr %x, ptr %s, ptr %c, i64 %last) noinline cold nounwind {
entry:
  %pair = alloca [2 x double]
  %second = getelementptr i8, ptr %pair, i64 8
  %before = udiv i64 %last, 8
  %count = add i64 %before, 8
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %end ]
  %px = getelementptr double, ptr %x, i64 %i
  %angle = load double, ptr %px, align 8
  %size = call double @llvm.fabs.f64(double %angle)
  %fine = fcmp ole double %size, 0x41D0000000000000
  br i1 %fine, label %end, label %exact
exact:
  %wide = fadd double %angle, -0.0
  call void @exact_sines(double %wide, ptr %pair)
  %wide.s = load double, ptr %pair
  %wide.c = load double, ptr %second
  %new.s = fadd double %wide.s, -0.0
  %new.c = fadd double %wide.c, -0.0
  %ps = getelementptr double, ptr %s, i64 %i
  %pc = getelementptr double, ptr %c, i64 %i
  store double %new.s, ptr %ps, align 8
  store double %new.c, ptr %pc, align 8
  br label %end
end:
  %next = add i64 %i, 1
  %again = icmp ult i64 %next, %count
  br i1 %again, label %loop, label %done
done:
  ret void
}

define internal void @gather_some(ptr %array, i64 %stride, i64 %rows, ptr %tile, i64 %columns) noinline nounwind {
entry:
  %most = sub i64 %rows, 1
  br label %outer
outer:
  %lane = phi i64 [ 0, %entry ], [ %lane.next, %outer.end ]
  %beyond = icmp ugt i64 %lane, %most
  %row = select i1 %beyond, i64 %most, i64 %lane
  %step = mul i64 %row, %stride
  %from = getelementptr i8, ptr %array, i64 %step
  %to = getelementptr double, ptr %tile, i64 %lane
  br label %inner
inner:
  %c = phi i64 [ 0, %outer ], [ %next, %inner ]
  %p = getelementptr double, ptr %from, i64 %c
  %x = load double, ptr %p, align 8
  %offset = mul i64 %c, 64
  %s = getelementptr i8, ptr %to, i64 %offset
  store double %x, ptr %s, align 8
  %next = add i64 %c, 1
  %more = icmp ult i64 %next, %columns
  br i1 %more, label %inner, label %outer.end
outer.end:
  %lane.next = add i64 %lane, 1
  %again = icmp ult i64 %lane.next, 8
  br i1 %again, label %outer, label %done
done:
  ret void
}

define internal void @scatter_some(ptr %frame, ptr %table, ptr %array, i64 %stride, i64 %rows, i64 %columns) noinline nounwind {
entry:
  br label %outer
outer:
  %lane = phi i64 [ 0, %entry ], [ %lane.next, %outer.end ]
  %step = mul i64 %lane, %stride
  %to = getelementptr i8, ptr %array, i64 %step
  %from = getelementptr double, ptr %frame, i64 %lane
  br label %inner
inner:
  %c = phi i64 [ 0, %outer ], [ %next, %inner ]
  %e = getelementptr i32, ptr %table, i64 %c
  %slot = load i32, ptr %e, align 4
  %wide = zext i32 %slot to i64
  %p = getelementptr i8, ptr %from, i64 %wide
  %x = load double, ptr %p, align 8
  %s = getelementptr double, ptr %to, i64 %c
  store double %x, ptr %s, align 8
  %next = add i64 %c, 1
  %more = icmp ult i64 %next, %columns
  br i1 %more, label %inner, label %outer.end
outer.end:
  %lane.next = add i64 %lane, 1
  %again = icmp ult i64 %lane.next, %rows
  br i1 %again, label %outer, label %done
done:
  ret void
}

define internal void @gather2(ptr %array, i64 %stride, ptr %tile) noinline nounwind "stackrealign" "prefer-vector-width"="512" {
entry:
  %step0 = mul i64 %stride, 0
  %row0 = getelementptr i8, ptr %array, i64 %step0
  %step1 = mul i64 %stride, 1
  %row1 = getelementptr i8, ptr %array, i64 %step1
  %step2 = mul i64 %stride, 2
  %row2 = getelementptr i8, ptr %array, i64 %step2
  %step3 = mul i64 %stride, 3
  %row3 = getelementptr i8, ptr %array, i64 %step3
  %step4 = mul i64 %stride, 4
  %row4 = getelementptr i8, ptr %array, i64 %step4
  %step5 = mul i64 %stride, 5
  %row5 = getelementptr i8, ptr %array, i64 %step5
  %step6 = mul i64 %stride, 6
  %row6 = getelementptr i8, ptr %array, i64 %step6
  %step7 = mul i64 %stride, 7
  %row7 = getelementptr i8, ptr %array, i64 %step7
  %c0.from0 = getelementptr i8, ptr %row0, i64 0
  %c0.part0 = load <2 x double>, ptr %c0.from0, align 8
  %c0.from1 = getelementptr i8, ptr %row1, i64 0
  %c0.part1 = load <2 x double>, ptr %c0.from1, align 8
  %c0.from2 = getelementptr i8, ptr %row2, i64 0
  %c0.part2 = load <2 x double>, ptr %c0.from2, align 8
  %c0.from3 = getelementptr i8, ptr %row3, i64 0
  %c0.part3 = load <2 x double>, ptr %c0.from3, align 8
  %c0.from4 = getelementptr i8, ptr %row4, i64 0
  %c0.part4 = load <2 x double>, ptr %c0.from4, align 8
  %c0.from5 = getelementptr i8, ptr %row5, i64 0
  %c0.part5 = load <2 x double>, ptr %c0.from5, align 8
  %c0.from6 = getelementptr i8, ptr %row6, i64 0
  %c0.part6 = load <2 x double>, ptr %c0.from6, align 8
  %c0.from7 = getelementptr i8, ptr %row7, i64 0
  %c0.part7 = load <2 x double>, ptr %c0.from7, align 8
  %c0.join0.0.0 = shufflevector <2 x double> %c0.part0, <2 x double> %c0.part2, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %c0.join0.0.2 = shufflevector <2 x double> %c0.part4, <2 x double> %c0.part6, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %c0.join0.1.0 = shufflevector <4 x double> %c0.join0.0.0, <4 x double> %c0.join0.0.2, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %c0.join1.0.0 = shufflevector <2 x double> %c0.part1, <2 x double> %c0.part3, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %c0.join1.0.2 = shufflevector <2 x double> %c0.part5, <2 x double> %c0.part7, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %c0.join1.1.0 = shufflevector <4 x double> %c0.join1.0.0, <4 x double> %c0.join1.0.2, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %c0.s0.0.0 = shufflevector <8 x double> %c0.join0.1.0, <8 x double> %c0.join1.1.0, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %c0.s0.0.1 = shufflevector <8 x double> %c0.join0.1.0, <8 x double> %c0.join1.1.0, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %c0.start = getelementptr i8, ptr %tile, i64 0
  %c0.to0 = getelementptr i8, ptr %c0.start, i64 0
  store <8 x double> %c0.s0.0.0, ptr %c0.to0, align 64
  %c0.to1 = getelementptr i8, ptr %c0.start, i64 64
  store <8 x double> %c0.s0.0.1, ptr %c0.to1, align 64
  ret void
}

@columns0 = internal unnamed_addr constant [2 x i32] [i32 768, i32 832], align 64

define internal void @scatter0(ptr %frame, ptr %array, i64 %stride) noinline nounwind "stackrealign" "prefer-vector-width"="512" {
entry:
  %step0 = mul i64 %stride, 0
  %row0 = getelementptr i8, ptr %array, i64 %step0
  %step1 = mul i64 %stride, 1
  %row1 = getelementptr i8, ptr %array, i64 %step1
  %step2 = mul i64 %stride, 2
  %row2 = getelementptr i8, ptr %array, i64 %step2
  %step3 = mul i64 %stride, 3
  %row3 = getelementptr i8, ptr %array, i64 %step3
  %step4 = mul i64 %stride, 4
  %row4 = getelementptr i8, ptr %array, i64 %step4
  %step5 = mul i64 %stride, 5
  %row5 = getelementptr i8, ptr %array, i64 %step5
  %step6 = mul i64 %stride, 6
  %row6 = getelementptr i8, ptr %array, i64 %step6
  %step7 = mul i64 %stride, 7
  %row7 = getelementptr i8, ptr %array, i64 %step7
  %c0.from0 = getelementptr i8, ptr %frame, i64 768
  %c0.column0 = load <8 x double>, ptr %c0.from0, align 64
  %c0.from1 = getelementptr i8, ptr %frame, i64 832
  %c0.column1 = load <8 x double>, ptr %c0.from1, align 64
  %c0.s0.0.0 = shufflevector <8 x double> %c0.column0, <8 x double> %c0.column1, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %c0.s0.0.1 = shufflevector <8 x double> %c0.column0, <8 x double> %c0.column1, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %c0.part0 = shufflevector <8 x double> %c0.s0.0.0, <8 x double> undef, <2 x i32> <i32 0, i32 1>
  %c0.to0 = getelementptr i8, ptr %row0, i64 0
  store <2 x double> %c0.part0, ptr %c0.to0, align 8
  %c0.part1 = shufflevector <8 x double> %c0.s0.0.1, <8 x double> undef, <2 x i32> <i32 0, i32 1>
  %c0.to1 = getelementptr i8, ptr %row1, i64 0
  store <2 x double> %c0.part1, ptr %c0.to1, align 8
  %c0.part2 = shufflevector <8 x double> %c0.s0.0.0, <8 x double> undef, <2 x i32> <i32 2, i32 3>
  %c0.to2 = getelementptr i8, ptr %row2, i64 0
  store <2 x double> %c0.part2, ptr %c0.to2, align 8
  %c0.part3 = shufflevector <8 x double> %c0.s0.0.1, <8 x double> undef, <2 x i32> <i32 2, i32 3>
  %c0.to3 = getelementptr i8, ptr %row3, i64 0
  store <2 x double> %c0.part3, ptr %c0.to3, align 8
  %c0.part4 = shufflevector <8 x double> %c0.s0.0.0, <8 x double> undef, <2 x i32> <i32 4, i32 5>
  %c0.to4 = getelementptr i8, ptr %row4, i64 0
  store <2 x double> %c0.part4, ptr %c0.to4, align 8
  %c0.part5 = shufflevector <8 x double> %c0.s0.0.1, <8 x double> undef, <2 x i32> <i32 4, i32 5>
  %c0.to5 = getelementptr i8, ptr %row5, i64 0
  store <2 x double> %c0.part5, ptr %c0.to5, align 8
  %c0.part6 = shufflevector <8 x double> %c0.s0.0.0, <8 x double> undef, <2 x i32> <i32 6, i32 7>
  %c0.to6 = getelementptr i8, ptr %row6, i64 0
  store <2 x double> %c0.part6, ptr %c0.to6, align 8
  %c0.part7 = shufflevector <8 x double> %c0.s0.0.1, <8 x double> undef, <2 x i32> <i32 6, i32 7>
  %c0.to7 = getelementptr i8, ptr %row7, i64 0
  store <2 x double> %c0.part7, ptr %c0.to7, align 8
  ret void
}

define internal void @batch_0(ptr %args, ptr %frame, ptr %frame1, ptr %frame2, ptr %frame3) noinline nounwind "stackrealign" "prefer-vector-width"="512" {
  %t1 = load <8 x double>, ptr %frame1, align 64
  %t2 = getelementptr i8, ptr %frame2, i64 64
  %t3 = load <8 x double>, ptr %t2, align 64
  %v13 = fadd <8 x double> %t1, %t3
  %t4 = getelementptr i8, ptr %frame, i64 448
  store <8 x double> %v13, ptr %t4, align 64
  %t5 = getelementptr i8, ptr %frame, i64 384
  store <8 x double> %t3, ptr %t5, align 64
  ret void
}

define internal void @batch_1(ptr %args, ptr %frame, ptr %frame1, ptr %frame2, ptr %frame3) noinline nounwind "stackrealign" "prefer-vector-width"="512" {
  %t1 = getelementptr i8, ptr %frame1, i64 512
  %t2 = load <8 x double>, ptr %t1, align 64
  %v9 = fmul <8 x double> %t2, <double 0x3FE0000000000000, double 0x3FE0000000000000, double 0x3FE0000000000000, double 0x3FE0000000000000, double 0x3FE0000000000000, double 0x3FE0000000000000, double 0x3FE0000000000000, double 0x3FE0000000000000>
  %t3 = getelementptr i8, ptr %frame2, i64 192
  %t4 = load <8 x double>, ptr %t3, align 64
  %v10 = fmul <8 x double> %t4, %v9
  %t5 = getelementptr i8, ptr %frame3, i64 128
  %t6 = load <8 x double>, ptr %t5, align 64
  %v12 = call <8 x double> @llvm.fma.v8f64(<8 x double> %t6, <8 x double> <double 0x4000000000000000, double 0x4000000000000000, double 0x4000000000000000, double 0x4000000000000000, double 0x4000000000000000, double 0x4000000000000000, double 0x4000000000000000, double 0x4000000000000000>, <8 x double> %t4)
  %t7 = getelementptr i8, ptr %frame, i64 640
  %t8 = load <8 x double>, ptr %t7, align 64
  %v15 = fadd <8 x double> %t8, <double 0x4000000000000000, double 0x4000000000000000, double 0x4000000000000000, double 0x4000000000000000, double 0x4000000000000000, double 0x4000000000000000, double 0x4000000000000000, double 0x4000000000000000>
  %v17 = call <8 x double> @llvm.fma.v8f64(<8 x double> %t8, <8 x double> <double 0x3FE0000000000000, double 0x3FE0000000000000, double 0x3FE0000000000000, double 0x3FE0000000000000, double 0x3FE0000000000000, double 0x3FE0000000000000, double 0x3FE0000000000000, double 0x3FE0000000000000>, <8 x double> <double 0x3FF0000000000000, double 0x3FF0000000000000, double 0x3FF0000000000000, double 0x3FF0000000000000, double 0x3FF0000000000000, double 0x3FF0000000000000, double 0x3FF0000000000000, double 0x3FF0000000000000>)
  %t9 = getelementptr i8, ptr %frame1, i64 576
  %t10 = load <8 x double>, ptr %t9, align 64
  %v19 = fmul <8 x double> %t10, <double 0x40239EB851EB851F, double 0x40239EB851EB851F, double 0x40239EB851EB851F, double 0x40239EB851EB851F, double 0x40239EB851EB851F, double 0x40239EB851EB851F, double 0x40239EB851EB851F, double 0x40239EB851EB851F>
  %t11 = getelementptr i8, ptr %frame2, i64 256
  %t12 = load <8 x double>, ptr %t11, align 64
  %v20 = call <8 x double> @llvm.fma.v8f64(<8 x double> %t12, <8 x double> %v15, <8 x double> %v19)
  %t13 = getelementptr i8, ptr %frame3, i64 320
  %t14 = load <8 x double>, ptr %t13, align 64
  %v21 = call <8 x double> @llvm.fma.v8f64(<8 x double> %t14, <8 x double> %v17, <8 x double> %v20)
  %v22.n = fneg <8 x double> %v10
  %v22 = call <8 x double> @llvm.fma.v8f64(<8 x double> %v22.n, <8 x double> %v12, <8 x double> %v21)
  %t15 = getelementptr i8, ptr %frame, i64 768
  store <8 x double> %v22, ptr %t15, align 64
  %v23 = call <8 x double> @llvm.fma.v8f64(<8 x double> %t10, <8 x double> <double 0x40239EB851EB851F, double 0x40239EB851EB851F, double 0x40239EB851EB851F, double 0x40239EB851EB851F, double 0x40239EB851EB851F, double 0x40239EB851EB851F, double 0x40239EB851EB851F, double 0x40239EB851EB851F>, <8 x double> %t14)
  %v24 = call <8 x double> @llvm.fma.v8f64(<8 x double> %t12, <8 x double> %v17, <8 x double> %v23)
  %t16 = getelementptr i8, ptr %frame, i64 832
  store <8 x double> %v24, ptr %t16, align 64
  %t17 = getelementptr i8, ptr %frame, i64 64
  %t18 = load <8 x double>, ptr %t17, align 64
  %t19 = getelementptr i8, ptr %frame, i64 384
  store <8 x double> %t18, ptr %t19, align 64
  ret void
}

define void @articulated_batch(i64 %n, ptr %args, ptr %strides) nounwind "no-stack-arg-probe" "stackrealign" {
entry:
  %frame = alloca [896 x i8], align 64
  %parg0 = getelementptr ptr, ptr %args, i64 0
  %arg0 = load ptr, ptr %parg0, align 8
  %parg1 = getelementptr ptr, ptr %args, i64 1
  %arg1 = load ptr, ptr %parg1, align 8
  %parg2 = getelementptr ptr, ptr %args, i64 2
  %arg2 = load ptr, ptr %parg2, align 8
  %parg3 = getelementptr ptr, ptr %args, i64 3
  %arg3 = load ptr, ptr %parg3, align 8
  %pstride0 = getelementptr i64, ptr %strides, i64 0
  %stride0 = load i64, ptr %pstride0, align 8
  %tile0 = mul i64 %stride0, 8
  %pstride1 = getelementptr i64, ptr %strides, i64 1
  %stride1 = load i64, ptr %pstride1, align 8
  %tile1 = mul i64 %stride1, 8
  %pstride2 = getelementptr i64, ptr %strides, i64 2
  %stride2 = load i64, ptr %pstride2, align 8
  %tile2 = mul i64 %stride2, 8
  %pstride3 = getelementptr i64, ptr %strides, i64 3
  %stride3 = load i64, ptr %pstride3, align 8
  %tile3 = mul i64 %stride3, 8
  br label %head
head:
  %left = phi i64 [ %n, %entry ], [ %less, %whole ]
  %at0 = phi ptr [ %arg0, %entry ], [ %next0, %whole ]
  %at1 = phi ptr [ %arg1, %entry ], [ %next1, %whole ]
  %at2 = phi ptr [ %arg2, %entry ], [ %next2, %whole ]
  %at3 = phi ptr [ %arg3, %entry ], [ %next3, %whole ]
  %full = icmp uge i64 %left, 8
  br i1 %full, label %whole, label %rest
whole:
  %s.tile0 = getelementptr i8, ptr %frame, i64 0
  call void @gather2(ptr %at0, i64 %stride0, ptr %s.tile0)
  %s.tile1 = getelementptr i8, ptr %frame, i64 128
  call void @gather2(ptr %at1, i64 %stride1, ptr %s.tile1)
  %s.tile2 = getelementptr i8, ptr %frame, i64 256
  call void @gather2(ptr %at2, i64 %stride2, ptr %s.tile2)
  call void @batch_0(ptr %args, ptr %frame, ptr %frame, ptr %frame, ptr %frame)
  %s.angles0 = getelementptr i8, ptr %frame, i64 384
  %s.sines0 = getelementptr i8, ptr %frame, i64 512
  %s.cosines0 = getelementptr i8, ptr %frame, i64 640
  call void @sines(ptr %s.angles0, ptr %s.sines0, ptr %s.cosines0, i64 64)
  call void @batch_1(ptr %args, ptr %frame, ptr %frame, ptr %frame, ptr %frame)
  call void @scatter0(ptr %frame, ptr %at3, i64 %stride3)
  %next0 = getelementptr i8, ptr %at0, i64 %tile0
  %next1 = getelementptr i8, ptr %at1, i64 %tile1
  %next2 = getelementptr i8, ptr %at2, i64 %tile2
  %next3 = getelementptr i8, ptr %at3, i64 %tile3
  %less = sub i64 %left, 8
  br label %head
rest:
  %any = icmp ne i64 %left, 0
  br i1 %any, label %some, label %done
some:
  %rest.tile0 = getelementptr i8, ptr %frame, i64 0
  call void @gather_some(ptr %at0, i64 %stride0, i64 %left, ptr %rest.tile0, i64 2)
  %rest.tile1 = getelementptr i8, ptr %frame, i64 128
  call void @gather_some(ptr %at1, i64 %stride1, i64 %left, ptr %rest.tile1, i64 2)
  %rest.tile2 = getelementptr i8, ptr %frame, i64 256
  call void @gather_some(ptr %at2, i64 %stride2, i64 %left, ptr %rest.tile2, i64 2)
  call void @batch_0(ptr %args, ptr %frame, ptr %frame, ptr %frame, ptr %frame)
  %rest.angles0 = getelementptr i8, ptr %frame, i64 384
  %rest.sines0 = getelementptr i8, ptr %frame, i64 512
  %rest.cosines0 = getelementptr i8, ptr %frame, i64 640
  call void @sines(ptr %rest.angles0, ptr %rest.sines0, ptr %rest.cosines0, i64 64)
  call void @batch_1(ptr %args, ptr %frame, ptr %frame, ptr %frame, ptr %frame)
  call void @scatter_some(ptr %frame, ptr @columns0, ptr %at3, i64 %stride3, i64 %left, i64 2)
  br label %done
done:
  ret void
}

define internal void @one_0(ptr %args, ptr %frame, ptr %frame1, ptr %frame2, ptr %frame3) noinline nounwind "stackrealign" {
  %parg0 = getelementptr ptr, ptr %args, i64 0
  %arg0 = load ptr, ptr %parg0, align 8
  %t1 = load double, ptr %arg0, align 8
  %t2 = getelementptr i8, ptr %arg0, i64 8
  %t3 = load double, ptr %t2, align 8
  %v13 = fadd double %t1, %t3
  %t4 = getelementptr i8, ptr %frame, i64 8
  store double %v13, ptr %t4, align 8
  store double %t3, ptr %frame, align 8
  ret void
}

define internal void @one_1(ptr %args, ptr %frame, ptr %frame1, ptr %frame2, ptr %frame3) noinline nounwind "stackrealign" {
  %parg0 = getelementptr ptr, ptr %args, i64 0
  %arg0 = load ptr, ptr %parg0, align 8
  %parg1 = getelementptr ptr, ptr %args, i64 1
  %arg1 = load ptr, ptr %parg1, align 8
  %parg2 = getelementptr ptr, ptr %args, i64 2
  %arg2 = load ptr, ptr %parg2, align 8
  %parg3 = getelementptr ptr, ptr %args, i64 3
  %arg3 = load ptr, ptr %parg3, align 8
  %t1 = getelementptr i8, ptr %frame1, i64 64
  %t2 = load double, ptr %t1, align 8
  %v9 = fmul double %t2, 0x3FE0000000000000
  %t3 = getelementptr i8, ptr %arg1, i64 8
  %t4 = load double, ptr %t3, align 8
  %v10 = fmul double %t4, %v9
  %t5 = load double, ptr %arg1, align 8
  %v12 = call double @llvm.fma.f64(double %t5, double 0x4000000000000000, double %t4)
  %t6 = getelementptr i8, ptr %frame2, i64 128
  %t7 = load double, ptr %t6, align 8
  %v15 = fadd double %t7, 0x4000000000000000
  %v17 = call double @llvm.fma.f64(double %t7, double 0x3FE0000000000000, double 0x3FF0000000000000)
  %t8 = getelementptr i8, ptr %frame3, i64 72
  %t9 = load double, ptr %t8, align 8
  %v19 = fmul double %t9, 0x40239EB851EB851F
  %t10 = load double, ptr %arg2, align 8
  %v20 = call double @llvm.fma.f64(double %t10, double %v15, double %v19)
  %t11 = getelementptr i8, ptr %arg2, i64 8
  %t12 = load double, ptr %t11, align 8
  %v21 = call double @llvm.fma.f64(double %t12, double %v17, double %v20)
  %v22.n = fneg double %v10
  %v22 = call double @llvm.fma.f64(double %v22.n, double %v12, double %v21)
  store double %v22, ptr %arg3, align 8
  %v23 = call double @llvm.fma.f64(double %t9, double 0x40239EB851EB851F, double %t12)
  %v24 = call double @llvm.fma.f64(double %t10, double %v17, double %v23)
  %t13 = getelementptr i8, ptr %arg3, i64 8
  store double %v24, ptr %t13, align 8
  %t14 = getelementptr i8, ptr %arg0, i64 8
  %t15 = load double, ptr %t14, align 8
  store double %t15, ptr %frame, align 8
  ret void
}

define void @articulated_one(ptr %args) nounwind "no-stack-arg-probe" "stackrealign" {
  %frame = alloca [192 x i8], align 64
  call void @one_0(ptr %args, ptr %frame, ptr %frame, ptr %frame, ptr %frame)
  %s.angles0 = getelementptr i8, ptr %frame, i64 0
  %s.sines0 = getelementptr i8, ptr %frame, i64 64
  %s.cosines0 = getelementptr i8, ptr %frame, i64 128
  call void @sines(ptr %s.angles0, ptr %s.sines0, ptr %s.cosines0, i64 0)
  call void @one_1(ptr %args, ptr %frame, ptr %frame, ptr %frame, ptr %frame)
  ret void
}
