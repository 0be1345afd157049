define internal float @gather_some(ptr %array, i64 %stride, i64 %rows, ptr %tile, i64 %columns) noinline nounwind {
entry:
  %most = sub i64 %rows, 1
  br label %lane
lane:
  %lane.k = phi i64 [ 0, %entry ], [ %lane.next, %column.end ]
  %outside = phi float [ 0.0, %entry ], [ %sum, %column.end ]
  %beyond = icmp ugt i64 %lane.k, %most
  %row = select i1 %beyond, i64 %most, i64 %lane.k
  %step = mul i64 %row, %stride
  %from = getelementptr i8, ptr %array, i64 %step
  %to = getelementptr float, ptr %tile, i64 %lane.k
    br label %column
  column:
    %column.k = phi i64 [ 0, %lane ], [ %column.next, %column ]
    %before = phi float [ %outside, %lane ], [ %sum, %column ]
    %p = getelementptr float, ptr %from, i64 %column.k
    %x = load float, ptr %p, align 4
    %sum = fadd float %before, %x
    %offset = mul i64 %column.k, 32
    %s = getelementptr i8, ptr %to, i64 %offset
    store float %x, ptr %s, align 4
    %column.next = add i64 %column.k, 1
    %column.more = icmp ult i64 %column.next, %columns
    br i1 %column.more, label %column, label %column.end
  column.end:
  %lane.next = add i64 %lane.k, 1
  %lane.more = icmp ult i64 %lane.next, 8
  br i1 %lane.more, label %lane, label %lane.end
lane.end:
  ret float %sum
}

