"""Distances by loops over pairs of shapes: kinds of shapes are code; pairs, sizes and obstacles are data.

The gradient of a distance needs no derivative of the search for the nearest points: with the unit vector n to the first
shape and a point p on the line through both nearest points it is nᵀ (J₁(p) - J₂(p)).  With the wrench w = [n; p × n]
that is wᵀ S for the column S of a joint that carries the first shape alone, and -wᵀ S for one of the second alone.
"""

from collections.abc import Callable, Sequence
from functools import partial
from math import inf, prod
from typing import Any

import numpy as np

from ..algebra.scalars import zeros
from ..compiler.closures import Closure
from ..compiler.kernel import Kernel
from ..compiler.passes.builder import Builder
from ..compiler.passes.loops import Memory, Place, Routine, Row
from ..geometry import pair_blocks as blocks
from ..geometry.distances import BALL, Near, Placed, distances
from ..geometry.pair_blocks import Column, Kinds
from ..geometry.searching import Searching
from ..geometry.support import SIZE
from ..model import Body, Model
from .derivatives.algorithms import Gradient, Jacobian, Tangent
from .request import Request

#: numbers that are copied at a time between the caller's arrays, where a row is one number, and the routine's own
TOGETHER = 8
#: how often a search begins anew, from beyond the best plane so far, and its steps: most end after six
STARTS, STEPS = 3, 48
#: seconds of a pair and state, roughly: in closed form, and searched
PAIR, SEARCH = 5e-9, 1e-7
#: weights of pairs in closed form, and their sum up to which distances of links are straight-line code: twice as fast
WEIGHTS = {
    (BALL, BALL): 1, (BALL, "capsule"): 1, ("capsule", "capsule"): 1,
    (BALL, "box"): 5, ("capsule", "box"): 5, ("box", "box"): 25,
}  # fmt: skip
STRAIGHT = 250

#: `kernel(key, build)`: the kernel of a routine
Compiled = Callable[[Any, Callable[[], Routine]], Kernel]


