"""A run whose torques come from a Python function: called before every step of dt, and held during it."""

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..drive.torques import torque_writer
from ..plan import STATE, Plan
from .events import Hit
from .rollout import Arrays, Rollout
from .stepper import COUNTS, there_and_back


class _Step(NamedTuple):
    """A step from one set of arrays to another."""

    given: tuple[np.ndarray, np.ndarray]  # q and v before it, in the shape of q0
    kept: list[tuple[np.ndarray, np.ndarray]]  # where samples are stored, and the state before it and what it found
    after: Arrays
    take: Callable[..., None]


class CalledRollout(Rollout):
    """A run by the same compiled loop, a step at a time: the states before and after a step change places."""

    called = True

    def __init__(self, plan: Plan, q: np.ndarray, v: np.ndarray, threads: int):
        self.torques = np.empty((len(q), plan.every, plan.robot.nv))  # of the steps since the last sample
        super().__init__(replace(plan, drive=replace(plan.drive, rows=self.torques, function=None)), q, v, threads)
        assert plan.drive.function
        self.function, self.write = plan.drive.function, torque_writer(plan.robot, plan.batch)
        self.base = 0  # number of the step that the first of the torques is for
        self.dt = np.array([[plan.dt]])
        self.now = {name: x.copy() for name, x in self.rows(0, 1, slice(None)).items()}  # torques, forces of the step
        self.tau = self.now["torques"].reshape(*plan.batch, plan.robot.nv)
        self.forces = [(f"force {name}", x) for name, x in plan.forces.items()]
        self.watching = bool(plan.events)
        out, states = self.out, len(q)
        given = out.tau is None  # the torques that act are those that the function gives
        if out.tau is None:
            out.tau = np.empty((plan.samples, states, plan.robot.nv)).swapaxes(0, 1)
        kept = {name: x for name in self.plan.stored if (x := getattr(out, name)) is not None} | out.contact
        self.stored: Arrays = {name: np.empty((states, 1, x.shape[-1])) for name, x in kept.items()}
        self.found = [(_by_time(x), _row(self.stored[n])) for n, x in kept.items() if n not in STATE]
        if given:
            self.found.append((_by_time(out.tau), _row(self.now["torques"])))
        self.first = {name: x.copy() for name, x in self.state.items()}
        self.steps = [self._step(*each) for each in there_and_back(self, self.stored, self.now | {"step": self.dt})]

    def _step(self, before: Arrays, after: Arrays, take: Callable[..., None]) -> _Step:
        q, v = before["q"], before["v"]
        given = q.reshape(*self.plan.batch, q.shape[-1]), v.reshape(*self.plan.batch, v.shape[-1])
        state = [(_by_time(x), _row(y)) for x, y in ((self.out.q, q), (self.out.v, v))]
        return _Step(given, state + self.found, after, take)

    def advance(self, size: int) -> int:
        """The next samples, so many at most."""
        __tracebackhide__ = True
        first, last = self.at, min(self.at + size, self.plan.samples)
        for sample in range(first, last):
            if self.watching and self._ended(sample):
                break
            if not self._interval(sample):
                self._keep(self.at)  # a state that is not finite
                self.at, self.over = self.at + 1, True
                self.out.finite, self.out.ended = False, "diverged"
                break
        return self.at - first

    def _keep(self, sample: int) -> None:
        for x, found in self.steps[0].kept:
            x[sample] = found

    def _ended(self, sample: int) -> bool:
        """Whether an event has ended the run, before the function is called at this sample."""
        self._keep(sample)
        self.at = sample + 1
        if not self.watched():
            self.at = sample
        return self.over

    def _interval(self, sample: int) -> bool:
        """Steps from one sample to the next, the first is stored; False if the function fails at a state of NaN."""
        __tracebackhide__ = True
        plan, dt = self.plan, self.plan.dt
        first = self.base = sample * plan.every
        count = plan.every
        if sample == plan.samples - 1:
            count, self.dt[:] = 1, self.least
        for k in range(first, first + count):
            (q, v), kept, after, take = self.steps[0]
            try:
                self.write(self.function(np.float64(k * dt), q.copy(), v.copy()), k * dt, self.tau)
            except Exception:
                bad = ~self.alive
                if not bad.any():
                    raise
                if bad.all():
                    return False  # what a function does with NaN is not its mistake
                self._begin_anew(bad)
                self.write(self.function(np.float64(k * dt), q.copy(), v.copy()), k * dt, self.tau)
            if self.watching:
                self.torques[:, k - first] = self.now["torques"][:, 0]
            for name, x in self.forces:
                self.now[name][...] = x[..., k : k + 1, :]
            take(COUNTS)
            self.steps.reverse()
            self.state = after
            if k == first:
                for x, found in kept:
                    x[sample] = found
                self.at = sample + 1
            elif plan.switching:  # the next sample has the worst since this one
                after["residual"][:] = self.stored["residual"]
        return True

    def _begin_anew(self, bad: np.ndarray) -> None:
        """Let the runs `bad` begin anew, unseen, that others may go on."""
        for name, x in self.state.items():
            x[bad] = self.first[name][bad]
        self.out.died = np.minimum(self.out.died, np.where(bad, self.at, np.inf))

    def rows(self, first: int, count: int, lanes: slice) -> Arrays:
        """Torques since the last sample, and forces."""
        start = first - self.base
        return super().rows(first, count, lanes) | {"torques": self.torques[lanes, start : start + count]}

    def end(self, k: int, hit: Hit) -> None:
        """The run ends by an event, with the torque of the step it is in."""
        super().end(k, hit)
        if self.out.tau is not None and "tau" not in self.plan.stored:
            self.out.tau[:, k] = self.torques[:, min(int(hit.s / self.plan.dt), self.plan.every - 1)]


def _by_time(x: np.ndarray) -> np.ndarray:
    """(n, samples, size) with the samples first; of one state (samples, size), which is faster to write to."""
    return x[0] if len(x) == 1 else x.swapaxes(0, 1)


def _row(x: np.ndarray) -> np.ndarray:
    """(n, 1, size) without its axis of samples; of one state (size,)."""
    return x[0, 0] if len(x) == 1 else x[:, 0]
