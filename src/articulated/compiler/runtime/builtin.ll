; The builtin function in front of a kernel: NumPy arrays in, NumPy arrays out, no Python between.
;
; One module serves every kernel.  What differs (addresses, sizes, shapes) is a context, the `self`
; of the builtin; `call.py` packs it and says what its fields are.  Anything out of the ordinary
; (another type, dtype or stride, a size that does not fit, a number that is not finite) goes to the
; fallback, a Python function that takes the same arguments, does everything, says what is wrong.
;
; Two abbreviations, expanded by call.py: `%x = field TYPE %pointer NAME` loads from a known offset,
; and <name> is a known number.

define ptr @articulated_call(ptr %self, ptr %args, i64 %nargs, ptr %names) {
entry:
  %ctx = getelementptr i8, ptr %self, i64 <payload>
  %plain = icmp eq ptr %names, null
  br i1 %plain, label %go, label %keywords
keywords:                                        ; out= is the only one known here
  %count = field i64 %names tuple_size
  %single = icmp eq i64 %count, 1
  br i1 %single, label %keyword, label %slow
keyword:
  %name = field ptr %names tuple_items
  %out_name = field ptr %ctx out_name
  %is_out = icmp eq ptr %name, %out_name
  %last = getelementptr ptr, ptr %args, i64 %nargs
  br i1 %is_out, label %given, label %slow
given:
  %value = load ptr, ptr %last
  br label %go
go:
  %out = phi ptr [ null, %entry ], [ %value, %given ]
  %found = call ptr @run(ptr %ctx, ptr %args, i64 %nargs, ptr %out)
  %refused = icmp eq ptr %found, inttoptr (i64 1 to ptr)
  br i1 %refused, label %slow, label %done
slow:
  %fallback = field ptr %ctx fallback
  %call = field ptr %ctx vectorcall
  %answer = call ptr %call(ptr %fallback, ptr %args, i64 %nargs, ptr %names)
  ret ptr %answer
done:
  ret ptr %found
}

; the same for a method whose last argument names a frame: a table has a context for each frame met before
define ptr @articulated_call_at(ptr %self, ptr %args, i64 %nargs, ptr %names) {
entry:
  %ctx = getelementptr i8, ptr %self, i64 <payload>
  %inputs = field i64 %ctx inputs
  %plain = icmp eq ptr %names, null
  br i1 %plain, label %positional, label %keywords
positional:
  %expected = add i64 %inputs, 1
  %complete = icmp eq i64 %nargs, %expected
  br i1 %complete, label %look, label %slow
keywords:                                        ; frame= and out=, in this order or alone
  %count = field i64 %names tuple_size
  %first = field ptr %names tuple_items
  %frame_name = field ptr %ctx frame_name
  %by_name = icmp eq ptr %first, %frame_name
  %step = zext i1 %by_name to i64
  %frame_at = sub i64 %nargs, 1
  %at = select i1 %by_name, i64 %nargs, i64 %frame_at
  %arrays_given = icmp eq i64 %at, %inputs
  %rest = sub i64 %count, %step
  %none = icmp eq i64 %rest, 0
  %ready = and i1 %arrays_given, %none
  br i1 %ready, label %look, label %with_out
with_out:
  %one_more = icmp eq i64 %rest, 1
  %fits = and i1 %arrays_given, %one_more
  br i1 %fits, label %name_out, label %slow
name_out:
  %items = getelementptr i8, ptr %names, i64 <tuple_items>
  %second_at = getelementptr ptr, ptr %items, i64 %step
  %second = load ptr, ptr %second_at
  %out_name = field ptr %ctx out_name
  %is_out = icmp eq ptr %second, %out_name
  %out_index = add i64 %nargs, %step
  %out_at = getelementptr ptr, ptr %args, i64 %out_index
  br i1 %is_out, label %take_out, label %slow
take_out:
  %given = load ptr, ptr %out_at
  br label %look
look:
  %out = phi ptr [ null, %positional ], [ null, %keywords ], [ %given, %take_out ]
  %frame_slot = getelementptr ptr, ptr %args, i64 %inputs
  %frame = load ptr, ptr %frame_slot
  %kind = field ptr %frame type
  %str = field ptr %ctx str_type
  %is_str = icmp eq ptr %kind, %str
  br i1 %is_str, label %find, label %slow
find:
  %table = field ptr %ctx table
  %dict_item = field ptr %ctx dict_item
  %entry_found = call ptr %dict_item(ptr %table, ptr %frame)
  %unknown = icmp eq ptr %entry_found, null
  br i1 %unknown, label %slow, label %go
go:
  %own = getelementptr i8, ptr %entry_found, i64 <payload>
  %found = call ptr @run(ptr %own, ptr %args, i64 %inputs, ptr %out)
  %refused = icmp eq ptr %found, inttoptr (i64 1 to ptr)
  br i1 %refused, label %slow, label %done
slow:
  %fallback = field ptr %ctx fallback
  %call = field ptr %ctx vectorcall
  %answer = call ptr %call(ptr %fallback, ptr %args, i64 %nargs, ptr %names)
  ret ptr %answer
done:
  ret ptr %found
}

