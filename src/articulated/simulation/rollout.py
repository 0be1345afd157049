"""A run by the compiled loop, in pieces: between two of them Ctrl-C is heard and divergence is seen."""

import time

import numpy as np

from ..compiler.routines import RoutineKernel
from .carried import Carried
from .integrators import TABLEAUS
from .plan import Plan, Recorded
from .progress import Progress
from .rollout_routine import routine_of

#: seconds that a piece should take
PIECE = 0.1


def rolled_out(plan: Plan, q: np.ndarray, v: np.ndarray, threads: int, progress: bool | None) -> Recorded:
    """Every sample of a run, or those before it was interrupted or diverged."""
    loop = _Loop(plan, q, v, threads)
    bar = Progress(plan.steps, progress)
    size = 1
    try:
        while loop.at < plan.samples:
            began = time.perf_counter()
            loop.advance(size)
            bar.at(min(loop.at * plan.every, plan.steps))
            if not loop.finite():
                loop.out.ended = "diverged"
                break
            took = time.perf_counter() - began
            size = max(1, int(size * min(8.0, PIECE / max(took, 1e-6))))
    except KeyboardInterrupt:
        loop.out.ended = "interrupted"
    finally:
        bar.end()
    loop.out.samples = loop.at
    return loop.out


class _Loop:
    """The state of a run between two pieces."""

    def __init__(self, plan: Plan, q: np.ndarray, v: np.ndarray, threads: int):
        self.plan, self.threads, self.at = plan, threads, 0
        self.carried = Carried.start(plan, q) if plan.system else None
        self.kernel: RoutineKernel = routine_of(plan)
        self.out = Recorded.empty(plan, len(q))
        self.state = {"q0": q[:, None], "v0": v[:, None], "t0": np.zeros((len(q), 1, 1))}
        self.fixed = {"step": np.array([[plan.dt]])}
        if plan.method in TABLEAUS:
            self.fixed["tableau"] = TABLEAUS[plan.method].rows()

    def advance(self, size: int) -> None:
        """The next samples; the last one alone, as no step is needed beyond it."""
        plan, first = self.plan, self.at
        last = first == plan.samples - 1
        count = 1 if last else min(size, plan.samples - 1 - first)
        every = 1 if last else plan.every
        arrays = {name: x.copy() for name, x in self.state.items()} | self.fixed
        after = {name: np.empty_like(x) for name, x in self.state.items()}
        arrays |= {f"{name[0]}1": x for name, x in after.items()}
        for name in ("q", "v", "a", "tau"):
            arrays[name] = getattr(self.out, name)[:, first : first + count]
        if self.carried:
            arrays |= {name: x[:, first : first + count] for name, x in self.out.contact.items()}
            arrays |= self.carried.arrays()
        steps = slice(first * plan.every, first * plan.every + count * every)
        if plan.drive.rows is not None:
            arrays["torques"] = plan.drive.rows[..., steps, :]
        for name, x in plan.forces.items():
            arrays[f"force {name}"] = x[..., steps, :]
        counts = {"samples": count, "every": every, "more": every - 1, "steps": count * every}
        self.kernel(arrays, counts, threads=self.threads)
        self.state, self.at = after, first + count
        if self.carried:
            self.carried.take(arrays, self.out.contact["residual"][:, first])

    def finite(self) -> bool:
        """Whether the last sample is."""
        k = self.at - 1
        return bool(np.isfinite(self.out.q[:, k]).all() and np.isfinite(self.out.v[:, k]).all())
