"""Equations of a step with contacts on scalars; their Jacobians are compiled."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..algebra.rotations import cross, skew
from ..algebra.scalars import Array, stack, zeros
from ..algebra.spatial import Transform
from ..algorithms.configuration import bending
from ..algorithms.kinematics import world_poses
from ..contacts.constraints import constraint_poses
from ..model import Model
from ..simulation.contact.candidates import WORLD
from ..simulation.contact.dynamics import axes_at, scalar_rows, twists, unflat
from ..simulation.contact.meetings import met
from ..simulation.contact.rows import Law
from ..simulation.contact.system import System


@dataclass(frozen=True)
class Bodies:
    """Twists of bodies at the world's origin, and the generalized forces of wrenches on them there."""

    carriers: tuple[int, ...]

    def __call__(self, model: Model, q: Array, v: Array, wrenches: Array) -> dict[str, Array]:
        """Both, of all carriers."""
        poses, push = world_poses(model, q), zeros(model.nv)
        axes = {b: axes_at(poses[b], b.S, zeros(3)) for b in model.bodies}
        felt = {b: zeros(6) for b in model.bodies}
        for k, wrench in zip(self.carriers, wrenches.reshape(-1, 6), strict=True):
            if k != WORLD:
                felt[model.bodies[k]] = wrench
        for b in reversed(model.bodies):
            for axis, k in zip(axes[b], range(b.dofs.start, b.dofs.stop), strict=True):
                push[k] = push[k] + axis @ felt[b]
            if b.parent:
                felt[b.parent] = felt[b.parent] + felt[b]
        every = stack([axis for b in model.bodies for axis in axes[b]], 6)
        return {"twists": twists(model, every, v, self.carriers).ravel(), "push": push}


@dataclass(frozen=True)
class Touch:
    """Gaps of a kind of contact, and of each row along its axes the wrench of a unit impulse at the world's origin.

    They move with displacements `e` of the two bodies, [linear; angular] at the world's origin.
    """

    kind: str
    surface: Any  # of the ground, whose numbers are given
    rolls: bool = False  # three rows that turn follow

    def __call__(
        self, model: Model, e: Array, numbers: Array, ground: Array, first: Array, second: Array
    ) -> dict[str, Array]:
        """Gaps, and wrenches of all rows, of all points of the kind."""
        poses = _displaced(unflat(first), e[:6]), _displaced(unflat(second), e[6:])
        gaps, positions, axes = met(self.kind, self.surface.of(ground), poses, numbers)
        each = zip(positions, axes.reshape(-1, 3, 3), strict=True)
        rows = []
        for p, frame in each:
            rows += [np.concatenate([axis, cross(p, axis)]) for axis in frame]
            rows += [np.concatenate([zeros(3), axis]) for axis in frame if self.rolls]
        return {"gaps": gaps, "rows": np.concatenate(rows)}


def _displaced(pose: Transform, e: Array) -> Transform:
    """To first order."""
    return Transform.computed(pose.R + skew(e[3:]) @ pose.R, pose.p + e[:3] + cross(e[3:], pose.p))


@dataclass(frozen=True)
class Joints:
    """Velocities of the rows of joints and of contacts that hold, their laws, and generalized forces of impulses along
    them.

    Contacts that hold are held where they are at `q_start`.
    """

    system: System

    def __call__(self, model: Model, q: Array, v: Array, q_start: Array, x: Array, dt: Array) -> dict[str, Array]:
        """Three rows in a block."""
        anchors = constraint_poses(model, q_start, self.system.held)
        rows, laws = scalar_rows(model, q, q, v, anchors.ravel(), dt[0], self.system)
        J = rows.reshape(-1, model.nv)
        return {"s": J @ v, "laws": laws.ravel(), "push": J.T @ x}


@dataclass(frozen=True)
class Missed:
    """Impulses of a block beside those that its law makes of them."""

    law: Law

    def __call__(self, model: Model, x: Array, s: Array, g: Array, law: Array) -> dict[str, Array]:
        """Zero where the law holds."""
        return {"missed": x - self.law.curnier(x, s, g, law)[0]}


def after_step(model: Model, v: Array, a: Array, dt: Array) -> dict[str, Array]:
    """Velocities after the step, in the axes at its beginning."""
    return {"after": v + dt[0] * (a - bending(model, v))}
