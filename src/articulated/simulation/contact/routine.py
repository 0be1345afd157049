"""A step with contacts as statements of a compiled loop: prepare, sweep and try Newton until all is done, finish."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ...algebra.scalars import Array, array, select
from ...algorithms.fast.sizes import far_bodies
from ...compiler.passes.builder import Builder
from ...compiler.passes.loops import Memory
from ...model.with_numbers import with_parameters
from ...robot import Robot
from ..drive.external_forces import NO_FORCES, ForceSites
from ..loop.routine import chosen
from . import blocks
from .geometry import lowest as smallest_gap
from .laws import greatest, least
from .newton import newton
from .problem import residual, sweep
from .schedule import SCHEDULE, TOLERANCE, WORTHWHILE, Phase
from .system import System, with_own_friction

_NOTHING = np.empty(0, object)
#: a gap that is no gap, m
FAR = 1e9


class ContactStep:
    """Arrays of a step with contacts, and its statements.

    `robot` has no dry friction, which is left to the rows of its joints.  `known` has the impulses of the step before,
    the frictions, the anchors of contacts that hold, and `residual` and `lowest`.
    After `step`, `forces`, `states`, `gaps`, `positions` and `normals` are those of the contacts during it, and
    `residual` is the largest since `forget`, `lowest` the smallest gap of what must not touch.
    """

    def __init__(
        self, r: Builder, robot: Robot, system: System, known: Mapping[str, Memory], sites: ForceSites = NO_FORCES,
        tolerance: float = TOLERANCE,
    ):  # fmt: skip
        self.r, self.robot, self.system, self.sites, self.tolerance = r, robot, system, sites, tolerance
        nc, m = len(system.contacts), system.size
        sizes = blocks.sizes(robot.model, system) | {
            "gaps": nc, "positions": 3 * nc, "normals": 3 * nc, "forces": 3 * nc, "states": nc,
            "held": system.held_rows,
            "current": m, "trial": m, "best": m, "now": 1, "least": 1, "done": 1,
        }  # fmt: skip
        own = {name: size for name, size in sizes.items() if size and name not in known}
        self.memory = {**known, **{name: r.local(f"contact {name}", size) for name, size in own.items()}}
        self._known: dict[str, Any] = {}

    def forget(self) -> None:
        """Forget the largest residual so far, and the smallest gap."""
        self._run("forget", lambda: (array([0.0]),), {}, ["residual"])
        if "lowest" in self.memory:
            self._run("far away", lambda: (array([FAR]),), {}, ["lowest"])

    def step(
        self, q: Memory, v: Memory, tau: Memory, dt: Memory, a: Memory, outside: Mapping[str, Memory] = {}
    ) -> None:
        """One step: new q and v, and the acceleration from the old ones.

        `outside` are forces at the frames, and inertial parameters of one's own.
        """
        state = {"q": q, "v": v, "tau": tau, "dt": dt, **outside}
        if "lowest" in self.memory:
            self._run("watch", self._watch, {"q": q, **self._own("lowest")}, ["lowest"])
        self._run("prepare", self._prepares(), {**state, **self._own("anchors")}, _PREPARED)
        problem = {"dt": dt, **self._own("G", "c", "bounds")}
        response = self._own("impulses", "v_free", "L", "inverse", "Y", "axes")
        finish = {"q": q, "v": v, **problem, **response}
        problem |= self._own("friction")
        self._run(
            "first", self._first, {**problem, **self._own("impulses")}, ["current", "best", "now", "least", "done"]
        )
        for k, phase in enumerate(SCHEDULE):
            self._repeat(f"phase {k}", phase, problem)
        self._run("worst", _worst, self._own("residual", "least"), ["residual"])
        self.r.copy(self.memory["best"], self.memory["impulses"])
        self._run("finish", self._finish, finish, [q, v, a, "forces", "states", "held"])

    def _repeat(self, counter: str, phase: Phase, problem: dict[str, Memory]) -> None:
        """Sweeps, or Newton's method as a trial, unless all lanes are done."""
        lane, done = self._own("best", "least", "done"), self.memory["done"]
        if phase.kind == "sweep":
            with self.r.loop(counter, phase.most, until=done, ahead=True):
                reads = {**problem, **lane, **self._own("current", "now")}
                self._run("sweep", self._sweep, reads, ["current", "now", "best", "least", "done"])
            return
        # a loop that is run once or not at all
        with self.r.loop(f"{counter} trial", 1, until=done, ahead=True):
            self._run(f"proximal {phase.proximal}", lambda: (array([phase.proximal]),), {}, ["proximal"])
            self.r.copy(self.memory["current"], self.memory["trial"])
            with self.r.loop(counter, phase.most, until=done, ahead=True):
                reads = {**problem, **lane, **self._own("trial", "proximal")}
                self._run("newton", self._newton, reads, ["trial", "best", "least", "done"])
            self._run("join", _joined, self._own("current", "now", "best", "least"), ["current", "now"])

    # -- blocks ---------------------------------------------------------------------------

    def _prepares(self) -> tuple[Callable[..., Any], ...]:
        """The way through composite bodies as moments, unless joints are so far apart that it loses digits."""
        kernels, model = self.robot.kernels, self.robot.model
        far = far_bodies(model)
        way = blocks.prepare_packed if far else blocks.prepare_packed_by_moments
        about = model if far else kernels.regrouped

        def prepare(
            q: Array, v: Array, tau: Array, dt: Array, anchors: Array = _NOTHING, **outside: Array
        ) -> tuple[Array, ...]:
            forces = self.sites(model, q, outside)
            of, prepared, system = about, way, self.system
            if "parameters" in outside:  # regrouped are the robot's own
                of, prepared = with_parameters(model, outside["parameters"]), blocks.prepare_packed
                system = with_own_friction(system, outside["parameters"][13 * len(model.bodies) :])
            found = prepared(of, q, v, tau, anchors, system, dt[0], forces)._asdict()
            return tuple(found[name].ravel() for name in _PREPARED if found[name].size)

        return (prepare,)

    def _watch(self, q: Array, lowest: Array) -> Array:
        return array([least(lowest[0], smallest_gap(self.robot.model, q, self.system))])

    def _problem(self, given: dict[str, Array]) -> Any:
        own = {name: given.get(name, _NOTHING) for name in ("G", "c", "bounds", "friction")}
        return blocks.unpacked_problem(self.robot.model, **own, system=self.system, dt=given["dt"][0])

    def _first(self, **given: Array) -> tuple[Array, ...]:
        problem = self._problem(given)
        found = sweep(problem, given["impulses"])
        missed = array([residual(problem, found)])
        return found, found, missed, missed, self._done(missed)

    def _sweep(self, **given: Array) -> tuple[Array, ...]:
        problem = self._problem(given)
        found = sweep(problem, given["current"])
        now = array([residual(problem, found)])
        lane = self._lane(given, found, now)
        active = given["done"][0] < 0.5
        return chosen(active, found, given["current"]), chosen(active, now, given["now"]), *lane

    def _newton(self, **given: Array) -> tuple[Array, ...]:
        problem = self._problem(given)
        found = newton(problem, given["trial"], given["proximal"][0])
        return found, *self._lane(given, found, array([residual(problem, found)]))

    def _lane(self, given: dict[str, Array], found: Array, now: Array) -> tuple[Array, Array, Array]:
        """The best impulses so far, their residual, and whether that will do; what is done stays as it is."""
        better = select(given["done"][0] < 0.5, select(now[0] < given["least"][0], 1.0, 0.0), 0.0) > 0.5
        least = chosen(better, now, given["least"])
        return chosen(better, found, given["best"]), least, self._done(least)

    def _done(self, least: Array) -> Array:
        """A lane that holds NaN is done: nothing would mend it, and it may be one that is not used."""
        return array([select(least[0] > self.tolerance, 0.0, 1.0)])

    def _finish(self, **given: Array) -> tuple[Array, ...]:
        names = ("q", "v", "impulses", "G", "c", "bounds", "v_free", "L", "inverse", "Y", "axes")
        own = {name: given.get(name, _NOTHING) for name in names}
        found = blocks.finish_packed(self.robot.model, **own, system=self.system, dt=given["dt"][0])
        return tuple(part.ravel() for part in found if part.size)

    # -- statements -----------------------------------------------------------------------

    def _own(self, *names: str) -> dict[str, Memory]:
        return {name: self.memory[name] for name in names if name in self.memory}

    def _run(self, name: str, block: Any, reads: dict[str, Memory], writes: Sequence[str | Memory]) -> None:
        """A block, the same function whenever it is asked for by this name: it is traced once."""
        targets = [self.memory.get(each) if isinstance(each, str) else each for each in writes]
        self.r.run(self._known.setdefault(name, block), reads, [each for each in targets if each is not None])


_PREPARED = ("G", "c", "bounds", "v_free", "L", "inverse", "Y", "axes", "gaps", "positions", "normals")


def _worst(residual: Array, least: Array) -> Array:
    return array([greatest(residual[0], least[0])])


def _joined(current: Array, now: Array, best: Array, least: Array) -> tuple[Array, Array]:
    """Newton's method is thrown away unless it was worth its while."""
    kept = least[0] < WORTHWHILE * now[0]
    return chosen(kept, best, current), chosen(kept, least, now)
