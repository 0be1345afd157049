"""Explicit Runge-Kutta methods by their tableaus.

A step works on the coordinates and their rates and brings quaternions back to unit length at its end, which keeps its
order.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...algebra.scalars import Array, Scalar, array, sqrt
from ...algorithms.configuration import configuration_rate
from ...compiler.passes.loops import Memory, Place
from ...model import Model
from ..loop.blocks import nothing
from ..loop.routine import Writer, joined
from ..plan import Plan
from .euler import Step


@dataclass(frozen=True)
class Tableau:
    """Butcher tableau: k_i = f(t + c_i h, y + h Σ_j a_ij k_j), y⁺ = y + h Σ_i b_i k_i."""

    a: tuple[tuple[float, ...], ...]  # row i: the weights of the stages before it
    b: tuple[float, ...]

    @property
    def stages(self) -> int:
        """Evaluations of the dynamics in a step."""
        return len(self.b)

    def rows(self) -> np.ndarray:
        """Weights of each stage, zeros for the stages not there yet, and c_i, their sum: (stages, stages + 1)."""
        out = np.zeros((self.stages, self.stages + 1))
        for i, row in enumerate(self.a):
            out[i, : len(row)] = row
            out[i, -1] = sum(row)
        return out


RK4 = Tableau(((), (1 / 2,), (0, 1 / 2), (0, 0, 1)), (1 / 6, 1 / 3, 1 / 3, 1 / 6))


def moved(y: Array, slopes: Array, weights: Array, dt: Scalar) -> Array:
    """y + dt Σ weights_i slopes_i, with one slope after the other in `slopes`."""
    size = len(y)
    total: Any = 0
    for i, weight in enumerate(weights):
        total = total + weight * slopes[i * size : (i + 1) * size]
    return y + dt * total


def slope(model: Model, q: Array, v: Array, a: Array) -> Array:
    """Time derivative of (q, v)."""
    return np.concatenate([configuration_rate(model, q, v), a])


def end(model: Model, tableau: Tableau, y: Array, slopes: Array, dt: Scalar) -> Step:
    """State after the step, from the slopes of its stages."""
    after = moved(y, slopes, array(tableau.b), dt)
    nq = model.nq
    return Step(normalized(model, after[:nq]), after[nq:], slopes[nq : len(y)])


def normalized(model: Model, q: Array) -> Array:
    """Configuration with quaternions of unit length."""
    out = q.copy()
    for b in model.bodies:
        part = b.joint.quaternion
        if part is not None and b.leader is b:
            where = slice(b.coords.start + part.start, b.coords.start + part.stop)
            x = q[where]
            out[where] = x / sqrt(x @ x)
    return out


class RungeKutta(Writer):
    """Loop of a tableau: the weights are data, so that the dynamics are compiled once for all stages."""

    @property
    def tableau(self) -> Tableau:
        """The method."""
        return self.plan.integrator.step

    @classmethod
    def data(cls, plan: Plan) -> dict[str, np.ndarray]:
        """Weights of the stages."""
        return {"tableau": plan.integrator.step.rows()}

    def prepare(self) -> None:
        """Memory for weights and slopes."""
        r, stages, size = self.r, self.tableau.stages, self.nq + self.nv
        weights = r.input("tableau", stages + 1, stages)
        self.weights, self.slopes = r.local("weights", stages + 1, stages), r.local("slopes", size, stages)
        self.state = r.local("state", size)
        self.ways = [self._stage(accelerations) for accelerations in self.dynamics()]
        self.end = lambda y, slopes, dt: end(self.model, self.tableau, y, slopes, dt[0])
        self.clear = nothing(size)
        with r.loop("i", stages):
            r.copy(weights.row("i"), self.weights.row("i"))
            r.run(self.clear, {}, [self.slopes.row("i")])

    def _stage(self, accelerations: Callable[..., Any]) -> Callable[..., Any]:
        def stage(y: Any, slopes: Any, weights: Any, t: Any, tau: Any, dt: Any, **forces: Any) -> Any:
            there = moved(y, slopes, weights[:-1], dt[0])
            q, v = there[: self.nq], there[self.nq :]
            if self.law:
                tau = self.law(t[0] + weights[-1] * dt[0], q, v)
            return slope(self.model, q, v, accelerations(q, v, tau, forces))

        return stage

    def advance(self, sampled: bool) -> None:
        """Slopes one after the other, and where they lead."""
        r, now = self.r, self.now
        r.run(joined, {"q": now["q"], "v": now["v"]}, [self.state])
        with r.loop("stage", self.tableau.stages):
            self.evaluate("stage", now["dt"])
        results = [now["q"], now["v"], now["a"]]
        r.run(self.end, {"y": self.state, "slopes": self.slopes.whole(), "dt": now["dt"]}, results)
        if self.holding:
            self.holding.settle()
        self.tick()

    def evaluate(self, stage: str | int, dt: Memory) -> None:
        """Slope of one stage of a step of length dt."""
        now = self.now
        reads: dict[str, Place] = {"y": self.state, "slopes": self.slopes.whole(), "weights": self.weights.row(stage)}
        reads |= {"t": now["t"], "tau": now["tau"], "dt": dt} | self.outside()
        self.r.run(self.ways, reads, [self.slopes.row(stage)])
