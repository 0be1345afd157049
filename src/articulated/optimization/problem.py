"""`art.Problem`: optimal control by differential dynamic programming, one problem or thousands at once."""

from __future__ import annotations  # help shows types as they are written here

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..errors import ShapeError
from ..inputs.choices import choose, floats, names, number, whole_number
from ..inputs.frozen import Frozen
from ..robot import Robot
from ..robot.arguments.arrays import as_vectors
from ..simulation.drive.torques import undriven
from ..simulation.run import time_step
from ..simulation.start import start
from ..simulation.trajectory.trajectory import Trajectory
from .costs import Cost
from .riccati import Gains, Model, backward
from .rollout import BLOCKS, Motion, rollout
from .step import STEPS

Floats = np.ndarray
#: for type checkers: the rows of BLOCKS
RolloutMethod = Literal["euler", "rk4"]
#: step lengths that are tried, and the part of the promised decrease that is asked for
LENGTHS, ENOUGH = 0.5 ** np.arange(8), 1e-4
#: problems up to which all step lengths are tried at once, in the lanes of a vector
TOGETHER = 4
#: steps of all problems whose model is made at once
STEPS_AT_ONCE = 2000
#: what is added to the curvature by the controls when no length is short enough, and the most of it
SMALLEST, LARGEST = 1e-6, 1e10


class Solution(NamedTuple):
    """Motions of least cost that were found."""

    trajectory: Trajectory  # T + 1 samples
    feedback: Floats  # (…, T, nv, 2 nv), torques by [dq; dv] near the motion
    cost: Floats  # (…)
    costs: Mapping[str, Floats]  # by term, (…)
    iterations: Floats  # (…)
    converged: Floats  # (…), whether the cost cannot be lowered further

    def __repr__(self) -> str:
        share = f"{int(np.sum(self.converged))} of {np.size(self.converged)} converged"
        return f"<Solution: cost {np.mean(self.cost):.6g}, {share}, {np.max(self.iterations)} iterations>"


