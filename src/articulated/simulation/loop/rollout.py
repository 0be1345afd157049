"""A run by the compiled loop, in pieces: between two of them Ctrl-C is heard and divergence is seen."""

import time
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import Any, ClassVar, cast
from weakref import WeakKeyDictionary

import numpy as np

from ...compiler.kernel import Kernel
from ...compiler.runtime.loops import Bound, address
from ...compiler.source import TooLong
from ...errors import ModelError
from ..methods.table import routine_of, writer_of
from ..plan import LARGEST, STATE, Plan, Recorded, of_lanes, over_batch, stored_sizes
from ..progress import Progress
from .events import Hit
from .routine import CARRIED

#: (n, rows, size) by name
Arrays = dict[str, np.ndarray]

#: of a step that is a sample
COUNTS = {"samples": 1, "every": 1, "more": 0, "steps": 1}
#: most bytes of the state of a loop that is kept for the next run, and most loops of a robot
FEW, MOST_KEPT = 1 << 20, 16
#: seconds that a piece should take
PIECE = 0.1
#: seconds a step of a state took in the last run of a loop, in a list: the next begins with pieces of the right size
_pace: WeakKeyDictionary[Kernel, list[float]] = WeakKeyDictionary()


def run_in_pieces(loop: "Rollout", progress: bool | None) -> Recorded:
    """Every sample of a run, or those before it was interrupted or diverged."""
    __tracebackhide__ = True  # a notebook shows a mistake in the user's torque as theirs
    plan = loop.plan
    bar = Progress(plan.steps, progress)
    each = loop.states * plan.every
    size = 1 if loop.called else max(1, int(PIECE / (each * loop.pace[0])))
    try:
        while loop.at < plan.samples and not loop.over:
            began = time.perf_counter()
            count = loop.advance(size)
            bar.at(min(loop.at * plan.every, plan.steps))
            if not (loop.at == loop.alike < plan.samples):  # the last sample comes at once, and is looked at with these
                loop.look(count)
            took = max(time.perf_counter() - began, 1e-6)
            if not loop.called and loop.at <= loop.alike:
                loop.pace[0] = took / (each * count)
            size = max(1, int(count * min(8.0, PIECE / took)))
    except KeyboardInterrupt:
        if not loop.at:  # nothing there to be returned
            raise
        loop.out.ended = "interrupted"
    finally:
        bar.end()
    loop.out.samples = loop.at
    loop.out.more |= loop.method.info(plan, loop.state)
    return loop.out


def idle_loop(kind: type["Rollout"], plan: Plan, states: int, threads: int) -> "Rollout":
    """A loop for a run of this plan: one that was kept, and is for nobody else now, or a new one."""
    kept: dict[Any, list[Rollout]] = plan.robot.kernels.once("idle loops", dict)
    with suppress(LookupError, TypeError):  # a structure may be of what has no hash
        return kept[plan.structure, threads].pop()
    try:
        return kind(plan, states, threads)
    except TooLong:
        told = f"simulate: a step of {plan.robot.name} is too long to be compiled; lock joints, robot.lock(…)"
        raise ModelError(told) from None


def keep(loop: "Rollout") -> None:
    """Keep a loop for the next run of the same structure."""
    kept: dict[Any, list[Rollout]] = loop.plan.robot.kernels.once("idle loops", dict)
    if not loop.few or loop.structure is None:
        return
    loop.rest()
    with suppress(TypeError):
        if len(kept) > MOST_KEPT:
            kept.clear()
        kept.setdefault((loop.structure, loop.threads), []).append(loop)


