"""Whether the lengths of quaternions are such that they can be computed with as they are."""

from ...abi import LENGTHS
from .types import Lanes


def measured(lanes: Lanes, name: str, base: str, column: int) -> list[str]:
    """`{name}.fine`: whether the numbers from `column` on, one after the other at the pointer `base`, are in range."""
    t, truth = lanes.type, lanes.of("i1")
    low, high = (lanes.constant(x * x) for x in LENGTHS[lanes.precision])
    lines, squared = [], lanes.constant(0.0)
    for k in range(4):
        lines += [
            f"  {name}.at{k} = getelementptr i8, ptr {base}, i64 {(column + k) * lanes.bytes}",
            f"  {name}.x{k} = load {t}, ptr {name}.at{k}, align {lanes.bytes}",
            f"  {name}.xx{k} = call {t} @llvm.fma.{lanes.suffix}({t} {name}.x{k}, {t} {name}.x{k}, {t} {squared})",
        ]
        squared = f"{name}.xx{k}"
    return [
        *lines,
        f"  {name}.long = fcmp ogt {t} {squared}, {low}",
        f"  {name}.short = fcmp olt {t} {squared}, {high}",
        f"  {name}.fine = and {truth} {name}.long, {name}.short",
    ]
