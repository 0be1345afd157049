"""Derivative of Euler's step through contacts, joint limits and dry friction, by the rows that act in it.

With the impulses λ that the step has found, its acceleration a and w = v + dt (a - bending) obey

    M a + h = τ + Jᵀ λ / dt        λ = p(λ - s / g),   s = J w + drift

where p is the map of each block of rows (`simulation/contact/rows.py`): open, sticking or sliding, as it is at the
solution.  By the implicit function theorem dλ follows from the derivatives of these equations, and da from dλ.
"""

from typing import Any, NamedTuple

import numpy as np

from ..errors import ShapeError
from ..robot import Robot
from ..simulation.contact.candidates import WORLD
from ..simulation.contact.constraints import BEYOND, evaluated
from ..simulation.contact.dynamics import FASTEST, RECOVERED, carrier_poses, least_velocity
from ..simulation.contact.laws import TINY
from ..simulation.contact.meetings import MEETINGS
from ..simulation.contact.rows import LAW
from ..simulation.contact.surfaces import FLAT, Plane
from ..simulation.contact.system import System
from ..simulation.run import planned, simulate
from ..simulation.trajectory.trajectory import Trajectory
from .contact_equations import Bodies, Joints, Missed, Touch, after_step
from .joint_jacobians import Blocks
from .step import moved

Floats = np.ndarray
#: impulses that miss their law by this part of the largest are not those of a solved step
MISSED = 1e-4
#: impulses that are rounding errors, in parts of the largest of all torques
ROUNDED = 1e-8
#: velocities of contacts, in parts of what gravity adds in a step, that are told apart
SETTLED = 1e-5
#: singular values of the equations of the laws, relative to the largest, below which contacts are redundant
REDUNDANT = 1e-10


class Rows(NamedTuple):
    """Blocks of three rows at N states, k rows in all."""

    x: Floats  # impulses, (N, k)
    J: Floats  # (N, k, nv)
    s: Floats  # (N, k)
    s_q: Floats  # the velocity after the step held, (N, k, nv)
    s_v: Floats  # likewise
    law: Floats  # (N, k / 3, LAW)
    law_q: Floats  # (N, k / 3, LAW, nv)
    push_q: Floats  # derivative of Jᵀ x, (N, nv, nv)
    contact: bool  # or scalar rows