class Rollout:
    """The compiled loop of a plan on arrays that stay, and a run by it; `over` once the run cannot go on.

    All plans of one structure have the same code and arrays of the same sizes: `begin` takes the numbers of another.
    """

    called: ClassVar[bool] = False  # steps are taken from Python, with a function between them

    def __init__(self, plan: Plan, states: int, threads: int):
        self.plan, self.threads, self.states, self.structure = plan, threads, states, plan.structure
        self.system = plan.system
        self.kernel: Kernel = routine_of(plan)
        self.pace, self.method = _pace.setdefault(self.kernel, [PIECE]), writer_of(plan)
        sizes = {**CARRIED, "q": plan.robot.nq, "v": plan.robot.nv, **self.method.carries(plan)}
        #: state of every run, (n, 1, size) by name, and the length of a step
        self.state: Arrays = {name: np.zeros((states, 1, size)) for name, size in sizes.items()}
        self.few = 8 * states * sum(sizes.values()) <= FEW
        self.step = np.array([[plan.dt]])
        self.fixed, self.tables = self.method.data(plan), self.method.tables(plan)
        self.sizes, self.bound = stored_sizes(plan), cast("Bound | None", None)
        self.passing: tuple[str, ...] = ()  # names of the arrays that are of one run
        #: samples that are taken alike: but with contacts, the last one has no step beyond it
        self.alike = plan.samples - (0 if self.called or (plan.switching and plan.every == 1) else 1)
        self.about = plan.system.untouched(plan.robot.model) if plan.system else {}
        self.out: Any = None

    def begin(self, plan: Plan, q: np.ndarray, v: np.ndarray) -> None:
        """A run from q (n, nq) and v (n, nv)."""
        self.plan, self.at, self.looked, self.over = plan, 0, 0, False  # samples stored, and those looked at for events
        self.out, self.step[0, 0] = Recorded.empty(plan, self.states, self.sizes, self.called), plan.dt
        self.out.more |= self.about
        for name, x in self.begun(q, v, 0.0).items():
            self.state[name][...] = x
        given, stored, place = self.numbers(q), self.stored(), address(self.out.q)
        self.fixed |= given
        given |= self.rows()
        if self.bound is None:
            here = {f"{name}{end}": x for name, x in self.state.items() for end in "01"} | {"step": self.step}
            self.passing = (*self.rows(), *stored)
            first = {name: x[..., :1, :] for name, x in (given | stored).items() if name in self.passing}
            self.bound = self.kernel.bound(self.fixed | here | first, COUNTS, self.tables)
            given, self.place = given | stored, place
        for name, x in given.items():
            self.bound.give(name, x)
        self.bound.move(stored, place - self.place)
        self.place = place

    def rest(self) -> None:
        """Hold none of the arrays of a run; the system is held, by whose identity plans are told apart."""
        assert self.bound
        for name in self.passing:
            del self.bound.arrays[name]
        self.out = self.plan = None  # type: ignore[assignment]

    def numbers(self, q: np.ndarray) -> Arrays:
        """Numbers of a run that are the same in all its steps: (1, size), or (n, 1, size)."""
        plan, drive = self.plan, self.plan.drive
        given = {"implicit": drive.implicit, "most": drive.most, **drive.data}
        found = {name: over_batch(x, plan.batch) for name, x in given.items() if x is not None}
        if plan.parameters is not None:
            found["parameters"] = plan.parameters
        if plan.system and plan.system.held:
            from ..contact.constraints import anchors

            found["anchors"] = anchors(plan.robot, plan.system, q)[:, None]
        return found

    def begun(self, q: np.ndarray, v: np.ndarray, t: float, lanes: slice = slice(None)) -> dict[str, Any]:
        """Everything that the loop carries, at a state (n, size) of some lanes at t."""
        more = self.method.begin(self.plan, q, v, lanes)
        carried: dict[str, Any] = dict.fromkeys(self.state, 0.0) | {"t": t, "origin": t}
        return carried | {name: x[:, None] for name, x in {"q": q, "v": v, **more}.items()}

    def rows(self) -> Arrays:
        """Torques and forces that are given by step."""
        plan = self.plan
        rows = {f"force {name}": x for name, x in plan.forces.items()}
        return rows if plan.drive.rows is None else rows | {"torques": plan.drive.rows}

    def at_steps(self, first: int, count: int, lanes: slice) -> Arrays:
        """The same of some steps and lanes."""
        return {name: of_lanes(x, lanes)[..., first : first + count, :] for name, x in self.rows().items()}

    def stored(self) -> Arrays:
        """Arrays of samples that the loop fills."""
        return {name: getattr(self.out, name) for name in self.plan.stored} | self.out.contact

    def advance(self, size: int) -> int:
        """The next samples, so many at most; one that is not taken as the others alone."""
        plan, first = self.plan, self.at
        last = first == self.alike
        count = 1 if last else min(size, self.alike - first)
        if last and plan.stored == STATE:
            for name in STATE:
                getattr(self.out, name)[:, first] = self.state[name][:, 0]
        else:
            every, self.step[0, 0] = (1, self.least) if last else (plan.every, plan.dt)
            counts = {"samples": count, "every": every, "more": every - 1, "steps": count * every}
            self.take(counts, first, first * plan.every)
        self.at = first + count
        return count

    def take(self, counts: Mapping[str, int], sample: int, step: int) -> None:
        """Steps from this sample and step number on."""
        assert self.bound
        self.bound(counts, {"samples": sample, "steps": step}, self.threads)

    @property
    def least(self) -> float:
        """The step that tells torque and acceleration of a state; contacts have none without a time to act in."""
        return self.plan.dt if self.plan.switching else 0.0

    def run(
        self, q: np.ndarray, v: np.ndarray, t: float, stored: Arrays, first: int, steps: int, step: float, lanes: slice
    ) -> Arrays:
        """The state a number of steps from number `first` on after one state of some lanes; `stored` has one row."""
        state = {name: np.zeros((len(q), 1, x.shape[-1])) for name, x in self.state.items()}
        for name, x in self.begun(q, v, t, lanes).items():
            state[name][...] = x
        arrays = {f"{name}{end}": x for name, x in state.items() for end in "01"} | {"step": np.array([[step]])}
        arrays |= {name: of_lanes(x, lanes) for name, x in self.fixed.items()} | stored
        arrays |= self.at_steps(first, steps, lanes)
        counts = {"samples": 1, "every": steps, "more": steps - 1, "steps": steps}
        self.kernel(arrays, counts, self.tables)
        return state

    def look(self, count: int) -> None:
        """Whether the run is over, after `count` samples more: an event, a failure, a number that is none."""
        if self.over:
            return
        bad = self.failed() or not self.finite()
        if not self.watched() and bad:
            self.over, self.out.ended = True, "diverged"

    # -- events -------------------------------------------------------------------------------

    def watched(self) -> bool:
        """Whether an event has ended the run, among the samples not looked at yet."""
        while self.plan.events and self.looked < self.at:
            k = self.looked
            q, v = self.out.q[:, k], self.out.v[:, k]
            if not (np.isfinite(q).all(axis=1) & np.isfinite(v).all(axis=1)).any():
                return False
            before, now = self.plan.times[max(k - 1, 0)], self.plan.times[k]
            hit = self.out.watch.look(before, now, q, v, partial(self.motion, k - 1))
            self.looked = k + 1
            if hit:
                self.end(k, hit)
                return True
        return False

    def motion(self, k: int, lane: int, s: float, there: Arrays | None = None) -> tuple[np.ndarray, np.ndarray]:
        """The state of a lane a time s after sample k; all that is stored of it is left in `there`.

        Contacts jump within a step: with them it is a straight line between two steps.
        """
        plan, lanes = self.plan, slice(lane, lane + 1)
        whole = min(int(s / plan.dt), plan.every - 1)
        first, rest = k * plan.every, s - whole * plan.dt
        stored = {name: np.empty((1, 1, getattr(self.out, name).shape[-1])) for name in plan.stored}
        stored |= {name: np.empty((1, 1, x.shape[-1])) for name, x in self.out.contact.items()}

        def moved(q: np.ndarray, v: np.ndarray, t: float, steps: int, step: float) -> list[np.ndarray]:
            after = self.run(q, v, t, stored, first, steps, step, lanes)
            return [after[name][:, 0] for name in STATE]

        q, v = self.out.q[lanes, k], self.out.v[lanes, k]
        if whole:
            q, v = moved(q, v, plan.times[k], whole, plan.dt)
            first += whole
        t = plan.times[k] + whole * plan.dt
        if plan.switching:
            q1, v1 = moved(q, v, t, 1, plan.dt)
            part = rest / plan.dt
            q, v = plan.robot.integrate(q, part * plan.robot.difference(q, q1)), v + part * (v1 - v)
        else:
            q, v = moved(q, v, t, 1, rest)
        if there is not None:
            moved(q, v, t + rest, 1, self.least)
            there |= stored
        return q[0], v[0]

    def end(self, k: int, hit: Hit) -> None:
        """The run ends by an event before sample k, and with it."""
        out, there = self.out, dict[str, np.ndarray]()
        self.motion(k - 1, hit.lane, hit.s, there)
        for name in self.plan.stored:
            getattr(out, name)[hit.lane, k] = there[name][0, 0]
        for name, x in out.contact.items():
            x[hit.lane, k] = there[name][0, 0]
        out.ended, out.problem = f"by the event {hit.event.name!r}", ""
        out.last = hit.t, (k - 1) * self.plan.every + min(int(hit.s / self.plan.dt), self.plan.every - 1)
        self.at = out.samples = k + 1
        self.over = True

    # -- what ends a run ----------------------------------------------------------------------

    def failed(self) -> bool:
        """Whether the method could not go on with any run; the samples of each end before that."""
        if "failed" not in self.state or not (stopped := self.state["failed"][:, 0, 0] > 0).any():
            return False
        begun = (self.state["t"] + self.state["left"])[:, 0, 0] / self.plan.dt - 1
        samples = np.where(stopped, np.maximum(np.round(begun) // self.plan.every + 1, 1), np.inf)
        self.out.died = np.minimum(self.out.died, samples)
        if not stopped.all():
            return False
        self.at = min(self.at, int(self.out.died.max()))
        self.out.problem = self.method.failure(self.plan, self.state)
        return True

    @property
    def alive(self) -> np.ndarray:
        """Which runs have not diverged, (n,)."""
        q, v = (abs(self.state[name][:, 0]).max(axis=1, initial=0.0) for name in STATE)
        return (q < LARGEST) & (v < LARGEST)

    def finite(self) -> bool:
        """Whether some run is: it is if the state after its last sample is; a number that is not never becomes so."""
        q, v = (abs(self.state[name]).max() for name in STATE)
        self.out.finite, self.out.speed = bool(q < LARGEST and v < LARGEST), max(v, self.state["speed"].max() ** 0.5)
        last = (getattr(self.out, name)[:, self.at - 1] for name in STATE)
        return self.out.finite or bool(self.alive.any()) or all(np.isfinite(x).all() for x in last)
