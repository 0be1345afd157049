"""Derivatives of inverse and forward dynamics by moments of mass, in axes that bodies share (docs/formulations.md).

A body may be written in its own axes, in those of its parent, in which its joint stands still, or in those of another
body nearer to the base.  Bodies that share axes form a group; what belongs to a group is turned and moved once, where
it meets the group of its parent.

The closed form is that of ../inverse_dynamics_derivatives.py, where a subtree is held as the moments m, h, Σ of its
mass, its linear momentum p, its force, and N = ∫ x ẋᵀ dm: the Coriolis matrix is then
2 B (v, w) = 2 (w × p, (tr N - Nᵀ) w).
"""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from ...algebra.linalg import factor_spd, invert_factored, solve_factored
from ...algebra.rotations import cross, skew
from ...algebra.scalars import Array, array, eye, is_zero, zeros
from ...algebra.spatial import IDENTITY, Transform, cross_force, cross_motion, mirrored, rotate_symmetric
from ...model import Body, Model
from ..inverse_dynamics import external_forces
from ..inverse_dynamics_derivatives import ForwardDynamicsDerivatives, InverseDynamicsDerivatives, with_joints
from ..kinematics import Forces, acceleration_gradient, upwards
from .moments import completed, inverse_dynamics_by_moments, turning

#: whether a body joins the group of its parent, which begins with another one
Joins = Callable[[Body, Body], bool]


class Axes(NamedTuple):
    """The axes of every body of a robot at some configuration."""

    lead: dict[Body, Body]  # the first body of the group of each
    place: dict[Body, Transform]  # of each body in the axes of its group
    step: dict[Body, Transform]  # of the axes of a group, by its first body, in those of its parent's


def own(model: Model, q: Array) -> Axes:
    """Every body in its own axes."""
    return _shared(model, q, lambda b, lead: False)


def parents(model: Model, q: Array) -> Axes:
    """Every body in the axes of its parent, those on the world in their own."""
    lead, _, step = own(model, q)
    before = {b: b.transform(q) if b.parent else IDENTITY for b in model.bodies}
    steps = {b: (before[b.parent] if b.parent else step[b]) for b in model.bodies}
    return Axes(lead, before, steps)


def hinges(model: Model, q: Array) -> Axes:
    """A group ends where a hinge would not stand still in its axes, nor stay parallel to the one before it."""
    return _shared(model, q, lambda b, lead: b.parent is lead or _parallel(b))


def hinges_beyond_the_first(model: Model, q: Array) -> Axes:
    """As `hinges`, with the first body in a group of its own: a free base, or a first link that only turns."""
    return _shared(model, q, lambda b, lead: lead.parent is not None and (b.parent is lead or _parallel(b)))


def _shared(model: Model, q: Array, joins: Joins) -> Axes:
    found = Axes({}, {}, {})
    for b in model.bodies:
        X = b.transform(q)
        before = found.place[b.parent] if b.parent else IDENTITY
        if b.parent and joins(b, found.lead[b.parent]):
            found.lead[b], found.place[b] = found.lead[b.parent], before @ X
        else:
            found.lead[b], found.place[b], found.step[b] = b, IDENTITY, before @ X
    return found


def _parallel(b: Body) -> bool:
    """True if two hinges in a row are parallel: the outer one keeps its direction in axes that hold the inner."""
    if not (b.parent and b.joint.turns and b.parent.joint.turns):
        return False
    axis, inner = np.array(b.placement.R @ b.joint.S[3:, 0], float), np.array(b.parent.joint_subspace[3:, 0], float)
    return bool(np.linalg.norm(np.cross(axis, inner)) < 1e-12)


#: choices of axes: each a function of (model, q)
CHOICES = (own, parents, hinges, hinges_beyond_the_first)


class _Motion(NamedTuple):
    """Motion of a body about the origin of some axes: a point x moves by v + ω × x, accelerates by r + U x."""

    v: Array
    omega: Array
    alpha: Array
    r: Array
    U: Array

    def within(self, X: Transform) -> "_Motion":
        """The matrix in axes placed at X."""
        back = X.R.T
        omega, alpha = back @ self.omega, back @ self.alpha
        v, r = back @ (self.v + cross(self.omega, X.p)), back @ (self.r + self.U @ X.p)
        return _Motion(v, omega, alpha, r, acceleration_gradient(omega, alpha))


class _Joint(NamedTuple):
    """S of a joint and its rates, (6, nv) each: S' and S'' of the closed form, and S' + dS/dt."""

    S: Array
    first: Array
    second: Array
    both: Array