class ContactSteps:
    """Steps of a run with contacts, N of them one after the other: accelerations as the impulses follow.

    `force` are the torques at which the robot without contacts has the same accelerations.
    """

    def __init__(self, run: Trajectory, contacts: Any):
        h, nv = float(run.info["dt"]), run.robot.nv
        lower, upper = run.robot.limits[:2]
        within = bool(((run.q > lower - BEYOND) & (run.q < upper + BEYOND)).all())
        first = run.q[..., 0, :], run.v[..., 0, :]
        plan = planned(run.robot, *first, (h, 1, 1), None, contacts, "euler", limits=within)[0]
        self.robot, self.h, self.system = plan.dynamics, h, plan.system or System(FLAT, (), 0.0)
        _require_known(self.system)
        self.q, self.v, tau, a = (_steps(x) for x in (run.q, run.v, run.tau, run.a))
        self.dt = np.full((len(a), 1), h)
        (after,), by = Blocks(self.robot, "after", after_step, {"v": "v", "a": "v", "dt": "1"})(self.v, a, self.dt)
        self.after_v, self.force = by[..., :nv], self.robot.inverse_dynamics(self.q, self.v, a)
        self.free = self.robot.derivatives("forward_dynamics")(self.q, self.v, self.force)
        left, found = h * (self.force - tau), list[Rows]()
        if run.contact and run.contact.forces[..., :-1, :, :].any():
            friction = np.broadcast_to(self.system.frictions[..., None, :], run.contact.gaps.shape)
            found.append(self._touching(h * _steps(run.contact.forces, 2), _steps(friction), after))
            left = left - (found[0].x[:, None] @ found[0].J)[:, 0]
        if self.system.joints:
            found.append(self._joints(after, left))
        self._solve(found, run)

    # -- rows ---------------------------------------------------------------------------------------

    def _touching(self, impulses: Floats, friction: Floats, after: Floats) -> Rows:
        """Rows of the contacts that push in some step."""
        which, N, nv = np.flatnonzero(impulses.any(axis=(0, 2))), len(self.q), self.robot.nv
        each = [self.system.contacts[k] for k in which]
        bodies = [(*touch.carriers(self.robot.model), WORLD)[:2] for touch in each]
        carriers = tuple(sorted({k for pair in bodies for k in pair}))
        first, second = np.array([[carriers.index(k) for k in pair] for pair in bodies]).T
        gaps, rows, gaps_e, rows_e = self._met(which, carriers, first, second)
        x = (rows[..., :3] @ impulses[:, which, :, None])[..., 0]
        wrench, felt = (x[:, :, None] @ rows)[:, :, 0], np.zeros((N, len(carriers), 6))
        for k in range(len(which)):
            felt[:, first[k]] += wrench[:, k]
            felt[:, second[k]] -= wrench[:, k]
        inputs = {"q": "q", "v": "v", "wrenches": 6 * len(carriers)}
        moving = Blocks(self.robot, "bodies", Bodies(carriers), inputs, ("q", "v"))

        def along(w: Floats) -> Any:
            """Velocities of the rows at velocities w, by q, by w; and the derivatives of Jᵀ x by q, wrenches held."""
            (own, _), D = moving(self.q, w, felt.reshape(N, -1))
            by = D[:, : own.shape[1]].reshape(N, len(carriers), 6, 2 * nv)
            twist, turned = (y[:, first] - y[:, second] for y in (own.reshape(N, -1, 6), by))
            moved = np.concatenate([by[:, first, :, nv:], by[:, second, :, nv:]], axis=2)
            s_q = np.einsum("ncije,ncj->ncie", rows_e, twist) @ moved + rows @ turned[..., :nv]
            return (rows @ twist[..., None])[..., 0], s_q, turned[..., nv:], moved, D[:, own.shape[1] :, :nv]

        s, s_q, relative, moved, push_q = along(after)
        J = rows @ relative
        push_q = push_q + np.einsum("ncjv,ncije,nci,ncew->nvw", relative, rows_e, x, moved, optimize=True)
        drift, slope = self._drift(gaps, s[..., 2], x[..., 2])
        drift_q, drift_v = slope[..., None] * (gaps_e[:, :, None] @ moved)[:, :, 0], np.zeros((N, len(which), nv))
        if self.system.bounces:
            arriving, by_q, _, _, _ = along(self.v)
            free = s[..., 2] - self._mobile(J[:, :, 2], J, x)
            e = np.array([touch.restitution for touch in each])
            bounces = (e > 0) & (free + gaps / self.h < 0) & (arriving[..., 2] < -self.system.slow)
            drift = np.where(bounces, e * arriving[..., 2], drift)
            drift_q = np.where(bounces[..., None], e[:, None] * by_q[:, :, 2], drift_q)
            drift_v = np.where(bounces[..., None], e[:, None] * J[:, :, 2], drift_v)
        s[..., 2] += drift
        s_q[:, :, 2] += drift_q
        s_v = np.zeros_like(J)
        s_v[:, :, 2] = drift_v
        law = np.zeros((N, len(which), LAW))
        law[..., 0], law[..., -1] = friction[:, which], 1.0
        x, J, s, s_q, s_v = (y.reshape(N, -1, *y.shape[3:]) for y in (x, J, s, s_q, s_v))
        return Rows(x, J, s, s_q, s_v, law, np.zeros((*law.shape, nv)), push_q, True)

    def _drift(self, gaps: Floats, s: Floats, x: Floats) -> tuple[Floats, Floats]:
        """Velocities at which gaps close or are recovered within the step, and their slopes."""
        slowest, recovered = least_velocity(self.robot.model, self.h), RECOVERED * gaps / self.h
        slope = np.where(gaps > 0, 1.0, np.where(recovered > -FASTEST * slowest, RECOVERED, 0.0)) / self.h
        drift = np.where(gaps > 0, gaps / self.h, np.maximum(recovered, -FASTEST * slowest))
        # a step whose recovery would have added energy was solved without
        given_up = (x > 0) & (gaps < 0) & (abs(s) + SETTLED * slowest < abs(s + drift))
        return np.where(given_up, 0.0, drift), np.where(given_up, 0.0, slope)

    def _mobile(self, rows: Floats, J: Floats, x: Floats) -> Floats:
        """Velocities that impulses add along rows."""
        pushed = np.einsum("nciv,nci->nv", J, x)
        return (rows @ (self.free.tau @ pushed[..., None]))[..., 0]

    def _met(self, which: Floats, carriers: tuple[int, ...], first: Floats, second: Floats) -> list[Floats]:
        """Gaps (N, c), rows (N, c, 3, 6), and both by displacements of the bodies."""
        N, surface, parts = len(self.q), self.system.surface, []
        poses = evaluated(self.robot, carrier_poses, self.q, carriers=carriers).reshape(N, -1, 12)
        plane = surface if isinstance(surface, Plane) else FLAT
        numbers = [*np.ravel(plane.axes).astype(float), float(plane.offset)]
        for kind, start, count in self.system.groups:
            own = np.flatnonzero((which >= start) & (which < start + count))
            if not len(own):
                continue
            if MEETINGS[kind].pairing:
                raise ShapeError(
                    f"a contact of the kind {kind} is searched for step by step: its step has no derivative"
                )
            each, points = [self.system.contacts[which[k]] for k in own], MEETINGS[kind].points
            inputs = {"e": 12, "numbers": MEETINGS[kind].size, "plane": 10, "first": 12, "second": 12}
            touch = Touch(kind, None if isinstance(surface, Plane) else surface)
            given: list[Any] = [
                [0.0] * 12,
                [x.numbers for x in each],
                numbers,
                poses[:, first[own]],
                poses[:, second[own]],
            ]
            whole = [np.broadcast_to(x, (N, len(own), np.shape(x)[-1])).reshape(N * len(own), -1) for x in given]
            (gaps, rows), D = Blocks(self.robot, f"touch {kind}", touch, inputs, ("e",))(*whole)
            at = slice(None), np.arange(len(own)), [x.point for x in each]
            shape = N, len(own), points
            parts.append((
                gaps.reshape(shape)[at], rows.reshape(*shape, 3, 6)[at],
                D[:, :points].reshape(*shape, 12)[at], D[:, points:].reshape(*shape, 3, 6, 12)[at],
            ))  # fmt: skip
        return [np.concatenate(x, axis=1) for x in zip(*parts, strict=True)]

    def _joints(self, after: Floats, left: Floats) -> Rows:
        """Rows of joints, whose impulses are what is left of the forces."""
        N, nv, k = len(self.q), self.robot.nv, 3 * self.system.triples
        inputs = {"q": "q", "v": "v", "x": k, "dt": "1"}
        rows = Blocks(self.robot, "joints", Joints(self.system), inputs, ("q", "v"))
        J = rows(self.q, after, np.zeros((N, k)), self.dt)[1][:, :k, nv:]
        x = (np.linalg.pinv(np.swapaxes(J, 1, 2)) @ left[..., None])[..., 0]
        (s, laws, _), D = rows(self.q, after, x, self.dt)
        D = D[..., :nv]
        law = laws.reshape(N, -1, LAW)
        return Rows(
            x, J, s, D[:, :k], np.zeros((N, k, nv)), law, D[:, k:-nv].reshape(*law.shape, nv), D[:, -nv:], False,
        )  # fmt: skip

    # -- the implicit function theorem ----------------------------------------------------------------

    def _solve(self, found: list[Rows], run: Trajectory) -> None:
        """Derivatives with the impulses held, and the map from what the laws then miss to the impulses."""
        N, nv = len(self.q), self.robot.nv
        self._follow: Floats | None = None
        if not found:
            return
        J, s_q, s_v = (np.concatenate([getattr(x, name) for x in found], axis=1) for name in ("J", "s_q", "s_v"))
        G = J @ self.free.tau @ np.swapaxes(J, 1, 2)
        mobilities, at, laws = np.diagonal(G, axis1=1, axis2=2) + TINY, 0, []
        for part in found:
            g = mobilities[:, at : at + part.x.shape[1]].reshape(-1, 3)
            g, at = np.repeat(g.mean(axis=1), 3).reshape(-1, 3) if part.contact else g.copy(), at + part.x.shape[1]
            law = Blocks(self.robot, f"law {part.contact}", Missed(part.contact), {"x": 3, "s": 3, "g": 3, "law": LAW})
            (missed,), D = law(part.x.reshape(-1, 3), part.s.reshape(-1, 3), g, part.law.reshape(-1, LAW))
            most = np.maximum(abs(part.x).max(axis=1), ROUNDED * self.h * abs(self.force).max(axis=1))
            bad = abs(missed.reshape(N, -1)).max(axis=1) > MISSED * most
            if bad.any():
                t = run.t[np.flatnonzero(bad)[0] % (len(run.t) - 1)]
                raise ShapeError(
                    f"the impulses at t = {t:g} s do not obey their laws: the step was not solved, a bounce was "
                    "limited by its energy, or contacts= is not that of the run"
                )
            laws.append(D.reshape(N, -1, 3, D.shape[-1]))
        D = np.concatenate(laws, axis=1)  # by x, s, g and law
        b = np.arange(D.shape[1])
        by_s = D[..., 3:6]
        through = (by_s @ G.reshape(N, len(b), 3, -1)).reshape(N, len(b), 3, len(b), 3)
        through[:, b, :, b] += np.swapaxes(D[..., :3], 0, 1)
        law_q = np.concatenate([x.law_q for x in found], axis=1)
        self._J, self._by_s = J, by_s
        self._follow = -np.linalg.pinv(through.reshape(G.shape), rcond=REDUNDANT)
        direct_q = by_s @ s_q.reshape(N, -1, 3, nv) + D[..., 9:] @ law_q
        direct_v = by_s @ (s_v + J @ self.after_v).reshape(N, -1, 3, nv)
        self._direct = np.concatenate([direct_q, direct_v, np.zeros_like(direct_v)], axis=-1).reshape(N, -1, 3 * nv)
        self._push_q = sum(x.push_q for x in found)

    def by_state(self) -> Floats:
        """Derivatives of accelerations by q, v and tau, (N, nv, 3 nv)."""
        held = np.concatenate(self.free, axis=-1)
        if self._follow is None:
            return held
        held[..., : self.robot.nv] += self.free.tau @ self._push_q / self.h
        return self._followed(held, self._direct)

    def by_parameters(self) -> Floats:
        """By inertial parameters, (N, nv, 10 nb)."""
        found = self.robot.derivatives("forward_dynamics", wrt="parameters")(self.q, self.v, self.force)
        return self._followed(found.parameters, 0.0)

    def _followed(self, held: Floats, direct: Any) -> Floats:
        """Derivatives of accelerations from those with the impulses held."""
        if self._follow is None:
            return held
        N, k = self._J.shape[:2]
        s = (self._J @ (self.h * held)).reshape(N, k // 3, 3, -1)
        moved = self._follow @ ((self._by_s @ s).reshape(N, k, -1) + direct)
        return held + self.free.tau @ (np.swapaxes(self._J, 1, 2) @ moved) / self.h


def stepped(robot: Robot, q: Floats, v: Floats, tau: Floats, h: float, contacts: Any, method: str) -> Floats:
    """Derivatives of a step of `simulate` with contacts, by dq, dv and dtau."""
    if method != "euler":
        raise ShapeError(f'linearize_step: contacts= needs method="euler"; got {method!r}')
    run = simulate(robot, q, v, h, h, torque=tau[:, None], contacts=contacts)
    return moved(robot, q, v, run.a[:, 0], ContactSteps(run, contacts).by_state(), h)


def _require_known(system: System) -> None:
    for what, there in {
        "contacts that hold (art.Problem has them as a schedule)": system.held,
        "friction against rolling or spinning": system.rolls,
        "a scene of many objects": system.pile,
    }.items():
        if there:
            raise ShapeError(f"a step with {what} has no derivative here")


def _steps(x: Floats, axes: int = 1) -> Floats:
    """Samples at which steps begin, (N, …), of an array (…, T, …) with so many axes after that of time."""
    cut = np.moveaxis(np.moveaxis(x, -1 - axes, 0)[:-1], 0, -1 - axes)
    return np.ascontiguousarray(cut.reshape(-1, *x.shape[x.ndim - axes :]))