define internal void @scatter_some(ptr %frame, ptr %table, ptr %array, i64 %stride, i64 %rows, i64 %columns) noinline nounwind {
entry:
  br label %lane
lane:
  %lane.k = phi i64 [ 0, %entry ], [ %lane.next, %column.end ]
  %step = mul i64 %lane.k, %stride
  %to = getelementptr i8, ptr %array, i64 %step
  %from = getelementptr float, ptr %frame, i64 %lane.k
    br label %column
  column:
    %column.k = phi i64 [ 0, %lane ], [ %column.next, %column ]
    %e = getelementptr i32, ptr %table, i64 %column.k
    %slot = load i32, ptr %e, align 4
    %wide = zext i32 %slot to i64
    %p = getelementptr i8, ptr %from, i64 %wide
    %x = load float, ptr %p, align 4
    %s = getelementptr float, ptr %to, i64 %column.k
    store float %x, ptr %s, align 4
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

@columns0 = internal unnamed_addr constant [9 x i32] [i32 96, i32 128, i32 160, i32 128, i32 64, i32 192, i32 160, i32 192, i32 64], align 64

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
  %step4 = mul i64 %stride, 4
  %row4 = getelementptr i8, ptr %array, i64 %step4
  %step5 = mul i64 %stride, 5
  %row5 = getelementptr i8, ptr %array, i64 %step5
  %step6 = mul i64 %stride, 6
  %row6 = getelementptr i8, ptr %array, i64 %step6
  %step7 = mul i64 %stride, 7
  %row7 = getelementptr i8, ptr %array, i64 %step7
  %c0.from0 = getelementptr i8, ptr %frame, i64 96
  %c0.column0 = load <8 x float>, ptr %c0.from0, align 32
  %c0.from1 = getelementptr i8, ptr %frame, i64 128
  %c0.column1 = load <8 x float>, ptr %c0.from1, align 32
  %c0.from2 = getelementptr i8, ptr %frame, i64 160
  %c0.column2 = load <8 x float>, ptr %c0.from2, align 32
  %c0.from3 = getelementptr i8, ptr %frame, i64 128
  %c0.column3 = load <8 x float>, ptr %c0.from3, align 32
  %c0.s0.0.0 = shufflevector <8 x float> %c0.column0, <8 x float> %c0.column2, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %c0.s0.0.1 = shufflevector <8 x float> %c0.column0, <8 x float> %c0.column2, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %c0.s0.1.0 = shufflevector <8 x float> %c0.column1, <8 x float> %c0.column3, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %c0.s0.1.1 = shufflevector <8 x float> %c0.column1, <8 x float> %c0.column3, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %c0.s1.0.0 = shufflevector <8 x float> %c0.s0.0.0, <8 x float> %c0.s0.1.0, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %c0.s1.0.1 = shufflevector <8 x float> %c0.s0.0.0, <8 x float> %c0.s0.1.0, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %c0.s1.2.0 = shufflevector <8 x float> %c0.s0.0.1, <8 x float> %c0.s0.1.1, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %c0.s1.2.1 = shufflevector <8 x float> %c0.s0.0.1, <8 x float> %c0.s0.1.1, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %c0.part0 = shufflevector <8 x float> %c0.s1.0.0, <8 x float> undef, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %c0.to0 = getelementptr i8, ptr %row0, i64 0
  store <4 x float> %c0.part0, ptr %c0.to0, align 4
  %c0.part1 = shufflevector <8 x float> %c0.s1.0.1, <8 x float> undef, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %c0.to1 = getelementptr i8, ptr %row1, i64 0
  store <4 x float> %c0.part1, ptr %c0.to1, align 4
  %c0.part2 = shufflevector <8 x float> %c0.s1.2.0, <8 x float> undef, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %c0.to2 = getelementptr i8, ptr %row2, i64 0
  store <4 x float> %c0.part2, ptr %c0.to2, align 4
  %c0.part3 = shufflevector <8 x float> %c0.s1.2.1, <8 x float> undef, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %c0.to3 = getelementptr i8, ptr %row3, i64 0
  store <4 x float> %c0.part3, ptr %c0.to3, align 4
  %c0.part4 = shufflevector <8 x float> %c0.s1.0.0, <8 x float> undef, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %c0.to4 = getelementptr i8, ptr %row4, i64 0
  store <4 x float> %c0.part4, ptr %c0.to4, align 4
  %c0.part5 = shufflevector <8 x float> %c0.s1.0.1, <8 x float> undef, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %c0.to5 = getelementptr i8, ptr %row5, i64 0
  store <4 x float> %c0.part5, ptr %c0.to5, align 4
  %c0.part6 = shufflevector <8 x float> %c0.s1.2.0, <8 x float> undef, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %c0.to6 = getelementptr i8, ptr %row6, i64 0
  store <4 x float> %c0.part6, ptr %c0.to6, align 4
  %c0.part7 = shufflevector <8 x float> %c0.s1.2.1, <8 x float> undef, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %c0.to7 = getelementptr i8, ptr %row7, i64 0
  store <4 x float> %c0.part7, ptr %c0.to7, align 4
  %c4.from0 = getelementptr i8, ptr %frame, i64 64
  %c4.column0 = load <8 x float>, ptr %c4.from0, align 32
  %c4.from1 = getelementptr i8, ptr %frame, i64 192
  %c4.column1 = load <8 x float>, ptr %c4.from1, align 32
  %c4.from2 = getelementptr i8, ptr %frame, i64 160
  %c4.column2 = load <8 x float>, ptr %c4.from2, align 32
  %c4.from3 = getelementptr i8, ptr %frame, i64 192
  %c4.column3 = load <8 x float>, ptr %c4.from3, align 32
  %c4.s0.0.0 = shufflevector <8 x float> %c4.column0, <8 x float> %c4.column2, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %c4.s0.0.1 = shufflevector <8 x float> %c4.column0, <8 x float> %c4.column2, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %c4.s0.1.0 = shufflevector <8 x float> %c4.column1, <8 x float> %c4.column3, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %c4.s0.1.1 = shufflevector <8 x float> %c4.column1, <8 x float> %c4.column3, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %c4.s1.0.0 = shufflevector <8 x float> %c4.s0.0.0, <8 x float> %c4.s0.1.0, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %c4.s1.0.1 = shufflevector <8 x float> %c4.s0.0.0, <8 x float> %c4.s0.1.0, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %c4.s1.2.0 = shufflevector <8 x float> %c4.s0.0.1, <8 x float> %c4.s0.1.1, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %c4.s1.2.1 = shufflevector <8 x float> %c4.s0.0.1, <8 x float> %c4.s0.1.1, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %c4.part0 = shufflevector <8 x float> %c4.s1.0.0, <8 x float> undef, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %c4.to0 = getelementptr i8, ptr %row0, i64 16
  store <4 x float> %c4.part0, ptr %c4.to0, align 4
  %c4.part1 = shufflevector <8 x float> %c4.s1.0.1, <8 x float> undef, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %c4.to1 = getelementptr i8, ptr %row1, i64 16
  store <4 x float> %c4.part1, ptr %c4.to1, align 4
  %c4.part2 = shufflevector <8 x float> %c4.s1.2.0, <8 x float> undef, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %c4.to2 = getelementptr i8, ptr %row2, i64 16
  store <4 x float> %c4.part2, ptr %c4.to2, align 4
  %c4.part3 = shufflevector <8 x float> %c4.s1.2.1, <8 x float> undef, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %c4.to3 = getelementptr i8, ptr %row3, i64 16
  store <4 x float> %c4.part3, ptr %c4.to3, align 4
  %c4.part4 = shufflevector <8 x float> %c4.s1.0.0, <8 x float> undef, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %c4.to4 = getelementptr i8, ptr %row4, i64 16
  store <4 x float> %c4.part4, ptr %c4.to4, align 4
  %c4.part5 = shufflevector <8 x float> %c4.s1.0.1, <8 x float> undef, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %c4.to5 = getelementptr i8, ptr %row5, i64 16
  store <4 x float> %c4.part5, ptr %c4.to5, align 4
  %c4.part6 = shufflevector <8 x float> %c4.s1.2.0, <8 x float> undef, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %c4.to6 = getelementptr i8, ptr %row6, i64 16
  store <4 x float> %c4.part6, ptr %c4.to6, align 4
  %c4.part7 = shufflevector <8 x float> %c4.s1.2.1, <8 x float> undef, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %c4.to7 = getelementptr i8, ptr %row7, i64 16
  store <4 x float> %c4.part7, ptr %c4.to7, align 4
  %c5.from0 = getelementptr i8, ptr %frame, i64 192
  %c5.column0 = load <8 x float>, ptr %c5.from0, align 32
  %c5.from1 = getelementptr i8, ptr %frame, i64 160
  %c5.column1 = load <8 x float>, ptr %c5.from1, align 32
  %c5.from2 = getelementptr i8, ptr %frame, i64 192
  %c5.column2 = load <8 x float>, ptr %c5.from2, align 32
  %c5.from3 = getelementptr i8, ptr %frame, i64 64
  %c5.column3 = load <8 x float>, ptr %c5.from3, align 32
  %c5.s0.0.0 = shufflevector <8 x float> %c5.column0, <8 x float> %c5.column2, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %c5.s0.0.1 = shufflevector <8 x float> %c5.column0, <8 x float> %c5.column2, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %c5.s0.1.0 = shufflevector <8 x float> %c5.column1, <8 x float> %c5.column3, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %c5.s0.1.1 = shufflevector <8 x float> %c5.column1, <8 x float> %c5.column3, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %c5.s1.0.0 = shufflevector <8 x float> %c5.s0.0.0, <8 x float> %c5.s0.1.0, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %c5.s1.0.1 = shufflevector <8 x float> %c5.s0.0.0, <8 x float> %c5.s0.1.0, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %c5.s1.2.0 = shufflevector <8 x float> %c5.s0.0.1, <8 x float> %c5.s0.1.1, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %c5.s1.2.1 = shufflevector <8 x float> %c5.s0.0.1, <8 x float> %c5.s0.1.1, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %c5.part0 = shufflevector <8 x float> %c5.s1.0.0, <8 x float> undef, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %c5.to0 = getelementptr i8, ptr %row0, i64 20
  store <4 x float> %c5.part0, ptr %c5.to0, align 4
  %c5.part1 = shufflevector <8 x float> %c5.s1.0.1, <8 x float> undef, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %c5.to1 = getelementptr i8, ptr %row1, i64 20
  store <4 x float> %c5.part1, ptr %c5.to1, align 4
  %c5.part2 = shufflevector <8 x float> %c5.s1.2.0, <8 x float> undef, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %c5.to2 = getelementptr i8, ptr %row2, i64 20
  store <4 x float> %c5.part2, ptr %c5.to2, align 4
  %c5.part3 = shufflevector <8 x float> %c5.s1.2.1, <8 x float> undef, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %c5.to3 = getelementptr i8, ptr %row3, i64 20
  store <4 x float> %c5.part3, ptr %c5.to3, align 4
  %c5.part4 = shufflevector <8 x float> %c5.s1.0.0, <8 x float> undef, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %c5.to4 = getelementptr i8, ptr %row4, i64 20
  store <4 x float> %c5.part4, ptr %c5.to4, align 4
  %c5.part5 = shufflevector <8 x float> %c5.s1.0.1, <8 x float> undef, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %c5.to5 = getelementptr i8, ptr %row5, i64 20
  store <4 x float> %c5.part5, ptr %c5.to5, align 4
  %c5.part6 = shufflevector <8 x float> %c5.s1.2.0, <8 x float> undef, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %c5.to6 = getelementptr i8, ptr %row6, i64 20
  store <4 x float> %c5.part6, ptr %c5.to6, align 4
  %c5.part7 = shufflevector <8 x float> %c5.s1.2.1, <8 x float> undef, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %c5.to7 = getelementptr i8, ptr %row7, i64 20
  store <4 x float> %c5.part7, ptr %c5.to7, align 4
  ret void
}

