"""A run whose torques come from a Python function: called before every step, as it is."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from ..algorithms.forward_dynamics import forward_dynamics
from ..robot.arguments import Vector
from .carried import Carried
from .integrators import STEPS, Step
from .plan import Plan, Recorded, contact_sizes
from .progress import Progress
from .rollout_routine import routine_of
from .torques import Drive, full_torques

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
        self.call = ContactSteps(plan, q, threads) if plan.system else step_function(plan, threads)
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
            for name, x in self.contact.items():
                x[sample] = self.call.seen(name).reshape(x[sample].shape)
            self.done = sample + 1
        self.now = after.q, after.v

    def recorded(self) -> Recorded:
        """What there is, with the batch first."""
        batch_first = lambda x: (x if self.batch else x[:, None]).swapaxes(0, 1)  # noqa: E731
        q, v, a, tau = map(batch_first, self.kept.values())
        contact = {name: batch_first(x) for name, x in self.contact.items()}
        return Recorded(q, v, a, tau, samples=self.done, ended=self.ended, contact=contact)


class ContactSteps:
    """`f(q, v, tau, dt, *forces)`: one step with contacts by the compiled loop, begun where the last one ended."""

    def __init__(self, plan: Plan, q: np.ndarray, threads: int):
        nv = plan.robot.nv
        self.plan = replace(plan, drive=Drive(rows=np.zeros((1, nv))), steps=1, every=1)
        self.kernel, self.threads = routine_of(self.plan), threads
        self.carried = Carried.start(plan, q)
        self.out = Recorded.empty(self.plan, len(q))

    def __call__(self, q: np.ndarray, v: np.ndarray, tau: np.ndarray, dt: np.ndarray, *pushes: np.ndarray) -> Step:
        n, batch = len(self.out.q), q.shape[:-1]
        given = {"q0": q, "v0": v, "torques": np.broadcast_to(tau, v.shape)}
        given |= {f"force {name}": x for name, x in zip(self.plan.frames, pushes, strict=True)}
        arrays = {
            name: np.ascontiguousarray(np.broadcast_to(x, (*batch, x.shape[-1]))).reshape(n, 1, -1)
            for name, x in given.items()
        }
        arrays |= {"t0": np.zeros((n, 1, 1)), "step": dt[None]}
        arrays |= {
            f"{name}1": np.empty((n, 1, size)) for name, size in (("q", q.shape[-1]), ("v", v.shape[-1]), ("t", 1))
        }
        arrays |= {name: getattr(self.out, name)[:, :1] for name in ("q", "v", "a", "tau")}
        arrays |= {name: x[:, :1] for name, x in self.out.contact.items()} | self.carried.arrays()
        self.kernel(arrays, {"samples": 1, "every": 1, "more": 0, "steps": 1}, threads=self.threads)
        self.carried.impulses = arrays["impulses after"]
        self.carried.residual = np.maximum(self.carried.residual, self.out.contact["residual"][:, :1])
        return Step(*(arrays[name].reshape(*batch, -1) for name in ("q1", "v1", "a")))

    def seen(self, name: str) -> np.ndarray:
        """What is stored of the last step; of residuals the largest since this was asked before."""
        if name != "residual":
            return self.out.contact[name][:, 0]
        worst, self.carried.residual = self.carried.residual, np.zeros_like(self.carried.residual)
        return worst


def step_function(plan: Plan, threads: int) -> Callable[..., Any]:
    """`f(q, v, tau, dt, *forces)`: one step of a method, compiled."""
    kernels = plan.dynamics.kernels.under("", {"dt": Vector(1, "the time step")})
    whole = STEPS[plan.method]
    ways = tuple(partial(whole, dynamics=w) for _, w in kernels.ways(forward_dynamics) if w is not forward_dynamics)
    kernel = kernels.kernel(kernels.request("simulate", whole, ("q", "v", "tau", "dt"), plan.frames, formulations=ways))
    kernel.ready("one")
    return kernel.call if threads == 1 else partial(kernel.call, threads=threads)