class Problem(Frozen):
    """Find torques over a horizon whose motion costs least: Σ dt l(x, τ) + l_end(x), within effort limits.

    Solved by iterative LQR on the exact derivatives of the step (Gauss-Newton, box constraints in the backward pass,
    feasible rollouts with a line search).

    Parameters
    ----------
    robot : a Robot
    horizon : number of steps
    costs : of `art.costs`
    dt : length of a step, s
    method : "euler" or "rk4"
    actuated : names of joints with motors; all, but a floating base, if not given
    limits : True: the robot's effort limits; False: none; or a number, or (nv,): N m, N

    Examples
    --------
    >>> import articulated as art
    >>> robot = art.load("2r")
    >>> problem = art.Problem(robot, 50, [art.costs.control(1e-3), art.costs.state([0.5, 0.5], final=100)], dt=0.02)
    >>> found = problem.solve([0, 0])
    >>> bool(found.converged), abs(found.trajectory.q[-1] - 0.5).max() < 0.02
    (True, np.True_)
    """

    robot: Robot
    horizon: int
    costs: tuple[Cost, ...]
    dt: float
    method: str
    actuated: tuple[int, ...]
    limits: tuple[Floats, Floats]

    def __init__(
        self,
        robot: Robot,
        horizon: int,
        costs: Sequence[Cost],
        dt: float = 0.01,
        method: RolloutMethod = "euler",
        actuated: Iterable[str] | None = None,
        limits: Any = True,
    ):
        if not isinstance(robot, Robot):
            raise ShapeError(f"Problem takes a robot first; got {type(robot).__name__}")
        costs = tuple(costs) if isinstance(costs, (list, tuple)) else ()
        wrong = [x for x in costs if not isinstance(x, Cost)]
        if wrong or not costs:
            raise ShapeError(
                f"Problem: costs are a list of art.costs.state(…), art.costs.frame(…) …; got {wrong or costs}"
            )
        driven = _driven(robot, actuated)
        self.__dict__.update(
            robot=robot, horizon=whole_number("Problem: horizon, in steps,", horizon, 1), costs=costs,
            dt=time_step(dt, "Problem"), method=choose("Problem", "method", method, BLOCKS), actuated=driven,
            limits=_limits(robot, limits, driven),
        )  # fmt: skip

    def solve(
        self,
        q0: ArrayLike,
        v0: ArrayLike | None = None,
        tau: ArrayLike | None = None,
        iterations: int = 100,
        tolerance: float = 1e-7,
    ) -> Solution:
        """The motion of least cost near a first guess; leading axes of q0 and v0 are problems of their own.

        Parameters
        ----------
        q0 : configuration at the start, (…, nq)
        v0 : velocity, (…, nv); zero if not given
        tau : first guess of the torques, (…, T, nv); those that hold the robot at q0 if not given
        iterations : at most
        tolerance : relative decrease of the cost that is too small to go on

        Returns
        -------
        Solution(trajectory, feedback, cost, costs, iterations, converged)

        Notes
        -----
        Source: Tassa, Mansard and Todorov 2014, Control-limited differential dynamic programming.

        Examples
        --------
        >>> import articulated as art
        >>> problem = art.Problem(art.load("2r"), 20, [art.costs.control(1.0), art.costs.state([0, 0])])
        >>> problem.solve([[0.1, 0.0], [0.2, 0.1]], iterations=3).cost.shape
        (2,)
        """
        q, v, batch = start(self.robot, q0, v0, {})
        most = whole_number("solve: iterations", iterations)
        small = number("solve: tolerance", tolerance, "a number from zero")
        near = self._first(q, v, tau, batch)
        totals = self._totals(near)
        if not np.isfinite(totals).all():
            raise ShapeError("solve: the motion under the first torques diverges; give tau=, or a shorter dt")
        mu, spent = np.zeros(len(q)), np.zeros(len(q), int)
        done = np.zeros(len(q), bool)
        gains = None
        for _ in range(most):
            active = np.flatnonzero(~done)
            if not len(active):
                break
            part = Motion(*(x[active] for x in near))
            gains = self._gains(part, mu[active])
            better, after = self._searched(part, gains, totals[active])
            spent[active] += 1
            moved = after < totals[active]
            decrease = (totals[active] - after) / (1e-300 + abs(totals[active]))
            promised = -(gains.slope + gains.curvature / 2) <= small * (1e-300 + abs(totals[active]))
            done[active] = promised | (moved & (decrease <= small) & (mu[active] == 0)) | (mu[active] >= LARGEST)
            mu[active] = np.where(
                moved, np.where(mu[active] > SMALLEST, mu[active] / 10, 0.0), np.maximum(10 * mu[active], SMALLEST)
            )
            for mine, new in zip(near, better, strict=True):
                mine[active] = new
            totals[active] = np.where(moved, after, totals[active])
        return self._solution(near, totals, spent, done, batch)

    def _gains(self, near: Motion, mu: Floats) -> Gains:
        """Gains of every problem, as many at a time as caches hold."""
        count = max(1, STEPS_AT_ONCE // self.horizon)
        parts = [
            backward(self.robot, self._model(Motion(*(x[k : k + count] for x in near))), mu[k : k + count])
            for k in range(0, len(mu), count)
        ]
        return parts[0] if len(parts) == 1 else Gains(*map(np.concatenate, zip(*parts, strict=True)))

    def _first(self, q: Floats, v: Floats, tau: Any, batch: tuple[int, ...]) -> Motion:
        """The motion under the first guess of the torques."""
        T, n, own = self.horizon, self.robot.nv, list(self.actuated)
        if tau is None:
            guess = np.broadcast_to(self.robot.gravity_forces(q)[:, None], (len(q), T, n))
        else:
            guess = as_vectors("solve", self.robot.name, "tau", tau, self.robot.kernels.vectors["tau"])
            try:
                guess = np.broadcast_to(guess, (*batch, T, n)).reshape(-1, T, n)
            except ValueError:
                raise ShapeError(f"solve: tau is {(*batch, T, n)}; got {guess.shape}") from None
        u = np.clip(guess[..., own], *self.limits)
        still = Gains(np.zeros_like(u), np.zeros((*u.shape, 2 * n)), *[np.zeros(len(q))] * 2)
        near = Motion(np.repeat(q[:, None], T + 1, axis=1), np.repeat(v[:, None], T + 1, axis=1), u)
        return self._rolled(near, still, np.zeros(len(q)))

    def _rolled(self, near: Motion, gains: Gains, alpha: Floats) -> Motion:
        return rollout(self.robot, self.method, self.dt, self.actuated, near, gains, alpha, self.limits)

    def _searched(self, near: Motion, gains: Gains, before: Floats) -> tuple[Motion, Floats]:
        """The longest step that lowers the cost as promised, of every problem; or the motion as it was."""
        N, found, best = len(before), Motion(*(x.copy() for x in near)), before.copy()
        left = np.arange(N)
        lengths = [LENGTHS] if N <= TOGETHER else [LENGTHS[:1], LENGTHS[1:4], LENGTHS[4:]]
        for tried in lengths:
            lanes = slice(None) if len(tried) == 1 and len(left) == N else np.repeat(left, len(tried))
            start, own = Motion(*(x[lanes] for x in near)), Gains(*(x[lanes] for x in gains))
            motion = self._rolled(start, own, np.tile(tried, len(left)))
            totals = self._totals(motion).reshape(len(left), len(tried))
            promised = tried * gains.slope[left, None] + tried**2 / 2 * gains.curvature[left, None]
            good = totals <= before[left, None] + ENOUGH * promised
            good &= totals < before[left, None]
            first = good.argmax(axis=1)
            rows = np.flatnonzero(good.any(axis=1))
            lane = rows * len(tried) + first[rows]
            for mine, new in zip(found, motion, strict=True):
                mine[left[rows]] = new[lane]
            best[left[rows]] = totals[rows, first[rows]]
            left = left[~good.any(axis=1)]
            if not len(left):
                break
        return found, best

    def _terms(self, near: Motion) -> Iterable[tuple[Cost, Any, Floats]]:
        """Every cost with its residual, and its weights (T + 1, m)."""
        T = self.horizon
        tau = np.zeros((*near.u.shape[:-2], T + 1, self.robot.nv))
        tau[..., :T, list(self.actuated)] = near.u
        for cost in self.costs:
            with np.errstate(over="ignore", invalid="ignore"):
                found = cost.residual(self.robot, near.q, near.v, tau)
            m = found[0].shape[-1]
            weights = np.empty((T + 1, m))
            weights[:T], weights[T] = self.dt * cost.weight, cost.final
            yield cost, found, weights

    def _totals(self, near: Motion) -> Floats:
        """Cost of every motion; infinite where it diverges."""
        with np.errstate(over="ignore", invalid="ignore"):
            found = sum(0.5 * np.einsum("...tm,...tm,tm->...", r[0], r[0], w) for _, r, w in self._terms(near))
        return np.where(np.isfinite(found), found, np.inf)

    def _model(self, near: Motion) -> Model:
        """Quadratic model of the problem along a motion."""
        N, T, n, own = len(near.u), self.horizon, self.robot.nv, list(self.actuated)
        flat = [x[:, :T].reshape(N * T, -1) for x in near[:2]]
        tau = np.zeros((N * T, n))
        tau[:, own] = near.u.reshape(N * T, -1)
        both = STEPS[self.method](self.robot, *flat, tau, self.dt).reshape(N, T, 2 * n, 3 * n)
        m = len(own)
        lx, lxx = np.zeros((N, T + 1, 2 * n)), np.zeros((N, T + 1, 2 * n, 2 * n))
        lu, luu = np.zeros((N, T, m)), np.zeros((N, T, m, m))
        for _, (r, by_state, by_torque), w in self._terms(near):
            _add(lx, lxx, r, by_state, w)
            by_control = by_torque() if callable(by_torque) else by_torque
            _add(lu, luu, r[:, :T], None if by_control is None else by_control[..., own], w[:T])
        low, high = (limit - near.u for limit in self.limits)
        return Model(both[..., : 2 * n], both[..., [2 * n + k for k in own]], lx, lxx, lu, luu, low, high)

    def _solution(self, near: Motion, totals: Floats, spent: Floats, done: Floats, batch: tuple[int, ...]) -> Solution:
        robot, T, n, own = self.robot, self.horizon, self.robot.nv, list(self.actuated)
        gains = self._gains(near, np.zeros(len(totals)))
        tau = np.zeros((len(totals), T + 1, n))
        tau[:, :T, own] = near.u
        tau[:, T] = tau[:, T - 1]
        feedback = np.zeros((len(totals), T, n, 2 * n))
        feedback[:, :, own] = gains.feedback
        terms: dict[str, Floats] = {}
        for cost, r, w in self._terms(near):
            value = 0.5 * np.einsum("...tm,...tm,tm->...", r[0], r[0], w).reshape(batch)
            terms[cost.name] = terms.get(cost.name, 0.0) + value
        q, v, tau = (x.reshape(*batch, *x.shape[1:]) for x in (near.q, near.v, tau))
        info = {"method": f"Problem, {self.method}", "dt": self.dt}
        t = self.dt * np.arange(T + 1)
        run = Trajectory(robot, t, q, v, lambda: robot.forward_dynamics(q, v, tau), tau, info=info)
        shaped = (x.reshape(batch)[()] for x in (spent, done))
        return Solution(run, feedback.reshape(*batch, T, n, 2 * n), totals.reshape(batch)[()], terms, *shaped)

    def __repr__(self) -> str:
        terms = ", ".join(cost.name for cost in self.costs)
        return f"<Problem of {self.robot.name}: {self.horizon} steps of {self.dt:g} s, {terms}>"


def _add(gradient: Floats, hessian: Floats, r: Floats, J: Any, w: Floats) -> None:
    """½ Σ w r² to a quadratic model: its gradient Jᵀ w r, and Jᵀ w J."""
    J = J() if callable(J) else J
    if J is None:
        return
    if J.ndim == 2:
        gradient += (w * r) @ J
        hessian += J.T @ (w[..., None] * J)
        return
    weighted = w[..., None] * J
    gradient += (r[..., None, :] @ weighted)[..., 0, :]
    hessian += np.swapaxes(J, -1, -2) @ weighted


def _driven(robot: Robot, actuated: Any) -> tuple[int, ...]:
    """Velocities with motors."""
    free = undriven(robot)
    if actuated is None:
        return tuple(k for k in range(robot.nv) if k not in free)
    found = [k for name in names("Problem: actuated", actuated) for k in range(robot.nv)[robot.index(name).v]]
    if not found:
        raise ShapeError("Problem: actuated names no joint; at least one has a motor")
    return tuple(sorted(set(found)))


def _limits(robot: Robot, limits: Any, driven: tuple[int, ...]) -> tuple[Floats, Floats]:
    """Largest torques of both signs."""
    if limits is True or limits is False:
        most = robot.limits.effort if limits else np.full(robot.nv, np.inf)
    else:
        most = floats("Problem: limits", limits)
        if most.shape not in ((), (robot.nv,)):
            raise ShapeError(f"Problem: limits is True, False, a number or ({robot.nv},); got {most.shape}")
        most = np.broadcast_to(most, robot.nv)
    own = np.minimum(most[list(driven)], 1e30)
    if not (own >= 0).all():
        raise ShapeError(f"Problem: limits are numbers from zero; got {own}")
    return -own, own
