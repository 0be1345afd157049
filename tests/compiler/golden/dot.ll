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
    %offset = mul i64 %column.k, 32
    %s = getelementptr i8, ptr %to, i64 %offset
    store double %x, ptr %s, align 8
    %column.next = add i64 %column.k, 1
    %column.more = icmp ult i64 %column.next, %columns
    br i1 %column.more, label %column, label %column.end
  column.end:
  %lane.next = add i64 %lane.k, 1
  %lane.more = icmp ult i64 %lane.next, 4
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

define internal <4 x double> @gather3(ptr %array, i64 %stride, ptr %tile) noinline nounwind {
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
  %c1.from0 = getelementptr i8, ptr %row0, i64 8
  %c1.part0 = load <2 x double>, ptr %c1.from0, align 8
  %c1.from1 = getelementptr i8, ptr %row1, i64 8
  %c1.part1 = load <2 x double>, ptr %c1.from1, align 8
  %c1.from2 = getelementptr i8, ptr %row2, i64 8
  %c1.part2 = load <2 x double>, ptr %c1.from2, align 8
  %c1.from3 = getelementptr i8, ptr %row3, i64 8
  %c1.part3 = load <2 x double>, ptr %c1.from3, align 8
  %c1.join0.0.0 = shufflevector <2 x double> %c1.part0, <2 x double> %c1.part2, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %c1.join1.0.0 = shufflevector <2 x double> %c1.part1, <2 x double> %c1.part3, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %c1.s0.0.0 = shufflevector <4 x double> %c1.join0.0.0, <4 x double> %c1.join1.0.0, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
  %c1.s0.0.1 = shufflevector <4 x double> %c1.join0.0.0, <4 x double> %c1.join1.0.0, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
  %c1.start = getelementptr i8, ptr %tile, i64 32
  %c1.to0 = getelementptr i8, ptr %c1.start, i64 0
  store <4 x double> %c1.s0.0.0, ptr %c1.to0, align 32
  %c1.sum0 = fadd <4 x double> %c0.sum, %c1.s0.0.0
  %c1.to1 = getelementptr i8, ptr %c1.start, i64 32
  store <4 x double> %c1.s0.0.1, ptr %c1.to1, align 32
  %c1.sum = fadd <4 x double> %c1.sum0, %c1.s0.0.1
  ret <4 x double> %c1.sum
}

@columns0 = internal unnamed_addr constant [3 x i32] [i32 192, i32 224, i32 256], align 64

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
  %c0.from0 = getelementptr i8, ptr %frame, i64 192
  %c0.column0 = load <4 x double>, ptr %c0.from0, align 32
  %c0.from1 = getelementptr i8, ptr %frame, i64 224
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
  %c1.from0 = getelementptr i8, ptr %frame, i64 224
  %c1.column0 = load <4 x double>, ptr %c1.from0, align 32
  %c1.from1 = getelementptr i8, ptr %frame, i64 256
  %c1.column1 = load <4 x double>, ptr %c1.from1, align 32
  %c1.s0.0.0 = shufflevector <4 x double> %c1.column0, <4 x double> %c1.column1, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
  %c1.s0.0.1 = shufflevector <4 x double> %c1.column0, <4 x double> %c1.column1, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
  %c1.part0 = shufflevector <4 x double> %c1.s0.0.0, <4 x double> undef, <2 x i32> <i32 0, i32 1>
  %c1.to0 = getelementptr i8, ptr %row0, i64 8
  store <2 x double> %c1.part0, ptr %c1.to0, align 8
  %c1.part1 = shufflevector <4 x double> %c1.s0.0.1, <4 x double> undef, <2 x i32> <i32 0, i32 1>
  %c1.to1 = getelementptr i8, ptr %row1, i64 8
  store <2 x double> %c1.part1, ptr %c1.to1, align 8
  %c1.part2 = shufflevector <4 x double> %c1.s0.0.0, <4 x double> undef, <2 x i32> <i32 2, i32 3>
  %c1.to2 = getelementptr i8, ptr %row2, i64 8
  store <2 x double> %c1.part2, ptr %c1.to2, align 8
  %c1.part3 = shufflevector <4 x double> %c1.s0.0.1, <4 x double> undef, <2 x i32> <i32 2, i32 3>
  %c1.to3 = getelementptr i8, ptr %row3, i64 8
  store <2 x double> %c1.part3, ptr %c1.to3, align 8
  ret void
}

