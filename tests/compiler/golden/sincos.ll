declare double @articulated_sin(double)

declare double @articulated_cos(double)

define void @articulated_sincos(ptr %x, ptr %s, ptr %c, i64 %step, i64 %advance, i64 %end) noinline nounwind "prefer-vector-width"="512" "stackrealign" {
entry:
  br label %loop
loop:
  %offset.0 = phi i64 [ 0, %entry ], [ %next, %loop ]
  %most.0 = phi <8 x double> [ <double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000>, %entry ], [ %more.0, %loop ]
  %most.1 = phi <8 x double> [ <double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000>, %entry ], [ %more.1, %loop ]
  %offset.1.far = add i64 %offset.0, %step
  %offset.1.past = icmp ugt i64 %offset.1.far, %end
  %offset.1 = select i1 %offset.1.past, i64 %end, i64 %offset.1.far
  %atx.0 = getelementptr i8, ptr %x, i64 %offset.0
  %atx.1 = getelementptr i8, ptr %x, i64 %offset.1
  %ats.0 = getelementptr i8, ptr %s, i64 %offset.0
  %ats.1 = getelementptr i8, ptr %s, i64 %offset.1
  %atc.0 = getelementptr i8, ptr %c, i64 %offset.0
  %atc.1 = getelementptr i8, ptr %c, i64 %offset.1
  %angle.0 = load <8 x double>, ptr %atx.0, align 8
  %angle.1 = load <8 x double>, ptr %atx.1, align 8
  %sum.0 = call <8 x double> @llvm.fma.v8f64(<8 x double> %angle.0, <8 x double> <double 0x3FE45F306DC9C883, double 0x3FE45F306DC9C883, double 0x3FE45F306DC9C883, double 0x3FE45F306DC9C883, double 0x3FE45F306DC9C883, double 0x3FE45F306DC9C883, double 0x3FE45F306DC9C883, double 0x3FE45F306DC9C883>, <8 x double> <double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000>)
  %sum.1 = call <8 x double> @llvm.fma.v8f64(<8 x double> %angle.1, <8 x double> <double 0x3FE45F306DC9C883, double 0x3FE45F306DC9C883, double 0x3FE45F306DC9C883, double 0x3FE45F306DC9C883, double 0x3FE45F306DC9C883, double 0x3FE45F306DC9C883, double 0x3FE45F306DC9C883, double 0x3FE45F306DC9C883>, <8 x double> <double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000>)
  %turns.0 = fsub <8 x double> %sum.0, <double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000>
  %turns.1 = fsub <8 x double> %sum.1, <double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000, double 0x4338000000000000>
  %bits.0 = bitcast <8 x double> %sum.0 to <8 x i64>
  %bits.1 = bitcast <8 x double> %sum.1 to <8 x i64>
  %more.0 = call <8 x double> @llvm.fma.v8f64(<8 x double> %turns.0, <8 x double> %turns.0, <8 x double> %most.0)
  %more.1 = call <8 x double> @llvm.fma.v8f64(<8 x double> %turns.1, <8 x double> %turns.1, <8 x double> %most.1)
  %r0.0 = call <8 x double> @llvm.fma.v8f64(<8 x double> %turns.0, <8 x double> <double 0xBFF921FB54442D18, double 0xBFF921FB54442D18, double 0xBFF921FB54442D18, double 0xBFF921FB54442D18, double 0xBFF921FB54442D18, double 0xBFF921FB54442D18, double 0xBFF921FB54442D18, double 0xBFF921FB54442D18>, <8 x double> %angle.0)
  %r0.1 = call <8 x double> @llvm.fma.v8f64(<8 x double> %turns.1, <8 x double> <double 0xBFF921FB54442D18, double 0xBFF921FB54442D18, double 0xBFF921FB54442D18, double 0xBFF921FB54442D18, double 0xBFF921FB54442D18, double 0xBFF921FB54442D18, double 0xBFF921FB54442D18, double 0xBFF921FB54442D18>, <8 x double> %angle.1)
  %r1.0 = call <8 x double> @llvm.fma.v8f64(<8 x double> %turns.0, <8 x double> <double 0xBC91A62633145C07, double 0xBC91A62633145C07, double 0xBC91A62633145C07, double 0xBC91A62633145C07, double 0xBC91A62633145C07, double 0xBC91A62633145C07, double 0xBC91A62633145C07, double 0xBC91A62633145C07>, <8 x double> %r0.0)
  %r1.1 = call <8 x double> @llvm.fma.v8f64(<8 x double> %turns.1, <8 x double> <double 0xBC91A62633145C07, double 0xBC91A62633145C07, double 0xBC91A62633145C07, double 0xBC91A62633145C07, double 0xBC91A62633145C07, double 0xBC91A62633145C07, double 0xBC91A62633145C07, double 0xBC91A62633145C07>, <8 x double> %r0.1)
  %r.0 = call <8 x double> @llvm.fma.v8f64(<8 x double> %turns.0, <8 x double> <double 0x391F1976B7ED8FBC, double 0x391F1976B7ED8FBC, double 0x391F1976B7ED8FBC, double 0x391F1976B7ED8FBC, double 0x391F1976B7ED8FBC, double 0x391F1976B7ED8FBC, double 0x391F1976B7ED8FBC, double 0x391F1976B7ED8FBC>, <8 x double> %r1.0)
  %r.1 = call <8 x double> @llvm.fma.v8f64(<8 x double> %turns.1, <8 x double> <double 0x391F1976B7ED8FBC, double 0x391F1976B7ED8FBC, double 0x391F1976B7ED8FBC, double 0x391F1976B7ED8FBC, double 0x391F1976B7ED8FBC, double 0x391F1976B7ED8FBC, double 0x391F1976B7ED8FBC, double 0x391F1976B7ED8FBC>, <8 x double> %r1.1)
  %z.0 = fmul <8 x double> %r.0, %r.0
  %z.1 = fmul <8 x double> %r.1, %r.1
  %ps.4.0 = call <8 x double> @llvm.fma.v8f64(<8 x double> <double 0x3DE5D93A5ACFD57C, double 0x3DE5D93A5ACFD57C, double 0x3DE5D93A5ACFD57C, double 0x3DE5D93A5ACFD57C, double 0x3DE5D93A5ACFD57C, double 0x3DE5D93A5ACFD57C, double 0x3DE5D93A5ACFD57C, double 0x3DE5D93A5ACFD57C>, <8 x double> %z.0, <8 x double> <double 0xBE5AE5E68A2B9CEB, double 0xBE5AE5E68A2B9CEB, double 0xBE5AE5E68A2B9CEB, double 0xBE5AE5E68A2B9CEB, double 0xBE5AE5E68A2B9CEB, double 0xBE5AE5E68A2B9CEB, double 0xBE5AE5E68A2B9CEB, double 0xBE5AE5E68A2B9CEB>)
  %ps.4.1 = call <8 x double> @llvm.fma.v8f64(<8 x double> <double 0x3DE5D93A5ACFD57C, double 0x3DE5D93A5ACFD57C, double 0x3DE5D93A5ACFD57C, double 0x3DE5D93A5ACFD57C, double 0x3DE5D93A5ACFD57C, double 0x3DE5D93A5ACFD57C, double 0x3DE5D93A5ACFD57C, double 0x3DE5D93A5ACFD57C>, <8 x double> %z.1, <8 x double> <double 0xBE5AE5E68A2B9CEB, double 0xBE5AE5E68A2B9CEB, double 0xBE5AE5E68A2B9CEB, double 0xBE5AE5E68A2B9CEB, double 0xBE5AE5E68A2B9CEB, double 0xBE5AE5E68A2B9CEB, double 0xBE5AE5E68A2B9CEB, double 0xBE5AE5E68A2B9CEB>)
  %ps.3.0 = call <8 x double> @llvm.fma.v8f64(<8 x double> %ps.4.0, <8 x double> %z.0, <8 x double> <double 0x3EC71DE357B1FE7D, double 0x3EC71DE357B1FE7D, double 0x3EC71DE357B1FE7D, double 0x3EC71DE357B1FE7D, double 0x3EC71DE357B1FE7D, double 0x3EC71DE357B1FE7D, double 0x3EC71DE357B1FE7D, double 0x3EC71DE357B1FE7D>)
  %ps.3.1 = call <8 x double> @llvm.fma.v8f64(<8 x double> %ps.4.1, <8 x double> %z.1, <8 x double> <double 0x3EC71DE357B1FE7D, double 0x3EC71DE357B1FE7D, double 0x3EC71DE357B1FE7D, double 0x3EC71DE357B1FE7D, double 0x3EC71DE357B1FE7D, double 0x3EC71DE357B1FE7D, double 0x3EC71DE357B1FE7D, double 0x3EC71DE357B1FE7D>)
  %ps.2.0 = call <8 x double> @llvm.fma.v8f64(<8 x double> %ps.3.0, <8 x double> %z.0, <8 x double> <double 0xBF2A01A019C161D5, double 0xBF2A01A019C161D5, double 0xBF2A01A019C161D5, double 0xBF2A01A019C161D5, double 0xBF2A01A019C161D5, double 0xBF2A01A019C161D5, double 0xBF2A01A019C161D5, double 0xBF2A01A019C161D5>)
  %ps.2.1 = call <8 x double> @llvm.fma.v8f64(<8 x double> %ps.3.1, <8 x double> %z.1, <8 x double> <double 0xBF2A01A019C161D5, double 0xBF2A01A019C161D5, double 0xBF2A01A019C161D5, double 0xBF2A01A019C161D5, double 0xBF2A01A019C161D5, double 0xBF2A01A019C161D5, double 0xBF2A01A019C161D5, double 0xBF2A01A019C161D5>)
  %ps.1.0 = call <8 x double> @llvm.fma.v8f64(<8 x double> %ps.2.0, <8 x double> %z.0, <8 x double> <double 0x3F8111111110F8A6, double 0x3F8111111110F8A6, double 0x3F8111111110F8A6, double 0x3F8111111110F8A6, double 0x3F8111111110F8A6, double 0x3F8111111110F8A6, double 0x3F8111111110F8A6, double 0x3F8111111110F8A6>)
  %ps.1.1 = call <8 x double> @llvm.fma.v8f64(<8 x double> %ps.2.1, <8 x double> %z.1, <8 x double> <double 0x3F8111111110F8A6, double 0x3F8111111110F8A6, double 0x3F8111111110F8A6, double 0x3F8111111110F8A6, double 0x3F8111111110F8A6, double 0x3F8111111110F8A6, double 0x3F8111111110F8A6, double 0x3F8111111110F8A6>)
  %ps.0.0 = call <8 x double> @llvm.fma.v8f64(<8 x double> %ps.1.0, <8 x double> %z.0, <8 x double> <double 0xBFC5555555555549, double 0xBFC5555555555549, double 0xBFC5555555555549, double 0xBFC5555555555549, double 0xBFC5555555555549, double 0xBFC5555555555549, double 0xBFC5555555555549, double 0xBFC5555555555549>)
  %ps.0.1 = call <8 x double> @llvm.fma.v8f64(<8 x double> %ps.1.1, <8 x double> %z.1, <8 x double> <double 0xBFC5555555555549, double 0xBFC5555555555549, double 0xBFC5555555555549, double 0xBFC5555555555549, double 0xBFC5555555555549, double 0xBFC5555555555549, double 0xBFC5555555555549, double 0xBFC5555555555549>)
  %pc.5.0 = call <8 x double> @llvm.fma.v8f64(<8 x double> <double 0xBDA8FAE9BE8838D4, double 0xBDA8FAE9BE8838D4, double 0xBDA8FAE9BE8838D4, double 0xBDA8FAE9BE8838D4, double 0xBDA8FAE9BE8838D4, double 0xBDA8FAE9BE8838D4, double 0xBDA8FAE9BE8838D4, double 0xBDA8FAE9BE8838D4>, <8 x double> %z.0, <8 x double> <double 0x3E21EE9EBDB4B1C4, double 0x3E21EE9EBDB4B1C4, double 0x3E21EE9EBDB4B1C4, double 0x3E21EE9EBDB4B1C4, double 0x3E21EE9EBDB4B1C4, double 0x3E21EE9EBDB4B1C4, double 0x3E21EE9EBDB4B1C4, double 0x3E21EE9EBDB4B1C4>)
  %pc.5.1 = call <8 x double> @llvm.fma.v8f64(<8 x double> <double 0xBDA8FAE9BE8838D4, double 0xBDA8FAE9BE8838D4, double 0xBDA8FAE9BE8838D4, double 0xBDA8FAE9BE8838D4, double 0xBDA8FAE9BE8838D4, double 0xBDA8FAE9BE8838D4, double 0xBDA8FAE9BE8838D4, double 0xBDA8FAE9BE8838D4>, <8 x double> %z.1, <8 x double> <double 0x3E21EE9EBDB4B1C4, double 0x3E21EE9EBDB4B1C4, double 0x3E21EE9EBDB4B1C4, double 0x3E21EE9EBDB4B1C4, double 0x3E21EE9EBDB4B1C4, double 0x3E21EE9EBDB4B1C4, double 0x3E21EE9EBDB4B1C4, double 0x3E21EE9EBDB4B1C4>)
  %pc.4.0 = call <8 x double> @llvm.fma.v8f64(<8 x double> %pc.5.0, <8 x double> %z.0, <8 x double> <double 0xBE927E4F809C52AD, double 0xBE927E4F809C52AD, double 0xBE927E4F809C52AD, double 0xBE927E4F809C52AD, double 0xBE927E4F809C52AD, double 0xBE927E4F809C52AD, double 0xBE927E4F809C52AD, double 0xBE927E4F809C52AD>)
  %pc.4.1 = call <8 x double> @llvm.fma.v8f64(<8 x double> %pc.5.1, <8 x double> %z.1, <8 x double> <double 0xBE927E4F809C52AD, double 0xBE927E4F809C52AD, double 0xBE927E4F809C52AD, double 0xBE927E4F809C52AD, double 0xBE927E4F809C52AD, double 0xBE927E4F809C52AD, double 0xBE927E4F809C52AD, double 0xBE927E4F809C52AD>)
  %pc.3.0 = call <8 x double> @llvm.fma.v8f64(<8 x double> %pc.4.0, <8 x double> %z.0, <8 x double> <double 0x3EFA01A019CB1590, double 0x3EFA01A019CB1590, double 0x3EFA01A019CB1590, double 0x3EFA01A019CB1590, double 0x3EFA01A019CB1590, double 0x3EFA01A019CB1590, double 0x3EFA01A019CB1590, double 0x3EFA01A019CB1590>)
  %pc.3.1 = call <8 x double> @llvm.fma.v8f64(<8 x double> %pc.4.1, <8 x double> %z.1, <8 x double> <double 0x3EFA01A019CB1590, double 0x3EFA01A019CB1590, double 0x3EFA01A019CB1590, double 0x3EFA01A019CB1590, double 0x3EFA01A019CB1590, double 0x3EFA01A019CB1590, double 0x3EFA01A019CB1590, double 0x3EFA01A019CB1590>)
  %pc.2.0 = call <8 x double> @llvm.fma.v8f64(<8 x double> %pc.3.0, <8 x double> %z.0, <8 x double> <double 0xBF56C16C16C15177, double 0xBF56C16C16C15177, double 0xBF56C16C16C15177, double 0xBF56C16C16C15177, double 0xBF56C16C16C15177, double 0xBF56C16C16C15177, double 0xBF56C16C16C15177, double 0xBF56C16C16C15177>)
  %pc.2.1 = call <8 x double> @llvm.fma.v8f64(<8 x double> %pc.3.1, <8 x double> %z.1, <8 x double> <double 0xBF56C16C16C15177, double 0xBF56C16C16C15177, double 0xBF56C16C16C15177, double 0xBF56C16C16C15177, double 0xBF56C16C16C15177, double 0xBF56C16C16C15177, double 0xBF56C16C16C15177, double 0xBF56C16C16C15177>)
  %pc.1.0 = call <8 x double> @llvm.fma.v8f64(<8 x double> %pc.2.0, <8 x double> %z.0, <8 x double> <double 0x3FA555555555554C, double 0x3FA555555555554C, double 0x3FA555555555554C, double 0x3FA555555555554C, double 0x3FA555555555554C, double 0x3FA555555555554C, double 0x3FA555555555554C, double 0x3FA555555555554C>)
  %pc.1.1 = call <8 x double> @llvm.fma.v8f64(<8 x double> %pc.2.1, <8 x double> %z.1, <8 x double> <double 0x3FA555555555554C, double 0x3FA555555555554C, double 0x3FA555555555554C, double 0x3FA555555555554C, double 0x3FA555555555554C, double 0x3FA555555555554C, double 0x3FA555555555554C, double 0x3FA555555555554C>)
  %pc.0.0 = call <8 x double> @llvm.fma.v8f64(<8 x double> %pc.1.0, <8 x double> %z.0, <8 x double> <double 0xBFE0000000000000, double 0xBFE0000000000000, double 0xBFE0000000000000, double 0xBFE0000000000000, double 0xBFE0000000000000, double 0xBFE0000000000000, double 0xBFE0000000000000, double 0xBFE0000000000000>)
  %pc.0.1 = call <8 x double> @llvm.fma.v8f64(<8 x double> %pc.1.1, <8 x double> %z.1, <8 x double> <double 0xBFE0000000000000, double 0xBFE0000000000000, double 0xBFE0000000000000, double 0xBFE0000000000000, double 0xBFE0000000000000, double 0xBFE0000000000000, double 0xBFE0000000000000, double 0xBFE0000000000000>)
  %rz.0 = fmul <8 x double> %r.0, %z.0
  %rz.1 = fmul <8 x double> %r.1, %z.1
  %sine.0 = call <8 x double> @llvm.fma.v8f64(<8 x double> %rz.0, <8 x double> %ps.0.0, <8 x double> %r.0)
  %sine.1 = call <8 x double> @llvm.fma.v8f64(<8 x double> %rz.1, <8 x double> %ps.0.1, <8 x double> %r.1)
  %cosine.0 = call <8 x double> @llvm.fma.v8f64(<8 x double> %pc.0.0, <8 x double> %z.0, <8 x double> <double 0x3FF0000000000000, double 0x3FF0000000000000, double 0x3FF0000000000000, double 0x3FF0000000000000, double 0x3FF0000000000000, double 0x3FF0000000000000, double 0x3FF0000000000000, double 0x3FF0000000000000>)
  %cosine.1 = call <8 x double> @llvm.fma.v8f64(<8 x double> %pc.0.1, <8 x double> %z.1, <8 x double> <double 0x3FF0000000000000, double 0x3FF0000000000000, double 0x3FF0000000000000, double 0x3FF0000000000000, double 0x3FF0000000000000, double 0x3FF0000000000000, double 0x3FF0000000000000, double 0x3FF0000000000000>)
  %odd.0 = shl <8 x i64> %bits.0, <i64 63, i64 63, i64 63, i64 63, i64 63, i64 63, i64 63, i64 63>
  %odd.1 = shl <8 x i64> %bits.1, <i64 63, i64 63, i64 63, i64 63, i64 63, i64 63, i64 63, i64 63>
  %swap.0 = icmp slt <8 x i64> %odd.0, <i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0>
  %swap.1 = icmp slt <8 x i64> %odd.1, <i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0>
  %half.0 = shl <8 x i64> %bits.0, <i64 62, i64 62, i64 62, i64 62, i64 62, i64 62, i64 62, i64 62>
  %half.1 = shl <8 x i64> %bits.1, <i64 62, i64 62, i64 62, i64 62, i64 62, i64 62, i64 62, i64 62>
  %flip.s.0 = and <8 x i64> %half.0, <i64 -9223372036854775808, i64 -9223372036854775808, i64 -9223372036854775808, i64 -9223372036854775808, i64 -9223372036854775808, i64 -9223372036854775808, i64 -9223372036854775808, i64 -9223372036854775808>
  %flip.s.1 = and <8 x i64> %half.1, <i64 -9223372036854775808, i64 -9223372036854775808, i64 -9223372036854775808, i64 -9223372036854775808, i64 -9223372036854775808, i64 -9223372036854775808, i64 -9223372036854775808, i64 -9223372036854775808>
  %flip.c.0 = xor <8 x i64> %flip.s.0, %odd.0
  %flip.c.1 = xor <8 x i64> %flip.s.1, %odd.1
  %s.v.0 = select <8 x i1> %swap.0, <8 x double> %cosine.0, <8 x double> %sine.0
  %s.v.1 = select <8 x i1> %swap.1, <8 x double> %cosine.1, <8 x double> %sine.1
  %s.b.0 = bitcast <8 x double> %s.v.0 to <8 x i64>
  %s.b.1 = bitcast <8 x double> %s.v.1 to <8 x i64>
  %s.f.0 = xor <8 x i64> %s.b.0, %flip.s.0
  %s.f.1 = xor <8 x i64> %s.b.1, %flip.s.1
  %sin.0 = bitcast <8 x i64> %s.f.0 to <8 x double>
  %sin.1 = bitcast <8 x i64> %s.f.1 to <8 x double>
  %c.v.0 = select <8 x i1> %swap.0, <8 x double> %sine.0, <8 x double> %cosine.0
  %c.v.1 = select <8 x i1> %swap.1, <8 x double> %sine.1, <8 x double> %cosine.1
  %c.b.0 = bitcast <8 x double> %c.v.0 to <8 x i64>
  %c.b.1 = bitcast <8 x double> %c.v.1 to <8 x i64>
  %c.f.0 = xor <8 x i64> %c.b.0, %flip.c.0
  %c.f.1 = xor <8 x i64> %c.b.1, %flip.c.1
  %cos.0 = bitcast <8 x i64> %c.f.0 to <8 x double>
  %cos.1 = bitcast <8 x i64> %c.f.1 to <8 x double>
  store <8 x double> %sin.0, ptr %ats.0, align 8
  store <8 x double> %sin.1, ptr %ats.1, align 8
  store <8 x double> %cos.0, ptr %atc.0, align 8
  store <8 x double> %cos.1, ptr %atc.1, align 8
  %next.far = add i64 %offset.0, %advance
  %next.past = icmp ugt i64 %next.far, %end
  %next = select i1 %next.past, i64 %end, i64 %next.far
  %finished = icmp eq i64 %offset.1, %end
  br i1 %finished, label %check, label %loop
check:
  ; one test for all angles: the sum of squares is NaN or large if any of them is
  %total = fadd <8 x double> %more.0, %more.1
  %fine = fcmp ole <8 x double> %total, <double 0x4399F02F6222C721, double 0x4399F02F6222C721, double 0x4399F02F6222C721, double 0x4399F02F6222C721, double 0x4399F02F6222C721, double 0x4399F02F6222C721, double 0x4399F02F6222C721, double 0x4399F02F6222C721>
  %all = call i1 @llvm.vector.reduce.and.v8i1(<8 x i1> %fine)
  br i1 %all, label %done, label %huge
huge:
  %at.0 = phi i64 [ 0, %check ], [ %then, %huge ]
  %at.1.far = add i64 %at.0, %step
  %at.1.past = icmp ugt i64 %at.1.far, %end
  %at.1 = select i1 %at.1.past, i64 %end, i64 %at.1.far
  call void @huge_sines(ptr %x, ptr %s, ptr %c, i64 %at.0)
  call void @huge_sines(ptr %x, ptr %s, ptr %c, i64 %at.1)
  %then.far = add i64 %at.0, %advance
  %then.past = icmp ugt i64 %then.far, %end
  %then = select i1 %then.past, i64 %end, i64 %then.far
  %over = icmp eq i64 %at.1, %end
  br i1 %over, label %done, label %huge
done:
  ret void
}

define internal void @huge_sines(ptr %x, ptr %s, ptr %c, i64 %offset) noinline cold nounwind {
entry:
  %xs = getelementptr i8, ptr %x, i64 %offset
  %ss = getelementptr i8, ptr %s, i64 %offset
  %cs = getelementptr i8, ptr %c, i64 %offset
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %end ]
  %px = getelementptr double, ptr %xs, i64 %i
  %angle = load double, ptr %px, align 8
  %size = call double @llvm.fabs.f64(double %angle)
  %fine = fcmp ole double %size, 0x41D0000000000000
  br i1 %fine, label %end, label %huge
huge:
  %wide = bitcast double %angle to double
  %wide.s = call double @articulated_sin(double %wide)
  %wide.c = call double @articulated_cos(double %wide)
  %new.s = bitcast double %wide.s to double
  %new.c = bitcast double %wide.c to double
  %ps = getelementptr double, ptr %ss, i64 %i
  %pc = getelementptr double, ptr %cs, i64 %i
  store double %new.s, ptr %ps, align 8
  store double %new.c, ptr %pc, align 8
  br label %end
end:
  %next = add i64 %i, 1
  %again = icmp ult i64 %next, 8
  br i1 %again, label %loop, label %done
done:
  ret void
}
