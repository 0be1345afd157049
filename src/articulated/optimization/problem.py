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
from .phases import Forces, Phase, Step, contact_forces, linearized, motion, phases, points
from .riccati import Gains, Model, backward
from .rollout import BLOCKS, Motion, rollout
from .step import STEPS, damped_over, plain

Floats = np.ndarray
#: for type checkers: the rows of BLOCKS
RolloutMethod = Literal["euler", "rk4"]
#: step lengths that are tried, and the part of the promised decrease that is asked for
LENGTHS, ENOUGH = 0.5 ** np.arange(8), 1e-4
#: problems up to which all step lengths are tried at once, in the lanes of a vector
TOGETHER = 4
#: steps of all problems whose model is made at once
STEPS_AT_ONCE = 2400
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
    forces: Mapping[str, Floats]  # by point of contact, (…, T, 3), on the robot in world axes: N

    def __repr__(self) -> str:
        share = f"{int(np.sum(self.converged))} of {np.size(self.converged)} converged"
        return f"<Solution: cost {np.mean(self.cost):.6g}, {share}, {np.max(self.iterations)} iterations>"


class Problem(Frozen):
    """Find torques over a horizon whose motion costs least: Σ dt l(x, τ) + l_end(x), within effort limits.

    Solved by iterative LQR on the exact derivatives of the step (Gauss-Newton, box constraints in the backward pass,
    rollouts with a line search; multiple shooting from states that no motion goes through).

    Parameters
    ----------
    robot : a Robot
    horizon : number of steps
    costs : of `art.costs`
    dt : length of a step, s
    method : "euler" or "rk4"
    actuated : names of joints with motors; all, but a floating base, if not given
    limits : True: the robot's effort limits; False: none; or a number, or (nv,): N m, N
    contacts : a schedule, a list of (steps, contacts) whose steps add up to the horizon; contacts are names of frames
        that are held as points, or an `art.Contacts`.  Where contacts begin, the first step brings them to rest.

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
    schedule: tuple[Phase, ...]

    def __init__(
        self,
        robot: Robot,
        horizon: int,
        costs: Sequence[Cost],
        dt: float = 0.01,
        method: RolloutMethod = "euler",
        actuated: Iterable[str] | None = None,
        limits: Any = True,
        contacts: Sequence[tuple[int, Any]] | None = None,
    ):
        if not isinstance(robot, Robot):
            raise ShapeError(f"Problem takes a robot first; got {type(robot).__name__}")
        costs = tuple(costs) if isinstance(costs, (list, tuple)) else ()
        wrong = [x for x in costs if not isinstance(x, Cost)]
        if wrong or not costs:
            raise ShapeError(
                f"Problem: costs are a list of art.costs.state(…), art.costs.frame(…) …; got {wrong or costs}"
            )
        driven, steps, h = _driven(robot, actuated), whole_number("Problem: horizon, in steps,", horizon, 1), dt
        self.__dict__.update(
            robot=robot, horizon=steps, costs=costs, dt=time_step(h, "Problem"),
            method=choose("Problem", "method", method, BLOCKS if contacts is None else ["euler"]), actuated=driven,
            limits=_limits(robot, limits, driven), schedule=phases(robot, contacts, steps, h, driven),
        )  # fmt: skip
        if any(x.of_forces for x in costs) and not points(self.schedule):
            raise ShapeError("Problem: a cost of contact forces needs contacts=, with points that push")

    def solve(
        self,
        q0: ArrayLike,
        v0: ArrayLike | None = None,
        tau: ArrayLike | None = None,
        iterations: int = 100,
        tolerance: float = 1e-7,
        q: ArrayLike | None = None,
        v: ArrayLike | None = None,
    ) -> Solution:
        """The motion of least cost near a first guess; leading axes of q0 and v0 are problems of their own.

        Parameters
        ----------
        q0 : configuration at the start, (…, nq)
        v0 : velocity, (…, nv); zero if not given
        tau : first guess of the torques, (…, T, nv); those that hold the robot at q0 if not given
        iterations : at most
        tolerance : relative decrease of the cost that is too small to go on
        q : first guess of the configurations, (…, T + 1, nq); they need not be those of a motion.  If not given, those
            of the motion under tau; with contacts and without tau, q0 throughout
        v : of the velocities, (…, T + 1, nv); zero if q is given and v is not

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
        begin, speed, batch = start(self.robot, q0, v0, {})
        most = whole_number("solve: iterations", iterations)
        small = number("solve: tolerance", tolerance, "a number from zero")
        near, gaps = self._first(begin, speed, tau, q, v, batch)
        totals = self._totals(near)
        if not np.isfinite(totals).all():
            raise ShapeError("solve: the motion under the first torques diverges; give tau=, or a shorter dt")
        mu, spent = np.zeros(len(totals)), np.zeros(len(totals), int)
        done = np.zeros(len(totals), bool)
        for _ in range(most):
            active = np.flatnonzero(~done)
            if not len(active):
                break
            part, open_gaps = Motion(*(x[active] for x in near)), gaps[active]
            gains = self._gains(part, mu[active], open_gaps)
            better, after, length = self._searched(part, gains, totals[active], open_gaps)
            spent[active] += 1
            moved, closed = length > 0, ~open_gaps.any(axis=(1, 2))
            decrease = (totals[active] - after) / (1e-300 + abs(totals[active]))
            promised = -(gains.slope + gains.curvature / 2) <= small * (1e-300 + abs(totals[active]))
            settled = promised | (moved & (decrease <= small) & (mu[active] == 0))
            done[active] = (settled & closed) | (mu[active] >= LARGEST)
            mu[active] = np.where(
                moved, np.where(mu[active] > SMALLEST, mu[active] / 10, 0.0), np.maximum(10 * mu[active], SMALLEST)
            )
            for mine, new in zip(near, better, strict=True):
                mine[active] = new
            totals[active] = after
            gaps[active] *= (1 - length)[:, None, None]
        return self._solution(near, totals, spent, done & ~gaps.any(axis=(1, 2)), batch)

    def _gains(self, near: Motion, mu: Floats, gaps: Floats) -> Gains:
        """Gains of every problem, as many at a time as caches hold."""
        count = max(1, STEPS_AT_ONCE // self.horizon)
        count -= count % 8 if count > 8 else 0  # whole vector registers
        parts = [
            backward(self.robot, self._model(Motion(*(x[some] for x in near)), gaps[some]), mu[some], self.dt)
            for some in (slice(k, k + count) for k in range(0, len(mu), count))
        ]
        return parts[0] if len(parts) == 1 else Gains(*map(np.concatenate, zip(*parts, strict=True)))

    def _first(self, q0: Floats, v0: Floats, tau: Any, q: Any, v: Any, batch: tuple[int, ...]) -> tuple[Motion, Floats]:
        """The first guess, and by how much its states miss its steps."""
        T, n, held = self.horizon, self.robot.nv, tau is None and self.schedule[0].contacts is not None
        if tau is None:
            guess = np.concatenate([self._holding(phase, q0) for phase in self.schedule], axis=1)
        else:
            guess = self._given("tau", tau, T, batch)[..., list(self.actuated)]
        u = np.clip(guess, *self.limits)
        states = [np.repeat(x[:, None], T + 1, axis=1) for x in (q0, v0)]
        for k, (name, x) in enumerate((("q", q), ("v", v))):
            if x is not None:
                states[k][:, 1:] = self._given(name, x, T + 1, batch)[:, 1:]
        near = Motion(states[0], states[1], u)
        if held or q is not None:
            return near, self._missed(near)
        return self._rolled(near, _still(u, n), np.zeros(len(u))), np.zeros((len(u), T, 2 * n))

    def _given(self, name: str, x: Any, rows: int, batch: tuple[int, ...]) -> Floats:
        vector = self.robot.kernels.vectors[name]
        found = as_vectors("solve", self.robot.name, name, x, vector)
        try:
            return np.broadcast_to(found, (*batch, rows, vector.size)).reshape(-1, rows, vector.size)
        except ValueError:
            raise ShapeError(f"solve: {name} is {(*batch, rows, vector.size)}; got {found.shape}") from None

    def _holding(self, phase: Phase, q0: Floats) -> Floats:
        """Controls that hold the robot at q0 as well as contacts and motors can."""
        still = np.zeros((len(q0), self.robot.nv))
        if phase.contacts is None:
            found = self.robot.gravity_forces(q0)[:, list(self.actuated)]
        elif phase.contacts.k:
            found = phase.contacts.inverse_dynamics(q0, still, still, on_infeasible="nearest").tau
        else:
            found = np.zeros((len(q0), len(self.actuated)))
        return np.repeat(found[:, None], phase.end - phase.begin, axis=1)

    def _missed(self, near: Motion) -> Floats:
        """States minus those that the steps before lead to, (N, T, 2 nv)."""
        q, v = np.empty_like(near.q[:, 1:]), np.empty_like(near.v[:, 1:])
        for phase in self.schedule:
            at, count = slice(phase.begin, phase.end), len(q) * (phase.end - phase.begin)
            rows = Motion(*(x[:, at].reshape(count, 1, -1) for x in near))
            step = (Phase(0, 1, phase.contacts),)
            found = self._rolled(rows, _still(rows.u, self.robot.nv), np.zeros(count), schedule=step)
            q[:, at], v[:, at] = (x[:, 1].reshape(len(q), phase.end - phase.begin, -1) for x in found[:2])
        return np.concatenate([self.robot.difference(q, near.q[:, 1:]), near.v[:, 1:] - v], axis=-1)

    def _rolled(
        self, near: Motion, gains: Gains, alpha: Floats, gaps: Floats | None = None, schedule: Any = None
    ) -> Motion:
        about = (self.robot, self.method, self.dt, self.actuated, schedule or self.schedule)
        return rollout(*about, near, gains, alpha, self.limits, gaps)

    def _searched(self, near: Motion, gains: Gains, before: Floats, gaps: Floats) -> tuple[Motion, Floats, Floats]:
        """The longest step of every problem that lowers the cost as promised, its cost and length.

        Gaps cost what the states after them are worth, twice; a problem that finds no step stays, with length zero.
        """
        N, found, best, length = len(before), Motion(*(x.copy() for x in near)), before.copy(), np.zeros(len(before))
        open_gaps = gaps if gaps.any() else None
        missed = 2 * gains.price * abs(gaps).sum(axis=(1, 2))
        left = np.arange(N)
        for tried in [LENGTHS] if N <= TOGETHER else [LENGTHS[:1], LENGTHS[1:4], LENGTHS[4:]]:
            lanes = slice(None) if len(tried) == 1 and len(left) == N else np.repeat(left, len(tried))
            start, own = Motion(*(x[lanes] for x in near)), Gains(*(x[lanes] for x in gains))
            some = None if open_gaps is None else open_gaps[lanes]
            moved = self._rolled(start, own, np.tile(tried, len(left)), some)
            totals = self._totals(moved).reshape(len(left), len(tried))
            promised = tried * gains.slope[left, None] + tried**2 / 2 * gains.curvature[left, None]
            promised = np.where(missed[left, None] > 0, -tried * missed[left, None], promised)
            change = totals - before[left, None] - tried * missed[left, None]
            good = (change <= ENOUGH * promised) & (change < 0)
            first = good.argmax(axis=1)
            rows = np.flatnonzero(good.any(axis=1))
            lane = rows * len(tried) + first[rows]
            for mine, new in zip(found, moved, strict=True):
                mine[left[rows]] = new[lane]
            best[left[rows]] = totals[rows, first[rows]]
            length[left[rows]] = tried[first[rows]]
            left = left[~good.any(axis=1)]
            if not len(left):
                break
        return found, best, length

    def _terms(self, near: Motion, forces: Forces | None = None) -> Iterable[tuple[Cost, Any, Floats]]:
        """Every cost with its residual, and its weights (T + 1, m)."""
        T = self.horizon
        tau = np.zeros((*near.u.shape[:-2], T + 1, self.robot.nv))
        tau[..., :T, list(self.actuated)] = near.u
        if forces is None and any(cost.of_forces for cost in self.costs):
            forces = contact_forces(self.schedule, *near, self.dt)
        for cost in self.costs:
            with np.errstate(over="ignore", invalid="ignore"):
                found = cost.residual(self.robot, near.q, near.v, tau, *([forces] if cost.of_forces else []))
            m = found[0].shape[-1]
            weights = np.empty((T + 1, m))
            weights[:T], weights[T] = self.dt * cost.weight, cost.final
            yield cost, found, weights

    def _totals(self, near: Motion) -> Floats:
        """Cost of every motion; infinite where it diverges."""
        with np.errstate(over="ignore", invalid="ignore"):
            found = sum(0.5 * np.einsum("...tm,...tm,tm->...", r[0], r[0], w) for _, r, w in self._terms(near))
        return np.where(np.isfinite(found), found, np.inf)

    def _model(self, near: Motion, gaps: Floats) -> Model:
        """Quadratic model of the problem along a motion."""
        N, T, n, own = len(near.u), self.horizon, self.robot.nv, list(self.actuated)
        F, forces = self._linearized(near)
        m = len(own)
        lx, lxx = np.zeros((N, T + 1, 2 * n)), np.zeros((N, T + 1, 2 * n, 2 * n))
        lu, luu, lux = np.zeros((N, T, m)), np.zeros((N, T, m, m)), None
        for _, (r, by_state, by_torque), w in self._terms(near, forces):
            by_state, by_torque = (J() if callable(J) else J for J in (by_state, by_torque))
            _add(lx, lxx, r, by_state, w)
            if by_torque is None:
                continue
            if by_torque.ndim == 1:
                _add(lu, luu, r[:, :T, own], by_torque[own], w[:T, own])
                continue
            by_control = (by_torque[:, :T] if by_torque.ndim > 2 else by_torque)[..., own]
            _add(lu, luu, r[:, :T], by_control, w[:T])
            if by_state is not None:
                along = by_state[:, :T] if by_state.ndim > 2 else by_state
                lux = np.zeros((N, T, m, 2 * n)) if lux is None else lux
                lux[..., : along.shape[-1]] += np.swapaxes(by_control, -1, -2) @ (w[:T, :, None] * along)
        low, high = (limit - near.u for limit in self.limits)
        return Model(F, lx, lxx, lu, luu, low, high, lux, gaps if gaps.any() else None)

    def _linearized(self, near: Motion) -> Step:
        """Derivatives of all steps."""
        if self.schedule[0].contacts is not None:
            return linearized(self.robot, self.schedule, self.actuated, *near, self.dt)
        N, T, n, own = len(near.u), self.horizon, self.robot.nv, list(self.actuated)
        flat = [x[:, :T].reshape(N * T, -1) for x in near[:2]]
        tau = np.zeros((N * T, n))
        tau[:, own] = near.u.reshape(N * T, -1)
        if self.method == "euler" and plain(self.robot):
            by = damped_over(self.robot, self.dt).derivatives("forward_dynamics")(*flat, tau)
            D = self.dt * np.concatenate([by.q, by.v, by.tau[..., own]], axis=-1)
            return Step(D.reshape(N, T, n, 2 * n + len(own)), None)
        both = STEPS[self.method](self.robot, *flat, tau, self.dt).reshape(N, T, 2 * n, 3 * n)
        return Step(both if len(own) == n else both[..., [*range(2 * n), *(2 * n + k for k in own)]], None)

    def _solution(self, near: Motion, totals: Floats, spent: Floats, done: Floats, batch: tuple[int, ...]) -> Solution:
        robot, T, n, own = self.robot, self.horizon, self.robot.nv, list(self.actuated)
        gains = self._gains(near, np.zeros(len(totals)), np.zeros((len(totals), T, 2 * n)))
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
        run = Trajectory(robot, t, q, v, lambda: self._accelerations(near).reshape(v.shape), tau, info=info)
        spent, done = (x.reshape(batch)[()] for x in (spent, done))
        pushed = contact_forces(self.schedule, *near, self.dt).value[:, :T].reshape(*batch, T, -1, 3)
        forces = {name: pushed[..., k, :] for k, name in enumerate(points(self.schedule))}
        return Solution(
            run, feedback.reshape(*batch, T, n, 2 * n), totals.reshape(batch)[()], terms, spent, done, forces
        )

    def _accelerations(self, near: Motion) -> Floats:
        """Accelerations at all samples, those of the last step at its end."""
        T, own = self.horizon, list(self.actuated)
        found = np.empty_like(near.v)
        for phase in self.schedule:
            at = slice(phase.begin, phase.end)
            tau = np.zeros_like(near.v[:, at])
            tau[..., own] = near.u[:, at]
            found[:, at] = (
                self.robot.forward_dynamics(near.q[:, at], near.v[:, at], tau)
                if phase.contacts is None
                else motion(phase.contacts, near.q[:, at], near.v[:, at], near.u[:, at], self.dt).value
            )
        found[:, T] = found[:, T - 1]
        return found

    def __repr__(self) -> str:
        terms = ", ".join(cost.name for cost in self.costs)
        return f"<Problem of {self.robot.name}: {self.horizon} steps of {self.dt:g} s, {terms}>"


def _still(u: Floats, n: int) -> Gains:
    """Gains that change nothing."""
    return Gains(np.zeros_like(u), np.zeros((*u.shape, 2 * n)), *[np.zeros(len(u))] * 3)


def _add(gradient: Floats, hessian: Floats, r: Floats, J: Any, w: Floats) -> None:
    """½ Σ w r² to a quadratic model: its gradient Jᵀ w r, and Jᵀ w J."""
    if J is None:
        return
    if J.ndim == 1:
        gradient += w * r * J
        np.einsum("...ii->...i", hessian)[...] += w * J**2
        return
    n = J.shape[-1]
    weighted = w[..., None] * J
    gradient[..., :n] += (r[..., None, :] @ weighted)[..., 0, :]
    hessian[..., :n, :n] += np.swapaxes(J, -1, -2) @ weighted


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
