"""Steps with contacts one by one, for torques that come from a Python function."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..drive.torques import Drive
from ..methods.table import routine_of
from ..plan import STATE, Plan, Recorded
from ..warm_start import Carried


class ContactSteps:
    """`f(q, v, tau, dt, *forces, out=…)`: one step with contacts by the compiled loop, from where the last one ended.

    `out` gets q and v after the step, and the acceleration.
    """

    def __init__(self, plan: Plan, q: np.ndarray, threads: int):
        nv = plan.robot.nv
        self.plan = replace(plan, drive=Drive(rows=np.zeros((1, nv))), steps=1, every=1)
        self.kernel, self.threads = routine_of(self.plan), threads
        self.carried = Carried.start(plan, q)
        self.out = Recorded.empty(self.plan, len(q))

    def __call__(
        self, q: np.ndarray, v: np.ndarray, tau: np.ndarray, dt: np.ndarray, *pushes: np.ndarray, out: Sequence[Any]
    ) -> None:
        """One step."""
        n, batch = len(self.out.q), q.shape[:-1]
        given = {"q0": q, "v0": v, "torques": tau}
        own = ["parameters"] if self.plan.parameters is not None else []
        names = own + [f"force {name}" for name in self.plan.frames]
        given |= dict(zip(names, pushes, strict=True))
        arrays = {name: _rows(x, batch, n) for name, x in given.items()}
        arrays |= {f"{name}1": np.empty_like(arrays[f"{name}0"]) for name in STATE} | {"step": dt[None]}
        arrays |= {name: getattr(self.out, name)[:, :1] for name in self.plan.stored}
        arrays |= {name: x[:, :1] for name, x in self.out.contact.items()} | self.carried.arrays()
        self.kernel(arrays, {"samples": 1, "every": 1, "more": 0, "steps": 1}, threads=self.threads)
        self.carried.impulses = arrays["impulses after"]
        self.carried.residual = np.maximum(self.carried.residual, self.out.contact["residual"][:, :1])
        if self.carried.lowest is not None:
            self.carried.lowest = np.minimum(self.carried.lowest, self.out.contact["lowest"][:, :1])
        for name, x in zip(("q1", "v1", "a"), out, strict=True):
            x[...] = arrays[name].reshape(x.shape)

    def seen(self, name: str) -> np.ndarray:
        """What is stored of the last step; of residuals the largest since this was asked before, of `lowest` all."""
        if name == "lowest" and self.carried.lowest is not None:
            return self.carried.lowest
        if name != "residual":
            return self.out.contact[name][:, 0]
        worst, self.carried.residual = self.carried.residual, np.zeros_like(self.carried.residual)
        return worst


def _rows(x: np.ndarray, batch: tuple[int, ...], states: int) -> np.ndarray:
    """(states, 1, size), the same for all of a batch if it has no batch itself."""
    return np.ascontiguousarray(np.broadcast_to(x, (*batch, x.shape[-1]))).reshape(states, 1, -1)
