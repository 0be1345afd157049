"""A run whose torques come from a Python function: called before every step, as it is."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from ...algorithms.forward_dynamics import forward_dynamics
from ...robot.arguments.arrays import Vector
from ..contact.constraints import TOUCHED, touched
from ..contact.step_by_step import ContactSteps
from ..drive.torques import torque_writer
from ..methods.integrators import STEPS
from ..plan import STORED, Plan, Recorded, contact_sizes, straight_line
from ..progress import Progress

#: steps of one state between two looks at the clock and at divergence, and the fewest of a batch
LOOK, LEAST = 128, 8


def stepped(plan: Plan, q: np.ndarray, v: np.ndarray, threads: int, progress: bool | None) -> Recorded:
    """Every sample of a run, or those before it was interrupted or diverged."""
    __tracebackhide__ = True  # here and below: a mistake in the user's function is shown without us in a notebook
    loop = _Loop(plan, q, v, threads)
    bar = Progress(plan.steps, progress)
    try:
        while loop.taken <= plan.steps and loop.advance() and np.isfinite(loop.now[1]).all():
            bar.at(min(loop.taken, plan.steps))
    except KeyboardInterrupt:
        if not loop.taken:  # nothing there to be returned
            raise
        loop.ended = "interrupted"
    finally:
        bar.end()
    return loop.recorded()


class _Loop:
    """The state of a run.  Steps are taken in rows of memory, some at a time, and their samples are kept.

    What is stored has time first: what is written in a step lies together.
    """

    def __init__(self, plan: Plan, q: np.ndarray, v: np.ndarray, threads: int):
        self.plan, self.dt, self.length, self.every = plan, np.array([plan.dt]), plan.dt, plan.every
        self.contacts = ContactSteps(plan, q, threads) if plan.system else None
        self.call: Callable[..., Any] = self.contacts or step_function(plan, threads)
        self.batch = () if len(q) == 1 else (len(q),)
        self.torques = self._torques()
        self.forces = list(plan.forces.values())
        self.contact = {
            name: np.empty((plan.samples, *self.batch, n)) for name, n in contact_sizes(plan.system).items()
        }
        own = plan.parameters
        self.own = [] if own is None else [own[0] if own.ndim == 2 or not self.batch else own[:, 0]]
        sizes = (plan.robot.nq, *[plan.robot.nv] * 3)
        self.kept = {n: np.empty((plan.samples, *self.batch, size)) for n, size in zip(STORED, sizes, strict=True)}
        count = max(LEAST, LOOK // len(q))
        self.rows = [np.empty((count + 1, *self.batch, size)) for size in sizes]  # of the steps from `first` on
        self.now = tuple(x.reshape(*self.batch, x.shape[-1]) for x in (q, v))
        self.first = self.taken = self.done = 0  # step of the first row; steps; samples that are kept
        self.last: tuple[Any, ...] = ()  # the arguments of the last step, for events
        self.ended = "after its duration"
        self.out = Recorded.empty(plan, 0)

    def advance(self) -> bool:
        """The next steps, as many as there are rows; the samples among those before are kept.

        False if an event has ended the run, or the motion has left all bounds.
        """
        __tracebackhide__ = True
        self.keep()
        self.first = self.taken
        for row, x in zip(self.rows, self.now, strict=False):
            row[0] = x
        q, v = (row[0] for row in self.rows[:2])
        to_q, to_v, to_a, to_tau = self.rows
        call, torques, dt, length, events = self.call, self.torques, self.dt, self.length, self.plan.events
        steps, given = range(self.first, self.plan.steps + 1), self.own
        for k, q1, v1, a, tau in zip(steps, to_q[1:], to_v[1:], to_a, to_tau, strict=False):
            if events and self.watched(k):
                return False
            try:
                torques(k * length, q, v, tau)
            except Exception:
                if np.isfinite(q).all() and np.isfinite(v).all():
                    raise
                return False  # what a function does with NaN is not its mistake
            if self.forces:
                given = self.own + [x[..., k, :] if len(x) != 1 else x[0, k] for x in self.forces]
            call(q, v, tau, dt, *given, out=(q1, v1, a))
            if self.contacts and not k % self.every and not self.keep_contacts(k // self.every):
                return False
            if events:
                self.last = q, v, tau, a, given
            self.now = q, v = q1, v1
            self.taken = k + 1
        return True

    def _torques(self) -> Callable[[float, np.ndarray, np.ndarray, np.ndarray], None]:
        """`f(t, q, v, tau)` writes what the function says to tau.

        It sees a state in the shape that was given, and may change it; t is NumPy's number, of whose comparisons ~ is
        the opposite.
        """
        robot, function, given = self.plan.robot, self.plan.drive.function, self.plan.batch
        assert function is not None
        write = torque_writer(robot, given)
        if self.batch == given:

            def as_given(t: float, q: np.ndarray, v: np.ndarray, tau: np.ndarray) -> None:
                __tracebackhide__ = True
                write(function(np.float64(t), q.copy(), v.copy()), t, tau)

            return as_given

        def reshaped(t: float, q: np.ndarray, v: np.ndarray, tau: np.ndarray) -> None:
            __tracebackhide__ = True
            seen = (x.reshape(*given, x.shape[-1]).copy() for x in (q, v))
            write(function(np.float64(t), *seen), t, tau.reshape(*given, -1))

        return reshaped

    def keep(self) -> None:
        """Keep the samples among the steps taken since the first row."""
        at, done = (-(-step // self.every) for step in (self.first, self.taken))
        for x, rows in zip(self.kept.values(), self.rows, strict=True):
            x[at:done] = rows[-self.first % self.every : self.taken - self.first : self.every]
        self.done = max(self.done, done)

    def keep_contacts(self, sample: int) -> bool:
        """Keep what the contacts of the last step were like; False if something has touched that must not."""
        assert self.contacts
        for name, x in self.contact.items():
            x[sample] = self.contacts.seen(name).reshape(x[sample].shape)
        lowest = self.contact.get("lowest")
        if lowest is None or not (lowest[sample] < 0).any():
            return True
        robot, system, q = self.plan.robot, self.plan.system, self.now[0].reshape(-1, self.plan.robot.nq)
        assert system
        self.ended = TOUCHED
        self.out.problem = touched(robot, system, q, int(lowest[sample].argmin()), self.plan.times[sample])
        return False

    def watched(self, k: int) -> bool:
        """Whether an event has ended the run before step k, which is not taken then."""
        if not all(np.isfinite(x).all() for x in self.now):
            return False
        q, v = (x.reshape(-1, x.shape[-1]) for x in self.now)
        t, dt = k * self.plan.dt, self.plan.dt
        hit = self.out.watch.look(max(k - 1, 0) * dt, t, q, v, self.motion)
        if hit:  # the torque of the step that led here is held: the function is not called once more
            _, _, tau, a, pushes = self.last
            if self.contacts and not self.keep_contacts(-(-k // self.every)):
                return True  # something has touched before the event
            if not self.contacts:
                a = self.call(hit.q, hit.v, tau, np.zeros(1), *pushes).a
            self.keep()
            self.out.end_by(hit, self.done, k - 1)
            self.ended = self.out.ended
            for x, found in zip(self.kept.values(), (hit.q, hit.v, a, tau), strict=True):
                x[self.done] = found
            self.done += 1
        return hit is not None

    def motion(self, lane: int, s: float) -> tuple[np.ndarray, np.ndarray]:
        """The state of a lane a time s after the beginning of the last step."""
        q, v, tau, _, pushes = self.last
        if self.contacts:
            found = straight_line(self.plan, (q, v), self.now, s / self.plan.dt)
        else:
            after = self.call(q, v, tau, np.array([s]), *pushes)
            found = after.q, after.v
        return (found[0][lane], found[1][lane]) if self.batch else found

    def recorded(self) -> Recorded:
        """What there is, with the batch first."""
        self.keep()
        q, v, a, tau = (self._batch_first(x) for x in self.kept.values())
        contact = {name: self._batch_first(x) for name, x in self.contact.items()}
        return replace(self.out, q=q, v=v, a=a, tau=tau, contact=contact, samples=self.done, ended=self.ended)

    def _batch_first(self, x: np.ndarray) -> np.ndarray:
        return (x if self.batch else x[:, None]).swapaxes(0, 1)


def step_function(plan: Plan, threads: int) -> Callable[..., Any]:
    """`f(q, v, tau, dt, *forces)`: one step of a method, compiled."""
    more = {"dt": Vector(1, "the time step")}
    if plan.parameters is not None:
        more["parameters"] = Vector(plan.parameters.shape[-1], "of bodies and joints")
    kernels = plan.dynamics.kernels.under("", more)
    whole = STEPS[plan.method]
    ways = tuple(partial(whole, dynamics=w) for _, w in kernels.ways(forward_dynamics) if w is not forward_dynamics)
    arrays: tuple[str, ...] = ("q", "v", "tau", "dt")
    if plan.parameters is not None:
        arrays, ways = (*arrays, "parameters"), ()
    axes = {} if plan.pushes.axes == "frame" else {"force_axes": plan.pushes.axes}
    kernel = kernels.kernel(kernels.request("simulate", whole, arrays, plan.frames, axes, formulations=ways))
    kernel.ready("one")
    return kernel.call if threads == 1 else partial(kernel.call, threads=threads)
