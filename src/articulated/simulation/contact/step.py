"""A step with contacts as statements of a compiled loop.

The robot is straight-line code; what touches is data.  The step finds where all contacts are, gathers those that would
be violated without impulses in some lane, fills the rows of these, solves for their impulses, and takes in contacts that
the impulses would violate.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from ...algebra.scalars import Array, array, select, zeros
from ...algorithms.configuration import bending, straight
from ...algorithms.fast.inverse_dynamics import inverse_dynamics_by_moments
from ...algorithms.fast.mass_matrix import mass_matrix_by_moments
from ...algorithms.fast.sizes import far_bodies
from ...compiler.passes.builder import Builder
from ...compiler.passes.loops import Memory
from ...model.with_numbers import with_parameters
from ...robot import Robot
from ..drive.external_forces import NO_FORCES, ForceSites
from . import interior, rows
from .dynamics import (
    carried, columns, contact_rows, drift, factor_pattern, free, least_velocity, moved, response, twists, unflat,
)  # fmt: skip
from .geometry import ROD, ball_of, ball_on_ground, between_rods, rod_of
from .laws import greatest
from .solver import TOLERANCE, Kind, Solver
from .surfaces import Met, Plane
from .system import System, with_own_friction

_NOTHING = np.empty(0, object)
#: tangential velocity below which a contact is said to stick, relative to what gravity adds in a step
STILL = 1e-3
#: how often contacts that the impulses would violate are taken in
ROUNDS = 4
#: numbers of a ball: a point of its body and a radius
BALL = 4
#: numbers of a plane: its axes and its offset
PLANE = 10


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
        nc, nv = len(system.contacts), robot.nv
        self.balls, self.blocks = len(system.touching.touches), system.blocks
        self.contacts, self.carriers = nc, system.carriers(robot.model)
        triples, na = self.blocks - nc, len(columns(robot.model))
        self.lanes = {
            name: r.local(f"step {name}", size)
            for name, size in {
                "v_free": nv, "L": int(factor_pattern(robot.model).sum()), "inverse": nv, "origin": 3, "axes": 6 * na,
                "after": nv, "pushed": nv, "fresh": 1, "complete": 1, "slowest": 1,
            }.items()
        }  # fmt: skip
        each = {"flags": (1, self.blocks), "listed": (1, self.blocks), "poses": (12, len(self.carriers))}
        each |= {"twists": (6, len(self.carriers)), "rows": (3 * nv, triples), "laws": (9, triples)}
        each |= {name: (size, nc) for name, size in _OF_CONTACTS.items()}
        each |= {name: (3 * nv, self.blocks) for name in ("J", "Y", "scaled")} | {"held": (3, triples)}
        self.m = {**known, **data}
        self.m |= {name: r.local(f"step {name}", *size) for name, size in each.items() if size[1]}
        self.tables = {name: r.table(name) for name in _tables(system)}
        kinds = [Kind(rows.CONTACT, interior.CONTACT, 0, "touching")] if nc else []
        if triples:
            kinds.append(Kind(rows.SCALARS, interior.SCALARS, "touching" if nc else 0, "acting"))
        self.solver = Solver(r, self.blocks, kinds, self.lanes["slowest"], system.bounces)
        self._functions: dict[Any, Callable[..., Any]] = {}

    def forget(self) -> None:
        """Forget the largest residual so far."""
        self.r.run(_zero, {}, [self.m["residual"]])

    def step(self, q: Memory, v: Memory, tau: Memory, dt: Memory, a: Memory, outside: Mapping[str, Memory]) -> None:
        """One step: new q and v, and the acceleration from the old ones."""
        self.q, self.v, self.dt = q, v, dt
        self._prepare({"q": q, "v": v, "tau": tau, "dt": dt, **outside})
        self._meet()
        self._flag("v_free", _flagged)
        self.r.run(_one, {}, [self.lanes["fresh"]])
        self.r.run(_zero, {}, [self.lanes["complete"]])
        with self.r.loop("round", ROUNDS, until=self.lanes["complete"], ahead=True):
            self._gather()
            self._fill()
            self._couple()
            self._solve()
            self._move()
            self.r.run(_zero, {}, [self.lanes["fresh"]])
            self._flag("after", _joining)
            self.r.run(_opposite, {"fresh": self.lanes["fresh"]}, [self.lanes["complete"]])
        self.r.run(_largest, {"residual": self.m["residual"], "least": self.solver.lane["least"]}, [self.m["residual"]])
        finish = self._once("finish", lambda: partial(_finished, self.model))
        self.r.run(finish, {"q": q, "v": v, "after": self.lanes["after"], "dt": dt}, [q, v, a])

    # -- the robot, and where its contacts are ----------------------------------------------------

    def _prepare(self, state: dict[str, Memory]) -> None:
        reads = {**state, **({"anchors": self.m["anchors"]} if "anchors" in self.m else {})}
        lanes = [self.lanes[name] for name in ("v_free", "L", "inverse", "origin", "axes")]
        rows = [self.m[name].whole() for name in ("poses", "rows", "laws") if name in self.m]
        self.r.run(self._once("free", lambda: self._free), reads, [x for x in [*lanes, *rows] if x.size])
        self.r.run(self._once("slowest", lambda: partial(_slowest, self.model)), {"dt": self.dt}, [self.lanes["slowest"]])

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
        r, m = self.r, self.m
        found = ("gaps", "positions", "frames", "normals")
        if self.balls:
            with r.loop("contact", self.balls):
                reads = {"pose": m["poses"].row("contact", table="carrier"), "ball": m["balls"].row("contact")}
                reads |= {"plane": m["plane"]} if "plane" in m else {}
                ball = self._once("ball", lambda: partial(_ball, self.system.surface))
                r.run(ball, reads, [m[name].row("contact") for name in found])
        if self.contacts > self.balls:
            with r.loop("contact", self.contacts - self.balls):
                reads = {name: m["poses"].row("contact", table=name) for name in ("first", "second")}
                r.run(_rods, {**reads, "rods": m["rods"].row("contact")}, [m[x].row("contact", self.balls) for x in found])
        if self.contacts:
            with r.loop("contact", self.contacts):
                r.run(_untouched, {}, [m["forces"].row("contact"), m["states"].row("contact")])

    # -- which of them act ------------------------------------------------------------------------

    def _flag(self, velocity: str, flagged: Callable[..., Any]) -> None:
        """Flag what a velocity violates."""
        r, m, lanes = self.r, self.m, self.lanes
        if self.carriers:
            twist = self._once("twists", lambda: lambda axes, v: twists(self.model, axes, v, self.carriers).ravel())
            r.run(twist, {"axes": lanes["axes"], "v": lanes[velocity]}, [m["twists"].whole()])
        known = {"dt": self.dt, "slowest": lanes["slowest"], "origin": lanes["origin"], "fresh": lanes["fresh"]}
        for first, count, names in ((0, self.balls, ["carrier"]), (self.balls, self.contacts - self.balls, ["first", "second"])):
            if count:
                with r.loop("contact", count):
                    reads = {name: m["twists"].row("contact", table=name) for name in names}
                    reads |= {name: m[name].row("contact", first) for name in ("gaps", "positions", "normals", "impulses", "flags")}
                    self._run_flags(flagged, _closing, {**reads, **known}, first)
        if self.blocks > self.contacts:
            with r.loop("contact", self.blocks - self.contacts):
                reads = {"J": m["rows"].row("contact"), "law": m["laws"].row("contact"), "v": lanes[velocity]}
                reads |= {name: m[name].row("contact", self.contacts) for name in ("impulses", "flags")}
                own = {name: known[name] for name in ("slowest", "fresh")}
                self._run_flags(flagged, _stopping, {**reads, **own}, self.contacts)

    def _run_flags(self, flagged: Callable[..., Any], violation: Callable[..., Any], reads: Any, offset: int) -> None:
        block = self._once((flagged, violation), lambda: flagged(violation))
        self.r.run(block, reads, [self.m["flags"].row("contact", offset), self.lanes["fresh"]], apart=True)

    def _gather(self) -> None:
        r, flags, listed = self.r, self.m["flags"], self.m["listed"]
        if self.contacts:
            r.gather(flags, listed, "touching", range(self.contacts))
        r.gather(flags, listed, "acting", range(self.contacts, self.blocks), "touching" if self.contacts else None)

    # -- the problem ------------------------------------------------------------------------------

    def _fill(self) -> None:
        """Rows, velocities and laws of the blocks that act."""
        r, m, lanes, here = self.r, self.m, self.lanes, self.solver.m
        listed = self._listed
        targets = [here[name].row("contact") for name in ("u", "c", "law", "x")]
        if self.contacts:
            with r.loop("contact", "touching"):
                reads = {"axes": lanes["axes"], "origin": lanes["origin"], "mask": listed("masks")}
                reads |= {"position": listed("positions"), "frame": listed("frames")}
                r.run(self._once("rows", lambda: partial(contact_rows, self.model)), reads, [m["J"].row("contact")])
                reads = {"J": m["J"].row("contact"), "v_free": lanes["v_free"], "gap": listed("gaps"), "dt": self.dt}
                reads |= {"friction": listed("friction"), "impulses": listed("impulses"), "slowest": lanes["slowest"]}
                r.run(_contact_terms, reads, targets)
                if self.system.bounces:
                    reads = {"J": m["J"].row("contact"), "v": self.v, "u": here["u"].row("contact"), "c": here["c"].row("contact")}
                    reads |= {"gap": listed("gaps"), "dt": self.dt, "bounce": listed("bounce")}
                    r.run(_bouncing, reads, [here["bounced"].row("contact"), here["restitution"].row("contact")])
        if self.blocks > self.contacts:
            with r.loop("contact", "acting", start="touching" if self.contacts else 0):
                r.copy(listed("rows", -self.contacts), m["J"].row("contact"))
                reads = {"J": m["J"].row("contact"), "v_free": lanes["v_free"], "laws": listed("laws", -self.contacts)}
                r.run(_scalar_terms, {**reads, "impulses": listed("impulses")}, targets)
                if self.system.bounces:
                    r.run(_as_they_are, {"c": here["c"].row("contact")}, [here["bounced"].row("contact"), here["restitution"].row("contact")])

    def _listed(self, name: str, offset: int = 0) -> Any:
        return self.m[name].row("contact", offset, table="step listed")

    def _couple(self) -> None:
        """G, block by block, from the response of the robot to each."""
        r, m, G = self.r, self.m, self.solver
        with r.loop("contact", "acting"):
            reads = {"L": self.lanes["L"], "inverse": self.lanes["inverse"], "J": m["J"].row("contact")}
            respond = self._once("response", lambda: self._response)
            r.run(respond, {name: x for name, x in reads.items() if x.size}, [m["Y"].row("contact"), m["scaled"].row("contact")])
        with r.loop("row", "acting"), r.loop("column", "row"):
            reads = {"Y": m["Y"].row("row"), "scaled": m["scaled"].row("column")}
            r.run(_mobility, reads, [G.pair("G", "row", "column"), G.pair("G", "column", "row")])

    def _response(self, inverse: Array, J: Array, L: Array = _NOTHING) -> Any:
        return response(self.model, L, inverse, J)

    def _solve(self) -> None:
        self.solver.begin()
        self.solver.accepted()
        if self.system.bounces:
            self.solver.bounce()

    def _move(self) -> None:
        """Velocities after the impulses; these, and the forces they are, in the places of their contacts."""
        r, m, lanes, best = self.r, self.m, self.lanes, self.solver.m["best"]
        nv = self.robot.nv
        r.run(self._once("none", lambda: lambda: array([0.0] * nv)), {}, [lanes["pushed"]])
        with r.loop("contact", "acting"):
            reads = {"pushed": lanes["pushed"], "scaled": m["scaled"].row("contact"), "x": best.row("contact")}
            r.run(_push, reads, [lanes["pushed"]], apart=True)
            r.copy(best.row("contact"), self._listed("impulses"))
        reads = {name: lanes[name] for name in ("v_free", "L", "pushed") if lanes[name].size}
        r.run(self._once("moved", lambda: self._moved), reads, [lanes["after"]])
        if self.contacts:
            with r.loop("contact", "touching"):
                reads = {"x": best.row("contact"), "velocity": self.solver.m["velocity"].row("contact"), "frame": self._listed("frames")}
                targets = [self._listed("forces"), self._listed("states")]
                r.run(_acting, {**reads, "dt": self.dt, "slowest": lanes["slowest"]}, targets)
        if "held" in m:
            with r.loop("contact", self.blocks - self.contacts):
                reads = {"x": m["impulses"].row("contact", self.contacts), "dt": self.dt}
                r.run(_rate, reads, [m["held"].row("contact")])

    def _moved(self, v_free: Array, pushed: Array, L: Array = _NOTHING) -> Array:
        return moved(self.model, v_free, L, pushed)

    def _once(self, key: Any, make: Callable[[], Callable[..., Any]]) -> Callable[..., Any]:
        """A block, the same function whenever it is asked for: it is traced once."""
        return self._functions.setdefault(key, make())


#: arrays that every contact has, and the size of each
_OF_CONTACTS = {"gaps": 1, "positions": 3, "frames": 9, "normals": 3, "forces": 3, "states": 1}


def _tables(system: System) -> list[str]:
    """Names of `contact_tables`."""
    touches, pairs = system.touching.touches, system.touching.pairs
    return (["carrier"] if touches else []) + (["first", "second"] if pairs else [])


# -- blocks -----------------------------------------------------------------------------------------


def _zero() -> Array:
    return array([0.0])


def _one() -> Array:
    return array([1.0])


def _untouched() -> tuple[Array, Array]:
    return array([0.0] * 3), array([0.0])


def _opposite(fresh: Array) -> Array:
    return 1 - fresh


def _largest(residual: Array, least: Array) -> Array:
    return array([greatest(residual[0], least[0])])


def _slowest(model: Any, dt: Array) -> Array:
    return array([least_velocity(model, dt[0])])


class _Plane:
    """A plane whose numbers are given."""

    def __init__(self, numbers: Array):
        self.axes, self.offset = numbers[:9].reshape(3, 3), numbers[9]

    def meet(self, p: Array) -> Met:
        return Met(self.axes[2] @ p - self.offset, self.axes)


def _ball(surface: Any, pose: Array, ball: Array, plane: Array | None = None) -> tuple[Array, ...]:
    met = ball_on_ground(unflat(pose), ball, surface if plane is None else _Plane(plane))
    return met.gap, met.position, met.axes.ravel(), met.axes[2]


def _rods(first: Array, second: Array, rods: Array) -> tuple[Array, ...]:
    met = between_rods((unflat(first), unflat(second)), (rods[:ROD], rods[ROD:]))
    return met.gap, met.position, met.axes.ravel(), met.axes[2]


def _closing(
    gaps: Array, positions: Array, normals: Array, origin: Array, dt: Array, slowest: Array, carrier: Array | None = None,
    first: Array | None = None, second: Array | None = None,
) -> Any:  # fmt: skip
    """Velocity by which a contact would be too deep after the step."""
    twist = carrier if first is None else first - second
    arm = positions - origin
    turn = twist[3:]
    velocity = twist[:3] + array(
        [turn[1] * arm[2] - turn[2] * arm[1], turn[2] * arm[0] - turn[0] * arm[2], turn[0] * arm[1] - turn[1] * arm[0]]
    )
    return -(normals @ velocity) - drift(gaps[0], dt[0], slowest[0])


def _stopping(J: Array, law: Array, v: Array, slowest: Array) -> Any:
    """Velocity by which a row is outside its window; a row with dry friction, or one that holds, acts always."""
    s, worst = J.reshape(3, -1) @ v, -1.0
    for i, (lower, upper, dry) in enumerate(rows.windows(law)):
        always = select(dry > 0, slowest[0], select(lower < upper, -1.0, slowest[0]))
        worst = greatest(worst, greatest(always, greatest(lower - s[i], s[i] - upper)))
    return worst


def _flagged(violation: Callable[..., Any]) -> Callable[..., Any]:
    """Violated without impulses, or pushed in the step before."""

    def block(impulses: Array, flags: Array, fresh: Array, **given: Array) -> tuple[Array, Array]:
        pushed = impulses @ impulses
        return array([select(violation(**given) > 0, 1.0, select(pushed > 0, 1.0, 0.0))]), fresh

    return block


def _joining(violation: Callable[..., Any]) -> Callable[..., Any]:
    """Violated by the impulses of the others."""

    def block(impulses: Array, flags: Array, fresh: Array, **given: Array) -> tuple[Array, Array]:
        joins = select(flags[0] > 0.5, 0.0, select(violation(**given) > TOLERANCE * given["slowest"][0], 1.0, 0.0))
        return array([greatest(flags[0], joins)]), array([greatest(fresh[0], joins)])

    return block


def _contact_terms(
    J: Array, v_free: Array, gap: Array, dt: Array, friction: Array, impulses: Array, slowest: Array
) -> tuple[Array, ...]:
    """u, c, the law, and the impulses to begin with."""
    u = J.reshape(3, -1) @ v_free
    c = array([u[0], u[1], u[2] + drift(gap[0], dt[0], slowest[0])])
    return u, c, np.concatenate([friction, zeros(8) + 0.0]), impulses


def _scalar_terms(J: Array, v_free: Array, laws: Array, impulses: Array) -> tuple[Array, ...]:
    u = J.reshape(3, -1) @ v_free
    return u, u, laws, impulses


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


def _push(pushed: Array, scaled: Array, x: Array) -> Array:
    return pushed + x @ scaled.reshape(3, -1)


def _acting(x: Array, velocity: Array, frame: Array, dt: Array, slowest: Array) -> tuple[Array, Array]:
    """The force of a contact in world axes, and whether it is open (0), sticks (1) or slides (2)."""
    still = STILL * slowest[0]
    sticks = velocity[0] * velocity[0] + velocity[1] * velocity[1] < still * still
    state = select(x[2] > 0, select(sticks, 1.0, 2.0), 0.0)
    return frame.reshape(3, 3).T @ x / dt[0], array([state])


def _rate(x: Array, dt: Array) -> Array:
    return x / dt[0]


def _finished(model: Any, q: Array, v: Array, after: Array, dt: Array) -> tuple[Array, ...]:
    """The state after the step, and the acceleration with which inverse dynamics gives its torques and forces."""
    a = (after - v) / dt[0] + bending(model, v)
    return *straight(model, q, after, dt[0]), a
