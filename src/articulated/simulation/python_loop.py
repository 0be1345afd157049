"""A run whose torques come from a Python function: called before every step, as it is."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from ..algorithms.forward_dynamics import forward_dynamics
from ..robot.arguments import Vector
from .contact.step_by_step import ContactSteps
from .methods.integrators import STEPS
from .plan import STORED, Plan, Recorded, contact_sizes, straight_line
from .progress import Progress
from .torques import quick_torques

#: steps between two looks at the clock and at divergence
LOOK = 128


def stepped(plan: Plan, q: np.ndarray, v: np.ndarray, threads: int, progress: bool | None) -> Recorded:
    """Every sample of a run, or those before it was interrupted or diverged."""
    __tracebackhide__ = True  # here and below: a mistake in the user's function is shown without us in a notebook
    loop = _Loop(plan, q, v, threads)
    bar = Progress(plan.steps, progress)
    try:
        events, step = plan.events, loop.step
        for k in range(plan.steps + 1):
            if events and loop.watched(k):
                break
            if not step(k):
                break
            if k % LOOK == 0:
                bar.at(k)
                if not np.isfinite(loop.now[1]).all():
                    break
    except KeyboardInterrupt:
        if not loop.done:  # nothing there to be returned
            raise
        loop.ended = "interrupted"
    finally:
        bar.end()
    return loop.recorded()


class _Loop:
    """The state of a run.  What is stored has time first: what is written in a step lies together."""

    def __init__(self, plan: Plan, q: np.ndarray, v: np.ndarray, threads: int):
        self.plan, self.dt, self.length, self.every = plan, np.array([plan.dt]), plan.dt, plan.every
        self.contacts = ContactSteps(plan, q, threads) if plan.system else None
        self.call: Callable[..., Any] = self.contacts or step_function(plan, threads)
        self.batch = () if len(q) == 1 else (len(q),)
        self.torques = self._torques()
        self.now = tuple(x.reshape(*self.batch, x.shape[-1]) for x in (q, v))
        sizes = (plan.robot.nq, *[plan.robot.nv] * 3)
        self.kept = {n: np.empty((plan.samples, *self.batch, size)) for n, size in zip(STORED, sizes, strict=True)}
        self.places, self.forces = list(self.kept.values()), list(plan.forces.values())
        self.contact = {
            name: np.empty((plan.samples, *self.batch, n)) for name, n in contact_sizes(plan.system).items()
        }
        own = plan.parameters
        self.own = [] if own is None else [own[0] if own.ndim == 2 or not self.batch else own[:, 0]]
        self.done, self.ended = 0, "after its duration"
        self.last: tuple[Any, ...] = ()  # the arguments of the last step, for events
        self.out = Recorded.empty(plan, 0)

    def step(self, k: int) -> bool:
        """Step number k; its state is stored if it is a sample.  False if the motion has left all bounds."""
        __tracebackhide__ = True
        q, v = self.now
        try:
            tau = self.torques(k * self.length, q, v)
        except Exception:
            if all(np.isfinite(x).all() for x in self.now):
                raise
            return False  # what a function does with NaN is not its mistake
        pushes = self.own
        if self.forces:
            pushes = pushes + [x[..., k, :] if len(x) != 1 else x[0, k] for x in self.forces]
        q1, v1, a = self.call(q, v, tau, self.dt, *pushes)
        self.last = q, v, tau, a, pushes
        if k % self.every == 0:
            self._keep(k // self.every, q, v, a, tau)
        self.now = q1, v1
        return True

    def _torques(self) -> Callable[[float, np.ndarray, np.ndarray], np.ndarray]:
        """What the function says about a state, which it sees in the shape that was given, and may change."""
        robot, function, given = self.plan.robot, self.plan.drive.function, self.plan.batch
        assert function is not None
        checked = quick_torques(robot, given)
        if self.batch == given:

            def as_given(t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
                __tracebackhide__ = True
                return checked(function(t, q.copy(), v.copy()), t)

            return as_given

        def reshaped(t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
            __tracebackhide__ = True
            seen = (x.reshape(*given, x.shape[-1]).copy() for x in (q, v))
            tau = checked(function(t, *seen), t)
            return tau.reshape(*self.batch, -1) if tau.ndim > 1 else tau

        return reshaped

    def _keep(self, sample: int, q: np.ndarray, v: np.ndarray, a: np.ndarray, tau: np.ndarray) -> None:
        """Store a state and the contacts of the last step."""
        to_q, to_v, to_a, to_tau = self.places
        to_q[sample], to_v[sample], to_a[sample], to_tau[sample] = q, v, a, tau
        if self.contacts:
            for name, x in self.contact.items():
                x[sample] = self.contacts.seen(name).reshape(x[sample].shape)
        self.done = sample + 1

    def watched(self, k: int) -> bool:
        """Whether an event has ended the run before step k, which is not taken then."""
        if not all(np.isfinite(x).all() for x in self.now):
            return False
        q, v = (x.reshape(-1, x.shape[-1]) for x in self.now)
        t, dt = k * self.plan.dt, self.plan.dt
        hit = self.out.watch.look(max(k - 1, 0) * dt, t, q, v, self.motion)
        if hit:  # the torque of the step that led here is held: the function is not called once more
            _, _, tau, a, pushes = self.last
            if not self.contacts:
                a = self.call(hit.q, hit.v, tau, np.zeros(1), *pushes).a
            self.out.end_by(hit, self.done, k - 1)
            self.ended = self.out.ended
            self._keep(self.done, hit.q, hit.v, a, tau)
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
        q, v, a, tau = (self._batch_first(x) for x in self.kept.values())
        contact = {name: self._batch_first(x) for name, x in self.contact.items()}
        return replace(self.out, q=q, v=v, a=a, tau=tau, contact=contact, samples=self.done, ended=self.ended)

    def _batch_first(self, x: np.ndarray) -> np.ndarray:
        return (x if self.batch else x[:, None]).swapaxes(0, 1)


def step_function(plan: Plan, threads: int) -> Callable[..., Any]:
    """`f(q, v, tau, dt, *forces)`: one step of a method, compiled."""
    kernels = plan.dynamics.kernels.under("", {"dt": Vector(1, "the time step")})
    whole = STEPS[plan.method]
    ways = tuple(partial(whole, dynamics=w) for _, w in kernels.ways(forward_dynamics) if w is not forward_dynamics)
    arrays: tuple[str, ...] = ("q", "v", "tau", "dt")
    if plan.parameters is not None:
        arrays, ways = (*arrays, "parameters"), ()
    kernel = kernels.kernel(kernels.request("simulate", whole, arrays, plan.frames, formulations=ways))
    kernel.ready("one")
    return kernel.call if threads == 1 else partial(kernel.call, threads=threads)