define internal void @batch_0(ptr %frame, ptr %frame1, ptr %frame2, ptr %frame3) noinline nounwind "stackrealign" {
  %t1 = load <4 x double>, ptr %frame1, align 32
  %t2 = getelementptr i8, ptr %frame2, i64 96
  %t3 = load <4 x double>, ptr %t2, align 32
  %v6 = fmul <4 x double> %t1, %t3
  %t4 = getelementptr i8, ptr %frame3, i64 32
  %t5 = load <4 x double>, ptr %t4, align 32
  %t6 = getelementptr i8, ptr %frame, i64 128
  %t7 = load <4 x double>, ptr %t6, align 32
  %v7 = call <4 x double> @llvm.fma.v4f64(<4 x double> %t5, <4 x double> %t7, <4 x double> %v6)
  %t8 = getelementptr i8, ptr %frame1, i64 64
  %t9 = load <4 x double>, ptr %t8, align 32
  %t10 = getelementptr i8, ptr %frame2, i64 160
  %t11 = load <4 x double>, ptr %t10, align 32
  %v8 = call <4 x double> @llvm.fma.v4f64(<4 x double> %t9, <4 x double> %t11, <4 x double> %v7)
  %t12 = getelementptr i8, ptr %frame, i64 192
  store <4 x double> %v8, ptr %t12, align 32
  %v10.n = fneg <4 x double> %t1
  %v10 = call <4 x double> @llvm.fma.v4f64(<4 x double> %v10.n, <4 x double> %t7, <4 x double> <double 0x4000000000000000, double 0x4000000000000000, double 0x4000000000000000, double 0x4000000000000000>)
  %t13 = getelementptr i8, ptr %frame, i64 224
  store <4 x double> %v10, ptr %t13, align 32
  %v11 = call <4 x double> @llvm.fma.v4f64(<4 x double> %t5, <4 x double> %t7, <4 x double> %t9)
  %t14 = fneg <4 x double> %v11
  %t15 = getelementptr i8, ptr %frame, i64 256
  store <4 x double> %t14, ptr %t15, align 32
  ret void
}

