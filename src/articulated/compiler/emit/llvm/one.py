"""`@articulated_one(args)`: a program for one state, its numbers read and written where the caller has them."""

from .body import argument_loads, store
from .frame import Layout
from .steps import ENTRY, frames, steps_of
from .types import Lanes, number


def one(layout: Layout, vector: Lanes, assembly: bool) -> list[str]:
    """The function and its body."""
    steps = steps_of(layout, "one", vector, assembly)
    lines = [*_runs(layout, vector), *(line for stage in steps.calls for line in stage)]
    loads = argument_loads(layout.program, "\n".join(lines))
    head = f"define void @articulated_one(ptr %args) {ENTRY} {{"
    return [*steps.functions, "\n".join([head, *frames(layout, steps, vector), *loads, *lines, "  ret void", "}"])]


def _runs(layout: Layout, vector: Lanes) -> list[str]:
    """Entries of the results that are numbers, whole vectors of equal ones at a time."""
    lines: list[str] = []
    left = {place: number(value, vector.precision) for place, value in layout.constants.items()}
    for place, value in layout.constants.items():
        run = [(place[0], place[1] + k * vector.size) for k in range(vector.count)]
        lanes = vector if all(left.get(p) == number(value, vector.precision) for p in run) else layout.lanes
        if place in left:
            name = f"%k{len(lines)}"
            lines.append(f"  {name} = getelementptr i8, ptr {place[0]}, i64 {place[1]}")
            lines.append(store(lanes, lanes.constant(value), name, place))
            for p in run[: lanes.count]:
                del left[p]
    return lines
