"""Rows of joints in a step: limits and dry friction."""

import math
from typing import NamedTuple

from ...algebra.scalars import Array, eye, zeros
from ...algorithms.configuration import ranges
from ...model import Body, Model

#: in the place of a torque of dry friction that each run has of its own
GIVEN = math.inf


class JointRow(NamedTuple):
    """Row of a joint: the limits of a coordinate, and the torque of its dry friction; None without.

    With a range the row is the rate of the coordinate, else it is the velocity: of most joints these are the same.
    """

    name: str
    coordinate: int
    velocity: int
    lower: float | None
    upper: float | None
    dry: float | None

    @property
    def has_range(self) -> bool:
        """Whether it has a stop at all."""
        return self.lower is not None or self.upper is not None


def joint_rows(model: Model) -> tuple[JointRow, ...]:
    """A row for each velocity that has a range or dry friction; a gear passes on both of the joints that follow."""
    found, allowed = [], ranges(model)
    for own in allowed:
        geared = [b for b in model.bodies if b.leader is own]
        dry = sum(abs(b.multiplier) * b.friction for b in geared)
        has_range = own.joint.nq == own.joint.nv
        lower, upper = (x if has_range and math.isfinite(x) else None for x in allowed[own][:2])
        limited = lower is not None or upper is not None
        torque = float(dry) if dry else None
        rows = [(own.joint.name, own.coords.start + k, own.dofs.start + k) for k in range(own.joint.nv)]
        if dry and limited and not own.joint.rates:
            found += [JointRow(*row, None, None, torque) for row in rows]  # friction is about other axes than the range
            torque = None
        if torque is not None or limited:
            found += [JointRow(*row, lower, upper, torque) for row in rows]
    return tuple(found)


def rate_of(model: Model, q: Array, joint: JointRow) -> Array:
    """The rate of a joint's coordinate per unit v; of its velocity if the row has no range.  (nv,)."""
    row = zeros(model.nv)
    if not joint.has_range:
        row[joint.velocity] = 1
        return row
    own = owner(model, joint)
    for j, unit in enumerate(eye(own.joint.nv)):
        row[own.dofs.start + j] = own.joint.rate(own.position(q), unit)[joint.coordinate - own.coords.start]
    return row


def owner(model: Model, joint: JointRow) -> Body:
    """The body whose joint it is."""
    return next(b for b in model.bodies if b.leader is b and b.dofs.start <= joint.velocity < b.dofs.stop)


def without_dry_friction(model: Model) -> Model:
    """The robot whose dry friction is left to the rows of the joints."""
    if not any(b.friction for b in model.bodies):
        return model
    return model.changed(k.replace(joint=k.joint.replace(friction=0)) for k in model.links)