; the result, null with an exception set, or 1 to hand over to the fallback
define internal ptr @run(ptr %ctx, ptr %args, i64 %given, ptr %out) {
entry:
  %pointers = alloca [<arrays> x ptr]
  %strides = alloca [<arrays> x i64]
  %results = alloca [<arrays> x ptr]
  %inputs = field i64 %ctx inputs
  %outputs = field i64 %ctx outputs
  %enough = icmp eq i64 %given, %inputs
  br i1 %enough, label %check, label %refuse

check:
  %states = call i64 @check_inputs(ptr %ctx, ptr %args, ptr %pointers, ptr %strides)
  %known = icmp sge i64 %states, -1
  %most = field i64 %ctx most
  %small = icmp sle i64 %states, %most
  %go = and i1 %known, %small
  %empty = icmp eq i64 %states, 0
  %nonempty = xor i1 %empty, true
  %proceed = and i1 %go, %nonempty
  br i1 %proceed, label %prepare, label %refuse

prepare:                                         ; is the form for one state, or for a batch, compiled?
  %single = icmp eq i64 %states, -1
  %form = select i1 %single, i64 0, i64 1
  %entries = field ptr %ctx entries
  %function_at = getelementptr ptr, ptr %entries, i64 %form
  %function = load ptr, ptr %function_at
  %missing = icmp eq ptr %function, null
  br i1 %missing, label %refuse, label %target
target:
  %none_given = icmp eq ptr %out, null
  br i1 %none_given, label %look, label %use
use:
  %fits = call i1 @take_outputs(ptr %ctx, ptr %out, i64 %states, ptr %pointers, ptr %strides, ptr %results)
  br i1 %fits, label %compute, label %refuse
look:
  %recycled = call ptr @recycled(ptr %ctx, i64 %states, ptr %pointers, ptr %strides, ptr %results)
  %none_left = icmp eq ptr %recycled, null
  br i1 %none_left, label %new, label %compute
new:
  %made = call i1 @new_outputs(ptr %ctx, i64 %states, ptr %pointers, ptr %strides, ptr %results)
  br i1 %made, label %compute, label %failed

compute:
  %taken = phi ptr [ %out, %use ], [ %recycled, %look ], [ null, %new ]
  %allocate = icmp eq ptr %taken, null
  br i1 %single, label %one_state, label %batch
one_state:
  %bad_one = call i1 @spoiled(ptr %ctx, ptr %pointers)
  br i1 %bad_one, label %drop, label %evaluate
evaluate:
  call void %function(ptr %pointers)
  br label %finish
batch:
  %large = icmp sge i64 %states, <unlocked>
  %crew = field ptr %ctx crew
  %helped = icmp ne ptr %crew, null               ; by threads that need the lock to wake up
  %worth = or i1 %large, %helped
  br i1 %worth, label %unlocked, label %locked
locked:
  %bad_small = call i1 @sweep(ptr %ctx, ptr %function, i64 %states, ptr %pointers, ptr %strides)
  br i1 %bad_small, label %drop, label %finish
unlocked:
  %release = field ptr %ctx release
  %restore = field ptr %ctx restore
  %thread = call ptr %release()
  %bad_large = call i1 @sweep(ptr %ctx, ptr %function, i64 %states, ptr %pointers, ptr %strides)
  call void %restore(ptr %thread)
  br i1 %bad_large, label %drop, label %finish

drop:                                            ; a number that is not finite: the fallback knows what to do
  br i1 %allocate, label %drop_new, label %refuse
drop_new:
  call void @forget(ptr %ctx, i64 %outputs, ptr %results)
  br label %refuse

finish:
  %result = field ptr %ctx result
  %alone = icmp eq ptr %result, null
  br i1 %allocate, label %wrap, label %into
into:
  br i1 %alone, label %same, label %given_type
given_type:
  %taken_type = field ptr %taken type
  %is_result = icmp eq ptr %taken_type, %result
  br i1 %is_result, label %same, label %members
same:
  %incref = field ptr %ctx incref
  call void %incref(ptr %taken)
  ret ptr %taken
members:                                         ; a list or tuple of arrays: they go into a new result
  call void @remember(ptr %ctx, i64 %outputs, ptr %results)
  br label %tuple
wrap:
  br i1 %single, label %wrap_scalars, label %wrap_arrays
wrap_scalars:
  call void @scalars(ptr %ctx, i64 %outputs, ptr %results)
  br label %wrap_arrays
wrap_arrays:
  br i1 %alone, label %first, label %tuple
first:
  %only = load ptr, ptr %results
  call void @keep(ptr %ctx, i64 %states, ptr %only)
  ret ptr %only
tuple:
  %new_tuple = field ptr %ctx new_tuple
  %collection = call ptr %new_tuple(ptr %result, i64 %outputs)
  %exhausted = icmp eq ptr %collection, null
  br i1 %exhausted, label %lost, label %fill
fill:
  %items = getelementptr i8, ptr %collection, i64 <tuple_items>
  call void @copy(ptr %items, ptr %results, i64 %outputs)
  br i1 %allocate, label %fresh, label %filled
fresh:
  call void @keep(ptr %ctx, i64 %states, ptr %collection)
  br label %filled
filled:
  ret ptr %collection
lost:
  call void @forget(ptr %ctx, i64 %outputs, ptr %results)
  ret ptr null
failed:
  ret ptr null
refuse:
  ret ptr inttoptr (i64 1 to ptr)
}

