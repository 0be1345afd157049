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
  %pc.5 = call double @llvm.fma.f64(double 0xBDA8FAE9BE8838D4, double %z, double 0x3E21EE9EBDB4B1C4)
  %pc.4 = call double @llvm.fma.f64(double %pc.5, double %z, double 0xBE927E4F809C52AD)
  %pc.3 = call double @llvm.fma.f64(double %pc.4, double %z, double 0x3EFA01A019CB1590)
  %pc.2 = call double @llvm.fma.f64(double %pc.3, double %z, double 0xBF56C16C16C15177)
  %pc.1 = call double @llvm.fma.f64(double %pc.2, double %z, double 0x3FA555555555554C)
  %pc.0 = call double @llvm.fma.f64(double %pc.1, double %z, double 0xBFE0000000000000)
  %rz = fmul double %r, %z
  %sine = call double @llvm.fma.f64(double %rz, double %ps.0, double %r)
  %cosine = call double @llvm.fma.f64(double %pc.0, double %z, double 0x3FF0000000000000)
  %odd = shl i64 %bits, 63
  %swap = icmp slt i64 %odd, 0
  %half = shl i64 %bits, 62
  %flip.s = and i64 %half, -9223372036854775808
  %flip.c = xor i64 %flip.s, %odd
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

define internal void @huge_sines(ptr %x, ptr %s, ptr %c, i64 %offset) noinline cold nounwind {
entry:
  %pair = alloca [2 x double]
  %second = getelementptr i8, ptr %pair, i64 8
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
  br i1 %fine, label %end, label %exact
exact:
  %wide = fadd double %angle, -0.0
  call void @exact_sines(double %wide, ptr %pair)
  %wide.s = load double, ptr %pair
  %wide.c = load double, ptr %second
  %new.s = fadd double %wide.s, -0.0
  %new.c = fadd double %wide.c, -0.0
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
