"""Blocks of the search for the nearest points of two shapes, which a step repeats until it has ended."""

from collections.abc import Mapping, Sequence

from ...algebra.scalars import Array, array, chosen, select
from ...compiler.passes.builder import Builder
from ...compiler.passes.loops import Memory, Place
from ...geometry import support
from ...geometry.support import CURVED_STEPS, ENDED, RESTARTS, Convex, Search
from .dynamics import unflat
from .meetings import MEETINGS, as_arrays

#: m: shapes that are parted by more need no contact; what is reported of them is that they are at least so far apart
PARTED = 0.1


class Searching:
    """Blocks of a kind of pair, from its numbers and the poses of its bodies, and the statements that repeat them."""

    def __init__(self, kind: str):
        pairing = MEETINGS[kind].pairing
        assert pairing and pairing.shapes and pairing.found
        self.shapes_of, self.points_of = pairing.shapes, pairing.found

    def _shapes(self, numbers: Array, first: Array, second: Array) -> tuple[Convex, Convex]:
        return self.shapes_of((unflat(first), unflat(second)), numbers)

    def write(
        self, r: Builder, reads: Mapping[str, Place], rows: Sequence[Place], state: tuple[Memory, Memory]
    ) -> None:
        """The search, step by step, into rows of gaps, positions, axes and normals; `state` is that of the search."""
        given = {**reads, "search": state[0], "ended": state[1]}
        r.run(self.begun, reads, state)
        with r.loop("start", len(RESTARTS)):
            r.run(self.restarted, given, state)
            with r.loop("search", CURVED_STEPS, until=state[1], ahead=True):
                r.run(self.advanced, given, state)
        r.run(self.found, {**reads, "search": state[0]}, rows)

    def begun(self, **given: Array) -> tuple[Array, Array]:
        """The search, and whether it has ended: shapes that some direction parts by far are not looked at closer."""
        found = support.begun(*self._shapes(**given))
        return found.flat(), array([select(found.value[0] > PARTED, 2.0, 0.0)])

    def restarted(self, search: Array, ended: Array, **given: Array) -> tuple[Array, Array]:
        """The search from the best direction so far, if it was not from the origin."""
        before, parted = Search.of(search), ended[0] > 1.5
        found = support.restarted(*self._shapes(**given), before)
        goes_on = select(before.x @ before.x > 0, 0.0, ended[0])
        return chosen(parted, search, found.flat()), array([select(parted, ended[0], goes_on)])

    def advanced(self, search: Array, ended: Array, **given: Array) -> tuple[Array, Array]:
        """A step, and whether it was the last; a lane that has ended stays as it is."""
        found, over = support.advanced(*self._shapes(**given), Search.of(search)), ended[0] > 0.5
        last = select(found.left[0] < ENDED, 1.0, 0.0)
        return chosen(over, search, found.flat()), array([select(over, ended[0], last)])

    def found(self, search: Array, **given: Array) -> tuple[Array, ...]:
        """Gaps, positions, axes and normals of the contact points."""
        gaps, positions, axes = as_arrays(self.points_of(*self._shapes(**given), Search.of(search)))
        return gaps, positions.ravel(), axes.ravel(), axes[:, 6:].ravel()
