"""Robots in a step of a pile: straight-line code, whatever touches them."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from ...algebra.rotations import cross
from ...algebra.scalars import Array, array, stack
from ...compiler.passes.loops import Memory
from ...robot import Robot
from ..contact import dynamics, terms
from ..contact.candidates import Candidate
from ..contact.joints import JointRow
from ..contact.rows import LAW
from ..contact.surfaces import FLAT
from ..contact.system import System
from ..drive.external_forces import ForceSites
from ..loop.blocks import nothing
from ..methods.midpoint import formulation
from . import blocks
from .statements import Statements


class Robots:
    """Statements of the robots of a pile: their velocities without impulses and after them, as those of their links.

    `sites` are the external forces on them.  `shapes` is the row of the first link in arrays of bodies; tables say
    where the entries of robots are in those of the scene, and which body carries a link.
    """

    def __init__(
        self, s: Statements, robot: Robot, links: tuple[str, ...], joints: tuple[JointRow, ...], sites: ForceSites,
        shapes: int,
    ):  # fmt: skip
        self.s, self.robot, self.model, self.links = s, robot, robot.model, links
        self.sites, self.shapes = sites, shapes
        touches = tuple(Candidate("", "ball", name, ()) for name in links)
        self.system = System(FLAT, touches, 0.0, joints)
        self.carriers, model, nv = self.system.carriers(robot.model), robot.model, robot.nv
        for name, size in (("q", robot.nq), ("v", nv), ("wrench", nv), ("implicit", nv), ("a", nv)):
            s.local(f"robots {name}", 1, size)
        once = {"L": int(dynamics.factor_pattern(model).sum()), "scale": nv, "origin": 3, "free": nv, "after": nv}
        once["axes"] = 6 * len(dynamics.columns(model))
        self.lanes = {name: s.r.local(f"robots {name} found", size) for name, size in once.items() if size}
        if links:
            s.local("carrier", 12, len(self.carriers))
            s.local("carried", 6, len(self.carriers))
        s.local("rows", 3 * nv, max(self.triples, 1))
        s.local("laws", LAW, max(self.triples, 1))
        s.local("row", 3 * nv)
        for name in ("robots.q", "robots.v", "carrier"):
            s.r.table(name)
        self._response = partial(terms.response, model, tuple(range(nv)))
        self._rows = partial(_rows, model)

    @property
    def triples(self) -> int:
        """Blocks of rows of joints."""
        return self.system.triples

    def _mine(self, name: str) -> Any:
        return self.s.m[f"robots {name}"].whole()

    def exchange(self, name: str, table: str, back: bool = False) -> None:
        """Entries of robots from those of the scene, or to these."""
        whole, own = self.s.m[name].row("at", table=table), self.s.m[f"robots {name}"].row("at")
        with self.s.r.loop("at", self.s.m[f"robots {name}"].rows):
            self.s.r.copy(own, whole) if back else self.s.r.copy(whole, own)

    def prepare(self, outside: Mapping[str, Memory]) -> None:
        """Velocities without impulses, and where the links are."""
        s, r = self.s, self.s.r
        for name, table in (("q", "robots.q"), ("v", "robots.v"), ("wrench", "robots.v")):
            self.exchange(name, table)
        given: dict[str, Any] = {name: self._mine(name) for name in ("q", "v")}
        given |= {"tau": self._mine("wrench"), "dt": s.m["dt"]}
        for name, memory in outside.items():
            if name == "implicit":
                r.copy(memory, s.m["implicit"].whole())
                self.exchange("implicit", "robots.v")
                memory = self._mine("implicit")
            given[name] = memory
        names = [name for name in ("free", "L", "scale", "origin", "axes") if name in self.lanes]
        more = [s.m[name].whole() for name in [*["carrier"][: len(self.links)], *["rows", "laws"][: 2 * self.triples]]]
        r.run(self._free, given, [*(self.lanes[name] for name in names), *more])
        if self.links:
            with r.loop("at", len(self.links)):
                r.copy(s.m["carrier"].row("at", table="carrier"), s.m["pose"].row("at", self.shapes))
        self.velocities("free", self.lanes["free"])

    def _free(self, q: Array, v: Array, tau: Array, dt: Array, **outside: Array) -> Any:
        of, ways = formulation(self.robot, outside)
        found = dynamics.free(
            of, q, v, lambda q, v: tau, terms.NOTHING, dt[0], self.system,
            lambda q: self.sites(self.model, q, outside), **ways, bodies=self.model,
        )  # fmt: skip
        return tuple(part.ravel() for part in found[2:] if part.size)

    def velocities(self, name: str, v: Any) -> None:
        """Velocities of links, in the rows of bodies, from those of robots."""
        s, r = self.s, self.s.r
        if not self.links:
            return
        given = {"axes": self.lanes["axes"], "origin": self.lanes["origin"], "poses": s.m["carrier"].whole(), "v": v}
        r.run(self._twists, given, [s.m["carried"].whole()])
        with r.loop("at", len(self.links)):
            r.copy(s.m["carried"].row("at", table="carrier"), s.m[name].row("at", self.shapes))

    def _twists(self, axes: Array, origin: Array, poses: Array, v: Array) -> Array:
        """[linear; angular] velocities of bodies at their frames."""
        found = dynamics.twists(self.model, axes, v, self.carriers)
        each = zip(found, poses.reshape(-1, 12), strict=True)
        return stack([array([*(V[:3] + cross(V[3:], X[9:] - origin)), *V[3:]]) for V, X in each], 6).ravel()

    def fill(self) -> None:
        """What a contact with a link does to robots, beside what it does to a body."""
        own = {"axes": self.lanes["axes"], "origin": self.lanes["origin"]}
        reads = "frame=frame@near position=position@near mask1=mask@first mask2=mask@second flag=acts@near"
        self.s.run(self._rows, f"axes origin {reads}", "row", instead=own)
        self._respond("row")
        self.s.run(blocks.with_mobility, "G Y", "G", True)

    def fill_joints(self, contacts: int) -> None:
        """Rows of joints, as blocks after all contacts."""
        s = self.s
        given: dict[str, Any] = {x: s.m[x].row("at", -contacts, table="pile acting") for x in ("rows", "laws")}
        given["free"] = self.lanes["free"]
        s.run(terms.scalar_terms, "rows free laws impulses=last@near flag=acts@near", "row u c law x", instead=given)
        self._respond("row")
        s.run(nothing(9), "", "G")
        s.run(blocks.with_mobility, "G Y", "G", True)
        for name in ("J1", "J2", "Y1", "Y2"):
            s.run(nothing(18), "", name)
        s.run(blocks.no_ends, "", "ends")

    def _respond(self, row: str) -> None:
        lanes: dict[str, Any] = {name: self.lanes[name] for name in ("L", "scale") if name in self.lanes}
        words = " ".join([*lanes, f"J={row}"])
        self.s.run(self._response, words, "Y", instead=lanes)

    def flag(self, flagged: Any, velocity: str, contacts: int) -> None:
        """Rows of joints that a velocity violates."""
        if not self.triples:
            return
        s = self.s
        rows = {name: s.m[name].row("at", contacts) for name in ("last", "acts")}
        given: dict[str, Any] = {"impulses": rows["last"], "flags": rows["acts"], "fresh": s.m["fresh"]}
        with s.r.loop("at", self.triples):
            given |= {name: s.m[name].row("at") for name in ("rows", "laws")}
            given |= {"slowest": s.m["slowest"], "v": self.lanes[velocity]}
            s.r.run(flagged, given, [rows["acts"], s.m["fresh"]], entrywise=True)

    def move(self) -> None:
        """Velocities after impulses."""
        lanes, s = self.lanes, self.s
        given = {name: lanes[name] for name in ("free", "L", "scale") if name in lanes} | {"pushed": s.m["pushed"]}
        s.r.run(self._moved, given, [lanes["after"]])
        self.velocities("after", lanes["after"])

    def _moved(self, free: Array, scale: Array, pushed: Array, L: Array = terms.NOTHING) -> Array:
        return dynamics.moved(self.model, free, L, scale, pushed)

    def finish(self) -> None:
        """The state after the step."""
        given = {"q": self._mine("q"), "v": self._mine("v"), "after": self.lanes["after"], "dt": self.s.m["dt"]}
        self.s.r.run(self._finished, given, [self._mine(name) for name in ("q", "v", "a")])
        for name, table in (("q", "robots.q"), ("v", "robots.v"), ("a", "robots.v")):
            self.exchange(name, table, back=True)

    def _finished(self, q: Array, v: Array, after: Array, dt: Array) -> Any:
        return terms.finished(self.model, q, v, after, dt)


def _rows(
    model: Any, axes: Array, origin: Array, frame: Array, position: Array, mask1: Array, mask2: Array, flag: Array
) -> Array:
    """Velocity along the axes of a contact per unit v of robots."""
    return dynamics.contact_rows(model, tuple(range(model.nv)), axes, mask1 - mask2, frame, flag, position - origin)