; number of states, -1 if there is no batch axis, -2 if an input is not what the kernel takes
define internal i64 @check_inputs(ptr %ctx, ptr %args, ptr %pointers, ptr %strides) {
entry:
  %inputs = field i64 %ctx inputs
  %array_type = field ptr %ctx array_type
  %descr = field ptr %ctx descr
  %item = field i64 %ctx item
  %sizes = getelementptr i8, ptr %ctx, i64 <sizes>
  br label %next
next:
  %i = phi i64 [ 0, %entry ], [ %i1, %accept ]
  %states = phi i64 [ -1, %entry ], [ %states1, %accept ]
  %x_at = getelementptr ptr, ptr %args, i64 %i
  %x = load ptr, ptr %x_at
  %x_type = field ptr %x type
  %is_array = icmp eq ptr %x_type, %array_type
  br i1 %is_array, label %array, label %refuse
array:
  %x_descr = field ptr %x dtype
  %same_descr = icmp eq ptr %x_descr, %descr
  %flags = field i32 %x flags
  %aligned_bit = and i32 %flags, <aligned>
  %aligned = icmp ne i32 %aligned_bit, 0
  %contiguous_bit = and i32 %flags, <contiguous>
  %contiguous = icmp ne i32 %contiguous_bit, 0
  %usable = and i1 %same_descr, %aligned
  %data = field ptr %x data
  %nd = field i32 %x nd
  %dims = field ptr %x dims
  %size_at = getelementptr i64, ptr %sizes, i64 %i
  %size = load i64, ptr %size_at
  %row = mul i64 %size, %item
  %pointer_at = getelementptr ptr, ptr %pointers, i64 %i
  store ptr %data, ptr %pointer_at
  br i1 %usable, label %axes, label %refuse
axes:
  switch i32 %nd, label %refuse [ i32 1, label %vector
                                  i32 2, label %matrix ]
vector:
  %length = load i64, ptr %dims
  %right = icmp eq i64 %length, %size
  %good = and i1 %right, %contiguous
  br i1 %good, label %accept, label %refuse
matrix:
  %rows = load i64, ptr %dims
  %columns_at = getelementptr i64, ptr %dims, i64 1
  %columns = load i64, ptr %columns_at
  %first = icmp eq i64 %states, -1
  %agree = icmp eq i64 %states, %rows
  %batch = or i1 %first, %agree
  %fits = icmp eq i64 %columns, %size
  %both = and i1 %batch, %fits
  br i1 %both, label %spacing, label %refuse
spacing:
  br i1 %contiguous, label %accept, label %spread
spread:                                          ; rows may be anywhere, each must be contiguous
  %x_strides = field ptr %x strides
  %inner_at = getelementptr i64, ptr %x_strides, i64 1
  %inner = load i64, ptr %inner_at
  %outer = load i64, ptr %x_strides
  %dense = icmp eq i64 %inner, %item
  br i1 %dense, label %accept, label %refuse
accept:
  %stride = phi i64 [ 0, %vector ], [ %row, %spacing ], [ %outer, %spread ]
  %states1 = phi i64 [ %states, %vector ], [ %rows, %spacing ], [ %rows, %spread ]
  %stride_at = getelementptr i64, ptr %strides, i64 %i
  store i64 %stride, ptr %stride_at
  %i1 = add i64 %i, 1
  %done = icmp eq i64 %i1, %inputs
  br i1 %done, label %end, label %next
end:
  ret i64 %states1
refuse:
  ret i64 -2
}

; -- outputs ---------------------------------------------------------------------------------------

; one new array per output; on failure none is left and an exception is set
define internal i1 @new_outputs(ptr %ctx, i64 %states, ptr %pointers, ptr %strides, ptr %results) {
entry:
  %batch_dims = alloca [<dimensions_batch> x i64]
  %inputs = field i64 %ctx inputs
  %outputs = field i64 %ctx outputs
  %records = field i64 %ctx records
  %item = field i64 %ctx item
  %array_type = field ptr %ctx array_type
  %descr = field ptr %ctx descr
  %new_array = field ptr %ctx new_array
  %incref = field ptr %ctx incref
  %single = icmp eq i64 %states, -1
  store i64 %states, ptr %batch_dims
  %inner_dims = getelementptr i64, ptr %batch_dims, i64 1
  %all = getelementptr i8, ptr %ctx, i64 %records
  br label %next
next:
  %k = phi i64 [ 0, %entry ], [ %k1, %keep ]
  %offset = mul i64 %k, <record>
  %record = getelementptr i8, ptr %all, i64 %offset
  %ndim = field i64 %record ndim
  %count = field i64 %record count
  %dims = getelementptr i8, ptr %record, i64 <dim0>
  br i1 %single, label %allocate, label %widen
widen:
  call void @copy(ptr %inner_dims, ptr %dims, i64 %ndim)
  %more = add i64 %ndim, 1
  br label %allocate
allocate:
  %shape = phi ptr [ %dims, %next ], [ %batch_dims, %widen ]
  %axes = phi i64 [ %ndim, %next ], [ %more, %widen ]
  %nd = trunc i64 %axes to i32
  call void %incref(ptr %descr)                  ; new_array takes it over
  %array = call ptr %new_array(ptr %array_type, ptr %descr, i32 %nd, ptr %shape, ptr null, ptr null, i32 0, ptr null)
  %failed = icmp eq ptr %array, null
  br i1 %failed, label %undo, label %keep
keep:
  %result_at = getelementptr ptr, ptr %results, i64 %k
  store ptr %array, ptr %result_at
  %data = field ptr %array data
  %index = add i64 %inputs, %k
  %pointer_at = getelementptr ptr, ptr %pointers, i64 %index
  store ptr %data, ptr %pointer_at
  %row = mul i64 %count, %item
  %stride_at = getelementptr i64, ptr %strides, i64 %index
  store i64 %row, ptr %stride_at
  %k1 = add i64 %k, 1
  %done = icmp eq i64 %k1, %outputs
  br i1 %done, label %end, label %next
end:
  ret i1 true
undo:
  call void @forget(ptr %ctx, i64 %k, ptr %results)
  ret i1 false
}

