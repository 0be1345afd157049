declare void @articulated_sincos(ptr, ptr, ptr, i64, i64, i64)

define internal double @gather_some(ptr %array, i64 %stride, i64 %rows, ptr %tile, i64 %columns) noinline nounwind {
entry:
  %most = sub i64 %rows, 1
  br label %lane
lane:
  %lane.k = phi i64 [ 0, %entry ], [ %lane.next, %column.end ]
  %outside = phi double [ 0.0, %entry ], [ %sum, %column.end ]
  %beyond = icmp ugt i64 %lane.k, %most
  %row = select i1 %beyond, i64 %most, i64 %lane.k
  %step = mul i64 %row, %stride
  %from = getelementptr i8, ptr %array, i64 %step
  %to = getelementptr double, ptr %tile, i64 %lane.k
    br label %column
  column:
    %column.k = phi i64 [ 0, %lane ], [ %column.next, %column ]
    %before = phi double [ %outside, %lane ], [ %sum, %column ]
    %p = getelementptr double, ptr %from, i64 %column.k
    %x = load double, ptr %p, align 8
    %sum = fadd double %before, %x
    %offset = mul i64 %column.k, 64
    %s = getelementptr i8, ptr %to, i64 %offset
    store double %x, ptr %s, align 8
    %column.next = add i64 %column.k, 1
    %column.more = icmp ult i64 %column.next, %columns
    br i1 %column.more, label %column, label %column.end
  column.end:
  %lane.next = add i64 %lane.k, 1
  %lane.more = icmp ult i64 %lane.next, 8
  br i1 %lane.more, label %lane, label %lane.end
lane.end:
  ret double %sum
}

define internal void @scatter_some(ptr %frame, ptr %table, ptr %array, i64 %stride, i64 %rows, i64 %columns) noinline nounwind {
entry:
  br label %lane
lane:
  %lane.k = phi i64 [ 0, %entry ], [ %lane.next, %column.end ]
  %step = mul i64 %lane.k, %stride
  %to = getelementptr i8, ptr %array, i64 %step
  %from = getelementptr double, ptr %frame, i64 %lane.k
    br label %column
  column:
    %column.k = phi i64 [ 0, %lane ], [ %column.next, %column ]
    %e = getelementptr i32, ptr %table, i64 %column.k
    %slot = load i32, ptr %e, align 4
    %wide = zext i32 %slot to i64
    %p = getelementptr i8, ptr %from, i64 %wide
    %x = load double, ptr %p, align 8
    %s = getelementptr double, ptr %to, i64 %column.k
    store double %x, ptr %s, align 8
    %column.next = add i64 %column.k, 1
    %column.more = icmp ult i64 %column.next, %columns
    br i1 %column.more, label %column, label %column.end
  column.end:
  %lane.next = add i64 %lane.k, 1
  %lane.more = icmp ult i64 %lane.next, %rows
  br i1 %lane.more, label %lane, label %lane.end
lane.end:
  ret void
}

define internal <8 x double> @gather2(ptr %array, i64 %stride, ptr %tile) noinline nounwind "prefer-vector-width"="512" {
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
  %c0.sum0 = fadd <8 x double> <double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000>, %c0.s0.0.0
  %c0.to1 = getelementptr i8, ptr %c0.start, i64 64
  store <8 x double> %c0.s0.0.1, ptr %c0.to1, align 64
  %c0.sum = fadd <8 x double> %c0.sum0, %c0.s0.0.1
  ret <8 x double> %c0.sum
}

@columns0 = internal unnamed_addr constant [2 x i32] [i32 768, i32 832], align 64

