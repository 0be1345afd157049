"""Search for the nearest points of two shapes, which a step repeats until it has ended."""

from collections.abc import Mapping, Sequence
from functools import partial

from ...compiler.passes.builder import Builder
from ...compiler.passes.loops import Memory, Place
from ...geometry.searching import Searching
from ...geometry.support import CURVED_STEPS, RESTARTS
from . import terms

#: m: shapes that are parted by more need no contact; what is reported of them is that they are at least so far apart
PARTED = 0.1


class NearestPoints:
    """Statements of the search for a kind of pair."""

    def __init__(self, kind: str):
        self.blocks, self.found = Searching(partial(terms.shapes, kind)), partial(terms.found, kind)

    def write(
        self, r: Builder, reads: Mapping[str, Place], rows: Sequence[Place], state: tuple[Memory, Memory]
    ) -> None:
        """The search, step by step, into rows of gaps, positions, axes and normals; `state` is that of the search."""
        given = {**reads, "search": state[0], "ended": state[1]}
        r.run(partial(self.blocks.begun, (PARTED,)), reads, state)
        with r.loop("start", len(RESTARTS)):
            r.run(self.blocks.restarted, given, state)
            with r.loop("search", CURVED_STEPS, until=state[1], ahead=True):
                r.run(self.blocks.advanced, given, state)
        r.run(self.found, {**reads, "search": state[0]}, rows)