; the arrays of out=; false if they are not exactly what new ones would be, or overlap an input
define internal i1 @take_outputs(ptr %ctx, ptr %out, i64 %states, ptr %pointers, ptr %strides, ptr %results) {
entry:
  %inputs = field i64 %ctx inputs
  %outputs = field i64 %ctx outputs
  %records = field i64 %ctx records
  %item = field i64 %ctx item
  %array_type = field ptr %ctx array_type
  %descr = field ptr %ctx descr
  %result = field ptr %ctx result
  %single = icmp eq i64 %states, -1
  %copies = select i1 %single, i64 1, i64 %states
  %lead = select i1 %single, i64 0, i64 1
  %all = getelementptr i8, ptr %ctx, i64 %records
  %alone = icmp eq ptr %result, null
  br i1 %alone, label %next, label %collection
collection:                                      ; the result of another call, or any tuple or list of as many
  %out_type = field ptr %out type
  %in_tuple = getelementptr i8, ptr %out, i64 <tuple_items>
  %is_result = icmp eq ptr %out_type, %result
  br i1 %is_result, label %next, label %plain
plain:
  %tuple_type = field ptr %ctx tuple_type
  %list_type = field ptr %ctx list_type
  %is_tuple = icmp eq ptr %out_type, %tuple_type
  %is_list = icmp eq ptr %out_type, %list_type
  %either = or i1 %is_tuple, %is_list
  br i1 %either, label %count_items, label %refuse
count_items:
  %size = field i64 %out tuple_size
  %complete = icmp eq i64 %size, %outputs
  br i1 %complete, label %find_items, label %refuse
find_items:
  %in_list = field ptr %out list_items
  %items = select i1 %is_tuple, ptr %in_tuple, ptr %in_list
  br label %next
next:
  %k = phi i64 [ 0, %entry ], [ 0, %collection ], [ 0, %find_items ], [ %k1, %keep ]
  %members = phi ptr [ null, %entry ], [ %in_tuple, %collection ], [ %items, %find_items ], [ %members, %keep ]
  %member_at = getelementptr ptr, ptr %members, i64 %k
  br i1 %alone, label %look, label %member
member:
  %item_k = load ptr, ptr %member_at
  br label %look
look:
  %x = phi ptr [ %out, %next ], [ %item_k, %member ]
  %x_type = field ptr %x type
  %is_array = icmp eq ptr %x_type, %array_type
  br i1 %is_array, label %array, label %refuse
array:
  %x_descr = field ptr %x dtype
  %same_descr = icmp eq ptr %x_descr, %descr
  %flags = field i32 %x flags
  %bits = and i32 %flags, <writeable_contiguous>
  %simple = icmp eq i32 %bits, <writeable_contiguous>
  %nd32 = field i32 %x nd
  %nd = sext i32 %nd32 to i64
  %offset = mul i64 %k, <record>
  %record = getelementptr i8, ptr %all, i64 %offset
  %ndim = field i64 %record ndim
  %count = field i64 %record count
  %axes = add i64 %ndim, %lead
  %same_axes = icmp eq i64 %nd, %axes
  %two = and i1 %same_descr, %simple
  %three = and i1 %two, %same_axes
  br i1 %three, label %shape, label %refuse
shape:
  %dims = getelementptr i8, ptr %record, i64 <dim0>
  %x_dims = field ptr %x dims
  br i1 %single, label %inner, label %outer
outer:
  %rows = load i64, ptr %x_dims
  %same_rows = icmp eq i64 %rows, %states
  br i1 %same_rows, label %inner, label %refuse
inner:
  %own_dims = getelementptr i64, ptr %x_dims, i64 %lead
  %same_shape = call i1 @equal(ptr %own_dims, ptr %dims, i64 %ndim)
  br i1 %same_shape, label %apart, label %refuse
apart:
  %data = field ptr %x data
  %row = mul i64 %count, %item
  %bytes = mul i64 %row, %copies
  %overlap = call i1 @overlaps(ptr %ctx, i64 %copies, ptr %pointers, ptr %strides, ptr %data, i64 %bytes)
  br i1 %overlap, label %refuse, label %keep
keep:
  %result_at = getelementptr ptr, ptr %results, i64 %k
  store ptr %x, ptr %result_at
  %index = add i64 %inputs, %k
  %pointer_at = getelementptr ptr, ptr %pointers, i64 %index
  store ptr %data, ptr %pointer_at
  %stride_at = getelementptr i64, ptr %strides, i64 %index
  store i64 %row, ptr %stride_at
  %k1 = add i64 %k, 1
  %done = icmp eq i64 %k1, %outputs
  br i1 %done, label %end, label %next
end:
  ret i1 true
refuse:
  ret i1 false
}

; A single state's result of an earlier call that only we still hold, to be filled again; null if there is none.
; Two are kept: in `x = f(q)` the last one is still in use when the next is computed.
define internal ptr @recycled(ptr %ctx, i64 %states, ptr %pointers, ptr %strides, ptr %results) {
entry:
  %ring = field ptr %ctx ring
  %there = icmp ne ptr %ring, null
  %single = icmp eq i64 %states, -1
  %possible = and i1 %there, %single
  br i1 %possible, label %begin, label %none
begin:
  %items = field ptr %ring list_items
  br label %next
next:
  %k = phi i64 [ 0, %begin ], [ %k1, %busy ]
  %x_at = getelementptr ptr, ptr %items, i64 %k
  %x = load ptr, ptr %x_at
  %free = call i1 @unshared(ptr %ctx, ptr %x)
  br i1 %free, label %try, label %busy
try:                                             ; it may have been given another shape, or been made read-only
  %fits = call i1 @take_outputs(ptr %ctx, ptr %x, i64 -1, ptr %pointers, ptr %strides, ptr %results)
  br i1 %fits, label %found, label %busy
busy:
  %k1 = add i64 %k, 1
  %more = icmp slt i64 %k1, <ring_size>
  br i1 %more, label %next, label %none
found:
  ret ptr %x
none:
  ret ptr null
}

