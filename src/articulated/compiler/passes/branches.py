"""Branches of selects: which operations of a program reach an output, and under which condition."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from ...algebra.scalars import Scalar, select


class Branch(NamedTuple):
    """The derivative of a select: one if its branch is taken, else zero; never NaN times zero."""

    condition: Any
    first: bool

    def times(self, x: Scalar) -> Scalar:
        """`x` if the branch is taken."""
        return select(self.condition, x, 0.0) if self.first else select(self.condition, 0.0, x)


#: through a branch of a select: the number of the set of paths after it, the operation of its condition, which branch
Path = tuple[int, int, bool]


class Paths:
    """Sets of paths to the outputs of a program, by number; a set has a larger number than those its paths lead to."""

    NEVER, ALWAYS = 0, 1

    def __init__(self) -> None:
        self._sets: list[tuple[Path, ...]] = [(), ()]
        self._numbers: dict[tuple[Path, ...], int] = {(): self.NEVER}

    def through(self, after: int, condition: int, first: bool) -> int:
        """The paths through a branch of a select."""
        return self._number(((after, condition, first),)) if after != self.NEVER else self.NEVER

    def either(self, a: int, b: int) -> int:
        """The union of two sets; who gets through both branches of a select gets through the select."""
        if self.ALWAYS in (a, b):
            return self.ALWAYS
        found, left = dict.fromkeys(self._sets[a]), list(self._sets[b]) if a != b else []
        while left:
            after, condition, first = path = left.pop()
            if (after, condition, not first) not in found:
                found[path] = None
            elif after == self.ALWAYS:
                return self.ALWAYS
            else:
                del found[after, condition, not first]
                left += self._sets[after]
        return self._number(tuple(found))

    def _number(self, paths: tuple[Path, ...]) -> int:
        if paths not in self._numbers:
            self._numbers[paths] = len(self._sets)
            self._sets.append(paths)
        return self._numbers[paths]

    def guards(self, wanted: Iterable[int], values: Sequence[Any]) -> dict[int, Branch | None]:
        """Condition of each set, from the values of all operations: one of its paths is taken; None if it always is."""
        needed = set(wanted)
        for number in reversed(range(len(self._sets))):
            if number in needed:
                needed |= {after for after, _, _ in self._sets[number]}
        found: dict[int, Branch | None] = {self.NEVER: None, self.ALWAYS: None}
        for number in sorted(needed - found.keys()):
            open_paths: Scalar = 0  # how many
            for after, condition, first in self._sets[number]:
                branch, beyond = Branch(values[condition], first), found[after]
                open_paths = open_paths + branch.times(beyond.times(1.0) if beyond else 1.0)
            alone = len(self._sets[number]) == 1 and not beyond
            found[number] = branch if alone else Branch(open_paths > 0, True)
        return found
