"""A step with contacts as statements of a compiled loop.

The robot is straight-line code; what touches is data.  The step finds where all contacts are, gathers those that would
be violated without impulses in some lane, fills their rows, solves for their impulses, and takes in contacts that these
impulses would violate.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from ...algebra.rotations import cross
from ...algebra.scalars import Array, array, select, sqrt, zeros
from ...algorithms.configuration import arrival, bending, straight
from ...compiler.passes.builder import Builder
from ...compiler.passes.loops import Memory, Place
from ...robot import Robot
from ..drive.external_forces import NO_FORCES, ForceSites
from ..loop.routine import chosen
from ..methods.midpoint import formulation, middle
from . import interior, rows
from .dynamics import (
    carried,
    columns,
    contact_rows,
    drift,
    euler,
    factor_pattern,
    free,
    least_velocity,
    moved,
    response,
    twists,
    unflat,
)
from .laws import NONE, greatest
from .meetings import met
from .rows import windows
from .solver import TOLERANCE, Kind, Solver
from .surfaces import Plane
from .system import System, with_own_friction

_NOTHING = np.empty(0, object)
#: tangential velocity below which a contact is said to stick, relative to what gravity adds in a step
STILL = 1e-3
#: how often contacts that the impulses would violate are taken in
ROUNDS = 4


def contact_data(robot: Robot, system: System) -> dict[str, np.ndarray]:
    """Numbers of a system that its compiled step is given, by name of the array: (rows, size)."""
    given: dict[str, Any] = {
        "masks": [carried(robot.model, x.frame) - carried(robot.model, x.other) for x in system.contacts],
        "bounce": [[x.restitution, system.slow] for x in system.contacts] if system.bounces else [],
    }
    for kind, first, count in system.groups:
        given[kind] = [x.numbers for x in system.contacts[first : first + count] if x.point == 0]
    if isinstance(system.surface, Plane) and system.touching.grounded:
        given["plane"] = [[*np.ravel(system.surface.axes), system.surface.offset]]
    return {name: np.array(x, float) for name, x in given.items() if len(x)}


def contact_tables(robot: Robot, system: System) -> dict[str, np.ndarray]:
    """The rows that contacts refer to: of the bodies that carry one shape or two, by kind."""
    row = {k: i for i, k in enumerate(system.carriers(robot.model))}
    found = {}
    for kind, first, count in system.groups:
        each = [touch.carriers(robot.model) for touch in system.contacts[first : first + count]]
        for name, bodies in zip(("first", "second"), zip(*each, strict=True), strict=False):
            found[f"{kind}.{name}"] = np.array([row[k] for k in bodies], np.int64)
    return found


class ContactStep:
    """Arrays of a step with contacts, and its statements.

    `robot` has no dry friction, which is left to the rows of its joints.  `step` is the one without impulses; `law`
    gives the torques in its middle, if they are not held.  `known` has the impulses of the step before and `residual`,
    `data` the arrays of `contact_data`, the frictions and the anchors of contacts that hold.
    After `step`, `forces`, `states`, `gaps`, `positions` and `normals` are those of the contacts during it, and
    `residual` is the largest since `forget`.
    """

    def __init__(
        self, r: Builder, robot: Robot, system: System, known: Mapping[str, Memory], data: Mapping[str, Memory],
        sites: ForceSites = NO_FORCES, step: Callable[..., Any] = euler, law: Callable[..., Array] | None = None,
    ):  # fmt: skip
        self.r, self.robot, self.model, self.system, self.sites = r, robot, robot.model, system, sites
        self.rule, self.midway, self.law = step, step is middle, law
        self.contacts, self.blocks = len(system.contacts), system.blocks
        self.carriers, nv = system.carriers(robot.model), robot.nv
        triples, bodies = self.blocks - self.contacts, len(self.carriers)
        once = {"free": nv, "L": int(factor_pattern(robot.model).sum()), "inverse": nv, "origin": 3}
        once |= {"axes": 6 * len(columns(robot.model)), "after": nv, "pushed": nv}
        once |= dict.fromkeys(("fresh", "complete", "slowest", "reached"), 1)
        if self.midway:
            once |= {"there": robot.nq, "before": nv, "way": nv, "impact": 1}
        self.lanes: dict[str, Place] = {name: r.local(f"step {name}", size) for name, size in once.items() if size}
        each = {"flags": (1, self.blocks), "listed": (1, self.blocks), "poses": (12, bodies), "twists": (6, bodies)}
        each |= {"rows": (3 * nv, triples), "laws": (rows.LAW, triples), "held": (3, triples)}
        each |= {name: (size, self.contacts) for name, size in _OF_CONTACTS.items()}
        each |= dict.fromkeys(("J", "Y", "scaled"), (3 * nv, self.blocks))
        kinds = [Kind(rows.CONTACT, interior.CONTACT, 0, "touching")] if self.contacts else []
        if triples:
            kinds.append(Kind(rows.SCALARS, interior.SCALARS, "touching" if self.contacts else 0, "acting"))
        slowest = self.lanes["slowest"]
        assert isinstance(slowest, Memory)
        self.solver = Solver(r, self.blocks, kinds, slowest, system.bounces)
        own = {name: r.local(f"step {name}", *size) for name, size in each.items() if size[1]}
        self.m: dict[str, Memory] = {**self.solver.m, **own, **known, **data}
        self.tables = set(map(r.table, contact_tables(robot, system)))
        self._functions: dict[Any, Callable[..., Any]] = {}

    def forget(self) -> None:
        """Forget the largest residual so far."""
        self.r.run(_zero, {}, [self.m["residual"]])

    def step(
        self, q: Memory, v: Memory, t: Memory, tau: Memory, dt: Memory, a: Memory, outside: Mapping[str, Memory]
    ) -> None:
        """One step: new q and v, and the acceleration from the old ones."""
        given = {"q": q, "v": v, "t": t, "tau": tau, "dt": dt, "a": a, "least": self.solver.lane["least"], **outside}
        self.lanes.setdefault("before", v)
        self.lanes |= given
        self._prepare(" ".join(outside))
        self._meet()
        self._run(_zero, "", "fresh")
        self._flag("free", _flagged)
        self._run(_opposite, "fresh", "complete")
        self._run(_zero, "", "reached")
        if self.midway:
            self._run(_none, "", "impact")
        self._run(_same, "v=free", "after")
        with self.r.loop("round", ROUNDS, until=self.lanes["complete"], ahead=True):
            self._gather()
            self._fill()
            self._couple()
            self._solve()
            self._move()
            self._run(_zero, "", "fresh")
            self._flag("after", _joining)
            self._run(_opposite, "fresh", "complete")
        if "held" in self.m:
            with self.r.loop("contact", self.blocks - self.contacts):
                self._run(_rate, "impulses dt", "held", self.contacts)
        self._run(_largest, "residual reached", "residual")
        if self.midway:
            self._arrive()
        else:
            self._run(self._bound(_finished), "q v after dt", "q v a")

    # -- statements -------------------------------------------------------------------------------

    def _run(
        self, function: Callable[..., Any], reads: str, writes: str, first: int = 0, entrywise: bool = False
    ) -> None:
        """A function of arrays by their names: `as=name@table` is read under another name, from the row of a table.

        In a loop over some contacts or blocks, `first` is the number of the first.
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
        if table == "listed":
            offset = -self.contacts if name in ("rows", "laws") else 0
            return memory.row("contact", offset, table="step listed")
        return memory.row("contact", table=table) if table else memory.row("contact", first * (name in _FROM_FIRST))

    def _bound(self, function: Callable[..., Any], *given: Any) -> Callable[..., Any]:
        """A function of the model, the same whenever it is asked for: it is traced once."""
        return self._functions.setdefault((function, *given), partial(function, self.model, *given))

    def _arrive(self) -> None:
        """The end of a step by the midpoint rule."""
        self._run(_way, "before free after impact", "way")
        self._run(_zero, "", "fresh")
        self._flag("way", _sinking)
        self._run(self._bound(_arrived), "q there before after way fresh dt", "q v a")

    # -- the robot, and where its contacts are ----------------------------------------------------

    def _prepare(self, outside: str) -> None:
        found = "free L inverse origin axes poses@whole rows@whole laws@whole"
        self._run(self._free, f"q v t tau dt anchors {outside}", f"there before {found}" if self.midway else found)
        self._run(self._bound(_slowest), "dt", "slowest")

    def _free(
        self, q: Array, v: Array, t: Array, tau: Array, dt: Array, anchors: Array = _NOTHING, **outside: Array
    ) -> Any:
        """Everything that the step needs to know of the robot."""
        system, (of, ways) = self.system, formulation(self.robot, outside)
        if "parameters" in outside:
            system = with_own_friction(system, outside["parameters"][14 * len(self.model.bodies) :])

        def torque(q: Array, v: Array) -> Array:
            return self.law(t[0] + dt[0] / 2, q, v) if self.law else tau

        def forces(q: Array) -> Any:
            return self.sites(self.model, q, outside)

        found = free(of, q, v, torque, anchors, dt[0], system, forces, **ways, step=self.rule)
        return tuple(part.ravel() for part in (found if self.midway else found[2:]) if part.size)

    def _meet(self) -> None:
        """Gap, position and axes of every contact; no force of any yet."""
        for group in self.system.groups:
            each, m = {"contact": group.points}, self.m
            reads: dict[str, Place] = {"numbers": m[group.kind].row("contact")}
            for name in ("first", "second")[: 1 + group.pairs]:
                reads[name] = m["poses"].row(each, table=f"{group.kind}.{name}")
            if "plane" in m and not group.pairs:
                reads["plane"] = m["plane"]
            writes = [m[name].row(each, group.first) for name in ("gaps", "positions", "frames", "normals")]
            meet = self._functions.setdefault(group.kind, partial(_met, group.kind, self.system.surface))
            with self.r.loop("contact", group.number // group.points):
                self.r.run(meet, reads, [replace(row, span=group.points) for row in writes])
        if self.contacts:
            with self.r.loop("contact", self.contacts):
                self._run(_untouched, "", "forces states")
        if self.contacts and self.midway:
            self._run(self._bound(_twists, self.carriers), "axes v=before", "twists@whole")
            for kind, first, count in self.system.groups:
                own = f"{self._twists_of(kind)} gaps positions normals origin dt"
                with self.r.loop("contact", count):
                    self._run(_gap_before, own, "gaps", first, entrywise=True)

    def _twists_of(self, kind: str) -> str:
        """Twists of the bodies of a group of contacts, by name."""
        second = f" second=twists@{kind}.second" if f"{kind}.second" in self.tables else ""
        return f"first=twists@{kind}.first{second}"

    # -- which of them act ------------------------------------------------------------------------

    def _flag(self, velocity: str, flagged: Callable[..., Any]) -> None:
        """Flag what a velocity violates."""
        if self.carriers:
            self._run(self._bound(_twists, self.carriers), f"axes v={velocity}", "twists@whole")
        contact = "gaps positions normals dt slowest origin"
        each: list[tuple[int, int, Any, str]] = []
        for kind, first, count in self.system.groups:
            each.append((first, count, _closing, f"{self._twists_of(kind)} {contact}"))
        each.append((self.contacts, self.blocks - self.contacts, _stopping, f"rows laws slowest v={velocity}"))
        for first, count, violation, reads in each:
            if count:
                block = self._functions.setdefault((flagged, violation), flagged(violation))
                with self.r.loop("contact", count):
                    self._run(block, f"impulses flags fresh {reads}", "flags fresh", first, entrywise=True)

    def _gather(self) -> None:
        r, flags, listed = self.r, self.m["flags"], self.m["listed"]
        if self.contacts:
            r.gather(flags, listed, "touching", range(self.contacts))
        r.gather(flags, listed, "acting", range(self.contacts, self.blocks), "touching" if self.contacts else None)

    # -- the problem ------------------------------------------------------------------------------

    def _fill(self) -> None:
        """Rows, velocities and laws of the blocks that act."""
        bounces = self.system.bounces
        if self.midway:
            self._run(_none, "", "impact")
        if self.contacts:
            with self.r.loop("contact", "touching"):
                place = "mask=masks@listed position=positions@listed frame=frames@listed flag=flags@listed"
                self._run(self._bound(contact_rows), f"axes origin {place}", "J")
                own = "gap=gaps@listed friction@listed impulses@listed flag=flags@listed"
                self._run(_contact_terms, f"J free dt slowest {own}", "u c law x")
                if bounces:
                    own = "J before u c dt gap=gaps@listed bounce@listed"
                    if self.midway:
                        self._run(_bouncing_within, f"{own} impact", "bounced restitution impact", entrywise=True)
                    else:
                        self._run(_bouncing, own, "bounced restitution")
        if self.blocks > self.contacts:
            with self.r.loop("contact", "acting", start="touching" if self.contacts else 0):
                own = "rows@listed laws@listed impulses@listed flag=flags@listed"
                self._run(_scalar_terms, f"free {own}", "J u c law x")
                if bounces:
                    self._run(_as_they_are, "c", "bounced restitution")

    def _couple(self) -> None:
        """G, block by block, from the response of the robot to each."""
        r, m, G = self.r, self.m, self.solver
        with r.loop("contact", "acting"):
            self._run(self._bound(_response), "L inverse J", "Y scaled")
        with r.loop("row", "acting"), r.loop("column", "row"):
            both = {"Y": m["Y"].row("row"), "scaled": m["scaled"].row("column")}
            r.run(_mobility, both, [G.pair("G", "row", "column"), G.pair("G", "column", "row")])

    def _solve(self) -> None:
        self.solver.begin()
        self.solver.accepted()
        if self.system.bounces:
            self.solver.bounce()

    def _move(self) -> None:
        """Velocities after the impulses; these, and the forces they are, in the places of their contacts."""
        r = self.r
        self._run(self._bound(_unpushed), "", "pushed")
        with r.loop("contact", "acting"):
            self._run(_kept, "best old=impulses@listed complete", "best impulses@listed", entrywise=True)
            self._run(_push, "pushed scaled best", "pushed", entrywise=True)
        self._run(_kept_residual, "least reached complete", "reached", entrywise=True)
        self._run(self._bound(_moved), "free L pushed", "after")
        if self.contacts:
            with r.loop("contact", "touching"):
                self._run(_acting, "best velocity frame=frames@listed dt slowest", "forces@listed states@listed")


#: arrays with a row for every contact and block, from the first contact on
_FROM_FIRST = {"flags", "impulses", "gaps", "positions", "frames", "normals"}
#: arrays that every contact has, and the size of each
_OF_CONTACTS = {"gaps": 1, "positions": 3, "frames": 9, "normals": 3, "forces": 3, "states": 1}


# -- blocks -----------------------------------------------------------------------------------------


def _zero() -> Array:
    return array([0.0])


def _none() -> Array:
    return array([2.0])


def _untouched() -> tuple[Array, Array]:
    return array([0.0] * 3), array([0.0])


def _same(v: Array) -> Array:
    return v


def _opposite(fresh: Array) -> Array:
    return 1 - fresh


def _largest(residual: Array, reached: Array) -> Array:
    return array([greatest(residual[0], reached[0])])


def _slowest(model: Any, dt: Array) -> Array:
    return array([least_velocity(model, dt[0])])


def _met(
    kind: str, surface: Any, numbers: Array, first: Array, second: Array | None = None, plane: Array | None = None
) -> tuple[Array, ...]:
    ground: Any = surface if plane is None else Plane(plane[:9].reshape(3, 3), plane[9])  # type: ignore[arg-type]
    gaps, positions, axes = met(kind, ground, tuple(unflat(x) for x in (first, second) if x is not None), numbers)
    return gaps, positions.ravel(), axes.ravel(), axes[:, 6:].ravel()


def _closing(
    gaps: Array, positions: Array, normals: Array, origin: Array, dt: Array, slowest: Array, first: Array,
    second: Array | None = None,
) -> Any:  # fmt: skip
    """Velocity by which a contact would be too deep after the step."""
    return -(normals @ _velocity(positions, origin, first, second)) - drift(gaps[0], dt[0], slowest[0])


def _velocity(position: Array, origin: Array, first: Array, second: Array | None) -> Array:
    """Velocity of a point of a body, against another body."""
    twist = first if second is None else first - second
    return twist[:3] + cross(twist[3:], position - origin)


def _stopping(rows: Array, laws: Array, v: Array, slowest: Array) -> Any:
    """Velocity by which a row is outside its window; a row with dry friction, or one that holds, acts always."""
    worst = _beyond(rows, laws, v)
    for lower, upper, dry in windows(laws):
        worst = greatest(worst, select(dry > 0, slowest[0], select(lower < upper, -1.0, slowest[0])))
    return worst


def _beyond(rows: Array, laws: Array, v: Array) -> Any:
    """Velocity by which a joint is outside its window."""
    s, worst = rows.reshape(3, -1) @ v, -1.0
    for i, (lower, upper, _) in enumerate(windows(laws)):
        outside = greatest(lower - s[i], s[i] - upper)
        worst = greatest(worst, select(lower < upper, outside, -1.0))
    return worst


def _sinking(violation: Callable[..., Any]) -> Callable[..., Any]:
    """Violated by the mean velocity of the step."""

    def block(impulses: Array, flags: Array, fresh: Array, slowest: Array, **given: Array) -> tuple[Array, Array]:
        deep = _beyond(**given) if violation is _stopping else violation(**given, slowest=slowest)
        return flags, array([greatest(fresh[0], select(deep > STILL * slowest[0], 1.0, 0.0))])

    return block


def _flagged(violation: Callable[..., Any]) -> Callable[..., Any]:
    """Violated without impulses, or pushed in the step before."""

    def block(impulses: Array, flags: Array, fresh: Array, **given: Array) -> tuple[Array, Array]:
        pushed = impulses @ impulses
        acts = select(violation(**given) > 0, 1.0, select(pushed > 0, 1.0, 0.0))
        return array([acts]), array([greatest(fresh[0], acts)])

    return block


def _joining(violation: Callable[..., Any]) -> Callable[..., Any]:
    """Violated by the impulses of the others."""

    def block(impulses: Array, flags: Array, fresh: Array, **given: Array) -> tuple[Array, Array]:
        joins = select(flags[0] > 0.5, 0.0, select(violation(**given) > TOLERANCE * given["slowest"][0], 1.0, 0.0))
        return array([greatest(flags[0], joins)]), array([greatest(fresh[0], joins)])

    return block


def _contact_terms(
    J: Array, free: Array, gap: Array, dt: Array, friction: Array, impulses: Array, slowest: Array, flag: Array
) -> tuple[Array, ...]:
    """u, c, the law, and the impulses to begin with."""
    u = J.reshape(3, -1) @ free
    c = array([u[0], u[1], u[2] + flag[0] * drift(gap[0], dt[0], slowest[0])])
    return u, c, np.concatenate([friction, zeros(8) + 0.0, flag]), impulses


def _scalar_terms(rows: Array, free: Array, laws: Array, impulses: Array, flag: Array) -> tuple[Array, ...]:
    """J, u, c, the law and the impulses to begin with; in lanes where the rows do not act nothing holds them."""
    J = flag[0] * rows
    u = J.reshape(3, -1) @ free
    unbound = array([-NONE] * 3 + [NONE] * 3 + [0.0] * 4)
    return J, u, u, chosen(flag[0] > 0.5, laws, unbound), impulses


def _kept(best: Array, old: Array, complete: Array) -> tuple[Array, Array]:
    """Impulses of a lane that was complete before stay as they are."""
    found = chosen(complete[0] > 0.5, old, best)
    return found, found


def _kept_residual(least: Array, reached: Array, complete: Array) -> Array:
    return chosen(complete[0] > 0.5, reached, least)


def _bouncing(J: Array, before: Array, u: Array, c: Array, gap: Array, dt: Array, bounce: Array) -> tuple[Array, Array]:
    """c of a contact that bounces, by Newton's law, and its restitution; 0 where it does not.

    A contact that would be below the ground after the step bounces if it arrives faster than `slow`.
    """
    arriving = J.reshape(3, -1)[2] @ before
    bounces = select(u[2] + gap[0] / dt[0] < 0, select(arriving < -bounce[1], bounce[0], 0.0), 0.0)
    offset = select(bounces > 0, u[2] + bounces * arriving, c[2])
    return array([c[0], c[1], offset]), array([bounces])


def _bouncing_within(
    J: Array, before: Array, u: Array, c: Array, gap: Array, dt: Array, bounce: Array, impact: Array
) -> tuple[Array, ...]:
    """The same at the moment of the impact, and that moment as a part of the step: the first of those in it."""
    arriving = J.reshape(3, -1)[2] @ before
    gained, way = u[2] - arriving, greatest(gap[0], 0.0) / dt[0]
    meets = way + arriving + gained / 2 < 0
    # way + arriving s + gained s²/2 = 0
    root = sqrt(greatest(arriving * arriving - 2 * gained * way, 0.0))
    moment = select(meets, 2 * way / greatest(root - arriving, 1e-300), 1.0)
    faster = arriving + moment * gained
    bounces = select(meets, select(faster < -bounce[1], bounce[0], 0.0), 0.0)
    offset = select(bounces > 0, u[2] + bounces * faster - (1 - moment) * gained, c[2])
    first = select(bounces > 0, select(moment < impact[0], moment, impact[0]), impact[0])
    return array([c[0], c[1], offset]), array([bounces]), array([first])


def _as_they_are(c: Array) -> tuple[Array, Array]:
    return c, array([0.0])


def _mobility(Y: Array, scaled: Array) -> tuple[Array, Array]:
    G = Y.reshape(3, -1) @ scaled.reshape(3, -1).T
    return G.ravel(), G.T.ravel()


def _response(model: Any, inverse: Array, J: Array, L: Array = _NOTHING) -> tuple[Array, Array]:
    return response(model, L, inverse, J)


def _twists(model: Any, carriers: tuple[int, ...], axes: Array, v: Array) -> Array:
    return twists(model, axes, v, carriers).ravel()


def _unpushed(model: Any) -> Array:
    return array([0.0] * model.nv)


def _push(pushed: Array, scaled: Array, best: Array) -> Array:
    return pushed + best @ scaled.reshape(3, -1)


def _moved(model: Any, free: Array, pushed: Array, L: Array = _NOTHING) -> Array:
    return moved(model, free, L, pushed)


def _acting(best: Array, velocity: Array, frame: Array, dt: Array, slowest: Array) -> tuple[Array, Array]:
    """The force of a contact in world axes, and whether it is open (0), sticks (1) or slides (2)."""
    still = STILL * slowest[0]
    sticks = velocity[0] * velocity[0] + velocity[1] * velocity[1] < still * still
    state = select(best[2] > 0, select(sticks, 1.0, 2.0), 0.0)
    return frame.reshape(3, 3).T @ best / dt[0], array([state])


def _rate(impulses: Array, dt: Array) -> Array:
    return impulses / dt[0]


def _gap_before(
    gaps: Array, positions: Array, normals: Array, origin: Array, dt: Array, first: Array, second: Array | None = None
) -> Array:
    """The gap at the beginning of a step, from that in its middle."""
    return gaps - dt / 2 * (normals @ _velocity(positions, origin, first, second))


def _way(before: Array, free: Array, after: Array, impact: Array) -> Array:
    """Mean velocity of a step in which impulses act at a moment: in the middle, unless something bounces.

    Beside the impulses the velocity changes evenly.
    """
    s, gained = select(impact[0] > 1, 0.5, impact[0]), free - before
    return s * before + (1 - s) * after + (s - 0.5) * gained


def _arrived(
    model: Any, q: Array, there: Array, before: Array, after: Array, way: Array, fresh: Array, dt: Array
) -> tuple[Array, ...]:
    """The state after the step; where its mean velocity leads into something, it moves at the last instead."""
    mean = chosen(fresh[0] > 0.5, after, way)
    a = (after - before) / dt[0] + bending(model, (before + after) / 2)
    return *arrival(model, q, there, after, mean, dt[0]), a


def _finished(model: Any, q: Array, v: Array, after: Array, dt: Array) -> tuple[Array, ...]:
    """The state after the step, and the acceleration with which inverse dynamics gives its torques and forces."""
    a = (after - v) / dt[0] + bending(model, v)
    return *straight(model, q, after, dt[0]), a