define internal void @scatter0(ptr %frame, ptr %array, i64 %stride) noinline nounwind "prefer-vector-width"="512" {
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

define internal void @batch_0(ptr %frame, ptr %frame1, ptr %frame2, ptr %frame3) noinline nounwind "prefer-vector-width"="512" "stackrealign" {
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

define internal void @batch_1(ptr %frame, ptr %frame1, ptr %frame2, ptr %frame3) noinline nounwind "prefer-vector-width"="512" "stackrealign" {
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

define i32 @articulated_batch(i64 %n, ptr %args, ptr %strides) nounwind "no-stack-arg-probe" "stackrealign" {
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
  br label %singles
singles:
  %left = phi i64 [ %n, %entry ], [ %less, %whole ]
  %sum = phi <8 x double> [ <double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000>, %entry ], [ %whole.sum, %whole ]
  %at0 = phi ptr [ %arg0, %entry ], [ %next0, %whole ]
  %at1 = phi ptr [ %arg1, %entry ], [ %next1, %whole ]
  %at2 = phi ptr [ %arg2, %entry ], [ %next2, %whole ]
  %at3 = phi ptr [ %arg3, %entry ], [ %next3, %whole ]
  %full = icmp uge i64 %left, 8
  br i1 %full, label %whole, label %rest
whole:
  %whole.tile0 = getelementptr i8, ptr %frame, i64 0
  %whole.sum0 = call <8 x double> @gather2(ptr %at0, i64 %stride0, ptr %whole.tile0)
  %whole.tile1 = getelementptr i8, ptr %frame, i64 128
  %whole.sum1 = call <8 x double> @gather2(ptr %at1, i64 %stride1, ptr %whole.tile1)
  %whole.tile2 = getelementptr i8, ptr %frame, i64 256
  %whole.sum2 = call <8 x double> @gather2(ptr %at2, i64 %stride2, ptr %whole.tile2)
  call void @batch_0(ptr %frame, ptr %frame, ptr %frame, ptr %frame)
  %whole.angles0 = getelementptr i8, ptr %frame, i64 384
  %whole.sines0 = getelementptr i8, ptr %frame, i64 512
  %whole.cosines0 = getelementptr i8, ptr %frame, i64 640
  call void @articulated_sincos(ptr %whole.angles0, ptr %whole.sines0, ptr %whole.cosines0, i64 64, i64 128, i64 64)
  call void @batch_1(ptr %frame, ptr %frame, ptr %frame, ptr %frame)
  call void @scatter0(ptr %frame, ptr %at3, i64 %stride3)
  %whole.sum.0 = fadd <8 x double> <double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000>, %sum
  %whole.sum.1 = fadd <8 x double> %whole.sum.0, %whole.sum0
  %whole.sum.2 = fadd <8 x double> %whole.sum.1, %whole.sum1
  %whole.sum = fadd <8 x double> %whole.sum.2, %whole.sum2
  %next0 = getelementptr i8, ptr %at0, i64 %tile0
  %next1 = getelementptr i8, ptr %at1, i64 %tile1
  %next2 = getelementptr i8, ptr %at2, i64 %tile2
  %next3 = getelementptr i8, ptr %at3, i64 %tile3
  %less = sub i64 %left, 8
  br label %singles
rest:
  %any = icmp ne i64 %left, 0
  br i1 %any, label %some, label %done
some:
  %rest.tile0 = getelementptr i8, ptr %frame, i64 0
  %rest.sum0.one = call double @gather_some(ptr %at0, i64 %stride0, i64 %left, ptr %rest.tile0, i64 2)
  %rest.sum0 = insertelement <8 x double> <double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000>, double %rest.sum0.one, i32 0
  %rest.tile1 = getelementptr i8, ptr %frame, i64 128
  %rest.sum1.one = call double @gather_some(ptr %at1, i64 %stride1, i64 %left, ptr %rest.tile1, i64 2)
  %rest.sum1 = insertelement <8 x double> <double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000>, double %rest.sum1.one, i32 0
  %rest.tile2 = getelementptr i8, ptr %frame, i64 256
  %rest.sum2.one = call double @gather_some(ptr %at2, i64 %stride2, i64 %left, ptr %rest.tile2, i64 2)
  %rest.sum2 = insertelement <8 x double> <double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000>, double %rest.sum2.one, i32 0
  call void @batch_0(ptr %frame, ptr %frame, ptr %frame, ptr %frame)
  %rest.angles0 = getelementptr i8, ptr %frame, i64 384
  %rest.sines0 = getelementptr i8, ptr %frame, i64 512
  %rest.cosines0 = getelementptr i8, ptr %frame, i64 640
  call void @articulated_sincos(ptr %rest.angles0, ptr %rest.sines0, ptr %rest.cosines0, i64 64, i64 128, i64 64)
  call void @batch_1(ptr %frame, ptr %frame, ptr %frame, ptr %frame)
  call void @scatter_some(ptr %frame, ptr @columns0, ptr %at3, i64 %stride3, i64 %left, i64 2)
  %rest.sum.0 = fadd <8 x double> <double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000>, %sum
  %rest.sum.1 = fadd <8 x double> %rest.sum.0, %rest.sum0
  %rest.sum.2 = fadd <8 x double> %rest.sum.1, %rest.sum1
  %rest.sum = fadd <8 x double> %rest.sum.2, %rest.sum2
  br label %done
done:
  %all = phi <8 x double> [ %sum, %rest ], [ %rest.sum, %some ]
  %nil = fsub <8 x double> %all, %all
  %odd = fcmp uno <8 x double> %nil, <double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000>
  %bad = call i1 @llvm.vector.reduce.or.v8i1(<8 x i1> %odd)
  %answer = zext i1 %bad to i32
  ret i32 %answer
}

define internal void @one_0(ptr %arg0, ptr %frame, ptr %frame1, ptr %frame2, ptr %frame3) noinline nounwind "stackrealign" {
  %t1 = load double, ptr %arg0, align 8
  %t2 = getelementptr i8, ptr %arg0, i64 8
  %t3 = load double, ptr %t2, align 8
  %v13 = fadd double %t1, %t3
  %t4 = getelementptr i8, ptr %frame, i64 8
  store double %v13, ptr %t4, align 8
  store double %t3, ptr %frame, align 8
  ret void
}

define internal void @one_1(ptr %arg0, ptr %arg1, ptr %arg2, ptr %arg3, ptr %frame, ptr %frame1, ptr %frame2, ptr %frame3) noinline nounwind "stackrealign" {
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
  %parg0 = getelementptr ptr, ptr %args, i64 0
  %arg0 = load ptr, ptr %parg0, align 8
  %parg1 = getelementptr ptr, ptr %args, i64 1
  %arg1 = load ptr, ptr %parg1, align 8
  %parg2 = getelementptr ptr, ptr %args, i64 2
  %arg2 = load ptr, ptr %parg2, align 8
  %parg3 = getelementptr ptr, ptr %args, i64 3
  %arg3 = load ptr, ptr %parg3, align 8
  call void @one_0(ptr %arg0, ptr %frame, ptr %frame, ptr %frame, ptr %frame)
  %s.angles0 = getelementptr i8, ptr %frame, i64 0
  %s.sines0 = getelementptr i8, ptr %frame, i64 64
  %s.cosines0 = getelementptr i8, ptr %frame, i64 128
  call void @articulated_sincos(ptr %s.angles0, ptr %s.sines0, ptr %s.cosines0, i64 64, i64 128, i64 0)
  call void @one_1(ptr %arg0, ptr %arg1, ptr %arg2, ptr %arg3, ptr %frame, ptr %frame, ptr %frame, ptr %frame)
  ret void
}
