"""A step of a pile as statements of a compiled loop: bodies, neighbors, contacts and their impulses are rows.

Neighbors are looked for again once a body has moved by a quarter of the margin.  The step meets them, gathers contacts
that would be violated without impulses, solves for these impulses, and takes in contacts that they would violate.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np

from ...compiler.passes.builder import Builder
from ...compiler.passes.loops import Count, Memory, Place, Row
from ...geometry.support import SIZE
from ...robot import Robot
from ..contact import interior, rows, terms
from ..contact.meetings import MEETINGS
from ..contact.nearest_points import NearestPoints
from ..contact.problem import Kind
from ..contact.system import System, groups_of
from ..drive.external_forces import ForceSites
from ..loop.blocks import constant, larger, nothing, opposite, plus
from . import blocks
from . import contact_blocks as contacts
from .contact_blocks import CORNERS
from .robots import Robots
from .solver import TOLERANCE, Sweeping
from .statements import Statements

#: pairs of free bodies: kind and contacts
OBJECTS = {"balls": 1, "boxes": CORNERS}
#: how often contacts that the impulses would violate are taken in
ROUNDS = 4


class Pairs(NamedTuple):
    """Pairs of shapes with so many contacts each, from the contact `first` on; near ones follow those of `after`."""

    kind: str
    number: int
    points: int
    first: int
    after: str

    @property
    def end(self) -> str:
        """The count of contacts that are near, up to these."""
        return f"near_{self.kind}"


def pairs_of(system: System) -> list[Pairs]:
    """Pairs of balls with bodies, of boxes, and of links of robots with each other and with bodies, by kind."""
    assert system.pile
    first, found = len(system.grounded), list[Pairs]()
    kinds = [(kind, len(x), points) for (kind, points), x in zip(OBJECTS.items(), system.pile.pairs, strict=True)]
    kinds += [(x.kind, x.number // x.points, x.points) for x in system.pile.groups]
    for kind, number, points in kinds:
        if number:
            found.append(Pairs(kind, number, points, first, found[-1].end if found else "grounded"))
            first += number * points
    return found


class PileStep:
    """Arrays of a step of a pile, and its statements.

    `data` has rows of bodies (body, shape, radius), of contacts with the ground (by kind, friction, bounce), margin,
    gravity, between (friction, restitution and slow, of contacts between bodies), ground; `known` impulses, spots,
    residual.  Contacts are those with the ground, of balls, of two boxes, CORNERS of each pair, and those of links of
    robots; rows of joints come after them.
    """

    def __init__(
        self, r: Builder, system: System, known: Mapping[str, Memory], data: Mapping[str, Memory],
        entries: tuple[int, int], robots: Robot | None, sites: ForceSites,
    ):  # fmt: skip
        assert system.pile
        pile, self.pairs = system.pile, pairs_of(system)
        self.r, self.system, self.bodies, self.touches = r, system, pile.moving, len(system.grounded)
        self.rows, self.fixed = self.bodies + 1 + len(pile.fixed) + len(pile.links), len(pile.fixed)
        self.contacts = self.touches + sum(x.number * x.points for x in self.pairs)
        self.near, self.bounces = self.pairs[-1].end if self.pairs else "grounded", system.bounces
        s = self.s = Statements(r)
        s.m |= {**known, **data}
        self.m, triples = s.m, system.triples
        s.spans = {"q": ("body.q", 7), "v": ("body.v", 6), "a": ("body.v", 6), "wrench": ("body.v", 6)}
        nq, nv = entries
        of_all = {"pose": 12, "free": 6, "mobility": 10, "was": 6, "place": 3, "reach": 1, "after": 6, "twist": 6}
        of_contacts = {"nearby": 1, "near": 1, "acting": 1, "acts": 1, "alone": 1, "ours": 1, "last": 3}
        of_contacts |= {"gap": 1, "position": 3, "frame": 9, "own": 2, "spot": 3}
        self.grounds, recorded = groups_of(system.grounded), len(system.contacts)
        self.recorded = range(self.touches, recorded)  # contacts of robots, if they are
        of_touches = {"forces": 3, "states": 1, "gaps": 1, "positions": 3, "normals": 3}
        one = {"stale": 1, "fresh": 1, "complete": 1, "reached": 1, "slowest": 1, "search": SIZE, "ended": 1}
        for count, arrays in (
            (nq, {"q": 1}), (nv, {"v": 1, "a": 1, "wrench": 1, "implicit": 1}), (self.rows, of_all),
            (self.contacts + triples, of_contacts), (recorded, of_touches), (1, one),
            *((x.number, {f"beside {x.kind}": 1, f"stack {x.kind}": 1}) for x in self.pairs),
        ):  # fmt: skip
            for name, size in arrays.items() if count else ():
                s.local(name, size, count)
        grounded = [f"{kind}.first" for kind, *_ in self.grounds]
        for name in ("first", "second", "body.q", "body.v", *grounded):
            r.table(name)
        for x in self.pairs:
            for name in ("first", "second"):
                table = r.table(f"{x.kind}.{name}")
                s.paths.setdefault(x.kind, {})[name] = (table,)
                s.paths.setdefault(f"stack {x.kind}", {})[name] = (f"pile stack {x.kind}", table)
            s.paths[f"stack {x.kind}"]["pair"] = (f"pile stack {x.kind}",)
        kinds = [Kind(rows.CONTACT, interior.CONTACT, 0, "plain")]
        self.robots = None
        if robots:
            shapes = self.rows - len(pile.links)
            self.robots = Robots(s, robots, pile.links, system.joints, sites, shapes)
            kinds.append(Kind(rows.CONTACT, interior.CONTACT, "plain", "pressed"))
            kinds.append(Kind(rows.SCALARS, interior.SCALARS, "pressed", "pushing"))
        nv = robots.nv if robots else 0
        self.solver = Sweeping(s, self.contacts + triples, kinds, self.bounces, self.bodies, nv)
        self._functions = {kind: partial(contacts.on_ground, kind, system.surface) for kind, *_ in self.grounds}
        self._flagged = {x: terms.flagged(x) for x in (contacts.closing, terms.stopping)}
        self._joining = {x: terms.joining(x, TOLERANCE) for x in (contacts.closing, terms.stopping)}
        self._begin()

    def _begin(self) -> None:
        """The ground and what is fixed; neighbors have not been looked for."""
        s = self.s
        for name in ("pose", "free", "mobility", "was", "twist", "after"):
            with self.r.loop("at", self.rows, start=self.bodies):
                self.r.run(nothing(s.m[name].size), {}, [s.m[name].row("at")])
        if self.fixed:
            with self.r.loop("at", self.fixed):
                self.r.copy(s.m["fixed"].row("at"), s.m["pose"].row("at", self.bodies + 1))
        s.run(constant(1.0), "", "stale")
        if self.touches:
            with s.over("pairs", self.touches):
                s.run(constant(1.0), "", "nearby")

    def step(
        self,
        now: Mapping[str, Memory],
        forces: Mapping[tuple[int, int], list[tuple[Any, Memory]]],
        outside: Mapping[str, Memory],
    ) -> None:
        """One step: new q and v, and the acceleration from the old ones.

        `forces` are those on bodies, by where these begin in v and q, with their conversion; `outside` is for robots.
        """
        s, r = self.s, self.r
        s.m["dt"] = now["dt"]
        for name, source in (("q", "q"), ("v", "v"), ("wrench", "tau")):
            r.copy(now[source], s.m[name].whole())
        for (at_q, at_v), each in forces.items():
            for convert, force in each:
                wrench = Row(s.m["wrench"], (), at_v, span=6)
                reads: dict[str, Place] = {"wrench": wrench, "force": force, "q": Row(s.m["q"], (), at_q, span=7)}
                r.run(convert, reads, [wrench], entrywise=True)
        with s.over("bodies", self.bodies):
            s.run(blocks.free, "q v wrench body gravity dt", "pose free mobility")
            if self.bounces:
                s.run(contacts.world, "v pose", "was")
        if self.robots:
            self.robots.prepare(outside)
            if self.bounces:
                self.robots.velocities("was", s.m["robots v"].whole())
        s.run(contacts.slowest, "gravity dt", "slowest")
        self._look()
        self._recall()
        self._meet()
        self._solve()
        self._remember()
        with s.over("bodies", self.bodies):
            s.run(blocks.finished, "q v pose twist=after dt", "q v a")
        if self.robots:
            self.robots.finish()
        for name in ("q", "v", "a"):
            r.copy(s.m[name].whole(), now[name])

    def _look(self) -> None:
        """Neighbors, if a body has strayed."""
        s, r = self.s, self.r
        moving = [(0, self.bodies), (self.bodies + 1 + self.fixed, self.rows)]
        for start, end in moving:
            with s.over("bodies", end, start=start):
                s.run(blocks.strayed, "stale pose middle free place margin dt", "stale", True)
        s.run(opposite, "a=stale", "complete")
        with r.loop("renewal", 1, until=s.m["complete"], ahead=True):
            with s.over("bodies", self.rows):
                s.run(blocks.reach, "pose middle radius margin dt free", "place reach")
            both = "here=place@first there=place@second reach1=reach@first reach2=reach@second"
            for x in self.pairs:
                with s.over(x.kind, x.number):
                    found = {name: self._points(name, x, x.first) for name in ("nearby", "impulses")}
                    found["beside"] = s.m[f"beside {x.kind}"].row("at")
                    s.run(contacts.neighbors, f"{both} impulses", "beside nearby impulses", True, found)
                r.gather(s.m[f"beside {x.kind}"], s.m[f"stack {x.kind}"], f"stacked_{x.kind}", (0, x.number))
            nearby, near = s.m["nearby"], s.m["near"]
            r.gather(nearby, near, "grounded", (0, self.touches))
            for x in self.pairs:
                r.gather(nearby, near, x.end, (x.first, x.first + x.number * x.points), x.after)
            s.run(nothing(), "", "stale")

    def _points(self, name: str, x: Pairs, offset: int = 0, after: tuple[tuple[str, int], ...] = ()) -> Row:
        """Rows of the contacts of a pair, in a loop over such pairs."""
        return Row(self.s.m[name], (("at", x.points), *after), offset, span=x.points)

    def _recall(self) -> None:
        """Impulses of the step before, and where those of boxes acted."""
        s, r = self.s, self.r
        s.copy("impulses@contact", "last", "near", self.near)
        for here in self._spots():
            r.copy(here, s.place("spot"))
        with r.loop("at", self.system.triples):
            r.copy(*(s.m[name].row("at", self.contacts) for name in ("impulses", "last")))

    def _remember(self) -> None:
        s, r = self.s, self.r
        s.copy("last", "impulses@contact", "near", self.near)
        for here in self._spots():
            r.copy(s.place("position"), here)
        with r.loop("at", self.system.triples):
            r.copy(*(s.m[name].row("at", self.contacts) for name in ("last", "impulses")))

    def _spots(self) -> Iterator[Row]:
        """Where the contact of two boxes acted that a loop is at."""
        for x in (x for x in self.pairs if x.kind == "boxes"):
            with self.s.over("near", x.end, start=x.after):
                yield self.s.m["spots"].row("at", -x.first, table="pile near")

    def _meet(self) -> None:
        """Gap, position, axes and law of every contact that is near."""
        s, found = self.s, "gap position frame own"
        for group in self.grounds:  # of which all are near
            kind, each = group.kind, {"at": group.points}
            with s.over("near", group.number // group.points):
                here = {
                    name: replace(s.m[name].row(each, group.first), span=group.points)
                    for name in (*found.split(), "friction", "bounce")
                }
                here["pose"] = s.m["pose"].row("at", table=f"{kind}.first")
                s.run(self._functions[kind], f"pose numbers={kind} friction bounce ground", found, instead=here)
        if self.touches:
            with s.over("near", self.touches):
                s.run(contacts.seen, "gap position frame", "gaps positions normals forces states")
        poses = "pose1=pose@first pose2=pose@second"
        for x in self.pairs:
            here = {name: self._points(name, x, after=((x.after, 1),)) for name in (*found.split(), "last", "spot")}
            with s.over(f"stack {x.kind}", f"stacked_{x.kind}"):
                if x.kind not in OBJECTS:
                    self._meet_robots(x, here)
                    continue
                meet = contacts.ball_on_body if x.kind == "balls" else contacts.box_on_box
                s.run(meet, f"{poses} {_SHAPES} between", found, instead=here)
                if x.kind == "boxes":
                    s.run(contacts.matched, f"gap position last spot {_SHAPES}", "last", instead=here)
        if self.recorded:
            self._see_robots()

    def _meet_robots(self, x: Pairs, here: dict[str, Any]) -> None:
        """Contacts of a link of a robot."""
        s, numbers = self.s, f"numbers={x.kind}@pair"
        if not MEETINGS[x.kind].pairing:
            meet = self._functions.setdefault(x.kind, partial(contacts.on_pair, x.kind))
            words = f"pose1=pose@first pose2=pose@second {numbers} pair={x.kind}.law@pair"
            s.run(meet, words, "gap position frame own", instead=here)
            return
        reads = {"numbers": s.place(f"{x.kind}@pair")}
        reads |= {name: s.place(f"pose@{name}") for name in ("first", "second")}
        search = self._functions.setdefault(x.kind, NearestPoints(x.kind))  # type: ignore[arg-type]
        found = [here[name] for name in ("gap", "position", "frame")]
        normals = Row(s.m["spot"], here["gap"].counters, here["gap"].offset, span=x.points)  # which only boxes have
        search.write(self.r, reads, [*found, normals], (s.m["search"], s.m["ended"]))  # type: ignore[attr-defined]
        s.run(_repeated(x.points), f"a={x.kind}.law@pair", "own", instead=here)

    def _ours(self, name: str, *tables: str) -> Row:
        """The record of a contact of robots."""
        first = self.contacts - len(self.recorded)
        return self.m[name].row("at", self.touches - first, table=(*tables, "pile near"))

    def _see_robots(self) -> None:
        """Record of the contacts of robots; of bodies that are not near the distance of the balls around them."""
        s, names = self.s, ("gaps", "positions", "normals", "forces", "states")
        ends = " ".join(f"{x}1={x}@first {x}2={x}@second" for x in ("pose", "middle", "radius"))
        with s.over("pairs", self.contacts, start=self.contacts - len(self.recorded)):
            away = self.touches - self.contacts + len(self.recorded)
            s.run(contacts.unseen, ends, " ".join(names), instead={x: self.m[x].row("at", away) for x in names})
        first = next(x.after for x in self.pairs if x.kind not in OBJECTS)
        with s.over("near", self.near, start=first):
            s.run(contacts.seen, "gap position frame", " ".join(names), instead={x: self._ours(x) for x in names})

    def _flag(self, twist: str, flagged: Mapping[Any, Any]) -> None:
        s = self.s
        s.run(nothing(), "", "fresh")
        with s.over("near", self.near):
            twists = f"pose1=pose@first pose2=pose@second twist1={twist}@first twist2={twist}@second"
            words = f"gap position frame {twists} impulses=last flags=acts fresh dt slowest"
            s.run(flagged[contacts.closing], words, "acts fresh", True)
            if self.robots:
                s.run(contacts.parted, "acts mask1=mask@first mask2=mask@second", "alone ours")
        if self.robots:
            self.robots.flag(flagged[terms.stopping], twist, self.contacts)

    def _solve(self) -> None:
        s, r = self.s, self.r
        self._flag("free", self._flagged)
        s.run(opposite, "a=fresh", "complete")
        s.run(nothing(), "", "reached")
        s.copy("free", "after", "bodies", self.rows)
        if self.robots:
            r.copy(self.robots.lanes["free"], self.robots.lanes["after"])
        with r.loop("round", ROUNDS, until=s.m["complete"], ahead=True):
            self._gather()
            self._fill()
            self.solver.begin()
            self.solver.accepted()
            if self.bounces:
                self.solver.bounce()
            self._move()
            self._flag("after", self._joining)
            s.run(opposite, "a=fresh", "complete")
        s.run(larger, "a=residual b=reached", "residual", True)

    def _gather(self) -> None:
        """Contacts that act: those of free bodies with the ground and with others, those of robots, and joints."""
        r, m, alone = self.r, self.m, self.m["alone" if self.robots else "acts"]
        r.gather(alone, m["acting"], "resting", (0, "grounded"))
        r.gather(alone, m["acting"], "plain", ("grounded", self.near), "resting")
        if self.robots:
            r.gather(m["ours"], m["acting"], "landing", (0, "grounded"), "plain")
            r.gather(m["ours"], m["acting"], "pressed", ("grounded", self.near), "landing")
            joints = (self.contacts, self.contacts + self.system.triples)
            r.gather(m["acts"], m["acting"], "pushing", joints, "pressed")

    def _contacts(self) -> list[tuple[Count, Count]]:
        """Those that act on free bodies alone, and on robots."""
        return [(0, "plain"), ("plain", "pressed")] if self.robots else [(0, "plain")]

    def _fill(self) -> None:
        """Rows, velocities, laws and first impulses of the blocks that act."""
        s, robots = self.s, self.robots
        for start, end in self._contacts():
            with s.over("acting", end, start=start):
                poses = "pose1=pose@first pose2=pose@second mobility1=mobility@first mobility2=mobility@second"
                s.run(blocks.contact_rows, f"frame=frame@near position=position@near {poses}", "J1 J2 Y1 Y2 G")
                own = "gap=gap@near own=own@near acts=acts@near dt"
                twists = "free1=free@first free2=free@second"
                s.run(contacts.own_terms, f"J1 J2 {twists} {own} last=last@near slowest", "u c law x")
                if self.bounces:
                    words = f"J1 J2 was1=was@first was2=was@second u c between {own}"
                    s.run(contacts.bouncing, words, "bounced restitution")
                s.run(blocks.ends, "end1=number@first end2=number@second", "ends")
                if robots and start:
                    robots.fill()
                elif robots:
                    s.run(nothing(3 * self.solver.nv), "", "Y")
        if robots:
            with s.over("acting", "pushing", start="pressed"):
                robots.fill_joints(self.contacts)
                if self.bounces:
                    self.r.copy(s.place("c"), s.place("bounced"))
                    s.run(nothing(), "", "restitution")

    def _move(self) -> None:
        """Velocities after the impulses."""
        s, solver = self.s, self.solver
        with s.over("acting", solver.acting):
            self.r.copy(s.place("best"), s.place("last@near"))
        self.r.copy(solver.lane["least"], s.m["reached"])
        solver.velocities("best", "s")
        with s.over("bodies", self.bodies):
            s.run(plus, "a=free b=twist", "after")
        if self.robots:
            self.robots.move()
        words = "last=last@near J1 J2 twist1=after@first twist2=after@second frame=frame@near dt slowest"
        ends: list[tuple[Count, Count]] = [(0, "resting"), *([("plain", "landing")] if self.robots else [])]
        for start, end in ends if self.touches else ():
            with s.over("acting", end, start=start):
                s.run(contacts.acting, words, "forces@near states@near")
        if self.recorded:
            ours: dict[str, Any] = {f"{x}@near": self._ours(x, "pile acting") for x in ("forces", "states")}
            with s.over("acting", "pressed", start="landing"):
                s.run(contacts.acting, words, " ".join(ours), instead=ours)


_SHAPES = "shape1=shape@first shape2=shape@second"


@cache
def _repeated(times: int) -> Any:
    return lambda a: np.concatenate([a] * times)
