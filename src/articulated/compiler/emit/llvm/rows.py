"""Transpositions between rows of arrays, one per state, and vectors with one state per lane.

They are done in registers: a vector takes 16 bytes (b numbers) of each of the rows i, i + b, i + 2b, …, and b such
vectors are transposed b × b by shuffles within each 16 bytes, which are cheap at every vector width.
For few columns the code is unrolled; for many it is a loop, for results over a table of where each column is.
"""

from collections.abc import Sequence

from .types import Lanes, definition, loop

#: columns up to which a transposition is unrolled
UNROLLED_COLUMNS = 24


def block(lanes: Lanes) -> int:
    """Numbers in 16 bytes."""
    return 16 // lanes.size


def blocked(lanes: Lanes, columns: int) -> bool:
    """True if a tile of so many columns can be moved by blocks; otherwise it moves number by number."""
    return lanes.count % block(lanes) == 0 and columns >= block(lanes)


def gather(lanes: Lanes, name: str, columns: int) -> str:
    """`@name(array, stride, tile)`: the rows of a tile to vectors; returns a sum, finite only if all of them are."""
    t, zero = lanes.type, lanes.constant(0.0)
    head = f"define internal {t} @{name}(ptr %array, i64 %stride, ptr %tile) {lanes.brief} {{"
    lines = _rows(lanes)
    if columns <= UNROLLED_COLUMNS:
        total = zero
        for k in _blocks(lanes, columns):
            lines += _gathered(lanes, str(k * lanes.size), str(k * lanes.bytes), f"c{k}.", total)
            total = f"%c{k}.sum"
        lines.append(f"  ret {t} {total}")
    else:
        inside = _gathered(lanes, "%byte", "%offset", "all.", "%before")
        start = f"  %before = phi {t} [ {zero}, %entry ], [ %all.sum, %loop ]"
        lines += _loop(lanes, columns, inside, [start], f"{t} %all.sum")
    return "\n".join([head, "entry:", *lines, "}"])


def scatter(lanes: Lanes, name: str, table: str, slots: list[int], hint: str = "") -> str:
    """`@name(frame, array, stride)`: vectors in the slots of a frame, listed in `table`, to the rows of a tile.

    A `hint` is for stores past the caches, to rows that begin at multiples of 16 bytes.
    """
    head = f"define internal void @{name}(ptr %frame, ptr %array, i64 %stride) {lanes.brief} {{"
    lines, b = _rows(lanes), block(lanes)
    if len(slots) <= UNROLLED_COLUMNS:
        for k in _blocks(lanes, len(slots)):
            places = [str(slot * lanes.bytes) for slot in slots[k : k + b]]
            lines += _scattered(lanes, places, str(k * lanes.size), f"c{k}.", hint)
        lines.append("  ret void")
    else:
        inside = []
        for k in range(b):
            inside += [
                f"  %at{k} = add i64 %c, {k}",
                f"  %entry{k} = getelementptr i32, ptr {table}, i64 %at{k}",
                f"  %slot{k} = load i32, ptr %entry{k}, align 4",
                f"  %wide{k} = zext i32 %slot{k} to i64",
            ]
        inside += _scattered(lanes, [f"%wide{k}" for k in range(b)], "%byte", "", hint)
        lines += _loop(lanes, len(slots), inside)
    return "\n".join([head, "entry:", *lines, "}"])


def _blocks(lanes: Lanes, columns: int) -> list[int]:
    """The first column of each block; together they cover all columns, and the last two may overlap."""
    b = block(lanes)
    return sorted({*range(0, columns - b + 1, b), columns - b})


def _rows(lanes: Lanes) -> list[str]:
    """Pointers %row0, %row1, … to the rows of a tile."""
    lines = []
    for k in range(lanes.count):
        lines.append(f"  %step{k} = mul i64 %stride, {k}")
        lines.append(f"  %row{k} = getelementptr i8, ptr %array, i64 %step{k}")
    return lines


