"""A step with contacts as statements of a compiled loop.

The robot is straight-line code; what touches is data.  The step finds where all contacts are, gathers those that would
be violated without impulses in some lane, fills their rows, solves for their impulses, and takes in contacts that these
impulses would violate.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from ...algebra.scalars import Array
from ...compiler.passes.builder import Builder
from ...compiler.passes.loops import Memory, Place
from ...geometry.support import SIZE
from ...robot import Robot
from ..drive.external_forces import NO_FORCES, ForceSites
from ..loop.blocks import constant, larger, minus, nothing, opposite, same
from ..methods.midpoint import formulation
from . import interior, rolling, rows, terms
from .dynamics import columns, euler, factor_pattern, free, reach, reaching
from .meetings import MEETINGS
from .nearest_points import NearestPoints
from .problem import Kind
from .rolling import ROLLING
from .solver import Solver
from .system import System, contact_tables, with_own_friction

#: how often contacts that the impulses would violate are taken in
ROUNDS = 4
#: arrays with a row for every contact and block, from the first contact on
_FROM_FIRST = {"flags", "impulses", "gaps", "positions", "frames", "normals"}
#: arrays that every contact has, and the size of each
_OF_CONTACTS = {"gaps": 1, "positions": 3, "frames": 9, "normals": 3, "forces": 3, "states": 1}


class ContactStep:
    """Arrays of a step with contacts, and its statements.

    `robot` has no dry friction, which is left to the rows of its joints.  `step` is the one without impulses; `law`
    gives the torques in its middle, if they are not held.  `known` has the impulses of the step before and `residual`,
    `data` the arrays of `contact_data`, the frictions and the anchors of contacts that hold.
    After `step`, `forces`, `states`, `gaps`, `positions` and `normals` are those of the contacts during it, and
    `residual` is the largest so far.
    """

    def __init__(
        self, r: Builder, robot: Robot, system: System, known: Mapping[str, Memory], data: Mapping[str, Memory],
        sites: ForceSites = NO_FORCES, step: Callable[..., Any] = euler, law: Callable[..., Array] | None = None,
    ):  # fmt: skip
        self.r, self.robot, self.model, self.system, self.sites = r, robot, robot.model, system, sites
        self.rule, self.midway, self.law = step, step is not euler, law
        self.contacts, self.blocks = len(system.contacts), system.blocks
        self.carriers, nv = system.carriers(robot.model), robot.nv
        triples, bodies = system.triples, len(self.carriers)
        self.first_triple = self.blocks - triples
        self.reach = tuple(range(nv)) if triples else reach(robot.model, self.carriers)
        once = {"free": nv, "L": int(factor_pattern(robot.model).sum()), "scale": nv, "origin": 3}
        once |= {"axes": 6 * len(columns(robot.model)), "after": nv, "pushed": len(self.reach)}
        once |= dict.fromkeys(("fresh", "complete", "slowest", "reached"), 1)
        if self.midway:
            once |= {"there": robot.nq, "before": nv, "way": nv, "impact": 1}
        self.lanes: dict[str, Place] = {name: r.local(f"step {name}", size) for name, size in once.items() if size}
        each = {"flags": (1, self.blocks), "listed": (1, self.blocks), "poses": (12, bodies), "twists": (6, bodies)}
        each |= {"rows": (3 * nv, triples), "laws": (rows.LAW, triples), "held": (3, triples)}
        each |= {name: (size, self.contacts) for name, size in _OF_CONTACTS.items()}
        kinds = [Kind(rows.CONTACT, interior.CONTACT, 0, "touching")] if self.contacts else []
        self._before_triples = "touching" if self.contacts else None
        if system.rolls:
            each |= {"normal": (1, self.contacts), "moments": (3, self.contacts)}
            kinds.append(Kind(ROLLING, rolling.BARRIER, "touching", "rolling"))
            self._before_triples = "rolling"
        if triples:
            kinds.append(Kind(rows.SCALARS, interior.SCALARS, self._before_triples or 0, "acting"))
        slowest = self.lanes["slowest"]
        assert isinstance(slowest, Memory)
        self.solver = Solver(r, self.blocks, kinds, slowest, system.bounces)
        if any(MEETINGS[group.kind].pairing for group in system.groups):
            each |= {"search": (SIZE, 1), "ended": (1, 1)}
        own = {name: r.local(f"step {name}", *size) for name, size in each.items() if size[1]}
        own |= {name: r.local(f"step {name}", 3 * len(self.reach), self.blocks, tiled=True) for name in "JY"}
        carry = reaching(robot.model, self.reach)
        own["gathered"] = r.local("step gathered", 18 + len(carry), self.blocks, tiled=True)
        self.m: dict[str, Memory] = {**self.solver.m, **own, **known, **data}
        self.tables = set(map(r.table, contact_tables(robot.model, system)))
        self._functions: dict[Any, Callable[..., Any]] = {}
        self._gathered = partial(terms.gathered, tuple(carry))
        self._searches: dict[str, NearestPoints] = {}

    def step(
        self, q: Memory, v: Memory, t: Memory, tau: Memory, dt: Memory, a: Memory, outside: Mapping[str, Memory]
    ) -> None:
        """One step: new q and v, and the acceleration from the old ones."""
        given = {"q": q, "v": v, "t": t, "tau": tau, "dt": dt, "a": a, "least": self.solver.lane["least"], **outside}
        self.lanes.setdefault("before", v)
        self.lanes |= given
        self._prepare(" ".join(outside))
        self._meet()
        self._run(nothing(), "", "fresh")
        self._flag("free", terms.flagged)
        self._run(opposite, "a=fresh", "complete")
        self._run(nothing(), "", "reached")
        if self.midway:
            self._run(constant(2.0), "", "impact")
        self._run(same, "a=free", "after")
        with self.r.loop("round", ROUNDS, until=self.lanes["complete"], ahead=True):
            if self.system.rolls:
                with self.r.loop("contact", self.contacts):
                    self._run(
                        terms.rolling,
                        "rolling contact=impulses impulses=impulses@turn",
                        "normal flags@turn impulses@turn",
                    )
            self._gather()
            self._fill()
            self._couple()
            self._solve()
            self._move()
            self._run(nothing(), "", "fresh")
            self._flag("after", terms.joining)
            if self.system.rolls:
                with self.r.loop("contact", self.contacts):
                    self._run(terms.rolling_changed, "rolling normal impulses fresh", "fresh", entrywise=True)
            self._run(opposite, "a=fresh", "complete")
        if "held" in self.m:
            with self.r.loop("contact", self.blocks - self.first_triple):
                self._run(terms.rate, "impulses dt", "held", self.first_triple)
        self._run(larger, "a=residual b=reached", "residual")
        if self.midway:
            self._run(minus, "a=after b=free", "change")
            self._arrive()
        else:
            self._run(self._bound(terms.finished), "q v after dt", "q v a")

    # -- statements -------------------------------------------------------------------------------

    def _run(
        self, function: Callable[..., Any], reads: str, writes: str, first: int = 0, entrywise: bool = False
    ) -> None:
        """A function of arrays by their names: `as=name@table` is read under another name, from the row of a table.

        In a loop over some contacts or blocks, `first` is the number of the first.  `name@turn` is the row of the block
        against rolling of a contact, `name@turning` the row of the contact of such a block.
        """
        given = {}
        for word in reads.split():
            name, _, source = word.partition("=")
            given[name.partition("@")[0]] = self._place(source or name, first)
        targets = [self._place(name, first) for name in writes.split()]
        some = {name: place for name, place in given.items() if place is not None}
        self.r.run(function, some, [place for place in targets if place is not None], entrywise=entrywise)

    def _place(self, word: str, first: int) -> Place | None:
        name, _, table = word.partition("@")
        if name in self.lanes:
            return self.lanes[name]
        if name not in self.m or table == "whole":
            return self.m[name].whole() if name in self.m else None
        memory = self.m[name]
        if memory.rows == 1:
            return memory
        if table in ("listed", "turning"):
            offset = -self.first_triple if name in ("rows", "laws") else -self.contacts if table == "turning" else 0
            return memory.row("contact", offset, table="step listed")
        if table == "turn":
            return memory.row("contact", self.contacts)
        return memory.row("contact", table=table) if table else memory.row("contact", first * (name in _FROM_FIRST))

    def _bound(self, function: Callable[..., Any], *given: Any) -> Callable[..., Any]:
        """A function of the model, the same whenever it is asked for: it is traced once."""
        return self._functions.setdefault((function, *given), partial(function, self.model, *given))

    def _reaching(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """A function of rows of contacts, the same."""
        return self._functions.setdefault(function, partial(function, self.reach))

    def _arrive(self) -> None:
        """The end of a step by the midpoint rule."""
        self._run(terms.way, "before free after impact", "way")
        self._run(nothing(), "", "fresh")
        self._flag("way", terms.sinking)
        self._run(self._bound(terms.arrived), "q there before after way fresh dt", "q v a")

    # -- the robot, and where its contacts are ----------------------------------------------------

    def _prepare(self, outside: str) -> None:
        given, found = f"q v t tau dt anchors {outside}", "free L scale origin axes poses@whole rows@whole laws@whole"
        if self.midway:
            given, found = f"{given} change", f"there before {found}"
        self._run(self._free, given, found)
        self._run(self._bound(terms.slowest), "dt", "slowest")

    def _free(
        self, q: Array, v: Array, t: Array, tau: Array, dt: Array, anchors: Array = terms.NOTHING,
        change: Array | None = None, **outside: Array,
    ) -> Any:  # fmt: skip
        """Everything that the step needs to know of the robot."""
        system, (of, ways) = self.system, formulation(self.robot, outside)
        if "parameters" in outside:
            system = with_own_friction(system, outside["parameters"][14 * len(self.model.bodies) :])

        def torque(q: Array, v: Array) -> Array:
            return self.law(t[0] + dt[0] / 2, q, v) if self.law else tau

        def forces(q: Array) -> Any:
            return self.sites(self.model, q, outside)

        rule = self.rule if change is None else partial(self.rule, change=change)
        found = free(of, q, v, torque, anchors, dt[0], system, forces, **ways, step=rule, bodies=self.model)
        return tuple(part.ravel() for part in (found if self.midway else found[2:]) if part.size)

    def _meet(self) -> None:
        """Gap, position and axes of every contact; no force of any yet."""
        for group in self.system.groups:
            each, m = {"contact": group.points}, self.m
            reads: dict[str, Place] = {"numbers": m[group.kind].row("contact")}
            for name in ("first", "second")[: 1 + group.pairs]:
                reads[name] = m["poses"].row(each, table=f"{group.kind}.{name}")
            if not group.pairs:
                reads["ground"] = m["ground"]
            writes = [m[name].row(each, group.first) for name in ("gaps", "positions", "frames", "normals")]
            meet = self._functions.setdefault(group.kind, partial(terms.met, group.kind, self.system.surface))
            rows = [replace(row, span=group.points) for row in writes]
            with self.r.loop("contact", group.number // group.points):
                if MEETINGS[group.kind].pairing:
                    search = self._searches.setdefault(group.kind, NearestPoints(group.kind))
                    search.write(self.r, reads, rows, (self.m["search"], self.m["ended"]))
                else:
                    self.r.run(meet, reads, rows)
        if self.contacts:
            with self.r.loop("contact", self.contacts):
                self._run(nothing(3), "", "forces")
                self._run(nothing(), "", "states")
                if self.system.rolls:
                    self._run(nothing(3), "", "moments")
        if self.contacts and self.midway:
            self._run(self._bound(terms.twists, self.carriers), "axes v=before", "twists@whole")
            for kind, first, count in self.system.groups:
                own = f"{self._twists_of(kind)} gaps positions normals origin dt"
                with self.r.loop("contact", count):
                    self._run(terms.gap_before, own, "gaps", first, entrywise=True)

    def _twists_of(self, kind: str) -> str:
        """Twists of the bodies of a group of contacts, by name."""
        second = f" second=twists@{kind}.second" if f"{kind}.second" in self.tables else ""
        return f"first=twists@{kind}.first{second}"

    # -- which of them act ------------------------------------------------------------------------

    def _flag(self, velocity: str, flagged: Callable[..., Any]) -> None:
        """Flag what a velocity violates."""
        if self.carriers:
            self._run(self._bound(terms.twists, self.carriers), f"axes v={velocity}", "twists@whole")
        contact = "gaps positions normals dt slowest origin"
        each: list[tuple[int, int, Any, str]] = []
        for kind, first, count in self.system.groups:
            each.append((first, count, terms.closing, f"{self._twists_of(kind)} {contact}"))
        triples = self.blocks - self.first_triple
        each.append((self.first_triple, triples, terms.stopping, f"rows laws slowest v={velocity}"))
        for first, count, violation, reads in each:
            if count:
                block = self._functions.setdefault((flagged, violation), flagged(violation))
                with self.r.loop("contact", count):
                    self._run(block, f"impulses flags fresh {reads}", "flags fresh", first, entrywise=True)

    def _gather(self) -> None:
        r, flags, listed = self.r, self.m["flags"], self.m["listed"]
        if self.contacts:
            r.gather(flags, listed, "touching", range(self.contacts))
        if self.system.rolls:
            r.gather(flags, listed, "rolling", range(self.contacts, self.first_triple), "touching")
        r.gather(flags, listed, "acting", range(self.first_triple, self.blocks), self._before_triples)

    # -- the problem ------------------------------------------------------------------------------

    def _fill(self) -> None:
        """Rows, velocities and laws of the blocks that act."""
        bounces = self.system.bounces
        if self.midway:
            self._run(constant(2.0), "", "impact")
        if self.contacts:
            with self.r.loop("contact", "touching"):
                own = "mask=masks@listed position=positions@listed frame=frames@listed gap=gaps@listed"
                self._run(self._gathered, f"{own} friction@listed impulses@listed flag=flags@listed", "gathered")
            with self.r.loop("contact", "touching", wide=True):
                block = self._bound(terms.contact_terms, self.reach)
                self._run(block, "axes origin free dt slowest gathered", "J u c law x")
            if bounces:
                with self.r.loop("contact", "touching"):
                    own = "J before u c dt gap=gaps@listed bounce@listed"
                    if self.midway:
                        block = self._reaching(terms.bouncing_within)
                        self._run(block, f"{own} impact", "bounced restitution impact", entrywise=True)
                    else:
                        self._run(self._reaching(terms.bouncing), own, "bounced restitution")
        if self.system.rolls:
            with self.r.loop("contact", "rolling", start="touching"):
                own = "mask=masks@turning frame=frames@turning rolling@turning normal@turning impulses@listed"
                block = self._bound(terms.rolling_terms, self.reach)
                self._run(block, f"axes free {own} flag=flags@listed", "J u c law x")
        if self.blocks > self.first_triple:
            with self.r.loop("contact", "acting", start=self._before_triples or 0):
                own = "rows@listed laws@listed impulses@listed flag=flags@listed"
                self._run(terms.scalar_terms, f"free {own}", "J u c law x")
        if bounces and self.blocks > self.contacts:
            with self.r.loop("contact", "acting", start="touching" if self.contacts else 0):
                self._run(same, "a=c", "bounced")
                self._run(nothing(), "", "restitution")

    def _couple(self) -> None:
        """G, block by block, from the response of the robot to each."""
        r, m, G = self.r, self.m, self.solver
        with r.loop("contact", "acting", wide=True):
            self._run(self._bound(terms.response, self.reach), "L scale J", "Y")
        with r.loop("row", "acting"), r.loop("column", "acting", wide=True):
            both = {"Y": m["Y"].row("row"), "other": m["Y"].row("column")}
            r.run(terms.mobility, both, [G.pair("G", "row", "column")])

    def _solve(self) -> None:
        self.solver.begin()
        self.solver.accepted()
        if self.system.bounces:
            self.solver.bounce()

    def _move(self) -> None:
        """Velocities after the impulses; these, and the forces they are, in the places of their contacts."""
        r = self.r
        self._run(nothing(len(self.reach)), "", "pushed")
        with r.loop("contact", "acting"):
            self._run(terms.kept, "best old=impulses@listed complete", "best impulses@listed", entrywise=True)
            self._run(terms.push, "pushed Y best", "pushed", entrywise=True)
        self._run(terms.kept_residual, "least reached complete", "reached", entrywise=True)
        self._run(self._bound(terms.moved, self.reach), "free L scale pushed", "after")
        if self.contacts:
            with r.loop("contact", "touching"):
                self._run(terms.acting, "best velocity frame=frames@listed dt slowest", "forces@listed states@listed")
        if self.system.rolls:
            with r.loop("contact", "rolling", start="touching"):
                self._run(terms.turned, "best frame=frames@turning dt", "moments@turning")
