"""A kernel as a handler of XLA's foreign-function interface: `@articulated_xla(frame)`, which XLA calls without Python.

XLA hands over buffers (rows, size), which are read and written where they are; an argument with a single row stands for
every state.  States with an argument that is not finite are NaN, as everywhere.  Where fields lie in the structures of
the interface: xla/ffi/api/c_api.h, major version 0, which keeps them.
"""

from collections.abc import Sequence

from .types import Lanes, number

#: the major version of the interface this is written for
MAJOR = 0
#: offsets in bytes
_EXTENSION, _ARGUMENTS, _RESULTS = 8, 72, 112  # of the call frame
_TYPE, _METADATA = 8, 24  # of an extension; the type of one that asks for metadata is 1
_MAJOR, _MINOR, _TRAITS = 24, 28, 32  # of metadata
_DATA, _DIMENSIONS = 24, 40  # of a buffer


def handler(
    one: int,
    batch: int,
    sizes: Sequence[int],
    counts: Sequence[int],
    precision: str,
    minor: int,
) -> str:
    """The module that calls the entry points of a kernel at these addresses.

    `sizes` are those of its arguments, `counts` the numbers in each result for one state.
    """
    kind, arrays = Lanes(1, precision), len(sizes) + len(counts)
    return f"""define ptr @articulated_xla(ptr %frame) nounwind {{
entry:
{_load("%extension", "%frame", _EXTENSION)}
  %plain = icmp eq ptr %extension, null
  br i1 %plain, label %run, label %asked
asked:
{_load("%type", "%extension", _TYPE, "i32")}
  %about = icmp eq i32 %type, 1
  br i1 %about, label %answer, label %run
answer:
{_load("%metadata", "%extension", _METADATA)}
{_store("i32", str(MAJOR), "%metadata", _MAJOR)}
{_store("i32", str(minor), "%metadata", _MINOR)}
{_store("i32", "0", "%metadata", _TRAITS)}
  ret ptr null
run:
  %pointers = alloca [{max(arrays, 1)} x ptr], align 16
  %strides = alloca [{max(arrays, 1)} x i64], align 16
{_load("%args", "%frame", _ARGUMENTS)}
{_load("%rets", "%frame", _RESULTS)}
{_buffers(sizes, counts, kind.size)}
  %n = add i64 %rows{len(sizes)}, 0
  switch i64 %n, label %many [ i64 0, label %done
                               i64 1, label %single ]
single:
  call void inttoptr (i64 {one} to ptr)(ptr %pointers)
  br label %look
many:
  %odd = call i32 inttoptr (i64 {batch} to ptr)(i64 %n, ptr %pointers, ptr %strides)
  %fine = icmp eq i32 %odd, 0
  br i1 %fine, label %done, label %look
{_spoiling(sizes, counts, kind)}
done:
  ret ptr null
}}
"""


def _at(name: str, base: str, offset: int) -> str:
    return f"  {name} = getelementptr i8, ptr {base}, i64 {offset}"


def _load(name: str, base: str, offset: int, kind: str = "ptr") -> str:
    return f"{_at(f'{name}.at', base, offset)}\n  {name} = load {kind}, ptr {name}.at, align 4"


def _store(kind: str, value: str, base: str, offset: int) -> str:
    name = f"{base}.to{offset}"
    return f"{_at(name, base, offset)}\n  store {kind} {value}, ptr {name}, align 4"


def _buffers(sizes: Sequence[int], counts: Sequence[int], size: int) -> str:
    """`%data{k}`, `%rows{k}` and `%step{k}` of every array, and the tables that an entry point takes."""
    lines = []
    for k, columns in enumerate((*sizes, *counts)):
        given = k < len(sizes)
        table, place = ("%args", k) if given else ("%rets", k - len(sizes))
        lines += [
            _load(f"%buffer{k}", table, 8 * place),
            _load(f"%data{k}", f"%buffer{k}", _DATA),
            _load(f"%dims{k}", f"%buffer{k}", _DIMENSIONS),
            _load(f"%rows{k}", f"%dims{k}", 0, "i64"),
            f"  %shared{k} = icmp eq i64 %rows{k}, {1 if given else -1}",
            f"  %step{k} = select i1 %shared{k}, i64 0, i64 {columns * size}",
            _store("ptr", f"%data{k}", "%pointers", 8 * k).replace("%pointers.to", f"%pointers{k}.to"),
            _store("i64", f"%step{k}", "%strides", 8 * k).replace("%strides.to", f"%strides{k}.to"),
        ]
    return "\n".join(lines)


def _spoiling(sizes: Sequence[int], counts: Sequence[int], kind: Lanes) -> str:
    """From %look on, row by row: where an argument is not finite every result is NaN."""
    t, zero, nan = kind.scalar, number(0.0, kind.precision), number(float("nan"), kind.precision)
    lines = ["look:", "  br label %row", "row:", "  %i = phi i64 [ 0, %look ], [ %i.next, %row.end ]"]
    before, total = "row", zero
    for k, columns in enumerate(sizes):
        if columns:
            inside = [
                f"  %x{k} = load {t}, ptr %p{k}, align {kind.size}",
                f"  %nil{k} = fsub {t} %x{k}, %x{k}",  # 0, or NaN
                f"  %sum{k} = fadd {t} %before{k}, %nil{k}",
            ]
            carried = f"  %before{k} = phi {t} [ {total}, %{before} ], [ %sum{k}, %each{k} ]"
            lines += _each(k, columns, kind.size, before, [carried], inside)
            before, total = f"after{k}", f"%sum{k}"
    lines += [f"  %clean = fcmp oeq {t} {total}, {zero}", "  br i1 %clean, label %row.end, label %spoil", "spoil:"]
    before = "spoil"
    for k, columns in enumerate(counts, start=len(sizes)):
        if columns:
            lines += _each(k, columns, kind.size, before, [], [f"  store {t} {nan}, ptr %p{k}, align {kind.size}"])
            before = f"after{k}"
    end = ["  %i.next = add i64 %i, 1", "  %last = icmp eq i64 %i.next, %n", "  br i1 %last, label %done, label %row"]
    return "\n".join([*lines, "  br label %row.end", "row.end:", *end])


def _each(k: int, columns: int, size: int, before: str, carried: list[str], inside: list[str]) -> list[str]:
    """A loop over the numbers of row %i of array k, at %p{k}."""
    return [
        f"  %skip{k} = mul i64 %i, %step{k}",
        f"  %start{k} = getelementptr i8, ptr %data{k}, i64 %skip{k}",
        f"  br label %each{k}",
        f"each{k}:",
        f"  %c{k} = phi i64 [ 0, %{before} ], [ %c{k}.next, %each{k} ]",
        *carried,
        f"  %byte{k} = mul i64 %c{k}, {size}",
        f"  %p{k} = getelementptr i8, ptr %start{k}, i64 %byte{k}",
        *inside,
        f"  %c{k}.next = add i64 %c{k}, 1",
        f"  %end{k} = icmp eq i64 %c{k}.next, {columns}",
        f"  br i1 %end{k}, label %after{k}, label %each{k}",
        f"after{k}:",
    ]