; whether nobody but the ring holds this result, nor anybody but the result its arrays, not even weakly
define internal i1 @unshared(ptr %ctx, ptr %x) {
entry:
  %count = field i32 %x refcount
  %own = icmp eq i32 %count, 1
  br i1 %own, label %look, label %no
look:
  %outputs = field i64 %ctx outputs
  %result = field ptr %ctx result
  %members = getelementptr i8, ptr %x, i64 <tuple_items>
  %alone = icmp eq ptr %result, null
  br label %next
next:
  %k = phi i64 [ 0, %look ], [ %k1, %good ]
  br i1 %alone, label %check, label %member
member:
  %member_at = getelementptr ptr, ptr %members, i64 %k
  %item_k = load ptr, ptr %member_at
  br label %check
check:
  %array = phi ptr [ %x, %next ], [ %item_k, %member ]
  %references = field i32 %array refcount
  %single = icmp eq i32 %references, 1
  %weak = field ptr %array weakrefs
  %unseen = icmp eq ptr %weak, null
  %free = and i1 %single, %unseen
  br i1 %free, label %good, label %no
good:
  %k1 = add i64 %k, 1
  %done = icmp eq i64 %k1, %outputs
  br i1 %done, label %yes, label %next
yes:
  ret i1 true
no:
  ret i1 false
}

; a new result of a single state goes into the ring, in place of the older one there
define internal void @keep(ptr %ctx, i64 %states, ptr %x) {
entry:
  %ring = field ptr %ctx ring
  %there = icmp ne ptr %ring, null
  %single = icmp eq i64 %states, -1
  %possible = and i1 %there, %single
  br i1 %possible, label %exchange, label %end
exchange:
  %incref = field ptr %ctx incref
  %decref = field ptr %ctx decref
  %items = field ptr %ring list_items
  %newer_at = getelementptr ptr, ptr %items, i64 1
  %older = load ptr, ptr %items
  %newer = load ptr, ptr %newer_at
  call void %incref(ptr %x)
  store ptr %newer, ptr %items
  store ptr %x, ptr %newer_at
  call void %decref(ptr %older)                  ; last: it may run whatever a weak reference is to call
  br label %end
end:
  ret void
}

; whether any input reaches into the given bytes
define internal i1 @overlaps(ptr %ctx, i64 %states, ptr %pointers, ptr %strides, ptr %data, i64 %bytes) {
entry:
  %inputs = field i64 %ctx inputs
  %item = field i64 %ctx item
  %sizes = getelementptr i8, ptr %ctx, i64 <sizes>
  %begin = ptrtoint ptr %data to i64
  %end = add i64 %begin, %bytes
  %steps = sub i64 %states, 1
  br label %next
next:
  %i = phi i64 [ 0, %entry ], [ %i1, %apart ]
  %pointer_at = getelementptr i64, ptr %pointers, i64 %i
  %first = load i64, ptr %pointer_at
  %stride_at = getelementptr i64, ptr %strides, i64 %i
  %stride = load i64, ptr %stride_at
  %size_at = getelementptr i64, ptr %sizes, i64 %i
  %size = load i64, ptr %size_at
  %reach = mul i64 %stride, %steps
  %last = add i64 %first, %reach
  %backwards = icmp slt i64 %stride, 0
  %low = select i1 %backwards, i64 %last, i64 %first
  %high = select i1 %backwards, i64 %first, i64 %last
  %row = mul i64 %size, %item
  %stop = add i64 %high, %row
  %before = icmp ule i64 %stop, %begin
  %after = icmp uge i64 %low, %end
  %separate = or i1 %before, %after
  br i1 %separate, label %apart, label %yes
apart:
  %i1 = add i64 %i, 1
  %done = icmp eq i64 %i1, %inputs
  br i1 %done, label %no, label %next
yes:
  ret i1 true
no:
  ret i1 false
}

; results without axes become NumPy scalars, as ufuncs do
define internal void @scalars(ptr %ctx, i64 %outputs, ptr %results) {
entry:
  %records = field i64 %ctx records
  %as_scalar = field ptr %ctx as_scalar
  %all = getelementptr i8, ptr %ctx, i64 %records
  br label %next
next:
  %k = phi i64 [ 0, %entry ], [ %k1, %after ]
  %offset = mul i64 %k, <record>
  %record = getelementptr i8, ptr %all, i64 %offset
  %ndim = field i64 %record ndim
  %scalar = icmp eq i64 %ndim, 0
  br i1 %scalar, label %convert, label %after
convert:
  %result_at = getelementptr ptr, ptr %results, i64 %k
  %array = load ptr, ptr %result_at
  %number = call ptr %as_scalar(ptr %array)
  store ptr %number, ptr %result_at
  br label %after
after:
  %k1 = add i64 %k, 1
  %done = icmp eq i64 %k1, %outputs
  br i1 %done, label %end, label %next
end:
  ret void
}

define internal void @forget(ptr %ctx, i64 %count, ptr %results) {
entry:
  %decref = field ptr %ctx decref
  br label %test
test:
  %k = phi i64 [ 0, %entry ], [ %k1, %next ]
  %done = icmp eq i64 %k, %count
  br i1 %done, label %end, label %next
next:
  %result_at = getelementptr ptr, ptr %results, i64 %k
  %object = load ptr, ptr %result_at
  call void %decref(ptr %object)
  %k1 = add i64 %k, 1
  br label %test
end:
  ret void
}

define internal void @remember(ptr %ctx, i64 %count, ptr %results) {
entry:
  %incref = field ptr %ctx incref
  br label %test
test:
  %k = phi i64 [ 0, %entry ], [ %k1, %next ]
  %done = icmp eq i64 %k, %count
  br i1 %done, label %end, label %next
next:
  %result_at = getelementptr ptr, ptr %results, i64 %k
  %object = load ptr, ptr %result_at
  call void %incref(ptr %object)
  %k1 = add i64 %k, 1
  br label %test
end:
  ret void
}

