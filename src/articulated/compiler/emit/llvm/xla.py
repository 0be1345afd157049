"""A kernel as a handler of XLA's foreign-function interface: `@articulated_xla(frame)`, which XLA calls without Python.

XLA hands over buffers (rows, size), which are read and written where they are; an argument with a single row stands for
every state.  States with an argument that is not finite are NaN, as everywhere.  Where fields lie in the structures of
the interface: xla/ffi/api/c_api.h, major version 0, which keeps them.
"""

from collections.abc import Sequence

from .closure import unusual
from .types import Lanes, definition, loop, number

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
    return f"""{unusual(precision)}

{_spoil(kind)}

define ptr @articulated_xla(ptr %frame) nounwind {{
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
  %usual = icmp eq i32 %odd, 0
  br i1 %usual, label %done, label %look
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
    """Block %look: row by row, NaN for every result where an argument is not finite."""
    word, total, inside = f"i{8 * kind.size}", "0", []
    for k, columns in enumerate(sizes):
        inside += _at_row(k)
        if columns:
            inside.append(f"%odd{k} = call {word} @unusual(i64 1, ptr %start{k}, i64 0, i64 {columns})")
            inside.append(f"%any{k} = or {word} {total}, %odd{k}")
            total = f"%any{k}"
    inside += [f"%clean = icmp sge {word} {total}, 0", "br i1 %clean, label %fine, label %spoil", "spoil:"]
    for k, columns in enumerate(counts, start=len(sizes)):
        inside += [*_at_row(k), f"call void @spoil(ptr %start{k}, i64 {columns})"] if columns else []
    rows = loop("row", "%n", [*inside, "br label %fine", "fine:"], "look", "fine")
    return "\n".join(["look:", *rows, "  br label %done"])


def _at_row(k: int) -> list[str]:
    """%start{k}: row %row.k of array k."""
    return [f"%skip{k} = mul i64 %row.k, %step{k}", f"%start{k} = getelementptr i8, ptr %data{k}, i64 %skip{k}"]


def _spoil(kind: Lanes) -> str:
    """`@spoil(array, count)`: so many NaN."""
    t, nan = kind.scalar, number(float("nan"), kind.precision)
    inside = [f"%p = getelementptr {t}, ptr %array, i64 %each.k", f"store {t} {nan}, ptr %p, align {kind.size}"]
    return definition("void @spoil(ptr %array, i64 %count) nounwind", *loop("each", "%count", inside), "  ret void")
