"""A run whose torques come from a Python function: called before every step of dt, and held during it."""

from dataclasses import replace

import numpy as np
from numpy.lib.stride_tricks import as_strided

from ..drive.torques import torque_writer
from ..plan import STATE, Plan
from .events import Hit
from .rollout import COUNTS, Arrays, Rollout


class CalledRollout(Rollout):
    """A run by the same compiled loop, a step at a time."""

    called = True

    def __init__(self, plan: Plan, states: int, threads: int):
        self.torques = np.empty((states, plan.every, plan.robot.nv))  # of the steps since the last sample
        self.tau = np.empty((states, 1, plan.robot.nv))  # of the next step
        super().__init__(self._driven(plan), states, threads)
        self.structure = plan.structure
        self.given = self.tau.reshape(*plan.batch, plan.robot.nv)
        self.write = torque_writer(plan.robot, plan.batch)

    def _driven(self, plan: Plan) -> Plan:
        return replace(plan, drive=replace(plan.drive, rows=self.torques, function=None))

    def begin(self, plan: Plan, q: np.ndarray, v: np.ndarray) -> None:
        """A run from q (n, nq) and v (n, nv)."""
        assert plan.drive.function
        self.function, self.base = plan.drive.function, 0  # number of the step that the first of the torques is for
        super().begin(self._driven(plan), q, v)
        self.begins = q.copy(), v.copy()
        self.now = tuple(self.state[name].reshape(*plan.batch, -1) for name in ("q", "v"))
        if "tau" not in self.plan.stored:  # the torques that act are those that the function gives
            self.out.tau = np.empty((plan.samples, self.states, plan.robot.nv)).swapaxes(0, 1)

    def rest(self) -> None:
        """Hold nothing of a run."""
        super().rest()
        del self.function

    def rows(self) -> Arrays:
        """The torque, which is that of the step, whichever it is, and forces."""
        shape, strides = (self.states, self.plan.steps + 1, self.plan.robot.nv), (self.tau.strides[0], 0, 8)
        return super().rows() | {"torques": as_strided(self.tau, shape, strides)}

    def at_steps(self, first: int, count: int, lanes: slice) -> Arrays:
        """Torques since the last sample, and forces."""
        start = first - self.base
        return super().at_steps(first, count, lanes) | {"torques": self.torques[lanes, start : start + count]}

    def advance(self, size: int) -> int:
        """The next samples, so many at most."""
        __tracebackhide__ = True
        first, last = self.at, min(self.at + size, self.plan.samples)
        for sample in range(first, last):
            if self.plan.events and self._ended(sample):
                break
            if not self._interval(sample):
                self._keep(self.at)  # a state that is not finite
                self.at, self.over = self.at + 1, True
                self.out.finite, self.out.ended = False, "diverged"
                break
        return self.at - first

    def _keep(self, sample: int) -> None:
        for name in STATE:
            getattr(self.out, name)[:, sample] = self.state[name][:, 0]

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
        plan, dt, (q, v) = self.plan, self.plan.dt, self.now
        first = self.base = sample * plan.every
        count = plan.every
        if sample == plan.samples - 1:
            count, self.step[0, 0] = 1, self.least
        for k in range(first, first + count):
            try:
                self._ask(k * dt, q, v)
            except Exception:
                bad = ~self.alive
                if not bad.any():
                    raise
                if bad.all():
                    return False  # what a function does with NaN is not its mistake
                self._begin_anew(bad)
                self._ask(k * dt, q, v)
            if plan.events:
                self.torques[:, k - first] = self.tau[:, 0]
            if k == first:
                if "tau" not in plan.stored:
                    self.out.tau[:, sample] = self.tau[:, 0]
                self.take(COUNTS, sample, k)
                self.at = sample + 1
            else:  # what it finds is overwritten by the next sample, which has the worst residual since this one
                self.take(COUNTS, sample + 1, k)
                if plan.switching:
                    self.state["residual"][:, 0] = self.out.contact["residual"][:, sample + 1]
        return True

    def _ask(self, t: float, q: np.ndarray, v: np.ndarray) -> None:
        """Torques of the next step; runs of a batch that get NaN end by it."""
        __tracebackhide__ = True
        self.write(self.function(np.float64(t), q.copy(), v.copy()), t, self.given)
        if not np.isfinite(self.tau).all():
            self.out.refused = self.out.refused | (self.alive & ~np.isfinite(self.tau[:, 0]).all(axis=1))

    def _begin_anew(self, bad: np.ndarray) -> None:
        """Let the runs `bad` begin anew, unseen, that others may go on."""
        for name, x in self.begun(*self.begins, 0.0).items():
            self.state[name][bad] = x[bad] if isinstance(x, np.ndarray) else x
        self.out.died = np.minimum(self.out.died, np.where(bad, self.at, np.inf))

    def end(self, k: int, hit: Hit) -> None:
        """The run ends by an event, with the torque of the step it is in."""
        super().end(k, hit)
        if "tau" not in self.plan.stored:
            self.out.tau[:, k] = self.torques[:, min(int(hit.s / self.plan.dt), self.plan.every - 1)]