def _loop(
    lanes: Lanes, columns: int, inside: list[str], carried: Sequence[str] = (), result: str = "void"
) -> list[str]:
    """A loop of `inside` over blocks of columns, %c the first of each; the last may overlap the one before.

    `carried` are its phis, `result` is what the function returns.
    """
    b = block(lanes)
    return [
        "  br label %loop",
        "loop:",
        "  %c = phi i64 [ 0, %entry ], [ %next, %loop ]",
        *carried,
        f"  %byte = mul i64 %c, {lanes.size}",
        f"  %offset = mul i64 %c, {lanes.bytes}",
        *inside,
        f"  %ahead = add i64 %c, {b}",
        f"  %past = icmp ugt i64 %ahead, {columns - b}",
        f"  %next = select i1 %past, i64 {columns - b}, i64 %ahead",
        f"  %finished = icmp eq i64 %c, {columns - b}",
        "  br i1 %finished, label %done, label %loop",
        "done:",
        f"  ret {result}",
    ]


def _gathered(lanes: Lanes, byte: str, offset: str, tag: str, before: str) -> list[str]:
    """One block of columns: loads of 16 bytes per row, a transpose, a store per column.

    `%{tag}sum` is `before` plus the numbers of the block: finite only if they all are.
    """
    b, small = block(lanes), f"<{block(lanes)} x {lanes.scalar}>"
    lines = []
    for k in range(lanes.count):
        lines += [
            f"  %{tag}from{k} = getelementptr i8, ptr %row{k}, i64 {byte}",
            f"  %{tag}part{k} = load {small}, ptr %{tag}from{k}, align {lanes.size}",
        ]
    vectors = []
    for k in range(b):
        joins, name = _joined(lanes, [f"%{tag}part{r}" for r in range(k, lanes.count, b)], f"{tag}join{k}.")
        lines += joins
        vectors.append(name)
    shuffles, columns = _transposed(lanes, vectors, tag)
    lines += [*shuffles, f"  %{tag}start = getelementptr i8, ptr %tile, i64 {offset}"]
    for k, name in enumerate(columns):
        out = f"%{tag}sum" if k == b - 1 else f"%{tag}sum{k}"
        lines += [
            f"  %{tag}to{k} = getelementptr i8, ptr %{tag}start, i64 {k * lanes.bytes}",
            f"  store {lanes.type} {name}, ptr %{tag}to{k}, align {lanes.bytes}",
            f"  {out} = fadd {lanes.type} {before}, {name}",
        ]
        before = out
    return lines


def _scattered(lanes: Lanes, places: list[str], byte: str, tag: str, hint: str) -> list[str]:
    """One block of columns: a load per column, a transpose, 16 bytes to every row."""
    b, t = block(lanes), lanes.type
    lines, kept = [], f"align 16, {hint}" if hint else f"align {lanes.size}"
    for k, place in enumerate(places):
        lines += [
            f"  %{tag}from{k} = getelementptr i8, ptr %frame, i64 {place}",
            f"  %{tag}column{k} = load {t}, ptr %{tag}from{k}, align {lanes.bytes}",
        ]
    shuffles, vectors = _transposed(lanes, [f"%{tag}column{k}" for k in range(b)], tag)
    lines += shuffles
    for row in range(lanes.count):
        mask = ", ".join(f"i32 {b * (row // b) + j}" for j in range(b))
        lines += [
            f"  %{tag}part{row} = shufflevector {t} {vectors[row % b]}, {t} undef, <{b} x i32> <{mask}>",
            f"  %{tag}to{row} = getelementptr i8, ptr %row{row}, i64 {byte}",
            f"  store <{b} x {lanes.scalar}> %{tag}part{row}, ptr %{tag}to{row}, {kept}",
        ]
    return lines