define i32 @articulated_batch(i64 %n, ptr %args, ptr %strides) nounwind "no-stack-arg-probe" "stackrealign" {
entry:
  %frame = alloca [288 x i8], align 32
  %parg0 = getelementptr ptr, ptr %args, i64 0
  %arg0 = load ptr, ptr %parg0, align 8
  %parg1 = getelementptr ptr, ptr %args, i64 1
  %arg1 = load ptr, ptr %parg1, align 8
  %parg2 = getelementptr ptr, ptr %args, i64 2
  %arg2 = load ptr, ptr %parg2, align 8
  %pstride0 = getelementptr i64, ptr %strides, i64 0
  %stride0 = load i64, ptr %pstride0, align 8
  %tile0 = mul i64 %stride0, 4
  %pstride1 = getelementptr i64, ptr %strides, i64 1
  %stride1 = load i64, ptr %pstride1, align 8
  %tile1 = mul i64 %stride1, 4
  %pstride2 = getelementptr i64, ptr %strides, i64 2
  %stride2 = load i64, ptr %pstride2, align 8
  %tile2 = mul i64 %stride2, 4
  br label %singles
singles:
  %left = phi i64 [ %n, %entry ], [ %less, %whole ]
  %sum = phi <4 x double> [ <double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000>, %entry ], [ %whole.sum, %whole ]
  %at0 = phi ptr [ %arg0, %entry ], [ %next0, %whole ]
  %at1 = phi ptr [ %arg1, %entry ], [ %next1, %whole ]
  %at2 = phi ptr [ %arg2, %entry ], [ %next2, %whole ]
  %full = icmp uge i64 %left, 4
  br i1 %full, label %whole, label %rest
whole:
  %whole.tile0 = getelementptr i8, ptr %frame, i64 0
  %whole.sum0 = call <4 x double> @gather3(ptr %at0, i64 %stride0, ptr %whole.tile0)
  %whole.tile1 = getelementptr i8, ptr %frame, i64 96
  %whole.sum1 = call <4 x double> @gather3(ptr %at1, i64 %stride1, ptr %whole.tile1)
  call void @batch_0(ptr %frame, ptr %frame, ptr %frame, ptr %frame)
  call void @scatter0(ptr %frame, ptr %at2, i64 %stride2)
  %whole.sum.0 = fadd <4 x double> <double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000>, %sum
  %whole.sum.1 = fadd <4 x double> %whole.sum.0, %whole.sum0
  %whole.sum = fadd <4 x double> %whole.sum.1, %whole.sum1
  %next0 = getelementptr i8, ptr %at0, i64 %tile0
  %next1 = getelementptr i8, ptr %at1, i64 %tile1
  %next2 = getelementptr i8, ptr %at2, i64 %tile2
  %less = sub i64 %left, 4
  br label %singles
rest:
  %any = icmp ne i64 %left, 0
  br i1 %any, label %some, label %done
some:
  %rest.tile0 = getelementptr i8, ptr %frame, i64 0
  %rest.sum0.one = call double @gather_some(ptr %at0, i64 %stride0, i64 %left, ptr %rest.tile0, i64 3)
  %rest.sum0 = insertelement <4 x double> <double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000>, double %rest.sum0.one, i32 0
  %rest.tile1 = getelementptr i8, ptr %frame, i64 96
  %rest.sum1.one = call double @gather_some(ptr %at1, i64 %stride1, i64 %left, ptr %rest.tile1, i64 3)
  %rest.sum1 = insertelement <4 x double> <double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000>, double %rest.sum1.one, i32 0
  call void @batch_0(ptr %frame, ptr %frame, ptr %frame, ptr %frame)
  call void @scatter_some(ptr %frame, ptr @columns0, ptr %at2, i64 %stride2, i64 %left, i64 3)
  %rest.sum.0 = fadd <4 x double> <double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000>, %sum
  %rest.sum.1 = fadd <4 x double> %rest.sum.0, %rest.sum0
  %rest.sum = fadd <4 x double> %rest.sum.1, %rest.sum1
  br label %done
done:
  %all = phi <4 x double> [ %sum, %rest ], [ %rest.sum, %some ]
  %nil = fsub <4 x double> %all, %all
  %odd = fcmp uno <4 x double> %nil, <double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000, double 0x0000000000000000>
  %bad = call i1 @llvm.vector.reduce.or.v4i1(<4 x i1> %odd)
  %answer = zext i1 %bad to i32
  ret i32 %answer
}

define void @articulated_one(ptr %args) noinline nounwind {
  %parg0 = getelementptr ptr, ptr %args, i64 0
  %arg0 = load ptr, ptr %parg0, align 8
  %parg1 = getelementptr ptr, ptr %args, i64 1
  %arg1 = load ptr, ptr %parg1, align 8
  %parg2 = getelementptr ptr, ptr %args, i64 2
  %arg2 = load ptr, ptr %parg2, align 8
  %t1 = load double, ptr %arg0, align 8
  %t2 = load double, ptr %arg1, align 8
  %v6 = fmul double %t1, %t2
  %t3 = getelementptr i8, ptr %arg0, i64 8
  %t4 = load double, ptr %t3, align 8
  %t5 = getelementptr i8, ptr %arg1, i64 8
  %t6 = load double, ptr %t5, align 8
  %v7 = call double @llvm.fma.f64(double %t4, double %t6, double %v6)
  %t7 = getelementptr i8, ptr %arg0, i64 16
  %t8 = load double, ptr %t7, align 8
  %t9 = getelementptr i8, ptr %arg1, i64 16
  %t10 = load double, ptr %t9, align 8
  %v8 = call double @llvm.fma.f64(double %t8, double %t10, double %v7)
  store double %v8, ptr %arg2, align 8
  %v10.n = fneg double %t1
  %v10 = call double @llvm.fma.f64(double %v10.n, double %t6, double 0x4000000000000000)
  %t11 = getelementptr i8, ptr %arg2, i64 8
  store double %v10, ptr %t11, align 8
  %v11 = call double @llvm.fma.f64(double %t4, double %t6, double %t8)
  %t12 = fneg double %v11
  %t13 = getelementptr i8, ptr %arg2, i64 16
  store double %t12, ptr %t13, align 8
  ret void
}
