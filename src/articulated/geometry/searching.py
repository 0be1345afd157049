"""Blocks of the search for the nearest points of two shapes, which a routine repeats until it has ended."""

from collections.abc import Callable, Sequence

from ..algebra.scalars import Array, Scalar, array, chosen, select
from . import support
from .support import ENDED, Convex, Search


class Searching:
    """Blocks of a kind of pair; `shapes` are both, by what the blocks are given."""

    def __init__(self, shapes: Callable[..., tuple[Convex, Convex]]):
        self.shapes = shapes

    def begun(self, enough: Sequence[Scalar], **given: Array) -> tuple[Array, Array]:
        """The search, and whether it has ended: 2 if for good, as both are parted by more than `enough`, m."""
        A, B = self.shapes(**given)
        found = support.begun(A, B)
        apart = found.value[0] - A.radius - B.radius
        return found.flat(), array([select(apart > enough[0], 2.0, 0.0)])

    def restarted(self, search: Array, ended: Array, **given: Array) -> tuple[Array, Array]:
        """The search from the best direction so far, if it was not from the origin."""
        before, parted = Search.of(search), ended[0] > 1.5
        found = support.restarted(*self.shapes(**given), before)
        goes_on = select(before.x @ before.x > 0, 0.0, ended[0])
        return chosen(parted, search, found.flat()), array([select(parted, ended[0], goes_on)])

    def advanced(self, search: Array, ended: Array, **given: Array) -> tuple[Array, Array]:
        """A step, and whether it was the last; a lane that has ended stays as it is."""
        before, over = Search.of(search), ended[0] > 0.5
        found = support.advanced(*self.shapes(**given), before)
        moved = found.nearest - before.nearest  # if not, the next step would be this one again
        last = select(found.left[0] < ENDED, 1.0, select(moved @ moved > 0, 0.0, 1.0))
        return chosen(over, search, found.flat()), array([select(over, ended[0], last)])
