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
from ..simulation.contact.dynamics import CLOSED, FASTEST, RECOVERED, carrier_poses, least_velocity
from ..simulation.contact.laws import TINY
from ..simulation.contact.meetings import MEETINGS
from ..simulation.contact.rolling import ROLLING
from ..simulation.contact.rows import CONTACT, LAW, SCALARS
from ..simulation.contact.surfaces import FLAT
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
#: velocities of contacts that are told apart, in parts of the velocity that gravity adds in a step
SETTLED = 1e-5
#: singular values of the equations of the laws, relative to the largest, below which contacts are redundant
REDUNDANT = 1e-10

#: the law of a kind of block, and the means of its mobilities
LAWS = {
    "contact": (CONTACT, np.full((3, 3), 1 / 3)),
    "rolling": (ROLLING, np.array([[0.5, 0.5, 0], [0.5, 0.5, 0], [0, 0, 1]])),
    "scalar": (SCALARS, np.eye(3)),
}


class Rows(NamedTuple):
    """Blocks of three rows at N states, k rows in all; their kinds take turns."""

    x: Floats  # impulses, (N, k)
    J: Floats  # (N, k, nv)
    s: Floats  # (N, k)
    s_q: Floats  # the velocity after the step held, (N, k, nv)
    s_v: Floats  # likewise
    law: Floats  # (N, k / 3, LAW)
    law_q: Floats  # by q, and by the configuration in which contacts that hold began to, (N, k / 3, LAW, 2 nv)
    law_x: Floats  # by the impulse of the block before, off the ground, (k / 3, LAW)
    push_q: Floats  # derivative of Jᵀ x, (N, nv, nv)
    kinds: tuple[str, ...]  # rows of LAWS