define internal void @copy(ptr %to, ptr %from, i64 %count) {
entry:
  br label %test
test:
  %k = phi i64 [ 0, %entry ], [ %k1, %next ]
  %done = icmp eq i64 %k, %count
  br i1 %done, label %end, label %next
next:
  %source = getelementptr i64, ptr %from, i64 %k
  %target = getelementptr i64, ptr %to, i64 %k
  %word = load i64, ptr %source
  store volatile i64 %word, ptr %target          ; volatile: or LLVM makes it a call of memcpy
  %k1 = add i64 %k, 1
  br label %test
end:
  ret void
}

define internal i1 @equal(ptr %a, ptr %b, i64 %count) {
entry:
  br label %test
test:
  %k = phi i64 [ 0, %entry ], [ %k1, %same ]
  %done = icmp eq i64 %k, %count
  br i1 %done, label %yes, label %next
next:
  %a_at = getelementptr i64, ptr %a, i64 %k
  %b_at = getelementptr i64, ptr %b, i64 %k
  %x = load i64, ptr %a_at
  %y = load i64, ptr %b_at
  %alike = icmp eq i64 %x, %y
  br i1 %alike, label %same, label %no
same:
  %k1 = add i64 %k, 1
  br label %test
yes:
  ret i1 true
no:
  ret i1 false
}

; -- the numbers -----------------------------------------------------------------------------------

; the kernel over a batch, with the helpers of the crew if the context has one; true if a number is not finite
define internal i1 @sweep(ptr %ctx, ptr %function, i64 %states, ptr %pointers, ptr %strides) {
entry:
  %crew = field ptr %ctx crew
  %alone = icmp eq ptr %crew, null
  br i1 %alone, label %all, label %together
all:
  %bad_all = call i1 @stretch(ptr %ctx, ptr %function, i64 0, i64 %states, ptr %pointers, ptr %strides)
  ret i1 %bad_all
together:
  %helpers = field i64 %crew crew_helpers
  %step_aside = field ptr %crew crew_step_aside
  %desks = getelementptr i8, ptr %crew, i64 <crew_desks>
  br label %post
post:
  %k = phi i64 [ 0, %together ], [ %k1, %posted ]
  %some = icmp ult i64 %k, %helpers
  br i1 %some, label %posted, label %work
posted:
  %away = mul i64 %k, <desk_bytes>
  %desk = getelementptr i8, ptr %desks, i64 %away
  call void @put(ptr %desk, i64 <desk_ctx>, ptr %ctx)
  call void @put(ptr %desk, i64 <desk_function>, ptr %function)
  call void @put(ptr %desk, i64 <desk_pointers>, ptr %pointers)
  call void @put(ptr %desk, i64 <desk_strides>, ptr %strides)
  %states_at = getelementptr i8, ptr %desk, i64 <desk_states>
  store i64 %states, ptr %states_at
  %state_at = getelementptr i8, ptr %desk, i64 <desk_state>
  store atomic i64 <posted>, ptr %state_at release, align 8
  %k1 = add i64 %k, 1
  br label %post
work:
  %mine = call i1 @shares(ptr %ctx, ptr %function, i64 %states, ptr %pointers, ptr %strides)
  br label %collect
collect:
  %c = phi i64 [ 0, %work ], [ %c1, %next ]
  %bad = phi i1 [ %mine, %work ], [ %bad1, %next ]
  %left = icmp ult i64 %c, %helpers
  br i1 %left, label %ask, label %done
ask:                                             ; whoever has not begun is not waited for
  %its = mul i64 %c, <desk_bytes>
  %its_desk = getelementptr i8, ptr %desks, i64 %its
  %its_state = getelementptr i8, ptr %its_desk, i64 <desk_state>
  %taken = cmpxchg ptr %its_state, i64 <posted>, i64 <idle> acq_rel acquire
  %withdrawn = extractvalue { i64, i1 } %taken, 1
  br i1 %withdrawn, label %next, label %wait
wait:
  %turn = phi i64 [ 0, %ask ], [ %turn1, %wait ]
  %turn1 = add i64 %turn, 1
  %state = load atomic i64, ptr %its_state acquire, align 8
  %finished = icmp eq i64 %state, <finished>
  call void @relax(i64 %turn1, ptr %step_aside)
  br i1 %finished, label %read, label %wait
read:
  %found = field i64 %its_desk desk_bad
  %its_bad = icmp ne i64 %found, 0
  store atomic i64 <idle>, ptr %its_state monotonic, align 8
  br label %next
next:
  %more_bad = phi i1 [ false, %ask ], [ %its_bad, %read ]
  %bad1 = or i1 %bad, %more_bad
  %c1 = add i64 %c, 1
  br label %collect
done:
  ret i1 %bad
}

define internal void @put(ptr %desk, i64 %offset, ptr %value) {
  %at = getelementptr i8, ptr %desk, i64 %offset
  store ptr %value, ptr %at
  ret void
}

; wait a moment; now and then let another thread run
define internal void @relax(i64 %turn, ptr %step_aside) {
entry:
RELAX
  %round = urem i64 %turn, <aside>
  %often = icmp eq i64 %round, 0
  br i1 %often, label %aside, label %done
aside:
  %ignored = call i32 %step_aside()
  br label %done
done:
  ret void
}