class Pairs:
    """Shapes by kind, those of the robot before obstacles, and pairs of them by kinds."""

    def __init__(self, model: Model, near: Sequence[Near], derived: bool):
        self.model, self.near = model, near
        links = [x for x in near if all(shape.frame for shape in x.shapes[0])]
        weight = sum(WEIGHTS.get((a.kind, b.kind), inf) for x in links for a, b in x.shapes)
        #: pairs of links that are no loop
        self.straight = links if weight <= STRAIGHT and not derived else []
        both = [(x, k) for k, links in enumerate(near) if k >= len(self.straight) for x in links.shapes]
        shapes = sorted({x for pair, _ in both for x in pair}, key=lambda x: (x.frame is None, x.frame or ""))
        self.shapes: dict[str, dict[Placed, int]] = {}
        for x in shapes:
            known = self.shapes.setdefault(x.kind, {})
            known[x] = len(known)
        self.own = {kind: tuple(x for x in known if x.frame) for kind, known in self.shapes.items()}
        self.pairs: dict[Kinds, list[tuple[int, int, int]]] = {}
        for (a, b), k in both:
            at = self.shapes[a.kind][a], self.shapes[b.kind][b]
            self.pairs.setdefault((a.kind, b.kind), []).append((*at, k))
        carriers = {body for known in self.own.values() for x in known for body in self._support(x)}
        bodies = sorted(carriers, key=lambda b: b.index)
        self.columns = [Column(b, k, b.dofs.start + k) for b in bodies for k in range(b.S.shape[1])]

        self.derived = derived
        self.counts = {"pairs": len(near), "together": len(near) // TOGETHER}
        self.counts |= {"rest": TOGETHER * self.counts["together"]}
        self.counts |= {f"{kind}s": len(known) for kind, known in self.shapes.items()}
        self.counts |= {_title(kinds): len(known) for kinds, known in self.pairs.items()}

    def _support(self, shape: Placed) -> set[Body]:
        body = self.model.frames[shape.frame].body if shape.frame else None
        return set(body.support()) if body else set()

    def arrays(self) -> dict[str, np.ndarray]:
        """Numbers of shapes; for derivatives, the columns and pairs that count with a sign."""
        found: dict[str, Any] = {}
        for kind, known in self.shapes.items():
            numbers = np.array([x.numbers for x in known])
            found[f"{kind} places"] = numbers[:, 9:12] if kind == BALL else numbers[:, :12]
            found[f"{kind} numbers"] = numbers[:, 13:] if kind == BALL else numbers[:, 12:]
        if self.derived:
            first = [links.shapes[0][0].frame for links in self.near]
            found["signs"] = [self._signs(*links.shapes[0]) for links in self.near]
            for kinds, pairs in self.pairs.items():
                own = list(self.shapes[kinds[0]])
                found[f"{_title(kinds)}.signs"] = [[1.0 if own[i].frame == first[k] else -1.0] for i, _, k in pairs]
        return {name: np.ascontiguousarray(x, float) for name, x in found.items()}

    def _signs(self, first: Placed, second: Placed) -> list[float]:
        """1 for a column that carries the first of two shapes alone, -1 for one of the second alone."""
        one, other = self._support(first), self._support(second)
        return [float((c.body in one) - (c.body in other)) for c in self.columns]

    @property
    def tables(self) -> dict[str, np.ndarray]:
        """Tables by kinds of pairs: the number of each shape among those of its kind, and of the pair of links."""
        return {
            f"{_title(kinds)}.{name}": np.array([x[k] for x in known], np.int64)
            for kinds, known in self.pairs.items()
            for k, name in enumerate(("first", "second", "links"))
        }


def _title(kinds: Kinds) -> str:
    return "_on_".join(kinds)


def closure_of(model: Model, request: Request, kernel: Compiled) -> Closure | None:
    """The loop that computes a request; None if it is not about distances, or straight-line code."""
    algorithm: Any = request.algorithm
    way = _DERIVED.get(type(algorithm), "distances")
    # by the coordinates of rotations there is no wrench
    if way != "distances" and (algorithm.space == "tangent" or model.nq == model.nv):
        request = algorithm.request
    if request.algorithm is not distances:
        return None
    extra, shape, derived = WAYS[way]
    near = dict(request.choices)["obstacles"]
    found = Pairs(model, near, derived)
    if len(found.straight) == len(near):
        return None
    sizes = {"pairs": len(near), "nq": model.nq, "nv": model.nv}
    shapes = tuple(sizes[x] for x in shape)
    given = {"q": model.nq, **{name: sizes[x] for name, x in extra.items()}, "out": prod(shapes)}
    key = (way, found.own, tuple(found.shapes), tuple(found.pairs), found.straight)
    looped = kernel(key, lambda: _Writer(found, way).routine())
    seconds = sum(len(x) * (SEARCH if blocks.searched(kinds) else PAIR) for kinds, x in found.pairs.items())
    return Closure(looped, given, found.arrays(), found.counts, found.tables, (shapes,), seconds)


_DERIVED = {Jacobian: "columns", Tangent: "rates", Gradient: "sum"}
#: values and derivatives: arrays beside q and their sizes, axes of the result, and whether it is a derivative
WAYS: dict[str, tuple[dict[str, str], tuple[str, ...], bool]] = {
    "distances": ({}, ("pairs",), False),
    "columns": ({}, ("pairs", "nv"), True),
    "rates": ({"tangent_q": "nv"}, ("pairs",), True),
    "sum": ({"cotangent_0": "pairs"}, ("nv",), True),
}


class _Writer:
    """The routine of some kinds of pairs."""

    def __init__(self, pairs: Pairs, way: str):
        self.pairs, self.way, self.r = pairs, way, Builder()
        self.derived = pairs.derived
        model, r = pairs.model, self.r
        self.q = r.input("q", model.nq)
        self.places = {kind: r.local(f"{kind} place", blocks.size_of(kind), f"{kind}s") for kind in pairs.shapes}
        self.numbers = {kind: self._copied(kind, x) for kind, x in pairs.shapes.items()}
        self.gaps = r.local("gaps", 1, "pairs")
        if self.derived:
            self.wrenches = r.local("wrenches", 6, "pairs")
            self.axes = r.local("axes", 6, len(pairs.columns))
            self.signs = r.input("signs", len(pairs.columns), "pairs")

    def _copied(self, kind: str, known: dict[Placed, int]) -> Memory:
        """The numbers of all shapes of a kind, and the places of those that are obstacles, for every lane."""
        r, size = self.r, len(next(iter(known)).numbers) - (13 if kind == BALL else 12)
        numbers = r.local(f"{kind} here", size, f"{kind}s")
        given = r.input(f"{kind} numbers", size, f"{kind}s")
        with r.loop("k", f"{kind}s"):
            r.copy(given.row("k"), numbers.row("k"))
        places = r.input(f"{kind} places", blocks.size_of(kind), f"{kind}s")
        with r.loop("k", f"{kind}s", start=len(self.pairs.own[kind])):
            r.copy(places.row("k"), self.places[kind].row("k"))
        return numbers

    def routine(self) -> Routine:
        """The whole program."""
        r, own = self.r, {kind: x for kind, x in self.pairs.own.items() if x}
        columns = self.pairs.columns if self.derived else []
        straight = self.pairs.straight
        writes: list[Place] = [Row(self.places[kind], span=len(x)) for kind, x in own.items()]
        writes += [self.axes.whole()] if columns else []
        writes += [Row(self.gaps, span=len(straight))] if straight else []
        r.run(partial(blocks.moved, self.pairs.model, list(own.values()), columns, straight), {"q": self.q}, writes)
        with r.loop("k", "pairs", start=len(straight)):
            r.run(blocks.far, {}, [self.gaps.row("k")])
        for kinds in self.pairs.pairs:
            self._meet(kinds)
        getattr(self, f"_{self.way}")()
        return r.routine()

    def _meet(self, kinds: Kinds) -> None:
        """Loop over all pairs of two kinds."""
        r, title = self.r, _title(kinds)
        first, second, links = (r.table(f"{title}.{name}") for name in ("first", "second", "links"))
        reads: dict[str, Place] = {
            "first": self.places[kinds[0]].row("k", table=first),
            "second": self.places[kinds[1]].row("k", table=second),
            "own": self.numbers[kinds[0]].row("k", table=first),
            "other": self.numbers[kinds[1]].row("k", table=second),
        }
        gap = self.gaps.row("k", table=links)
        signs = r.input(f"{title}.signs", 1, title) if self.derived else None
        with r.loop("k", title):
            if blocks.searched(kinds):
                reads = self._search(kinds, reads, gap)
            if signs is None:
                r.run(partial(blocks.closer, kinds), {"gap": gap, **reads}, [gap], entrywise=True)
            else:
                wrench = self.wrenches.row("k", table=links)
                given = {"gap": gap, "wrench": wrench, "sign": signs.row("k"), **reads}
                r.run(partial(blocks.closer_along, kinds), given, [gap, wrench])

    def _search(self, kinds: Kinds, reads: dict[str, Place], gap: Place) -> dict[str, Place]:
        """The nearest points of a pair, step by step, seen from the first shape, unless others are nearer."""
        r = self.r
        seen, search, ended = (
            r.local(f"{_title(kinds)} {name}", n) for name, n in (("seen", 12), ("search", SIZE), ("ended", 1))
        )
        r.run(partial(blocks.seen_from, kinds), {name: reads[name] for name in ("first", "second")}, [seen])
        given: dict[str, Place] = {"seen": seen, "own": reads["own"], "other": reads["other"]}
        steps = Searching(partial(blocks.both, kinds))
        r.run(steps.begun, {**given, "enough": gap}, [search, ended])
        with r.loop("start", STARTS):
            so_far: dict[str, Place] = {**given, "search": search, "ended": ended}
            r.run(steps.restarted, so_far, [search, ended])
            with r.loop("search", STEPS, until=ended, ahead=True):
                r.run(steps.advanced, so_far, [search, ended])
        return {**given, "first": reads["first"], "search": search}

    # -- results ----------------------------------------------------------------------------------

    def _distances(self) -> None:
        self._in_pieces(self.gaps, self.r.output("out", 1, "pairs"))

    def _columns(self) -> None:
        out = self.r.output("out", self.pairs.model.nv, "pairs")
        with self.r.loop("k", "pairs"):
            self.r.run(self._with(blocks.row), self._row(), [out.row("k")])

    def _rates(self) -> None:
        r, along = self.r, self.r.input("tangent_q", self.pairs.model.nv)
        rates, v = r.local("rates", 1, "pairs"), r.local("v", self.pairs.model.nv)
        r.copy(along, v)
        with r.loop("k", "pairs"):
            r.run(self._with(blocks.rate), {**self._row(), "v": v}, [rates.row("k")])
        self._in_pieces(rates, r.output("out", 1, "pairs"))

    def _sum(self) -> None:
        r, nv = self.r, self.pairs.model.nv
        weights, found = r.local("weights", 1, "pairs"), r.local("sum", nv)
        self._in_pieces(r.input("cotangent_0", 1, "pairs"), weights)
        r.run(partial(zeros, nv), {}, [found])
        with r.loop("k", "pairs"):
            r.run(
                self._with(blocks.weighed),
                {**self._row(), "weight": weights.row("k"), "found": found},
                [found],
                entrywise=True,
            )
        r.copy(found, r.output("out", nv))

    def _with(self, function: Callable[..., Any]) -> Callable[..., Any]:
        return partial(function, [c.velocity for c in self.pairs.columns], self.pairs.model.nv)

    def _row(self) -> dict[str, Place]:
        return {"wrench": self.wrenches.row("k"), "axes": self.axes.whole(), "signs": self.signs.row("k")}

    def _in_pieces(self, source: Memory, target: Memory) -> None:
        """A number for each pair, several at a time where one of both is the caller's."""
        with self.r.loop("k", "together"):
            self.r.copy(*(Row(x, (("k", TOGETHER),), span=TOGETHER) for x in (source, target)))
        with self.r.loop("k", "pairs", start="rest"):
            self.r.copy(source.row("k"), target.row("k"))
