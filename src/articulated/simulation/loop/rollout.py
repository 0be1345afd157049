"""A run by the compiled loop, in pieces: between two of them Ctrl-C is heard and divergence is seen."""

import time
from functools import partial
from typing import ClassVar
from weakref import WeakKeyDictionary

import numpy as np

from ...compiler.kernel import Kernel
from ..inertial_parameters import of_lanes, over_batch
from ..methods.table import routine_of, writer_of
from ..plan import LARGEST, STATE, Plan, Recorded, straight_line
from ..progress import Progress
from .events import Hit

#: (n, rows, size) by name
Arrays = dict[str, np.ndarray]

#: seconds that a piece should take
PIECE = 0.1
#: seconds that a step of a state took in the last run of a loop: the next run begins with pieces of the right size
_pace: WeakKeyDictionary[Kernel, float] = WeakKeyDictionary()


def run_in_pieces(loop: "Rollout", progress: bool | None) -> Recorded:
    """Every sample of a run, or those before it was interrupted or diverged."""
    __tracebackhide__ = True  # a notebook shows a mistake in the user's torque as theirs
    plan = loop.plan
    bar = Progress(plan.steps, progress)
    each = loop.states * plan.every
    size = 1 if loop.called else max(1, int(PIECE / (each * _pace.get(loop.kernel, PIECE))))
    try:
        while loop.at < plan.samples and not loop.over:
            began = time.perf_counter()
            count = loop.advance(size)
            bar.at(min(loop.at * plan.every, plan.steps))
            loop.look(count)
            took = max(time.perf_counter() - began, 1e-6)
            if loop.at < plan.samples and not loop.called:
                _pace[loop.kernel] = took / (each * count)
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


class Rollout:
    """State of a run between two pieces; `over` once it cannot go on."""

    called: ClassVar[bool] = False  # steps are taken from Python, with a function between them

    def __init__(self, plan: Plan, q: np.ndarray, v: np.ndarray, threads: int):
        self.plan, self.threads, self.states = plan, threads, len(q)
        self.at = self.looked = 0  # samples that are stored, and those among which events were looked for
        self.over = False
        self.kernel: Kernel = routine_of(plan)
        self.out = Recorded.empty(plan, len(q), by_time=self.called)
        self.method = writer_of(plan)
        self.state = self.begun(q, v, 0.0)
        self.fixed, self.tables = self.method.data(plan, q), self.method.tables(plan)
        if plan.parameters is not None:
            self.fixed["parameters"] = plan.parameters
        numbers = {"implicit": plan.drive.implicit, "most": plan.drive.most, **plan.drive.data}
        self.fixed |= {name: over_batch(x, plan.batch) for name, x in numbers.items() if x is not None}

    def begun(self, q: np.ndarray, v: np.ndarray, t: float, lanes: slice = slice(None)) -> Arrays:
        """Everything that the loop carries, at a state (n, size) of some lanes at t."""
        clock = {"t": np.full((len(q), 1), t), "origin": np.full((len(q), 1), t), "count": np.zeros((len(q), 1))}
        carried = {"q": q, "v": v, **clock, **self.method.begin(self.plan, q, v, lanes)}
        return {name: np.ascontiguousarray(x[:, None]) for name, x in carried.items()}

    def advance(self, size: int) -> int:
        """The next samples, so many at most; the last one alone and, without contacts, with no step beyond it."""
        plan, first = self.plan, self.at
        last = first == plan.samples - 1
        count = 1 if last else min(size, plan.samples - 1 - first)
        if last and plan.stored == STATE:
            for name in STATE:
                getattr(self.out, name)[:, first] = self.state[name][:, 0]
            self.at = plan.samples
            return count
        stored = {name: getattr(self.out, name)[:, first : first + count] for name in plan.stored}
        stored |= {name: x[:, first : first + count] for name, x in self.out.contact.items()}
        every, step = (1, self.least) if last else (plan.every, plan.dt)
        self.state = self.run(self.state, stored, first * plan.every, every, step)
        self.at = first + count
        return count

    @property
    def least(self) -> float:
        """The step that tells torque and acceleration of a state; contacts have none without a time to act in."""
        return self.plan.dt if self.plan.switching else 0.0

    def run(
        self, state: Arrays, stored: Arrays, first: int, every: int, step: float, lanes: slice = slice(None)
    ) -> Arrays:
        """As many samples as `stored` has rows, from step number `first` on; returns the state after them."""
        count = stored["q"].shape[1]
        after = {name: np.empty_like(x) for name, x in state.items()}
        arrays = self.arrays(state, after, stored, step, lanes) | self.rows(first, count * every, lanes)
        counts = {"samples": count, "every": every, "more": every - 1, "steps": count * every}
        self.kernel(arrays, counts, self.tables, threads=self.threads)
        return after

    def arrays(self, state: Arrays, after: Arrays, stored: Arrays, step: float, lanes: slice = slice(None)) -> Arrays:
        """Arguments of the compiled loop, but for torques and forces by step."""
        arrays = {"step": np.array([[step]]), **stored}
        arrays |= {f"{name}0": x for name, x in state.items()} | {f"{name}1": x for name, x in after.items()}
        return arrays | {name: of_lanes(x, lanes) for name, x in self.fixed.items()}

    def rows(self, first: int, count: int, lanes: slice) -> Arrays:
        """Torques and forces that are given by step."""
        plan = self.plan
        rows = {f"force {name}": x for name, x in plan.forces.items()}
        if plan.drive.rows is not None:
            rows["torques"] = plan.drive.rows
        return {name: of_lanes(x, lanes)[..., first : first + count, :] for name, x in rows.items()}

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
            after = self.run(self.begun(q, v, t, lanes), stored, first, steps, step, lanes)
            return [after[name][:, 0] for name in STATE]

        q, v = self.out.q[lanes, k], self.out.v[lanes, k]
        if whole:
            q, v = moved(q, v, plan.times[k], whole, plan.dt)
            first += whole
        t = plan.times[k] + whole * plan.dt
        if plan.switching:
            q, v = straight_line(plan, (q, v), moved(q, v, t, 1, plan.dt), rest / plan.dt)
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
        out.end_by(hit, k, (k - 1) * self.plan.every + min(int(hit.s / self.plan.dt), self.plan.every - 1))
        self.at, self.over = out.samples, True

    # -- what ends a run ----------------------------------------------------------------------

    def failed(self) -> bool:
        """Whether the method could not go on; the samples end before that."""
        if "failed" not in self.state or not self.state["failed"].any():
            return False
        begun = (self.state["t"] + self.state["left"])[self.state["failed"] > 0].min() - self.plan.dt
        self.at = min(self.at, round(begun / self.plan.dt) // self.plan.every + 1)
        self.out.problem = self.method.failure(self.plan, self.state)
        return True

    @property
    def alive(self) -> np.ndarray:
        """Which runs have not diverged, (n,)."""
        q, v = (abs(self.state[name][:, 0]).max(axis=1, initial=0.0) for name in STATE)
        return (q < LARGEST) & (v < LARGEST)

    def finite(self) -> bool:
        """Whether some run is: it is if the state after its last sample is; a number that is not never becomes so."""
        alive = self.alive
        self.out.finite = bool(alive.all())
        return bool(alive.any()) or all(np.isfinite(getattr(self.out, name)[:, self.at - 1]).all() for name in STATE)
