"""`@articulated_one(args)`: a program for one state, its numbers read and written where the caller has them.

The blocks of a routine are the same on whole vectors, one state in each lane.
"""

from .body import pointer_loads, store
from .calls import ENTRY, allocation, calls_of
from .frame import Layout
from .types import Lanes, number


def one(layout: Layout, vector: Lanes) -> list[str]:
    """The entry point and the functions it calls."""
    return in_place(layout, vector, "one", "define void @articulated_one")


def in_place(layout: Layout, vector: Lanes, name: str, head: str) -> list[str]:
    """The function that `head` begins, and those it calls; `name` begins their names."""
    calls = calls_of(layout, name, vector)
    lines = [*_constants(layout, vector), *(line for stage in calls.by_stage for line in stage)]
    loads = pointer_loads(layout.program, "\n".join(lines))
    entry = [f"{head}(ptr %args) {ENTRY} {{", *allocation(layout, vector), *loads, *lines, "  ret void", "}"]
    return [*calls.definitions, "\n".join(entry)]


def _constants(layout: Layout, vector: Lanes) -> list[str]:
    """Stores of the results that are constant: whole vectors where enough equal ones follow each other."""
    lines: list[str] = []
    if layout.wide:
        vector = layout.lanes  # each constant fills one
    left = {place: number(value, vector.precision) for place, value in layout.constants.items()}
    for place, value in layout.constants.items():
        run = [place] if layout.wide else [(place[0], place[1] + k * vector.size) for k in range(vector.count)]
        lanes = vector if all(left.get(p) == number(value, vector.precision) for p in run) else layout.lanes
        if place in left:
            name = f"%k{len(lines)}"
            lines.append(f"  {name} = getelementptr i8, ptr {place[0]}, i64 {place[1]}")
            lines.append(store(lanes, lanes.constant(value), name, place))
            for p in run[: lanes.count]:
                del left[p]
    return lines
