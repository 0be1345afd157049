"""Robots with any joints as robots whose joints turn about or slide along one axis each: the rows of a loop.

A joint of several axes becomes three slides and three turns that are locked where it is now, then one joint at zero for
each axis of its S; a mimic joint becomes free.  The velocities of the rows are E v.  Their accelerations are E a + Ė v:
joints that move one after the other add Lie brackets of their axes, which Ė v takes away.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from ...algebra.scalars import Array, array, atan2, cos, exact_array, sin, zeros
from ...algebra.spatial import Inertia, Transform, cross_motion
from ...joints import Joint, Prismatic, Revolute
from ...model import Body, Link, Model
from ...model import build as build_model

Floats = np.ndarray
#: slides along x, y and z, then turns about z, y and x
LOCKED: list[Joint] = [*map(Prismatic, np.eye(3)), *map(Revolute, np.eye(3)[::-1])]


def row_states(model: Model, q: Array, v: Array | None = None, a: Array | None = None, moving: bool = False) -> Array:
    """Positions of the rows, (1, rows); if they are `moving` also E a + Ė v over the factors in E, (2, rows)."""
    positions = np.concatenate([_positions(b.joint, b.position(q)) for b in model.bodies])
    if not moving:
        return positions[None]
    rows = one_axis(model)
    accelerations = zeros(len(rows.dof)) if a is None else a[rows.dof]
    for group in rows.groups if v is not None else ():
        own = v[group.dofs]  # type: ignore[index]
        bending = array([own @ rate @ own for rate in exact_array(group.rates)])
        accelerations[group.rows] = accelerations[group.rows] + bending
    return np.stack([positions, accelerations])


def _positions(joint: Joint, q: Array) -> Array:
    if joint.turns or joint.slides:
        return q
    X = joint.transform(q)
    yaw = atan2(X.R[1, 0], X.R[0, 0])
    c, s = cos(yaw), sin(yaw)
    level, across = c * X.R[0] + s * X.R[1], c * X.R[1] - s * X.R[0]  # rows of the rotation before yaw
    angles = [yaw, atan2(-X.R[2, 0], level[0]), atan2(-across[2], across[1])]
    return array([*X.p, *angles, *[0] * len(list(_axes(joint)))])


def _axes(joint: Joint) -> Iterator[tuple[type[Joint], Floats, int, float]]:
    """Kind, axis, velocity and its factor of the joints that move as this one does from where it is."""
    for i, column in enumerate(np.array(joint.S, float).T):
        for kind, part in ((Prismatic, column[:3]), (Revolute, column[3:])):
            if length := float(np.linalg.norm(part)):
                yield kind, part / length, i, length


class Group(NamedTuple):
    """The rows of a joint of several axes, its velocities, and Ė per unit of each velocity: (rows, nv, nv)."""

    rows: slice
    dofs: slice
    rates: Floats


@lru_cache(8)
def one_axis(model: Model) -> "OneAxis":
    """The rows of a robot."""
    return OneAxis(model)


class OneAxis:
    """The robot with one-axis joints, and how its velocities are those of the robot."""

    def __init__(self, model: Model):
        bodies = {b.name: b for b in model.bodies}
        self.served, self.groups = True, list[Group]()
        rows: list[tuple[int, float]] = []  # velocity and factor
        own, last = [0] * model.nv, []
        links = []
        for link in model.links:
            if (b := bodies.get(link.name)) is None or not link.joint.nv:
                links.append(link)
                continue
            first = len(rows)
            parts = list(self._parts(b))
            links += _chained(link, [joint for joint, _, _ in parts])
            rows += [(dof, gain) for _, dof, gain in parts]
            last.append(len(rows) - 1)
            if b.leader is b:
                for k in range(first, len(rows)):
                    own[rows[k][0]] = k
            if len(parts) > 1:
                self.groups.append(self._group(b, parts, first))
        self.model = build_model(links, model.gravity, model.name)
        #: the velocity of each row, and its factor: 0 where it is locked
        self.dof, self.gain = np.array([dof for dof, _ in rows]), np.array([gain for _, gain in rows])
        #: the row of each velocity, and of each body
        self.own, self.last = np.array(own), np.array(last)
        #: the body of each row
        self.body = np.repeat(np.arange(len(last)), np.diff([-1, *last]))
        #: whether several rows move with one velocity
        self.shared = int((self.gain != 0).sum()) > model.nv

    def _parts(self, b: Body) -> Iterator[tuple[Joint, int, float]]:
        """The joints in place of that of a body; friction and rotor are those of the last axis of a velocity."""
        data = {name: getattr(b, name) for name in ("damping", "friction", "armature")}
        single = b.joint.turns or b.joint.slides
        self.served &= not b.stiffness or (single and b.leader is b)  # springs of geared joints have no row
        if single:
            yield b.joint.replace(mimic=None), b.dofs.start, float(b.multiplier)
            return
        yield from ((joint, b.dofs.start, 0.0) for joint in LOCKED)
        axes = list(_axes(b.joint))
        for k, (kind, axis, i, gain) in enumerate(axes):
            carries = k + 1 == len(axes) or axes[k + 1][2] != i
            self.served &= not carries or abs(gain - 1) < 1e-12
            made: Any = kind
            yield made(axis, **(data if carries else {})), b.dofs.start + i, float(b.multiplier) * gain

    def _group(self, b: Body, parts: list[tuple[Joint, int, float]], first: int) -> Group:
        axes = [np.array(joint.S, float)[:, 0] for joint, _, _ in parts[len(LOCKED) :]]
        E = np.zeros((len(axes), b.joint.nv))
        for k, (_, dof, gain) in enumerate(parts[len(LOCKED) :]):
            E[k, dof - b.dofs.start] = gain
        brackets = np.zeros((6, len(axes), len(axes)))
        for k in range(len(axes)):
            for j in range(k + 1, len(axes)):
                brackets[:, k, j] = np.array(cross_motion(array(axes[k]), array(axes[j])), float)
        B = np.stack(axes, axis=1)
        rates = -np.einsum("rs,skj->rkj", np.linalg.pinv(B), brackets)
        # a rotor would feel Ė v, too
        self.served &= not (b.armature and rates.any())
        self.served &= np.allclose(B @ rates.reshape(len(axes), -1), -brackets.reshape(6, -1), atol=1e-12)
        # a factor other than 1 is that of a screw, whose two axes commute
        self.served &= not (rates.any() and any(abs(gain - 1) > 1e-12 for _, _, gain in parts[len(LOCKED) :]))
        rates = np.einsum("rkj,ki,jl->ril", np.where(abs(rates) < 1e-15, 0.0, rates), E, E)
        begin = first + len(LOCKED)
        return Group(slice(begin, begin + len(axes)), b.dofs, rates)


def _chained(link: Link, joints: list[Joint]) -> list[Link]:
    """The link on several joints, without mass in between."""
    names = [*(f"{link.name} on {k}" for k in range(len(joints) - 1)), link.name]
    parents, bare = [link.parent, *names[:-1]], Transform()
    return [
        link.replace(parent=parent, joint=joint.named(name), placement=link.placement if k == 0 else bare)
        if name == link.name
        else Link(name, parent, joint.named(name), link.placement if k == 0 else bare, Inertia())
        for k, (name, parent, joint) in enumerate(zip(names, parents, joints, strict=True))
    ]
