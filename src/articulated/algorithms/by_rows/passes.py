"""A recursion over bodies as data: which steps it takes, and what each reads and writes."""

from collections.abc import Callable
from functools import cached_property, partial
from inspect import signature
from typing import Any, NamedTuple

#: numbers of an axis for each body, its joint, or each frame ("end") that a quantity is about
AXES = {"body": 1, "row": 1, "joint": 1, "v": 1, "end": 1, "force": 6, "parameter": 10}
#: arrays of a state
STATE = ("q", "v", "a", "tau")
#: numbers for each body that another recursion has found, by name
FOUND = {"factors": 10}
#: numbers of a vector by its name
SIZES = {
    "angle": 3, "V": 6, "A": 6, "F": 6, "M": 21, "p": 6, "joint": 8, "W": 12, "C": 10, "B": 36, "E": 1, "m": 4, "P": 6,
    "tip": 12, "twist": 6, "drift": 6, "torque": 1, "S": 6, "rate": 6, "X": 12, "Y": 60, "R": 21,
    "column": 6, "momentum": 6, "across": 6, "screws": 24, "forces": 24,
}  # fmt: skip


class Pass(NamedTuple):
    """A step for every body, outward or inward, for every pair of a joint and a body it carries, or once after all.

    It reads and writes vectors by name.  `row` is the body's data, `q`, `v`, `a` and `tau` are of its joint, `below_V`
    is the V of its parent, `carrier_S` the S of the joint of a pair, `joint_V` the V of the last axis of its joint in
    the axes of this one, and `total_E` is shared by all bodies; `world` is the acceleration that stands in for gravity,
    `place` the pose of a frame in its body.  `out_` begins the name of a result; of a scattered one `columns`, `entry`,
    `mirror` and `diagonal` are places.
    """

    function: Callable[..., Any]
    writes: str
    way: str = "outward"  # or "inward", "pairs", "once"
    reads: str = ""  # unless it is the names of the function's arguments

    @property
    def arguments(self) -> dict[str, str]:
        """Names of the arrays that the arguments of the function are, by argument."""
        names = list(signature(self.function).parameters)
        return dict(zip(names, self.reads.split() or names, strict=True))


class Recursion:
    """Passes over the bodies, and the axes of the results: names of AXES, or numbers.

    A result is written body by body, or once; the one that is `scattered`, at places of a column or of a pair.
    """

    def __init__(self, shapes: dict[str, tuple[Any, ...]], *passes: Pass, scattered: str = ""):
        self.shapes, self.passes, self.scattered = shapes, passes, scattered

    @property
    def key(self) -> str:
        """All that it computes, as text."""
        return repr((self.shapes, self.scattered, [(_named(x.function), *x[1:]) for x in self.passes]))

    @cached_property
    def arrays(self) -> list[str]:
        """The arrays of a state that it reads, and what others have found."""
        read = {name for x in self.passes for name in x.arguments.values()}
        return [name for name in (*STATE, *FOUND) if name in read]


def _named(function: Any) -> str:
    return f"{function.func.__name__}{function.args}" if isinstance(function, partial) else function.__name__


def summed(name: str) -> Pass:
    """The sum of a vector over the bodies."""
    return Pass(_sum, f"total_{name}", reads=f"total_{name} {name}")


def _sum(whole: Any, part: Any) -> Any:
    return whole + part