define internal void @batch_0(ptr %frame, ptr %frame1, ptr %frame2, ptr %frame3) noinline nounwind "stackrealign" {
  %t1 = getelementptr i8, ptr %frame1, i64 64
  %t2 = load <8 x float>, ptr %t1, align 32
  %v4 = call <8 x float> @llvm.sqrt.v8f32(<8 x float> %t2)
  %t3 = load <8 x float>, ptr %frame2, align 32
  %t4 = getelementptr i8, ptr %frame3, i64 32
  %t5 = load <8 x float>, ptr %t4, align 32
  %v5 = fdiv <8 x float> %t3, %t5
  %v3 = fcmp olt <8 x float> %t3, %t5
  %v6 = select <8 x i1> %v3, <8 x float> %v4, <8 x float> %v5
  %t6 = getelementptr i8, ptr %frame, i64 128
  store <8 x float> %v6, ptr %t6, align 32
  %t7 = fneg <8 x float> %v6
  %t8 = getelementptr i8, ptr %frame, i64 192
  store <8 x float> %t7, ptr %t8, align 32
  ret void
}

define i32 @articulated_batch(i64 %n, ptr %args, ptr %strides) nounwind "no-stack-arg-probe" "stackrealign" {
entry:
  %frame = alloca [224 x i8], align 32
  %parg0 = getelementptr ptr, ptr %args, i64 0
  %arg0 = load ptr, ptr %parg0, align 8
  %parg1 = getelementptr ptr, ptr %args, i64 1
  %arg1 = load ptr, ptr %parg1, align 8
  %pstride0 = getelementptr i64, ptr %strides, i64 0
  %stride0 = load i64, ptr %pstride0, align 8
  %tile0 = mul i64 %stride0, 8
  %pstride1 = getelementptr i64, ptr %strides, i64 1
  %stride1 = load i64, ptr %pstride1, align 8
  %tile1 = mul i64 %stride1, 8
  %k0 = getelementptr i8, ptr %frame, i64 96
  store <8 x float> <float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000, float 0x3FF0000000000000>, ptr %k0, align 32
  %k2 = getelementptr i8, ptr %frame, i64 160
  store <8 x float> <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>, ptr %k2, align 32
  br label %singles
singles:
  %left = phi i64 [ %n, %entry ], [ %less, %whole ]
  %sum = phi <8 x float> [ <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>, %entry ], [ %whole.sum, %whole ]
  %at0 = phi ptr [ %arg0, %entry ], [ %next0, %whole ]
  %at1 = phi ptr [ %arg1, %entry ], [ %next1, %whole ]
  %full = icmp uge i64 %left, 8
  br i1 %full, label %whole, label %rest
whole:
  %whole.tile0 = getelementptr i8, ptr %frame, i64 0
  %whole.sum0.one = call float @gather_some(ptr %at0, i64 %stride0, i64 8, ptr %whole.tile0, i64 3)
  %whole.sum0 = insertelement <8 x float> <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>, float %whole.sum0.one, i32 0
  call void @batch_0(ptr %frame, ptr %frame, ptr %frame, ptr %frame)
  call void @scatter0(ptr %frame, ptr %at1, i64 %stride1)
  %whole.sum.0 = fadd <8 x float> <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>, %sum
  %whole.sum = fadd <8 x float> %whole.sum.0, %whole.sum0
  %next0 = getelementptr i8, ptr %at0, i64 %tile0
  %next1 = getelementptr i8, ptr %at1, i64 %tile1
  %less = sub i64 %left, 8
  br label %singles
rest:
  %any = icmp ne i64 %left, 0
  br i1 %any, label %some, label %done
some:
  %rest.tile0 = getelementptr i8, ptr %frame, i64 0
  %rest.sum0.one = call float @gather_some(ptr %at0, i64 %stride0, i64 %left, ptr %rest.tile0, i64 3)
  %rest.sum0 = insertelement <8 x float> <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>, float %rest.sum0.one, i32 0
  call void @batch_0(ptr %frame, ptr %frame, ptr %frame, ptr %frame)
  call void @scatter_some(ptr %frame, ptr @columns0, ptr %at1, i64 %stride1, i64 %left, i64 9)
  %rest.sum.0 = fadd <8 x float> <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>, %sum
  %rest.sum = fadd <8 x float> %rest.sum.0, %rest.sum0
  br label %done
done:
  %all = phi <8 x float> [ %sum, %rest ], [ %rest.sum, %some ]
  %nil = fsub <8 x float> %all, %all
  %odd = fcmp uno <8 x float> %nil, <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>
  %bad = call i1 @llvm.vector.reduce.or.v8i1(<8 x i1> %odd)
  %answer = zext i1 %bad to i32
  ret i32 %answer
}