def _transposed(lanes: Lanes, vectors: list[str], tag: str) -> tuple[list[str], list[str]]:
    """Transpose b × b inside each 16 bytes of b vectors: (lines, names of the results)."""
    b, count, t = block(lanes), lanes.count, lanes.type
    lines, width, step = [], b // 2, 0
    while width:
        after = list(vectors)
        for k in (k for k in range(b) if not k & width):
            for half in (0, 1):
                # lane j keeps its place, its bit `width` says which vector it comes from
                mask = ", ".join(
                    f"i32 {start + ((j & ~width) | half * width) + (count if j & width else 0)}"
                    for start in range(0, count, b)
                    for j in range(b)
                )
                name = f"%{tag}s{step}.{k}.{half}"
                pair = f"{t} {vectors[k]}, {t} {vectors[k + width]}"
                lines.append(f"  {name} = shufflevector {pair}, <{count} x i32> <{mask}>")
                after[k + half * width] = name
        vectors, width, step = after, width // 2, step + 1
    return lines, vectors


def _joined(lanes: Lanes, parts: list[str], prefix: str) -> tuple[list[str], str]:
    """Concatenate vectors of b numbers, pairwise: (lines, name of the result)."""
    lines, width, step = [], block(lanes), 0
    while len(parts) > 1:
        after = []
        kind = f"<{width} x {lanes.scalar}>"
        mask = ", ".join(f"i32 {k}" for k in range(2 * width))
        for k in range(0, len(parts), 2):
            name = f"%{prefix}{step}.{k}"
            pair = f"{kind} {parts[k]}, {kind} {parts[k + 1]}"
            lines.append(f"  {name} = shufflevector {pair}, <{2 * width} x i32> <{mask}>")
            after.append(name)
        parts, width, step = after, 2 * width, step + 1
    return lines, parts[0]


def gather_some(lanes: Lanes) -> str:
    """`@gather_some(array, stride, rows, tile, columns)`: number by number; lanes without a row repeat the last row."""
    t, size = lanes.scalar, lanes.size
    number = [
        f"%p = getelementptr {t}, ptr %from, i64 %column.k",
        f"%x = load {t}, ptr %p, align {size}",
        f"%sum = fadd {t} %before, %x",
        f"%offset = mul i64 %column.k, {lanes.bytes}",
        "%s = getelementptr i8, ptr %to, i64 %offset",
        f"store {t} %x, ptr %s, align {size}",
    ]
    inside = [
        "%beyond = icmp ugt i64 %lane.k, %most",
        "%row = select i1 %beyond, i64 %most, i64 %lane.k",
        "%step = mul i64 %row, %stride",
        "%from = getelementptr i8, ptr %array, i64 %step",
        f"%to = getelementptr {t}, ptr %tile, i64 %lane.k",
        *loop("column", "%columns", number, "lane", "", [f"%before = phi {t} [ %outside, %lane ], [ %sum, %column ]"]),
    ]
    sums = [f"%outside = phi {t} [ 0.0, %entry ], [ %sum, %column.end ]"]
    return definition(
        f"{t} @gather_some(ptr %array, i64 %stride, i64 %rows, ptr %tile, i64 %columns) noinline nounwind",
        "  %most = sub i64 %rows, 1",
        *loop("lane", lanes.count, inside, latch="column.end", carried=sums),
        f"  ret {t} %sum",
    )


def scatter_some(lanes: Lanes) -> str:
    """`@scatter_some(frame, table, array, stride, rows, columns)`: number by number, and only `rows` rows."""
    t, size = lanes.scalar, lanes.size
    number = [
        "%e = getelementptr i32, ptr %table, i64 %column.k",
        "%slot = load i32, ptr %e, align 4",
        "%wide = zext i32 %slot to i64",
        "%p = getelementptr i8, ptr %from, i64 %wide",
        f"%x = load {t}, ptr %p, align {size}",
        f"%s = getelementptr {t}, ptr %to, i64 %column.k",
        f"store {t} %x, ptr %s, align {size}",
    ]
    inside = [
        "%step = mul i64 %lane.k, %stride",
        "%to = getelementptr i8, ptr %array, i64 %step",
        f"%from = getelementptr {t}, ptr %frame, i64 %lane.k",
        *loop("column", "%columns", number, "lane"),
    ]
    arguments = "ptr %frame, ptr %table, ptr %array, i64 %stride, i64 %rows, i64 %columns"
    lines = loop("lane", "%rows", inside, latch="column.end")
    return definition(f"void @scatter_some({arguments}) noinline nounwind", *lines, "  ret void")
