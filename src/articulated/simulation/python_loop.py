"""A run whose torques come from a Python function: called before every step, as it is."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ..algorithms.forward_dynamics import forward_dynamics
from ..robot.arguments import Vector
from .contact_steps import ContactSteps
from .integrators import STEPS
from .plan import Plan, Recorded, contact_sizes
from .progress import Progress
from .torques import full_torques

#: steps between two looks at the clock and at divergence
LOOK = 128


def stepped(plan: Plan, q: np.ndarray, v: np.ndarray, threads: int, progress: bool | None) -> Recorded:
    """Every sample of a run, or those before it was interrupted or diverged."""
    loop = _Loop(plan, q, v, threads)
    bar = Progress(plan.steps, progress)
    try:
        for k in range(plan.steps + 1):
            loop.step(k)
            if k % LOOK == 0:
                bar.at(k)
                if not np.isfinite(loop.now[1]).all():
                    break
    except KeyboardInterrupt:
        loop.ended = "interrupted"
    finally:
        bar.end()
    return loop.recorded()


class _Loop:
    """The state of a run.  What is stored has time first: what is written in a step lies together."""

    def __init__(self, plan: Plan, q: np.ndarray, v: np.ndarray, threads: int):
        self.plan, self.dt = plan, np.array([plan.dt])
        self.contacts = ContactSteps(plan, q, threads) if plan.system else None
        self.call: Callable[..., Any] = self.contacts or step_function(plan, threads)
        self.batch = () if len(q) == 1 else (len(q),)
        self.now = tuple(x.reshape(*self.batch, x.shape[-1]) for x in (q, v))
        sizes = {"q": plan.robot.nq, "v": plan.robot.nv, "a": plan.robot.nv, "tau": plan.robot.nv}
        self.kept = {name: np.empty((plan.samples, *self.batch, size)) for name, size in sizes.items()}
        self.contact = {
            name: np.empty((plan.samples, *self.batch, n)) for name, n in contact_sizes(plan.system).items()
        }
        self.done, self.ended = 0, "after its duration"

    def step(self, k: int) -> None:
        """Step number k; its state is stored if it is a sample."""
        plan, (q, v) = self.plan, self.now
        t = k * plan.dt
        assert plan.drive.function is not None
        tau = full_torques(plan.robot, plan.drive.function(t, q.copy(), v.copy()), self.batch, t)
        pushes = [x[..., k, :] if len(x) != 1 else x[0, k] for x in plan.forces.values()]
        after = self.call(q, v, tau, self.dt, *pushes)
        if k % plan.every == 0:
            sample = k // plan.every
            self.kept["q"][sample], self.kept["v"][sample], self.kept["tau"][sample] = q, v, tau
            self.kept["a"][sample] = after.a
            if self.contacts:
                for name, x in self.contact.items():
                    x[sample] = self.contacts.seen(name).reshape(x[sample].shape)
            self.done = sample + 1
        self.now = after.q, after.v

    def recorded(self) -> Recorded:
        """What there is, with the batch first."""
        q, v, a, tau = (self._batch_first(x) for x in self.kept.values())
        contact = {name: self._batch_first(x) for name, x in self.contact.items()}
        return Recorded(q, v, a, tau, samples=self.done, ended=self.ended, contact=contact)

    def _batch_first(self, x: np.ndarray) -> np.ndarray:
        return (x if self.batch else x[:, None]).swapaxes(0, 1)


def step_function(plan: Plan, threads: int) -> Callable[..., Any]:
    """`f(q, v, tau, dt, *forces)`: one step of a method, compiled."""
    kernels = plan.dynamics.kernels.under("", {"dt": Vector(1, "the time step")})
    whole = STEPS[plan.method]
    ways = tuple(partial(whole, dynamics=w) for _, w in kernels.ways(forward_dynamics) if w is not forward_dynamics)
    kernel = kernels.kernel(kernels.request("simulate", whole, ("q", "v", "tau", "dt"), plan.frames, formulations=ways))
    kernel.ready("one")
    return kernel.call if threads == 1 else partial(kernel.call, threads=threads)