define void @articulated_one(ptr %args) noinline nounwind {
  %parg0 = getelementptr ptr, ptr %args, i64 0
  %arg0 = load ptr, ptr %parg0, align 8
  %parg1 = getelementptr ptr, ptr %args, i64 1
  %arg1 = load ptr, ptr %parg1, align 8
  %k0 = getelementptr i8, ptr %arg1, i64 0
  store float 0x3FF0000000000000, ptr %k0, align 4
  %k2 = getelementptr i8, ptr %arg1, i64 8
  store float 0x0000000000000000, ptr %k2, align 4
  %k4 = getelementptr i8, ptr %arg1, i64 24
  store float 0x0000000000000000, ptr %k4, align 4
  %t1 = getelementptr i8, ptr %arg0, i64 8
  %t2 = load float, ptr %t1, align 4
  %v4 = call float @llvm.sqrt.f32(float %t2)
  %t3 = load float, ptr %arg0, align 4
  %t4 = getelementptr i8, ptr %arg0, i64 4
  %t5 = load float, ptr %t4, align 4
  %v5 = fdiv float %t3, %t5
  %v3 = fcmp olt float %t3, %t5
  %v6 = select i1 %v3, float %v4, float %v5
  %t6 = getelementptr i8, ptr %arg1, i64 4
  store float %v6, ptr %t6, align 4
  %t7 = getelementptr i8, ptr %arg1, i64 12
  store float %v6, ptr %t7, align 4
  %t8 = fneg float %v6
  %t9 = getelementptr i8, ptr %arg1, i64 20
  store float %t8, ptr %t9, align 4
  %t10 = fneg float %v6
  %t11 = getelementptr i8, ptr %arg1, i64 28
  store float %t10, ptr %t11, align 4
  %t12 = getelementptr i8, ptr %arg1, i64 16
  store float %t2, ptr %t12, align 4
  %t13 = getelementptr i8, ptr %arg1, i64 32
  store float %t2, ptr %t13, align 4
  ret void
}