; what a helper does while it is awake: wait for work at its desk, for so many turns, and do it
define void @articulated_help(ptr %desk, i64 %turns, ptr %step_aside) {
entry:
  %awake = getelementptr i8, ptr %desk, i64 <desk_awake>
  %state_at = getelementptr i8, ptr %desk, i64 <desk_state>
  store atomic i64 1, ptr %awake seq_cst, align 8
  br label %look
look:
  %n = phi i64 [ %turns, %entry ], [ %n1, %idle ], [ %turns, %answer ], [ 1, %leave ]
  %state = load atomic i64, ptr %state_at acquire, align 8
  %there = icmp eq i64 %state, <posted>
  br i1 %there, label %take, label %idle
take:
  %begun = cmpxchg ptr %state_at, i64 <posted>, i64 <running> acq_rel monotonic
  %got = extractvalue { i64, i1 } %begun, 1
  br i1 %got, label %work, label %idle
idle:
  call void @relax(i64 %n, ptr %step_aside)
  %n1 = sub i64 %n, 1
  %patient = icmp sgt i64 %n1, 0
  br i1 %patient, label %look, label %leave
work:
  store atomic i64 1, ptr %awake monotonic, align 8
  %ctx = field ptr %desk desk_ctx
  %function = field ptr %desk desk_function
  %states = field i64 %desk desk_states
  %pointers = field ptr %desk desk_pointers
  %strides = field ptr %desk desk_strides
  %bad = call i1 @shares(ptr %ctx, ptr %function, i64 %states, ptr %pointers, ptr %strides)
  br label %answer
answer:
  %found = zext i1 %bad to i64
  %bad_at = getelementptr i8, ptr %desk, i64 <desk_bad>
  store i64 %found, ptr %bad_at
  store atomic i64 <finished>, ptr %state_at release, align 8
  br label %look
leave:                                           ; a last look after saying so: most of what was just posted is seen
  %was = atomicrmw xchg ptr %awake, i64 0 seq_cst
  %already = icmp eq i64 %was, 0
  br i1 %already, label %gone, label %look
gone:
  ret void
}

; states of a batch, a share at a time until none is left
define internal i1 @shares(ptr %ctx, ptr %function, i64 %states, ptr %pointers, ptr %strides) {
entry:
  %crew = field ptr %ctx crew
  %share = field i64 %crew crew_share
  %counter = getelementptr i8, ptr %crew, i64 <crew_counter>
  br label %next
next:
  %begin = atomicrmw add ptr %counter, i64 %share monotonic
  %some = icmp slt i64 %begin, %states
  br i1 %some, label %take, label %done
take:
  %ahead = add i64 %begin, %share
  %beyond = icmp sgt i64 %ahead, %states
  %end = select i1 %beyond, i64 %states, i64 %ahead
  %bad = call i1 @stretch(ptr %ctx, ptr %function, i64 %begin, i64 %end, ptr %pointers, ptr %strides)
  br i1 %bad, label %stop, label %next
stop:                                            ; the other threads find nothing left
  store atomic i64 %states, ptr %counter monotonic, align 8
  ret i1 true
done:
  ret i1 false
}

; some states of a batch; true if a number among their arguments is not finite
define internal i1 @stretch(ptr %ctx, ptr %function, i64 %begin, i64 %end, ptr %pointers, ptr %strides) {
entry:
  %here = alloca [<arrays> x ptr]
  %inputs = field i64 %ctx inputs
  %outputs = field i64 %ctx outputs
  %arrays = add i64 %inputs, %outputs
  %rows = sub i64 %end, %begin
  br label %place
place:
  %k = phi i64 [ 0, %entry ], [ %k1, %place ]
  %pointer_at = getelementptr ptr, ptr %pointers, i64 %k
  %pointer = load ptr, ptr %pointer_at
  %stride_at = getelementptr i64, ptr %strides, i64 %k
  %stride = load i64, ptr %stride_at
  %bytes = mul i64 %stride, %begin
  %moved = getelementptr i8, ptr %pointer, i64 %bytes
  %here_at = getelementptr ptr, ptr %here, i64 %k
  store ptr %moved, ptr %here_at
  %k1 = add i64 %k, 1
  %through = icmp eq i64 %k1, %arrays
  br i1 %through, label %evaluate, label %place
evaluate:
  %answer = call i32 %function(i64 %rows, ptr %here, ptr %strides)
  %bad = icmp ne i32 %answer, 0
  ret i1 %bad
}

; whether the arguments of a single state hold a number that is not finite
define internal i1 @spoiled(ptr %ctx, ptr %pointers) {
entry:
  %inputs = field i64 %ctx inputs
  %not_finite = field ptr %ctx not_finite
  %sizes = getelementptr i8, ptr %ctx, i64 <sizes>
  br label %next
next:
  %i = phi i64 [ 0, %entry ], [ %i1, %good ]
  %pointer_at = getelementptr ptr, ptr %pointers, i64 %i
  %data = load ptr, ptr %pointer_at
  %size_at = getelementptr i64, ptr %sizes, i64 %i
  %size = load i64, ptr %size_at
  %bad = call i1 %not_finite(ptr %data, i64 %size)
  br i1 %bad, label %yes, label %good
good:
  %i1 = add i64 %i, 1
  %done = icmp eq i64 %i1, %inputs
  br i1 %done, label %no, label %next
yes:
  ret i1 true
no:
  ret i1 false
}

