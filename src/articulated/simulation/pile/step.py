"""A step of a pile as statements of a compiled loop: bodies, neighbors, contacts and their impulses are rows.

Neighbors are looked for again once a body has moved by a quarter of the margin.  The step meets them, gathers contacts
that would be violated without impulses, solves for these impulses, and takes in contacts that they would violate.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from ...compiler.passes.builder import Builder
from ...compiler.passes.loops import Memory, Place, Row
from ..contact.system import System
from ..loop.blocks import constant, larger, nothing, opposite, taken
from . import blocks
from . import contact_blocks as contacts
from .contact_blocks import CORNERS
from .solver import Solver
from .statements import Statements

#: how often contacts that the impulses would violate are taken in
ROUNDS = 4


class PileStep:
    """Arrays of a step of a pile, and its statements.

    `data` has rows of bodies (body, shape, radius), of contacts with the ground (by kind, friction, bounce), margin,
    gravity, law (friction, restitution and slow, of contacts between bodies), plane; `known` impulses, spots, residual.
    Contacts are those with the ground, then those of balls, then those of two boxes, CORNERS of each pair.
    """

    def __init__(self, r: Builder, system: System, known: Mapping[str, Memory], data: Mapping[str, Memory]):
        assert system.pile
        balls, boxes = (len(pairs) for pairs in system.pile.pairs)
        self.r, self.system, self.bodies, self.touches = r, system, system.pile.moving, len(system.contacts)
        self.fixed = len(system.pile.fixed)
        self.single, self.boxes = self.touches + balls, boxes
        self.contacts, self.bounces = self.single + CORNERS * boxes, system.bounces
        s = self.s = Statements(r)
        s.m |= {**known, **data}
        self.m = s.m
        of_bodies = {"q": 7, "v": 6, "a": 6, "wrench": 6, "inertia": 10, "kept": 6}
        # also of the ground and of what is fixed
        of_all = {"pose": 12, "free": 6, "mobility": 10, "was": 6, "place": 3, "reach": 1}
        of_contacts = {"nearby": 1, "near": 1, "acting": 1, "acts": 1, "gap": 1, "position": 3, "frame": 9}
        of_contacts |= {"own": 2, "last": 3, "spot": 3}
        of_touches = {"forces": 3, "states": 1, "gaps": 1, "positions": 3, "normals": 3}
        for rows, arrays in (
            (self.bodies, of_bodies), (self.bodies + 1 + self.fixed, of_all), (self.contacts, of_contacts),
            (self.touches, of_touches), (boxes, {"beside": 1, "stack": 1}),
            (1, dict.fromkeys(("stale", "fresh", "complete", "reached", "slowest"), 1)),
        ):  # fmt: skip
            for name, size in arrays.items() if rows else ():
                s.local(name, size, rows)
        self.solver = Solver(s, self.bodies, self.fixed, self.contacts, self.bounces)
        grounded = [f"{kind}.first" for kind, *_ in system.groups]
        for name in ("first", "second", *grounded, *(("box1", "box2") if boxes else ())):
            r.table(name)
        self._functions = {kind: partial(contacts.on_ground, kind, system.surface) for kind, *_ in system.groups}
        self._begin()

    def _begin(self) -> None:
        """The ground and what is fixed; neighbors have not been looked for."""
        s = self.s
        still = [s.m[name] for name in ("pose", "free", "mobility", "was", "twist", "after")]
        for memory in still:
            with self.r.loop("at", self.fixed + 1):
                self.r.run(nothing(memory.size), {}, [memory.row("at", self.bodies)])
        if self.fixed:
            there = {name: s.m[name].row("at", self.bodies + 1) for name in ("pose", "place", "reach", "radius")}
            with s.over("bodies", self.fixed):
                self.r.copy(s.place("fixed"), there["pose"])
                s.run(contacts.reach, "pose radius margin", "place reach", instead=there)
        self.s.run(constant(1.0), "", "stale")
        if self.touches:
            with self.s.over("pairs", self.touches):
                self.s.run(constant(1.0), "", "nearby")

    def step(self, now: Mapping[str, Memory], forces: Mapping[int, list[tuple[Any, Memory]]]) -> None:
        """One step: new q and v, and the acceleration from the old ones; `forces` by body, with their conversion."""
        s, r = self.s, self.r
        s.m["dt"] = now["dt"]
        for name, source in (("q", "q"), ("v", "v"), ("wrench", "tau")):
            r.copy(now[source], s.m[name].whole())
        for body, each in forces.items():
            for convert, force in each:
                wrench = s.m["wrench"].row(body)
                reads: dict[str, Place] = {"wrench": wrench, "force": force, "q": s.m["q"].row(body)}
                r.run(convert, reads, [wrench], entrywise=True)
        with s.over("bodies", self.bodies):
            s.run(blocks.free, "q v wrench body gravity dt", "pose free mobility inertia")
            if self.bounces:
                s.run(contacts.world, "v pose", "was")
        s.run(contacts.slowest, "gravity dt", "slowest")
        self._look()
        self._recall()
        self._meet()
        self._solve()
        self._remember()
        with s.over("bodies", self.bodies):
            s.run(blocks.finished, "q v pose twist=after dt", "q v a")
        for name in ("q", "v", "a"):
            r.copy(s.m[name].whole(), now[name])

    def _look(self) -> None:
        """Neighbors, if a body has strayed."""
        s, r = self.s, self.r
        with s.over("bodies", self.bodies):
            s.run(blocks.strayed, "stale pose free place margin dt", "stale", True)
        s.run(opposite, "a=stale", "complete")
        with r.loop("renewal", 1, until=s.m["complete"], ahead=True):
            with s.over("bodies", self.bodies):
                s.run(blocks.reach, "pose free radius margin dt", "place reach")
            both = "here=place@first there=place@second reach1=reach@first reach2=reach@second"
            with s.over("pairs", self.single, self.touches):
                s.run(contacts.neighbors, f"{both} impulses", "nearby impulses", True)
            if self.boxes:
                with s.over("boxes", self.boxes):
                    rows = {name: self._corners(name, offset=self.single) for name in ("nearby", "impulses")}
                    s.run(contacts.beside, f"{both} impulses", "beside nearby impulses", True, rows)
                r.gather(s.m["beside"], s.m["stack"], "stacked", (0, self.boxes))
            nearby, near = s.m["nearby"], s.m["near"]
            r.gather(nearby, near, "grounded", (0, self.touches))
            r.gather(nearby, near, "close", (self.touches, self.single), "grounded")
            r.gather(nearby, near, "neighbors", (self.single, self.contacts), "close")
            s.run(nothing(), "", "stale")

    def _corners(self, name: str, offset: int = 0, after: tuple[tuple[str, int], ...] = ()) -> Row:
        """Rows of the contacts of two boxes, in a loop over such pairs."""
        return Row(self.s.m[name], (("at", CORNERS), *after), offset, span=CORNERS)

    def _recall(self) -> None:
        """Impulses of the step before, and where those of boxes acted."""
        s, r = self.s, self.r
        s.copy("impulses@contact", "last", "near", "neighbors")
        if self.boxes:
            with s.over("near", "neighbors", start="close"):
                r.copy(self._spot(), s.place("spot"))

    def _remember(self) -> None:
        s, r = self.s, self.r
        s.copy("last", "impulses@contact", "near", "neighbors")
        if self.boxes:
            with s.over("near", "neighbors", start="close"):
                r.copy(s.place("position"), self._spot())

    def _spot(self) -> Row:
        return self.s.m["spots"].row("at", -self.single, table="pile near")

    def _meet(self) -> None:
        """Gap, position, axes and law of every contact that is near."""
        s, found = self.s, "gap position frame own"
        plane = "plane" if "plane" in s.m else ""
        for group in self.system.groups:  # of which all are near
            kind, each = group.kind, {"at": group.points}
            with s.over("near", group.number // group.points):
                rows = {
                    name: replace(s.m[name].row(each, group.first), span=group.points)
                    for name in (*found.split(), "friction", "bounce")
                }
                rows["pose"] = s.m["pose"].row("at", table=f"{kind}.first")
                s.run(self._functions[kind], f"pose numbers={kind} friction bounce {plane}", found, instead=rows)
        if self.touches:
            with s.over("near", self.touches):
                s.run(contacts.seen, "gap position frame", "gaps positions normals forces states")
        poses = "pose1=pose@first pose2=pose@second shape1=shape@first shape2=shape@second law"
        if self.single > self.touches:
            with s.over("near", "close", start="grounded"):
                s.run(contacts.ball_on_body, poses, found)
        if self.boxes:
            rows = {name: self._corners(name, after=(("close", 1),)) for name in (*found.split(), "last", "spot")}
            with s.over("stack", "stacked"):
                s.run(contacts.box_on_box, poses, found, instead=rows)
                shapes = "shape1=shape@first shape2=shape@second"
                s.run(contacts.matched, f"gap position last spot {shapes}", "last", instead=rows)

    def _flag(self, twist: str, flagged: Any) -> None:
        s = self.s
        s.run(nothing(), "", "fresh")
        with s.over("near", "neighbors"):
            twists = f"pose1=pose@first pose2=pose@second twist1={twist}@first twist2={twist}@second"
            s.run(flagged, f"gap position frame {twists} last acts fresh dt slowest", "acts fresh", True)

    def _solve(self) -> None:
        s, r = self.s, self.r
        self._flag("free", contacts.flagged)
        s.run(opposite, "a=fresh", "complete")
        s.run(nothing(), "", "reached")
        s.copy("free", "after", "bodies", self.bodies)
        with r.loop("round", ROUNDS, until=s.m["complete"], ahead=True):
            r.gather(s.m["acts"], s.m["acting"], "touching", (0, "grounded"))
            r.gather(s.m["acts"], s.m["acting"], "acting", ("grounded", "neighbors"), "touching")
            self._fill()
            s.copy("after", "kept", "bodies", self.bodies)
            self.solver.solve()
            with s.over("bodies", self.bodies):
                s.run(taken, "take=complete a=kept b=after", "after", True)
            with s.over("acting", "acting"):
                s.run(taken, "take=complete a=last@near b=best", "last@near", True)
            s.run(taken, "take=complete a=reached b=least", "reached", True)
            if self.touches:
                with s.over("acting", "touching"):
                    here = f"last=last@near J1 J2 {_AFTER} frame=frame@near"
                    s.run(contacts.acting, f"{here} dt slowest", "forces@near states@near")
            self._flag("after", contacts.joining)
            s.run(opposite, "a=fresh", "complete")
        s.run(larger, "a=residual b=reached", "residual", True)

    def _fill(self) -> None:
        """Rows, offsets and first impulses of the contacts that act."""
        s = self.s
        with s.over("acting", "acting"):
            poses = "pose1=pose@first pose2=pose@second mobility1=mobility@first mobility2=mobility@second"
            s.run(blocks.contact_rows, f"frame=frame@near position=position@near {poses}", "J1 J2 Y1 Y2 G")
            own = "gap=gap@near own=own@near acts=acts@near last=last@near"
            s.run(contacts.terms, f"{own} dt slowest", "b mu flag x")
            if self.bounces:
                twists = "was1=was@first was2=was@second free1=free@first free2=free@second"
                s.run(contacts.bouncing, f"J1 J2 {twists} gap=gap@near own=own@near flag b law dt", "hard bounced")


_AFTER = "twist1=after@first twist2=after@second"
