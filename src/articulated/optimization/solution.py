"""Solutions of optimal control, and what is wrong with them in words."""

from __future__ import annotations  # help shows types as they are written here

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ..simulation.trajectory.trajectory import Trajectory
from . import solver
from .phases import contact_forces, motion, points
from .rollout import Motion

if TYPE_CHECKING:
    from .problem import Problem

Floats = np.ndarray


@dataclass(frozen=True, repr=False)
class Solution:
    """Motions of least cost that were found."""

    iterations: Floats  # (…)
    converged: Floats  # (…), whether limits hold and the cost cannot be lowered further
    violation: Floats  # (…), largest of position and velocity limits after the start: rad, m, or per second
    _problem: Problem = field(repr=False)
    _near: Motion = field(repr=False)

    def __repr__(self) -> str:
        share = f"{int(np.sum(self.converged))} of {np.size(self.converged)} converged"
        told = f"; {self.reason}" if np.ndim(self.converged) == 0 and self.reason else ""
        return f"<Solution: cost {np.mean(self.cost):.6g}, {share}, {np.max(self.iterations)} iterations{told}>"

    @cached_property
    def tau(self) -> Floats:
        """Torques of all steps, (…, T, nv): a first guess of the next problem."""
        found = np.zeros((*self._near.u.shape[:2], self._problem.robot.nv))
        found[..., list(self._problem.actuated)] = self._near.u
        return self._shaped(found)

    @cached_property
    def trajectory(self) -> Trajectory:
        """The motion, T + 1 samples."""
        p, near = self._problem, self._near
        tau = np.concatenate([self.tau, self.tau[..., -1:, :]], axis=-2)
        q, v = self._shaped(near.q), self._shaped(near.v)
        info = {"method": f"Problem, {p.method}", "dt": p.dt}
        t = p.dt * np.arange(p.horizon + 1)
        return Trajectory(p.robot, t, q, v, lambda: self._shaped(_accelerations(p, near)), tau, info=info)

    @cached_property
    def feedback(self) -> Floats:
        """Torques by [dq; dv] near the motion, (…, T, nv, 2 nv)."""
        p, (N, T, _) = self._problem, self._near.u.shape
        n = p.robot.nv
        found = np.zeros((N, T, n, 2 * n))
        found[:, :, list(p.actuated)] = solver.gained(p, self._near, np.zeros(N), np.zeros((N, T, 2 * n))).feedback
        return self._shaped(found)

    @cached_property
    def costs(self) -> Mapping[str, Floats]:
        """Cost by term, (…)."""
        found: dict[str, Floats] = {}
        for cost, r, w in self._residuals:
            part = self._shaped(0.5 * (w * r * r).sum(axis=(1, 2)))
            found[cost.name] = found.get(cost.name, 0.0) + part
        return found

    @property
    def cost(self) -> Floats:
        """Sum of all terms, (…)."""
        return np.sum([*self.costs.values()], axis=0)

    @cached_property
    def forces(self) -> Mapping[str, Floats]:
        """Forces by point of contact, (…, T, 3), on the robot in world axes: N."""
        p = self._problem
        found = self._shaped(contact_forces(p.schedule, *self._near[:3], p.dt).value[:, : p.horizon])
        return {name: found[..., k, :] for k, name in enumerate(points(p.schedule))}

    @cached_property
    def reason(self) -> Any:
        """Texts (…): what limits are violated, what is missed or overlaps, where and by how much; empty if nothing."""
        found = np.array([self._told(k) for k in range(len(self._near.u))], object)
        return self._shaped(found)

    def _told(self, k: int) -> str:
        p, t = self._problem, self.trajectory.t
        one = Motion(*(x[k : k + 1] for x in self._near))
        said = [_limits(p, one, t)] if p.bounds else []
        on_scalars = iter(p.terms.parts)
        for cost, r, _ in self._residuals:
            part = next(on_scalars) if cost.numbers is not None else None
            if cost.remark:
                own: dict[str, Floats] = {}
                for name, (where, first, end) in part.places if part else ():
                    own[name] = (p.terms.shared if where == "shared" else one.own[0])[:, first:end]
                said.append(cost.remark(p.robot, one.q[0], t, r[k], **own))
        spent = int(np.ravel(self.iterations)[k])
        if not any(said) and not np.ravel(self.converged)[k]:
            said.append(f"after {spent} iterations the cost still falls; give more, or start from this solution's tau")
        return "; ".join(
            sorted(filter(None, said), key=lambda x: not x.endswith("the start"))
        )  # which explains the rest

    @cached_property
    def _residuals(self) -> list[tuple[Any, Floats, Floats]]:
        """Every cost with its residual and weights, (N, T + 1, m), or (T + 1, m)."""
        p = self._problem
        scalars = iter(solver.residuals(p, self._near))
        batches = {id(cost): (cost, r[0], w) for cost, r, w in solver.on_batches(p, self._near)}
        return [batches[id(cost)] if cost.numbers is None else (cost, *next(scalars)) for cost in p.costs]

    def _shaped(self, x: Floats) -> Any:
        return x.reshape((*np.shape(self.iterations), *x.shape[1:]))[()]


def _limits(p: Problem, one: Motion, t: Floats) -> str:
    """Which limit is violated most, where, and by how much."""
    bounds = p.bounds
    assert bounds
    x = np.concatenate([one.q[0][:, bounds.q], one.v[0][:, bounds.v]], axis=-1)
    over = np.maximum(bounds.low - x, x - bounds.high)
    k = 0 if over[0].max() > solver.FEASIBLE else int(over.max(axis=1).argmax())  # the start explains the rest
    row = int(over[k].argmax())
    if over[k, row] <= solver.FEASIBLE:
        return ""
    name = p.robot.kernels.vectors["q"].names[bounds.q[row]] if row < len(bounds.q) else ""
    name = name or p.robot.kernels.vectors["v"].names[bounds.v[row - len(bounds.q)]]
    what = f"the {'position' if row < len(bounds.q) else 'velocity'} of {name!r} is {over[k, row]:.3g} beyond"
    told = f"{what} its limits {bounds.low[row]:g} … {bounds.high[row]:g} at t = {t[k]:.4g} s"
    return f"{told}, the start" if k == 0 else f"{told}, the least that was found in {t[-1]:.4g} s with these torques"


def _accelerations(p: Problem, near: Motion) -> Floats:
    """Accelerations at all samples, those of the last step at its end."""
    found = np.empty_like(near.v)
    for phase in p.schedule:
        at = slice(phase.begin, phase.end)
        tau = np.zeros_like(near.v[:, at])
        tau[..., list(p.actuated)] = near.u[:, at]
        found[:, at] = (
            p.robot.forward_dynamics(near.q[:, at], near.v[:, at], tau)
            if phase.contacts is None
            else motion(phase.contacts, near.q[:, at], near.v[:, at], near.u[:, at], p.dt).value
        )
    found[:, -1] = found[:, -2]
    return found
