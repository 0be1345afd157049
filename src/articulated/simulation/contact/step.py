"""A step with contacts as statements of a compiled loop.

The robot is straight-line code; what touches is data.  The step finds where all contacts are, gathers those that would
be violated without impulses in some lane, fills their rows, solves for their impulses, and takes in contacts that these
impulses would violate.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from ...algebra.rotations import cross
from ...algebra.scalars import Array, array, select, zeros
from ...algorithms.configuration import bending, straight
from ...algorithms.fast.inverse_dynamics import inverse_dynamics_by_moments
from ...algorithms.fast.mass_matrix import mass_matrix_by_moments
from ...algorithms.fast.sizes import far_bodies
from ...compiler.passes.builder import Builder
from ...compiler.passes.loops import Memory, Place
from ...model.with_numbers import with_parameters
from ...robot import Robot
from ..drive.external_forces import NO_FORCES, ForceSites
from ..loop.routine import chosen
from . import interior, rows
from .dynamics import (
    carried,
    columns,
    contact_rows,
    drift,
    factor_pattern,
    free,
    least_velocity,
    moved,
    response,
    twists,
    unflat,
)
from .geometry import ROD, ball_of, ball_on_ground, between_rods, rod_of
from .laws import NONE, greatest
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
    model, touches, pairs = robot.model, system.touching.touches, system.touching.pairs
    masks = [carried(model, touch.frame) for touch in touches]
    masks += [carried(model, pair.first.frame) - carried(model, pair.second.frame) for pair in pairs]
    given: dict[str, Any] = {
        "balls": [ball_of(model, x.frame, x.point, x.radius) for x in touches],
        "rods": [np.concatenate([rod_of(model, x.first), rod_of(model, x.second)]) for x in pairs],
        "masks": masks,
        "bounce": [[x.restitution, system.slow] for x in system.contacts] if system.bounces else [],
    }
    if isinstance(system.surface, Plane) and touches:
        given["plane"] = [[*np.ravel(system.surface.axes), system.surface.offset]]
    return {name: np.array(x, float) for name, x in given.items() if len(x)}


def contact_tables(robot: Robot, system: System) -> dict[str, np.ndarray]:
    """The rows that contacts refer to: bodies of balls, and of the two rods of pairs."""
    number = {k: i for i, k in enumerate(system.carriers(robot.model))}

    def row(frame: str) -> int:
        return number[robot.model.bodies.index(robot.model.frame(frame).body)]

    pairs = system.touching.pairs
    found = {
        "carrier": [row(touch.frame) for touch in system.touching.touches],
        "first": [row(pair.first.frame) for pair in pairs],
        "second": [row(pair.second.frame) for pair in pairs],
    }
    return {name: np.array(x, np.int64) for name, x in found.items() if x}


class ContactStep:
    """Arrays of a step with contacts, and its statements.

    `robot` has no dry friction, which is left to the rows of its joints.  `known` has the impulses of the step before
    and `residual`, `data` the arrays of `contact_data`, the frictions and the anchors of contacts that hold.
    After `step`, `forces`, `states`, `gaps`, `positions` and `normals` are those of the contacts during it, and
    `residual` is the largest since `forget`.
    """

    def __init__(
        self, r: Builder, robot: Robot, system: System, known: Mapping[str, Memory], data: Mapping[str, Memory],
        sites: ForceSites = NO_FORCES,
    ):  # fmt: skip
        self.r, self.robot, self.model, self.system, self.sites = r, robot, robot.model, system, sites
        self.balls, self.contacts, self.blocks = len(system.touching.touches), len(system.contacts), system.blocks
        self.carriers, nv = system.carriers(robot.model), robot.nv
        triples, bodies = self.blocks - self.contacts, len(self.carriers)
        once = {"free": nv, "L": int(factor_pattern(robot.model).sum()), "inverse": nv, "origin": 3}
        once |= {"axes": 6 * len(columns(robot.model)), "after": nv, "pushed": nv}
        once |= dict.fromkeys(("fresh", "complete", "slowest", "reached"), 1)
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
        for name in contact_tables(robot, system):
            r.table(name)
        self._functions: dict[Any, Callable[..., Any]] = {}

    def forget(self) -> None:
        """Forget the largest residual so far."""
        self.r.run(_zero, {}, [self.m["residual"]])

    def step(self, q: Memory, v: Memory, tau: Memory, dt: Memory, a: Memory, outside: Mapping[str, Memory]) -> None:
        """One step: new q and v, and the acceleration from the old ones."""
        self.lanes |= {"q": q, "v": v, "tau": tau, "dt": dt, "a": a, "least": self.solver.lane["least"], **outside}
        self._prepare(" ".join(outside))
        self._meet()
        self._run(_zero, "", "fresh")
        self._flag("free", _flagged)
        self._run(_opposite, "fresh", "complete")
        self._run(_zero, "", "reached")
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

    # -- the robot, and where its contacts are ----------------------------------------------------

    def _prepare(self, outside: str) -> None:
        reads = f"q v tau dt anchors {outside}"
        self._run(self._free, reads, "free L inverse origin axes poses@whole rows@whole laws@whole")
        self._run(self._bound(_slowest), "dt", "slowest")

    def _free(self, q: Array, v: Array, tau: Array, dt: Array, anchors: Array = _NOTHING, **outside: Array) -> Any:
        """By composite bodies as moments, unless joints are so far apart that it loses digits."""
        model, system, ways = self.model, self.system, dict[str, Any]()
        forces, of = self.sites(model, q, outside), model
        if "parameters" in outside:  # regrouped are the robot's own
            of = with_parameters(model, outside["parameters"])
            system = with_own_friction(system, outside["parameters"][13 * len(model.bodies) :])
        elif not far_bodies(model):
            of = self.robot.kernels.regrouped
            ways = {"recursion": inverse_dynamics_by_moments, "inertia": mass_matrix_by_moments}
        found = free(of, q, v, tau, anchors, dt[0], system, forces, **ways)
        return tuple(part.ravel() for part in found if part.size)

    def _meet(self) -> None:
        """Gap, position and axes of every contact; no force of any yet."""
        found, pairs = "gaps positions frames normals", self.contacts - self.balls
        if self.balls:
            with self.r.loop("contact", self.balls):
                surface = self.system.surface
                ball = self._functions.setdefault("ball", partial(_ball, surface))
                self._run(ball, "pose=poses@carrier balls plane", found)
        if pairs:
            with self.r.loop("contact", pairs):
                self._run(_rods, "first=poses@first second=poses@second rods", found, self.balls)
        if self.contacts:
            with self.r.loop("contact", self.contacts):
                self._run(_untouched, "", "forces states")

    # -- which of them act ------------------------------------------------------------------------

    def _flag(self, velocity: str, flagged: Callable[..., Any]) -> None:
        """Flag what a velocity violates."""
        if self.carriers:
            self._run(self._bound(_twists, self.carriers), f"axes v={velocity}", "twists@whole")
        contact = "gaps positions normals dt slowest origin"
        for first, end, violation, reads in (
            (0, self.balls, _closing, f"first=twists@carrier {contact}"),
            (self.balls, self.contacts, _closing, f"first=twists@first second=twists@second {contact}"),
            (self.contacts, self.blocks, _stopping, f"rows laws slowest v={velocity}"),
        ):
            if end > first:
                block = self._functions.setdefault((flagged, violation, first), flagged(violation))
                with self.r.loop("contact", end - first):
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
        if self.contacts:
            with self.r.loop("contact", "touching"):
                place = "mask=masks@listed position=positions@listed frame=frames@listed flag=flags@listed"
                self._run(self._bound(contact_rows), f"axes origin {place}", "J")
                own = "gap=gaps@listed friction@listed impulses@listed flag=flags@listed"
                self._run(_contact_terms, f"J free dt slowest {own}", "u c law x")
                if bounces:
                    self._run(_bouncing, "J v u c dt gap=gaps@listed bounce@listed", "bounced restitution")
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


def _ball(surface: Any, pose: Array, balls: Array, plane: Array | None = None) -> tuple[Array, ...]:
    ground: Any = surface if plane is None else Plane(plane[:9].reshape(3, 3), plane[9])  # type: ignore[arg-type]
    met = ball_on_ground(unflat(pose), balls, ground)
    return met.gap, met.position, met.axes.ravel(), met.axes[2]


def _rods(first: Array, second: Array, rods: Array) -> tuple[Array, ...]:
    met = between_rods((unflat(first), unflat(second)), (rods[:ROD], rods[ROD:]))
    return met.gap, met.position, met.axes.ravel(), met.axes[2]


def _closing(
    gaps: Array, positions: Array, normals: Array, origin: Array, dt: Array, slowest: Array, first: Array,
    second: Array | None = None,
) -> Any:  # fmt: skip
    """Velocity by which a contact would be too deep after the step."""
    twist = first if second is None else first - second
    velocity = twist[:3] + cross(twist[3:], positions - origin)
    return -(normals @ velocity) - drift(gaps[0], dt[0], slowest[0])


def _stopping(rows: Array, laws: Array, v: Array, slowest: Array) -> Any:
    """Velocity by which a row is outside its window; a row with dry friction, or one that holds, acts always."""
    s, worst = rows.reshape(3, -1) @ v, -1.0
    for i, (lower, upper, dry) in enumerate(windows(laws)):
        always = select(dry > 0, slowest[0], select(lower < upper, -1.0, slowest[0]))
        worst = greatest(worst, greatest(always, greatest(lower - s[i], s[i] - upper)))
    return worst


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


def _bouncing(J: Array, v: Array, u: Array, c: Array, gap: Array, dt: Array, bounce: Array) -> tuple[Array, Array]:
    """c of a contact that bounces, by Newton's law, and its restitution; 0 where it does not.

    A contact that would be below the ground after the step bounces if it arrives faster than `slow`.
    """
    arriving = J.reshape(3, -1)[2] @ v
    bounces = select(u[2] + gap[0] / dt[0] < 0, select(arriving < -bounce[1], bounce[0], 0.0), 0.0)
    offset = select(bounces > 0, u[2] + bounces * arriving, c[2])
    return array([c[0], c[1], offset]), array([bounces])


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


def _finished(model: Any, q: Array, v: Array, after: Array, dt: Array) -> tuple[Array, ...]:
    """The state after the step, and the acceleration with which inverse dynamics gives its torques and forces."""
    a = (after - v) / dt[0] + bending(model, v)
    return *straight(model, q, after, dt[0]), a
