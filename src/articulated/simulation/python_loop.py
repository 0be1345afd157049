"""A run whose torques come from a Python function: called before every step, as it is."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from ..algorithms.forward_dynamics import forward_dynamics
from ..robot import Robot
from ..robot.arguments import Vector
from .damping import damped
from .integrators import STEPS
from .plan import STORED, Plan, Recorded
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
            if loop.watched(k):
                break
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
        self.plan, self.call, self.dt = plan, step_function(plan, threads), np.array([plan.dt])
        self.batch = () if len(q) == 1 else (len(q),)
        self.now = tuple(x.reshape(*self.batch, x.shape[-1]) for x in (q, v))
        sizes = {"q": plan.robot.nq, "v": plan.robot.nv, "a": plan.robot.nv, "tau": plan.robot.nv}
        self.kept = {name: np.empty((plan.samples, *self.batch, size)) for name, size in sizes.items()}
        self.done, self.ended = 0, "after its duration"
        self.last: tuple[Any, ...] = ()  # the arguments of the last step
        self.out = Recorded.empty(plan, 0)

    def step(self, k: int) -> None:
        """Step number k; its state is stored if it is a sample."""
        plan, (q, v) = self.plan, self.now
        t = k * plan.dt
        assert plan.drive.function is not None
        tau = full_torques(plan.robot, plan.drive.function(t, q.copy(), v.copy()), self.batch, t)
        pushes = [x[..., k, :] if len(x) != 1 else x[0, k] for x in plan.forces.values()]
        after = self.call(q, v, tau, self.dt, *pushes)
        self.last = q, v, tau, pushes
        if k % plan.every == 0:
            sample = k // plan.every
            self.kept["q"][sample], self.kept["v"][sample], self.kept["tau"][sample] = q, v, tau
            self.kept["a"][sample] = after.a
            self.done = sample + 1
        self.now = after.q, after.v

    def watched(self, k: int) -> bool:
        """Whether an event has ended the run before step k, which is not taken then."""
        if not self.plan.events or not all(np.isfinite(x).all() for x in self.now):
            return False
        q, v = (x.reshape(-1, x.shape[-1]) for x in self.now)
        t, dt = k * self.plan.dt, self.plan.dt
        hit = self.out.watch.look(max(k - 1, 0) * dt, t, q, v, self.motion)
        if hit:  # the torque of the step that led here is held: the function is not called once more
            _, _, tau, pushes = self.last
            a = self.call(hit.q, hit.v, tau, np.zeros(1), *pushes).a
            for name, x in zip(STORED, (hit.q, hit.v, a, tau), strict=True):
                self.kept[name][self.done] = x
            self.out.end_by(hit, self.done, k - 1)
            self.done, self.ended = self.out.samples, self.out.ended
        return hit is not None

    def motion(self, lane: int, s: float) -> tuple[np.ndarray, np.ndarray]:
        """The state of a lane a time s after the beginning of the last step."""
        q, v, tau, pushes = self.last
        after = self.call(q, v, tau, np.array([s]), *pushes)
        return (after.q[lane], after.v[lane]) if self.batch else (after.q, after.v)

    def recorded(self) -> Recorded:
        """What there is, with the batch first."""
        arrays = ((x if self.batch else x[:, None]).swapaxes(0, 1) for x in self.kept.values())
        q, v, a, tau = arrays
        return replace(self.out, q=q, v=v, a=a, tau=tau, samples=self.done, ended=self.ended)


def step_function(plan: Plan, threads: int) -> Callable[..., Any]:
    """`f(q, v, tau, dt, *forces)`: one step of a method, compiled."""
    stiff = plan.stiff
    robot = plan.robot
    if stiff:
        robot = robot.kernels.once(("damped", stiff), lambda: Robot(damped(plan.robot.model, stiff)))
    kernels = robot.kernels.under("", {"dt": Vector(1, "the time step")})
    whole = STEPS[plan.method]
    ways = tuple(partial(whole, dynamics=w) for _, w in kernels.ways(forward_dynamics) if w is not forward_dynamics)
    kernel = kernels.kernel(kernels.request("simulate", whole, ("q", "v", "tau", "dt"), plan.frames, formulations=ways))
    kernel.ready("one")
    return kernel.call if threads == 1 else partial(kernel.call, threads=threads)