class ContactSteps:
    """Steps of a run with contacts, N of them one after the other: accelerations as the impulses follow.

    `force` are the torques at which the robot without contacts has the same accelerations.
    """

    def __init__(self, run: Trajectory, contacts: Any):
        h, nv = float(run.info["dt"]), run.robot.nv
        lower, upper = run.robot.limits[:2]
        within = bool(((run.q > lower - BEYOND) & (run.q < upper + BEYOND)).all())
        first = run.q[..., 0, :], run.v[..., 0, :]
        inertias: Any = run.parameters
        plan = planned(
            run.robot, *first, (h, 1, 1), None, contacts, "euler", parameters=inertias, limits=within
        )[0]  # fmt: skip
        self.robot, self.h, self.system = plan.dynamics, h, plan.system or System(FLAT, (), 0.0)
        if self.system.pile:
            raise ShapeError("a step of a scene of many objects has no derivative here")
        if self.robot.model.springs:
            raise ShapeError(
                "a step with springs between frames has no derivative beside contacts, joint limits or dry friction"
            )
        self.q, self.v, tau, a = (_steps(x) for x in (run.q, run.v, run.tau, run.a))
        self.start, self.dt = _steps(np.broadcast_to(run.q[..., :1, :], run.q.shape)), np.full((len(a), 1), h)
        (after,), by = Blocks(self.robot, "after", after_step, {"v": "v", "a": "v", "dt": "1"})(self.v, a, self.dt)
        if inertias is not None:
            inertias = _steps(np.broadcast_to(inertias[..., None, :], (*run.q.shape[:-1], inertias.shape[-1])))
        self.force = self.robot.inverse_dynamics(self.q, self.v, a, parameters=inertias)
        self.free = self.robot.derivatives("forward_dynamics")(self.q, self.v, self.force, parameters=inertias)
        self.after_v, self.a = by[..., :nv], a
        left, found = h * (self.force - tau), list[Rows]()
        touching = run.contact.forces[..., : len(self.system.contacts), :] if run.contact else np.zeros((1, 0, 3))
        if touching[..., :-1, :, :].any():
            friction = np.broadcast_to(self.system.frictions[..., None, :], touching.shape[:-1])
            turning: Any = [run.contact and run.contact.moments] if self.system.rolls else []
            pushes = (touching, *(x[..., : len(self.system.contacts), :] for x in turning))
            impulses = np.stack([h * _steps(x, 2) for x in pushes], axis=2)
            found.append(self._touching(impulses, _steps(friction), after))
            left = left - (found[0].x[:, None] @ found[0].J)[:, 0]
        if self.system.triples:
            found.append(self._joints(after, left))
        self._solve(found, run)

    # -- rows ---------------------------------------------------------------------------------------

    def _touching(self, impulses: Floats, friction: Floats, after: Floats) -> Rows:
        """Rows of the contacts that push in some step; `impulses` (N, c, 1, 3), (N, c, 2, 3) with those that turn."""
        which, N, nv = np.flatnonzero(impulses.any(axis=(0, 2, 3))), len(self.q), self.robot.nv
        each = [self.system.contacts[k] for k in which]
        bodies = [(*touch.carriers(self.robot.model), WORLD)[:2] for touch in each]
        carriers = tuple(sorted({k for pair in bodies for k in pair}))
        first, second = np.array([[carriers.index(k) for k in pair] for pair in bodies]).T
        gaps, rows, gaps_e, rows_e = self._met(which, carriers, first, second)
        x = (impulses[:, which] @ np.swapaxes(rows[:, :, :3, :3], 2, 3)).reshape(N, len(which), -1)
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
        law = np.zeros((N, len(which), x.shape[-1] // 3, LAW))
        law[..., 0, 0], law[..., -1], law_x = friction[:, which], 1.0, np.zeros(law.shape[1:])
        if self.system.rolls:
            law_x[:, 1, :2] = [(touch.rolling, touch.spinning) for touch in each]
            law[..., 1, :2] = x[..., 2:3] * law_x[:, 1, :2]
        x, J, s, s_q, s_v, law = (y.reshape(N, -1, *y.shape[3:]) for y in (x, J, s, s_q, s_v, law))
        law_q, kinds = np.zeros((*law.shape, 2 * nv)), ("contact", "rolling")[: law.shape[1] // len(which)]
        return Rows(x, J, s, s_q, s_v, law, law_q, law_x.reshape(-1, LAW), push_q, kinds)

    def _drift(self, gaps: Floats, s: Floats, x: Floats) -> tuple[Floats, Floats]:
        """Velocities at which gaps close or are recovered within the step, and their slopes."""
        slowest, rate = least_velocity(self.robot.model, self.h), np.where(gaps > 0, 1.0, RECOVERED) / self.h
        beyond = abs(gaps) - CLOSED * slowest * self.h
        drift = rate * np.sign(gaps) * np.clip(2 * beyond, 0.0, abs(gaps))
        slope = rate * np.where(beyond < 0, 0.0, np.where(2 * beyond < abs(gaps), 2.0, 1.0))
        drift, slope = np.maximum(drift, -FASTEST * slowest), np.where(drift < -FASTEST * slowest, 0.0, slope)
        # a step whose recovery would have added energy was solved without
        given_up = (x > 0) & (gaps < 0) & (abs(s) + SETTLED * slowest < abs(s + drift))
        return np.where(given_up, 0.0, drift), np.where(given_up, 0.0, slope)

    def _mobile(self, rows: Floats, J: Floats, x: Floats) -> Floats:
        """Velocities that impulses add along rows."""
        pushed = np.einsum("nciv,nci->nv", J, x)
        return (rows @ (self.free.tau @ pushed[..., None]))[..., 0]

    def _met(self, which: Floats, carriers: tuple[int, ...], first: Floats, second: Floats) -> list[Floats]:
        """Gaps (N, c), rows (N, c, 3 or 6, 6), and both by displacements of the bodies."""
        N, surface, parts, each_rows = len(self.q), self.system.surface, [], 6 if self.system.rolls else 3
        poses = evaluated(self.robot, carrier_poses, self.q, carriers=carriers).reshape(N, -1, 12)
        ground = np.array(surface.numbers, float)
        for kind, start, count in self.system.groups:
            own = np.flatnonzero((which >= start) & (which < start + count))
            if not len(own):
                continue
            if MEETINGS[kind].pairing:
                raise ShapeError(
                    f"a contact of the kind {kind} is searched for step by step: its step has no derivative"
                )
            each, points = [self.system.contacts[which[k]] for k in own], MEETINGS[kind].points
            inputs = {"e": 12, "numbers": MEETINGS[kind].size, "ground": len(ground), "first": 12, "second": 12}
            touch = Touch(kind, surface.like, self.system.rolls)
            given: list[Any] = [
                [0.0] * 12,
                [x.numbers for x in each],
                ground,
                poses[:, first[own]],
                poses[:, second[own]],
            ]
            whole = [np.broadcast_to(x, (N, len(own), np.shape(x)[-1])).reshape(N * len(own), -1) for x in given]
            (gaps, rows), D = Blocks(self.robot, f"touch {kind}", touch, inputs, ("e",))(*whole)
            at = slice(None), np.arange(len(own)), [x.point for x in each]
            shape = N, len(own), points
            parts.append((
                gaps.reshape(shape)[at], rows.reshape(*shape, each_rows, 6)[at],
                D[:, :points].reshape(*shape, 12)[at], D[:, points:].reshape(*shape, each_rows, 6, 12)[at],
            ))  # fmt: skip
        return [np.concatenate(x, axis=1) for x in zip(*parts, strict=True)]

    def _joints(self, after: Floats, left: Floats) -> Rows:
        """Rows of joints and of contacts that hold, whose impulses are what is left of the forces."""
        N, nv, k = len(self.q), self.robot.nv, 3 * self.system.triples
        inputs = {"q": "q", "v": "v", "q_start": "q", "x": k, "dt": "1"}
        rows = Blocks(self.robot, "joints", Joints(self.system), inputs, ("q", "v", "q_start"))
        (s, laws, _), D = rows(self.q, after, self.start, np.zeros((N, k)), self.dt)
        lower, upper, dry = np.moveaxis(laws.reshape(N, -1, LAW)[..., :9].reshape(N, -1, 3, 3), 2, 0).reshape(3, N, k)
        # rows within their windows do not act
        slack, J = SETTLED * least_velocity(self.robot.model, self.h), D[:, :k, nv : 2 * nv]
        acts = (s < lower + slack) | (s > upper - slack) | (dry > 0)
        x = (np.linalg.pinv(np.swapaxes(acts[..., None] * J, 1, 2), REDUNDANT) @ left[..., None])[..., 0]
        (s, laws, _), D = rows(self.q, after, self.start, x, self.dt)
        law, by = laws.reshape(N, -1, LAW), np.concatenate([D[..., :nv], D[..., 2 * nv :]], axis=-1)
        return Rows(
            x, J, s, D[:, :k, :nv], np.zeros((N, k, nv)), law, by[:, k:-nv].reshape(*law.shape, 2 * nv),
            np.zeros(law.shape[1:]), D[:, -nv:, :nv], ("scalar",),
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
            turns, g = len(part.kinds), mobilities[:, at : at + part.x.shape[1]].reshape(-1, 3)
            at, count = at + part.x.shape[1], len(g)
            missed, each_D = np.empty((count, 3)), np.empty((count, 3, 9 + LAW))
            for k, kind in enumerate(part.kinds):
                equations, means = Missed(LAWS[kind][0]), LAWS[kind][1]
                law = Blocks(self.robot, f"law {kind}", equations, {"x": 3, "s": 3, "g": 3, "law": LAW})
                given = part.x.reshape(-1, 3), part.s.reshape(-1, 3), g @ means, part.law.reshape(-1, LAW)
                (missed[k::turns],), each_D[k::turns] = law(*(np.ascontiguousarray(y[k::turns]) for y in given))
            most = np.maximum(abs(part.x).max(axis=1), ROUNDED * self.h * abs(self.force).max(axis=1))
            bad = abs(missed.reshape(N, -1)).max(axis=1) > MISSED * most
            if bad.any():
                t = run.t[np.flatnonzero(bad)[0] % (len(run.t) - 1)]
                raise ShapeError(
                    f"the impulses at t = {t:g} s do not obey their laws: the step was not solved, a bounce was "
                    "limited by its energy, or contacts= is not that of the run"
                )
            laws.append(each_D.reshape(N, -1, 3, 9 + LAW))
        D = np.concatenate(laws, axis=1)  # by x, s, g and law
        b = np.arange(D.shape[1])
        by_s = D[..., 3:6]
        through = (by_s @ G.reshape(N, len(b), 3, -1)).reshape(N, len(b), 3, len(b), 3)
        through[:, b, :, b] += np.swapaxes(D[..., :3], 0, 1)
        law_x = np.concatenate([x.law_x for x in found])
        through[:, b, :, b - 1, 2] += np.swapaxes(D[..., 9:] @ law_x[..., None], 0, 1)[..., 0]
        self._J, self._by_s = J, by_s
        self._follow = -np.linalg.pinv(through.reshape(G.shape), rcond=REDUNDANT)
        by_law = D[..., 9:] @ np.concatenate([x.law_q for x in found], axis=1)
        direct_q = by_s @ s_q.reshape(N, -1, 3, nv) + by_law[..., :nv]
        direct_v = by_s @ (s_v + J @ self.after_v).reshape(N, -1, 3, nv)
        self._direct = np.concatenate([direct_q, direct_v, np.zeros_like(direct_v)], axis=-1).reshape(N, -1, 3 * nv)
        self._direct_start, self._push_q = by_law[..., nv:].reshape(N, -1, nv), sum(x.push_q for x in found)

    def by_state(self) -> Floats:
        """Derivatives of accelerations by q, v and tau, (N, nv, 3 nv)."""
        held = np.concatenate(self.free, axis=-1)
        if self._follow is None:
            return held
        held[..., : self.robot.nv] += self.free.tau @ self._push_q / self.h
        return self._followed(held, self._direct)

    def by_start(self) -> Floats:
        """By the configuration in which contacts that hold began to, (N, nv, nv)."""
        return self._followed(np.zeros((len(self.q), self.robot.nv, self.robot.nv)), self._direct_start)

    def by_parameters(self) -> Floats:
        """By inertial parameters, (N, nv, 10 nb)."""
        return self._followed(-self.free.tau @ self.robot.regressor(self.q, self.v, self.a), 0.0)

    def _followed(self, held: Floats, direct: Any) -> Floats:
        """Derivatives of accelerations from those with the impulses held."""
        if self._follow is None:
            return held
        N, k = self._J.shape[:2]
        s = (self._J @ (self.h * held)).reshape(N, k // 3, 3, -1)
        moved = self._follow @ ((self._by_s @ s).reshape(N, k, -1) + direct)
        return held + self.free.tau @ (np.swapaxes(self._J, 1, 2) @ moved) / self.h


def stepped(
    robot: Robot, q: Floats, v: Floats, tau: Floats, h: float, parameters: Any = None, *, contacts: Any, method: str
) -> Floats:
    """Derivatives of a step of `simulate` with contacts, by dq, dv and dtau."""
    if method != "euler":
        raise ShapeError(f'linearize_step: contacts= needs method="euler"; got {method!r}')
    run = simulate(robot, q, v, h, h, torque=tau[:, None], contacts=contacts, parameters=parameters)
    steps = ContactSteps(run, contacts)
    by = steps.by_state()
    if steps.system.held:  # they hold from here
        by[..., : robot.nv] += steps.by_start()
    return moved(robot, q, v, run.a[:, 0], by, h)


def _steps(x: Floats, axes: int = 1) -> Floats:
    """Samples at which steps begin, (N, …), of an array (…, T, …) with so many axes after that of time."""
    cut = np.moveaxis(np.moveaxis(x, -1 - axes, 0)[:-1], 0, -1 - axes)
    return np.ascontiguousarray(cut.reshape(-1, *x.shape[x.ndim - axes :]))
