"""Explicit Runge-Kutta methods by their tableaus.

A step works on the coordinates and their rates and brings quaternions back to unit length at its end, which keeps its
order.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np

from ...algebra.scalars import Array, Scalar, array, greatest, sqrt
from ...algorithms.configuration import configuration_rate
from ...compiler.passes.loops import Memory, Place
from ...model import Model
from ..loop.blocks import constant, nothing
from ..loop.routine import Writer, joined
from ..plan import Plan
from .euler import Step

#: rad or m: how far before and after a singular posture rows are looked at, where they are independent again
AWAY = 3e-3


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
        if self.holding:
            self.ways = [self._held_stage]
            sizes = dict.fromkeys(("near", "mean", "added"), self.nv) | {"slope": size}
            sizes |= dict.fromkeys(("side", "regular", "ignored"), 1)
            self.of_stage = {name: r.local(f"{name} of a stage", each) for name, each in sizes.items()}
        self.end = lambda y, slopes, dt: end(self.model, self.tableau, y, slopes, dt[0])
        self.clear = nothing(size)
        with r.loop("i", stages):
            r.copy(weights.row("i"), self.weights.row("i"))
            r.run(self.clear, {}, [self.slopes.row("i")])

    def _stage(self, accelerations: Callable[..., Any]) -> Callable[..., Any]:
        def stage(y: Any, slopes: Any, weights: Any, t: Any, tau: Any, dt: Any, **forces: Any) -> Any:
            q, v, tau = self._there(y, slopes, weights, t, tau, dt)
            return slope(self.model, q, v, accelerations(q, v, tau, forces))

        return stage

    def _there(self, y: Any, slopes: Any, weights: Any, t: Any, tau: Any, dt: Any) -> tuple[Any, Any, Any]:
        """State and torques of a stage."""
        there = moved(y, slopes, weights[:-1], dt[0])
        q, v = there[: self.nq], there[self.nq :]
        return q, v, self.law(t[0] + weights[-1] * dt[0], q, v) if self.law else tau

    def _held_stage(
        self, y: Any, slopes: Any, weights: Any, t: Any, tau: Any, dt: Any, near: Any, side: Any, **forces: Any
    ) -> Any:
        """Slope of a stage while contacts hold; or, with a `side` of -1 or 1, that a little before or after it."""
        holding: Any = self.holding
        q, v, tau = self._there(y, slopes, weights, t, tau, dt)
        speed = reduce(greatest, (greatest(x, -x) for x in v), 1e-300)
        q = q + side[0] * AWAY / speed * configuration_rate(self.model, q, v)
        v = holding.rows_at(q, **forces).along(v)  # of a velocity off the contacts any acceleration may follow
        found = holding.motion(q, v, tau, forces, near)
        return slope(self.model, q, v, found.a), found.added, found.regular

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
        if self.holding:
            self._hold(reads, self.slopes.row(stage))
        else:
            self.r.run(self.ways, reads, [self.slopes.row(stage)])

    def _hold(self, reads: dict[str, Place], found: Place) -> None:
        """Slope of a stage while contacts hold; in a singular posture with what they do before and after it."""
        r, m = self.r, self.of_stage
        none, still = nothing(self.nv), nothing(1)
        for name in ("near", "mean"):
            r.run(none, {}, [m[name]])
        r.run(still, {}, [m["side"]])
        here = reads | {"near": m["near"], "side": m["side"]}
        r.run(self.ways, here, [found, m["added"], m["regular"]])
        with r.loop("singular", 1, until=m["regular"], ahead=True):
            for side in (-1.0, 1.0):
                r.run(constant(side), {}, [m["side"]])
                r.run(self.ways, here, [m["slope"], m["added"], m["ignored"]])
                r.run(_averaged, {name: m[name] for name in ("mean", "added", "regular")}, [m["mean"]])
            r.run(still, {}, [m["side"]])
            r.run(self.ways, here | {"near": m["mean"]}, [found, m["added"], m["ignored"]])


def _averaged(mean: Array, added: Array, regular: Array) -> Array:
    """Half of what is added, in lanes whose posture is singular."""
    return mean + 0.5 * (1 - regular[0]) * added
