declare void @articulated_sincos(ptr, ptr, ptr, i64, i64, i64)

define internal double @gather_some(ptr %array, i64 %stride, i64 %rows, ptr %tile, i64 %columns) noinline nounwind {
entry:
  %most = sub i64 %rows, 1
  br label %outer
outer:
  %lane = phi i64 [ 0, %entry ], [ %lane.next, %outer.end ]
  %outside = phi double [ 0.0, %entry ], [ %sum, %outer.end ]
  %beyond = icmp ugt i64 %lane, %most
  %row = select i1 %beyond, i64 %most, i64 %lane
  %step = mul i64 %row, %stride
  %from = getelementptr i8, ptr %array, i64 %step
  %to = getelementptr double, ptr %tile, i64 %lane
  br label %inner
inner:
  %c = phi i64 [ 0, %outer ], [ %next, %inner ]
  %before = phi double [ %outside, %outer ], [ %sum, %inner ]
  %p = getelementptr double, ptr %from, i64 %c
  %x = load double, ptr %p, align 8
  %sum = fadd double %before, %x
  %offset = mul i64 %c, 32
  %s = getelementptr i8, ptr %to, i64 %offset
  store double %x, ptr %s, align 8
  %next = add i64 %c, 1
  %more = icmp ult i64 %next, %columns
  br i1 %more, label %inner, label %outer.end
outer.end:
  %lane.next = add i64 %lane, 1
  %again = icmp ult i64 %lane.next, 4
  br i1 %again, label %outer, label %done
done:
  ret double %sum
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

define internal <4 x double> @gather2(ptr %array, i64 %stride, ptr %tile) noinline nounwind {
entry:
  %step0 = mul i64 %stride, 0
  %row0 = getelementptr i8, ptr %array, i64 %step0
  %step1 = mul i64 %stride, 1
  %row1 = getelementptr i8, ptr %array, i64 %step1
  %step2 = mul i64 %stride, 2
  %row2 = getelementptr i8, ptr %array, i64 %step2
  %step3 = mul i64 %stride, 3
  %row3 = getelementptr i8, ptr %array, i64 %step3
  %c0.from0 = getelementptr i8, ptr %row0, i64 0
  %c0.part0 = load <2 x double>, ptr %c0.from0, align 8
  %c0.from1 = getelementptr i8, ptr %row1, i64 0
  %c0.part1 = load <2 x double>, ptr %c0.from1, align 8
  %c0.from2 = getelementptr i8, ptr %row2, i64 0
  %c0.part2 = load <2 x double>, ptr %c0.from2, align 8
  %c0.from3 = getelementptr i8, ptr %row3, i64 0
  %c0.part3 = load <2 x double>, ptr %c0.from3, align 8
  %c0.join0.0.0 = shufflevector <2 x double> %c0.part0, <2 x double> %c0.part2, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %c0.join1.0.0 = shufflevector <2 x double> %c0.part1, <2 x double> %c0.part3, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %c0.s0.0.0 = shufflevector <4 x double> %c0.join0.0.0, <4 x double> %c0.join1.0.0, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
  %c0.s0.0.1 = shufflevector <4 x double> %c0.join0.0.0, <4 x double> %c0.join1.0.0, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
  %c0.start = getelementptr i8, ptr %tile, i64 0
  %c0.to0 = getelementptr i8, ptr %c0.start, i64 0
  store <4 x double> %c0.s0.0.0, ptr %c0.to0, align 32
  %c0.sum0 = fadd <4 x double> <double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000>, %c0.s0.0.0
  %c0.to1 = getelementptr i8, ptr %c0.start, i64 32
  store <4 x double> %c0.s0.0.1, ptr %c0.to1, align 32
  %c0.sum = fadd <4 x double> %c0.sum0, %c0.s0.0.1
  ret <4 x double> %c0.sum
}

@columns0 = internal unnamed_addr constant [2 x i32] [i32 384, i32 416], align 64

define internal void @scatter0(ptr %frame, ptr %array, i64 %stride) noinline nounwind {
entry:
  %step0 = mul i64 %stride, 0
  %row0 = getelementptr i8, ptr %array, i64 %step0
  %step1 = mul i64 %stride, 1
  %row1 = getelementptr i8, ptr %array, i64 %step1
  %step2 = mul i64 %stride, 2
  %row2 = getelementptr i8, ptr %array, i64 %step2
  %step3 = mul i64 %stride, 3
  %row3 = getelementptr i8, ptr %array, i64 %step3
  %c0.from0 = getelementptr i8, ptr %frame, i64 384
  %c0.column0 = load <4 x double>, ptr %c0.from0, align 32
  %c0.from1 = getelementptr i8, ptr %frame, i64 416
  %c0.column1 = load <4 x double>, ptr %c0.from1, align 32
  %c0.s0.0.0 = shufflevector <4 x double> %c0.column0, <4 x double> %c0.column1, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
  %c0.s0.0.1 = shufflevector <4 x double> %c0.column0, <4 x double> %c0.column1, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
  %c0.part0 = shufflevector <4 x double> %c0.s0.0.0, <4 x double> undef, <2 x i32> <i32 0, i32 1>
  %c0.to0 = getelementptr i8, ptr %row0, i64 0
  store <2 x double> %c0.part0, ptr %c0.to0, align 8
  %c0.part1 = shufflevector <4 x double> %c0.s0.0.1, <4 x double> undef, <2 x i32> <i32 0, i32 1>
  %c0.to1 = getelementptr i8, ptr %row1, i64 0
  store <2 x double> %c0.part1, ptr %c0.to1, align 8
  %c0.part2 = shufflevector <4 x double> %c0.s0.0.0, <4 x double> undef, <2 x i32> <i32 2, i32 3>
  %c0.to2 = getelementptr i8, ptr %row2, i64 0
  store <2 x double> %c0.part2, ptr %c0.to2, align 8
  %c0.part3 = shufflevector <4 x double> %c0.s0.0.1, <4 x double> undef, <2 x i32> <i32 2, i32 3>
  %c0.to3 = getelementptr i8, ptr %row3, i64 0
  store <2 x double> %c0.part3, ptr %c0.to3, align 8
  ret void
}

define internal x86_64_sysvcc void @batch_0(ptr %arrays, ptr %frame, ptr %scratch, ptr %constants) naked noinline nounwind {
  call void asm sideeffect "subq $$-128, %rsi
    subq $$-128, %rdx
    subq $$-128, %rcx
    vmovapd -128(%rsi), %ymm0
    vaddpd -96(%rsi), %ymm0, %ymm0
    vmovapd %ymm0, 96(%rsi)
    vmovapd -96(%rsi), %ymm0
    vmovapd %ymm0, 64(%rsi)
    vzeroupper
    retq", ""()
  unreachable
}

define internal x86_64_sysvcc void @batch_1(ptr %arrays, ptr %frame, ptr %scratch, ptr %constants) naked noinline nounwind {
  call void asm sideeffect "subq $$-128, %rsi
    subq $$-128, %rdx
    subq $$-128, %rcx
    vmovapd 128(%rsi), %ymm0
    vmovapd -128(%rcx), %ymm1
    vmulpd %ymm1, %ymm0, %ymm0
    vmovapd -32(%rsi), %ymm2
    vmulpd %ymm2, %ymm0, %ymm0
    vmovapd -96(%rcx), %ymm3
    vfmadd231pd -64(%rsi), %ymm3, %ymm2
    vmovapd 192(%rsi), %ymm4
    vaddpd %ymm4, %ymm3, %ymm3
    vfmadd213pd -64(%rcx), %ymm4, %ymm1
    vmovapd 160(%rsi), %ymm4
    vmovapd -32(%rcx), %ymm5
    vmulpd %ymm5, %ymm4, %ymm6
    vmovapd 0(%rsi), %ymm7
    vfmadd231pd %ymm3, %ymm7, %ymm6
    vmovapd 32(%rsi), %ymm3
    vfmadd231pd %ymm1, %ymm3, %ymm6
    vfnmadd231pd %ymm2, %ymm0, %ymm6
    vmovapd %ymm6, 256(%rsi)
    vfmadd231pd %ymm5, %ymm4, %ymm3
    vfmadd231pd %ymm1, %ymm7, %ymm3
    vmovapd %ymm3, 288(%rsi)
    vmovapd -96(%rsi), %ymm3
    vmovapd %ymm3, 64(%rsi)
    vzeroupper
    retq", ""()
  unreachable
}

@constants_batch_0 = internal unnamed_addr constant [18 x double] [double 0x3FE0000000000000, double 0x3FE0000000000000, double 0x3FE0000000000000, double 0x3FE0000000000000, double 0x4000000000000000, double 0x4000000000000000, double 0x4000000000000000, double 0x4000000000000000, double 0x3FF0000000000000, double 0x3FF0000000000000, double 0x3FF0000000000000, double 0x3FF0000000000000, double 0x40239EB851EB851F, double 0x40239EB851EB851F, double 0x40239EB851EB851F, double 0x40239EB851EB851F, double 0x0000000000000000, double 0x0000000000000000], align 32

define i32 @articulated_batch(i64 %n, ptr %args, ptr %strides) nounwind "no-stack-arg-probe" "stackrealign" {
entry:
  %frame = alloca [448 x i8], align 32
  %scratch = getelementptr i8, ptr %frame, i64 448
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
  %tile0 = mul i64 %stride0, 4
  %pstride1 = getelementptr i64, ptr %strides, i64 1
  %stride1 = load i64, ptr %pstride1, align 8
  %tile1 = mul i64 %stride1, 4
  %pstride2 = getelementptr i64, ptr %strides, i64 2
  %stride2 = load i64, ptr %pstride2, align 8
  %tile2 = mul i64 %stride2, 4
  %pstride3 = getelementptr i64, ptr %strides, i64 3
  %stride3 = load i64, ptr %pstride3, align 8
  %tile3 = mul i64 %stride3, 4
  br label %singles
singles:
  %left = phi i64 [ %n, %entry ], [ %less, %whole ]
  %sum = phi <4 x double> [ <double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000>, %entry ], [ %whole.sum, %whole ]
  %at0 = phi ptr [ %arg0, %entry ], [ %next0, %whole ]
  %at1 = phi ptr [ %arg1, %entry ], [ %next1, %whole ]
  %at2 = phi ptr [ %arg2, %entry ], [ %next2, %whole ]
  %at3 = phi ptr [ %arg3, %entry ], [ %next3, %whole ]
  %full = icmp uge i64 %left, 4
  br i1 %full, label %whole, label %rest
whole:
  %whole.tile0 = getelementptr i8, ptr %frame, i64 0
  %whole.sum0 = call <4 x double> @gather2(ptr %at0, i64 %stride0, ptr %whole.tile0)
  %whole.tile1 = getelementptr i8, ptr %frame, i64 64
  %whole.sum1 = call <4 x double> @gather2(ptr %at1, i64 %stride1, ptr %whole.tile1)
  %whole.tile2 = getelementptr i8, ptr %frame, i64 128
  %whole.sum2 = call <4 x double> @gather2(ptr %at2, i64 %stride2, ptr %whole.tile2)
  call x86_64_sysvcc void @batch_0(ptr %args, ptr %frame, ptr %scratch, ptr @constants_batch_0)
  %whole.angles0 = getelementptr i8, ptr %frame, i64 192
  %whole.sines0 = getelementptr i8, ptr %frame, i64 256
  %whole.cosines0 = getelementptr i8, ptr %frame, i64 320
  call void @articulated_sincos(ptr %whole.angles0, ptr %whole.sines0, ptr %whole.cosines0, i64 32, i64 64, i64 32)
  call x86_64_sysvcc void @batch_1(ptr %args, ptr %frame, ptr %scratch, ptr @constants_batch_0)
  call void @scatter0(ptr %frame, ptr %at3, i64 %stride3)
  %whole.sum.0 = fadd <4 x double> <double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000>, %sum
  %whole.sum.1 = fadd <4 x double> %whole.sum.0, %whole.sum0
  %whole.sum.2 = fadd <4 x double> %whole.sum.1, %whole.sum1
  %whole.sum = fadd <4 x double> %whole.sum.2, %whole.sum2
  %next0 = getelementptr i8, ptr %at0, i64 %tile0
  %next1 = getelementptr i8, ptr %at1, i64 %tile1
  %next2 = getelementptr i8, ptr %at2, i64 %tile2
  %next3 = getelementptr i8, ptr %at3, i64 %tile3
  %less = sub i64 %left, 4
  br label %singles
rest:
  %any = icmp ne i64 %left, 0
  br i1 %any, label %some, label %done
some:
  %rest.tile0 = getelementptr i8, ptr %frame, i64 0
  %rest.sum0.one = call double @gather_some(ptr %at0, i64 %stride0, i64 %left, ptr %rest.tile0, i64 2)
  %rest.sum0 = insertelement <4 x double> <double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000>, double %rest.sum0.one, i32 0
  %rest.tile1 = getelementptr i8, ptr %frame, i64 64
  %rest.sum1.one = call double @gather_some(ptr %at1, i64 %stride1, i64 %left, ptr %rest.tile1, i64 2)
  %rest.sum1 = insertelement <4 x double> <double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000>, double %rest.sum1.one, i32 0
  %rest.tile2 = getelementptr i8, ptr %frame, i64 128
  %rest.sum2.one = call double @gather_some(ptr %at2, i64 %stride2, i64 %left, ptr %rest.tile2, i64 2)
  %rest.sum2 = insertelement <4 x double> <double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000>, double %rest.sum2.one, i32 0
  call x86_64_sysvcc void @batch_0(ptr %args, ptr %frame, ptr %scratch, ptr @constants_batch_0)
  %rest.angles0 = getelementptr i8, ptr %frame, i64 192
  %rest.sines0 = getelementptr i8, ptr %frame, i64 256
  %rest.cosines0 = getelementptr i8, ptr %frame, i64 320
  call void @articulated_sincos(ptr %rest.angles0, ptr %rest.sines0, ptr %rest.cosines0, i64 32, i64 64, i64 32)
  call x86_64_sysvcc void @batch_1(ptr %args, ptr %frame, ptr %scratch, ptr @constants_batch_0)
  call void @scatter_some(ptr %frame, ptr @columns0, ptr %at3, i64 %stride3, i64 %left, i64 2)
  %rest.sum.0 = fadd <4 x double> <double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000>, %sum
  %rest.sum.1 = fadd <4 x double> %rest.sum.0, %rest.sum0
  %rest.sum.2 = fadd <4 x double> %rest.sum.1, %rest.sum1
  %rest.sum = fadd <4 x double> %rest.sum.2, %rest.sum2
  br label %done
done:
  %all = phi <4 x double> [ %sum, %rest ], [ %rest.sum, %some ]
  %nil = fsub <4 x double> %all, %all
  %odd = fcmp uno <4 x double> %nil, <double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000>
  %bad = call i1 @llvm.vector.reduce.or.v4i1(<4 x i1> %odd)
  %answer = zext i1 %bad to i32
  ret i32 %answer
}

define internal x86_64_sysvcc void @one_0(ptr %arrays, ptr %frame, ptr %scratch, ptr %constants) naked noinline nounwind {
  call void asm sideeffect "movq 0(%rdi), %rax
    subq $$-128, %rsi
    subq $$-128, %rdx
    subq $$-128, %rcx
    vmovsd 0(%rax), %xmm0
    vaddsd 8(%rax), %xmm0, %xmm0
    vmovsd %xmm0, -120(%rsi)
    vmovsd 8(%rax), %xmm0
    vmovsd %xmm0, -128(%rsi)
    retq", ""()
  unreachable
}

define internal x86_64_sysvcc void @one_1(ptr %arrays, ptr %frame, ptr %scratch, ptr %constants) naked noinline nounwind {
  call void asm sideeffect "movq 8(%rdi), %rax
    movq 16(%rdi), %r8
    movq 24(%rdi), %r9
    movq 0(%rdi), %r10
    subq $$-128, %rsi
    subq $$-128, %rdx
    subq $$-128, %rcx
    vmovsd -96(%rsi), %xmm0
    vmovsd -128(%rcx), %xmm1
    vmulsd %xmm1, %xmm0, %xmm0
    vmovsd 8(%rax), %xmm2
    vmulsd %xmm2, %xmm0, %xmm0
    vmovsd -120(%rcx), %xmm3
    vfmadd231sd 0(%rax), %xmm3, %xmm2
    vmovsd -64(%rsi), %xmm4
    vaddsd %xmm4, %xmm3, %xmm3
    vfmadd213sd -112(%rcx), %xmm4, %xmm1
    vmovsd -88(%rsi), %xmm4
    vmovsd -104(%rcx), %xmm5
    vmulsd %xmm5, %xmm4, %xmm6
    vmovsd 0(%r8), %xmm7
    vfmadd231sd %xmm3, %xmm7, %xmm6
    vmovsd 8(%r8), %xmm3
    vfmadd231sd %xmm1, %xmm3, %xmm6
    vfnmadd231sd %xmm2, %xmm0, %xmm6
    vmovsd %xmm6, 0(%r9)
    vfmadd231sd %xmm5, %xmm4, %xmm3
    vfmadd231sd %xmm1, %xmm7, %xmm3
    vmovsd %xmm3, 8(%r9)
    vmovsd 8(%r10), %xmm3
    vmovsd %xmm3, -128(%rsi)
    retq", ""()
  unreachable
}

@constants_one_0 = internal unnamed_addr constant [6 x double] [double 0x3FE0000000000000, double 0x4000000000000000, double 0x3FF0000000000000, double 0x40239EB851EB851F, double 0x0000000000000000, double 0x0000000000000000], align 32

define void @articulated_one(ptr %args) nounwind "no-stack-arg-probe" "stackrealign" {
  %frame = alloca [96 x i8], align 32
  %scratch = getelementptr i8, ptr %frame, i64 96
  call x86_64_sysvcc void @one_0(ptr %args, ptr %frame, ptr %scratch, ptr @constants_one_0)
  %s.angles0 = getelementptr i8, ptr %frame, i64 0
  %s.sines0 = getelementptr i8, ptr %frame, i64 32
  %s.cosines0 = getelementptr i8, ptr %frame, i64 64
  call void @articulated_sincos(ptr %s.angles0, ptr %s.sines0, ptr %s.cosines0, i64 32, i64 64, i64 0)
  call x86_64_sysvcc void @one_1(ptr %args, ptr %frame, ptr %scratch, ptr @constants_one_0)
  ret void
}