class _Subtree(NamedTuple):
    """Moments, momentum and force of a body with what lies beyond it, in the axes of its group."""

    m: Array
    h: Array
    spread: Array
    p: Array
    N: Array
    f: Array

    def __add__(self, other: "_Subtree") -> "_Subtree":  # type: ignore[override]
        return _Subtree(*(x + y for x, y in zip(self, other, strict=True)))

    def moved_out(self, X: Transform) -> "_Subtree":
        """The same in the axes in which these are placed at X; p does not depend on where the origin is."""
        before, p = X.R @ self.h, X.R @ self.p
        after = before + self.m * X.p
        spread = _moved(rotate_symmetric(X.R, self.spread), before, after, X.p)
        return _Subtree(self.m, after, spread, p, X.R @ self.N @ X.R.T + np.outer(X.p, p), X.force_out(self.f))


def _moved(spread: Array, before: Array, after: Array, p: Array) -> Array:
    return mirrored(spread + before[:, None] * p[None, :] + p[:, None] * after[None, :])


class _Passes:
    """Outward along each limb, and inward as soon as its end is reached."""

    def __init__(self, model: Model, axes: Axes, v: Array, a: Array, forces: Forces):
        self.model, self.axes, self.v, self.a = model, axes, v, a
        self.pushed = external_forces(model, forces)
        self.motions: dict[Body, _Motion] = {}
        self.joints: dict[Body, _Joint] = {}
        self.subtrees: dict[Body, _Subtree] = {}
        self.by_q, self.by_v, self.M = (zeros(model.nv, model.nv) for _ in range(3))

    def run(self) -> InverseDynamicsDerivatives:
        for b, inward in zip(self.model.bodies, completed(self.model), strict=True):
            self._outward(b)
            for c in inward:
                self._enter(c)
                if c.parent:
                    found, step = self.subtrees[c], self.axes.step.get(c)
                    self.subtrees[c.parent] += found.moved_out(step) if step else found
        for b in self.model.bodies:
            if floats(b):
                self._with_speed(b)
        return with_joints(self.model, self.by_q, self.by_v, self.M)

    def _outward(self, b: Body) -> None:
        """Motion of a body and its joint, and what the body adds to its subtree."""
        place = self.axes.place[b]
        below, S = self._below(b), place.motion_out(b.S)
        v, a = self.v[b.dofs], self.a[b.dofs]
        if floats(b):  # seen by one who moves along with its origin
            v, a = np.concatenate([zeros(3), v[3:]]), np.concatenate([a[:3] + cross(v[3:], v[:3]), a[3:]])
        slide, turn = S[:3] @ v, S[3:] @ v
        first = cross_motion(np.concatenate([below.v, below.omega]), S)
        second = np.concatenate(
            [below.U @ S[:3] + cross(below.r, S[3:]) + 2 * cross(below.v, first[3:]), below.U @ S[3:]]
        )
        omega, alpha = below.omega + turn, below.alpha + S[3:] @ a + first[3:] @ v
        r = below.r + S[:3] @ a + cross(below.omega + omega, slide)
        motion = _Motion(below.v + slide, omega, alpha, r, acceleration_gradient(omega, alpha))
        own = first if S.shape[1] == 1 else cross_motion(np.concatenate([motion.v, omega]), S)
        self.motions[b], self.joints[b] = motion, _Joint(S, first, second, first + own)
        self.subtrees[b] = self._alone(b, place, motion)

    def _below(self, b: Body) -> _Motion:
        """The motion of the parent, in the axes of the body."""
        step = self.axes.step.get(b)
        if b.parent:
            return self.motions[b.parent].within(step) if step else self.motions[b.parent]
        still, up = zeros(3), upwards(self.model)[:3]
        return _Motion(still, still, still, step.R.T @ up if step else up, zeros(3, 3))

    def _alone(self, b: Body, place: Transform, motion: _Motion) -> _Subtree:
        inertia = b.inertia
        m, before = inertia.mass, place.R @ inertia.first
        h = before + m * place.p
        spread = _moved(rotate_symmetric(place.R, inertia.spread), before, h, place.p)
        x, y, z = motion.omega
        turning_back = array([[0, z, -y], [-z, 0, x], [y, -x, 0]])
        p = m * motion.v + cross(motion.omega, h)
        N = np.outer(h, motion.v) + spread @ turning_back
        f = np.concatenate([m * motion.r + motion.U @ h, cross(h, motion.r) + turning(motion.U, spread)])
        return _Subtree(m, h, spread, p, N, f - place.force_out(self.pushed[b]) if b in self.pushed else f)

    def _enter(self, b: Body) -> None:
        """Rows and columns of a body whose subtree is complete."""
        m, h, spread, p, N, f = self.subtrees[b]
        inertia, coriolis = np.trace(spread) * eye(3) - spread, 2 * (np.trace(N) * eye(3) - N.T)

        def momentum_of(V: Array) -> Array:
            return np.concatenate([m * V[:3] + cross(V[3:], h), cross(h, V[:3]) + inertia @ V[3:]])

        def twice_coriolis(V: Array) -> Array:
            return np.concatenate([2 * cross(V[3:], p), coriolis @ V[3:]])

        S, first, second, both = self.joints[b]
        momentum, row = momentum_of(S), 2 * cross(p, S[:3]) + coriolis.T @ S[3:]
        turned = twice_coriolis(first) + momentum_of(second) + cross_force(S, f)
        pushed = twice_coriolis(S) + momentum_of(both)
        lead = self.axes.lead[b]
        for j in b.support():
            if self.axes.lead[j] is not lead:  # into the axes of the next group
                X, lead = self.axes.step[lead], self.axes.lead[j]
                momentum, turned, pushed, row = *map(X.force_out, (momentum, turned, pushed)), X.R @ row
            other = self.joints[j]
            felt = momentum.T @ other.S
            self.M[b.dofs, j.dofs] += mirrored(felt) if j is b else felt
            self.by_q[b.dofs, j.dofs] += row.T @ other.first[3:] + momentum.T @ other.second
            self.by_v[b.dofs, j.dofs] += row.T @ other.S[3:] + momentum.T @ other.both
            if j is not b:
                self.M[j.dofs, b.dofs] += felt.T
                self.by_q[j.dofs, b.dofs] += other.S.T @ turned
                self.by_v[j.dofs, b.dofs] += other.S.T @ pushed

    def _with_speed(self, b: Body) -> None:
        """Torques depend on the linear velocity of a free base only through the acceleration ω × v of its origin."""
        linear, angular = slice(b.dofs.start, b.dofs.start + 3), slice(b.dofs.start + 3, b.dofs.stop)
        L = self.M[:, linear].T
        self.by_v[:, linear] = cross(L, self.v[angular]).T
        self.by_v[:, angular] += cross(self.v[linear], L).T


