"""Blocks of the search for the nearest points of two shapes, which a step repeats until it has ended."""

from collections.abc import Callable, Iterator
from typing import Any

from ...algebra.scalars import Array, array, select
from ...geometry import support
from ...geometry.support import ENDED, Convex, Search
from .dynamics import unflat
from .meetings import MEETINGS, as_arrays


class Searching:
    """Blocks (begun, restarted, advanced, found) of a kind of pair, from its numbers and the poses of its bodies."""

    def __init__(self, kind: str):
        pairing = MEETINGS[kind].pairing
        assert pairing and pairing.shapes and pairing.found
        self.shapes_of, self.points_of = pairing.shapes, pairing.found

    def __iter__(self) -> Iterator[Callable[..., Any]]:
        return iter((self.begun, self.restarted, self.advanced, self.found))

    def _shapes(self, numbers: Array, first: Array, second: Array) -> tuple[Convex, Convex]:
        return self.shapes_of((unflat(first), unflat(second)), numbers)

    def begun(self, **given: Array) -> tuple[Array, Array]:
        """The search, and that it has not ended."""
        return support.begun(*self._shapes(**given)).flat(), array([0.0])

    def restarted(self, search: Array, ended: Array, **given: Array) -> tuple[Array, Array]:
        """The search from the best direction so far, if it was not from the origin."""
        before = Search.of(search)
        found = support.restarted(*self._shapes(**given), before)
        return found.flat(), array([select(before.x @ before.x > 0, 0.0, ended[0])])

    def advanced(self, search: Array, **given: Array) -> tuple[Array, Array]:
        """A step, and whether it was the last."""
        found = support.advanced(*self._shapes(**given), Search.of(search))
        return found.flat(), array([select(found.left[0] < ENDED, 1.0, 0.0)])

    def found(self, search: Array, **given: Array) -> tuple[Array, ...]:
        """Gaps, positions, axes and normals of the contact points."""
        gaps, positions, axes = as_arrays(self.points_of(*self._shapes(**given), Search.of(search)))
        return gaps, positions.ravel(), axes.ravel(), axes[:, 6:].ravel()