; 0·x is 0 for a finite x and NaN for any other; the last vector may overlap the one before it
define i1 @articulated_not_finite_float64(ptr %data, i64 %count) {
entry:
  %short = icmp slt i64 %count, 4
  br i1 %short, label %scalar, label %wide_test
wide_test:
  %i = phi i64 [ 0, %entry ], [ %i16, %wide ]
  %wide_sum = phi <16 x double> [ zeroinitializer, %entry ], [ %wide_sum1, %wide ]
  %i16 = add i64 %i, 16
  %wide_fits = icmp sle i64 %i16, %count
  br i1 %wide_fits, label %wide, label %narrow_test
wide:
  %wide_at = getelementptr double, ptr %data, i64 %i
  %wide_x = load <16 x double>, ptr %wide_at, align 8
  %wide_0 = fmul <16 x double> %wide_x, zeroinitializer
  %wide_sum1 = fadd <16 x double> %wide_sum, %wide_0
  br label %wide_test
narrow_test:
  %j = phi i64 [ %i, %wide_test ], [ %j4, %narrow ]
  %sum = phi <4 x double> [ zeroinitializer, %wide_test ], [ %sum1, %narrow ]
  %j4 = add i64 %j, 4
  %narrow_fits = icmp sle i64 %j4, %count
  br i1 %narrow_fits, label %narrow, label %tail
narrow:
  %narrow_at = getelementptr double, ptr %data, i64 %j
  %narrow_x = load <4 x double>, ptr %narrow_at, align 8
  %narrow_0 = fmul <4 x double> %narrow_x, zeroinitializer
  %sum1 = fadd <4 x double> %sum, %narrow_0
  br label %narrow_test
tail:
  %tail_i = sub i64 %count, 4
  %tail_at = getelementptr double, ptr %data, i64 %tail_i
  %tail_x = load <4 x double>, ptr %tail_at, align 8
  %tail_0 = fmul <4 x double> %tail_x, zeroinitializer
  %total = fadd <4 x double> %sum, %tail_0
  %bad_narrow = fcmp uno <4 x double> %total, zeroinitializer
  %narrow_bits = bitcast <4 x i1> %bad_narrow to i4
  %bad_wide = fcmp uno <16 x double> %wide_sum, zeroinitializer
  %wide_bits = bitcast <16 x i1> %bad_wide to i16
  %in_narrow = icmp ne i4 %narrow_bits, 0
  %in_wide = icmp ne i16 %wide_bits, 0
  %either = or i1 %in_narrow, %in_wide
  ret i1 %either
scalar:
  %k = phi i64 [ 0, %entry ], [ %k1, %add ]
  %acc = phi double [ 0.0, %entry ], [ %acc1, %add ]
  %end = icmp eq i64 %k, %count
  br i1 %end, label %verdict, label %add
add:
  %x_at = getelementptr double, ptr %data, i64 %k
  %x = load double, ptr %x_at, align 8
  %zero = fmul double %x, 0.0
  %acc1 = fadd double %acc, %zero
  %k1 = add i64 %k, 1
  br label %scalar
verdict:
  %bad = fcmp uno double %acc, 0.0
  ret i1 %bad
}

define i1 @articulated_not_finite_float32(ptr %data, i64 %count) {
entry:
  %short = icmp slt i64 %count, 4
  br i1 %short, label %scalar, label %wide_test
wide_test:
  %i = phi i64 [ 0, %entry ], [ %i16, %wide ]
  %wide_sum = phi <16 x float> [ zeroinitializer, %entry ], [ %wide_sum1, %wide ]
  %i16 = add i64 %i, 16
  %wide_fits = icmp sle i64 %i16, %count
  br i1 %wide_fits, label %wide, label %narrow_test
wide:
  %wide_at = getelementptr float, ptr %data, i64 %i
  %wide_x = load <16 x float>, ptr %wide_at, align 4
  %wide_0 = fmul <16 x float> %wide_x, zeroinitializer
  %wide_sum1 = fadd <16 x float> %wide_sum, %wide_0
  br label %wide_test
narrow_test:
  %j = phi i64 [ %i, %wide_test ], [ %j4, %narrow ]
  %sum = phi <4 x float> [ zeroinitializer, %wide_test ], [ %sum1, %narrow ]
  %j4 = add i64 %j, 4
  %narrow_fits = icmp sle i64 %j4, %count
  br i1 %narrow_fits, label %narrow, label %tail
narrow:
  %narrow_at = getelementptr float, ptr %data, i64 %j
  %narrow_x = load <4 x float>, ptr %narrow_at, align 4
  %narrow_0 = fmul <4 x float> %narrow_x, zeroinitializer
  %sum1 = fadd <4 x float> %sum, %narrow_0
  br label %narrow_test
tail:
  %tail_i = sub i64 %count, 4
  %tail_at = getelementptr float, ptr %data, i64 %tail_i
  %tail_x = load <4 x float>, ptr %tail_at, align 4
  %tail_0 = fmul <4 x float> %tail_x, zeroinitializer
  %total = fadd <4 x float> %sum, %tail_0
  %bad_narrow = fcmp uno <4 x float> %total, zeroinitializer
  %narrow_bits = bitcast <4 x i1> %bad_narrow to i4
  %bad_wide = fcmp uno <16 x float> %wide_sum, zeroinitializer
  %wide_bits = bitcast <16 x i1> %bad_wide to i16
  %in_narrow = icmp ne i4 %narrow_bits, 0
  %in_wide = icmp ne i16 %wide_bits, 0
  %either = or i1 %in_narrow, %in_wide
  ret i1 %either
scalar:
  %k = phi i64 [ 0, %entry ], [ %k1, %add ]
  %acc = phi float [ 0.0, %entry ], [ %acc1, %add ]
  %end = icmp eq i64 %k, %count
  br i1 %end, label %verdict, label %add
add:
  %x_at = getelementptr float, ptr %data, i64 %k
  %x = load float, ptr %x_at, align 4
  %zero = fmul float %x, 0.0
  %acc1 = fadd float %acc, %zero
  %k1 = add i64 %k, 1
  br label %scalar
verdict:
  %bad = fcmp uno float %acc, 0.0
  ret i1 %bad
}