def floats(b: Body) -> bool:
    """True if its velocity is that of its own origin, in its own axes, relative to the world."""
    return b.parent is None and b.joint.floats and b.tail is IDENTITY


def _derivatives(
    axes: Callable[[Model, Array], Axes], model: Model, q: Array, v: Array, a: Array, forces: Forces = {}
) -> InverseDynamicsDerivatives:
    return _Passes(model, axes(model, q), v, a, forces).run()


#: by the axes that bodies share, of which the compiler keeps the shortest
WAYS: tuple[Callable[..., InverseDynamicsDerivatives], ...] = tuple(partial(_derivatives, axes) for axes in CHOICES)


def _forward_derivatives(
    way: Callable[..., InverseDynamicsDerivatives],
    model: Model,
    q: Array,
    v: Array,
    tau: Array,
    forces: Forces = {},
) -> ForwardDynamicsDerivatives:
    rest = zeros(model.nv)
    factors = factor_spd(way(model, q, rest, rest).a)
    a = solve_factored(factors, tau - inverse_dynamics_by_moments(model, q, v, rest, forces))
    found = way(model, q, v, a, forces)
    by_q, by_v = found.q, found.v
    # free bases: the dynamics does not depend on their position, and on their orientation by gravity alone
    free = [b for b in model.bodies if floats(b) and is_zero(b.damping) and is_zero(b.armature)]
    for b in free:  # their columns are known without solving
        by_q[:, b.dofs] = by_v[:, _linear(b)] = 0
    by_q, by_v = -solve_factored(factors, by_q), -solve_factored(factors, by_v)
    for b in free:
        turned = b.transform(q).R.T @ model.gravity
        by_q[_linear(b), b.dofs.start + 3 : b.dofs.stop] = skew(turned)
        by_v[_linear(b), _linear(b)] = -skew(v[b.dofs][3:])
    return ForwardDynamicsDerivatives(by_q, by_v, invert_factored(factors))


def _linear(b: Body) -> slice:
    return slice(b.dofs.start, b.dofs.start + 3)


#: the same of forward dynamics
FORWARD_WAYS: tuple[Callable[..., ForwardDynamicsDerivatives], ...] = tuple(
    partial(_forward_derivatives, way) for way in WAYS
)
