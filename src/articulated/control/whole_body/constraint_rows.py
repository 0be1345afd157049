"""Rows of a whole-body program: their groups, the order in which they stand, and what never changes of them.

x = [a, contact forces / force]; rows are bounds on a, M a + h - Jᵀ λ, J a + J̇ v, then those of the friction cones.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...contacts import Contacts
from ..qp.solver import EQUALITY
from .friction_cones import ForceRows, FrictionCones
from .groups import CONTACT, DYNAMICS, JOINT, POSITION, TORQUE, VELOCITY, Group, joint_groups
from .kernel_terms import Terms
from .limits import JointLimits

Floats = NDArray[np.floating]
#: kinds of rows that say what a motion is, and do not hold it back
DEFINING = (DYNAMICS, CONTACT)


class ProgramRows:
    """The rows of the contacts that are `standing`, of all those of the kernel.

    `accelerations` are the rows about these alone, joints in their ranges and contacts that stay: what a robot may fail
    to do, while motors and ground are as they are.
    """

    def __init__(
        self,
        contacts: Contacts,
        standing: Contacts,
        ground: FrictionCones,
        torques: Floats,
        joints: JointLimits | None,
        contact_weight: float | None,
        force: float,
    ):
        nv, k = contacts.robot.nv, standing.k
        self.joints, self.force, self.hard = joints, force, contact_weight is None
        self.nv, self.n, self.bounded = nv, nv + k, nv if joints else 0
        self.balance = slice(self.bounded, self.bounded + nv)
        self.contact = slice(self.balance.stop, self.balance.stop + k)
        self.kept = None if standing.k == contacts.k else _kept(contacts, standing)
        cones = ground.rows(standing.contacts, force)
        self.groups = [
            *joint_groups(contacts.robot, JOINT)[: self.bounded],
            *joint_groups(contacts.robot, TORQUE, contacts.actuated),
            *(Group(CONTACT, c.name, "m/s²") for c in standing.contacts for _ in range(c.size)),
            *cones.groups,
        ]
        self._set_up_constants(torques, contacts.actuated, cones)
        self._set_up_masks()

    def _set_up_constants(self, torques: Floats, actuated: list[int], cones: ForceRows) -> None:
        """A, lower and upper as far as no state changes them."""
        nv, first = self.nv, self.contact.stop
        self.A = np.zeros((len(self.groups) - self.bounded, self.n))
        self.A[self.n :, nv:] = cones.rows
        self.soles = [
            (i, slice(self.n + rows.start, self.n + rows.stop), slice(nv + moment.start, nv + moment.stop))
            for i, rows, moment in cones.soles
        ]
        self.upper = np.full(len(self.groups), np.inf)
        self.upper[self.balance] = 0
        self.upper[np.array(actuated, int) + self.bounded] = torques
        self.lower = -self.upper
        self.lower[first:], self.upper[first:] = cones.lower, cones.upper

    def _set_up_masks(self) -> None:
        kinds = [group.kind for group in self.groups]
        self.dynamics = np.array([kind == DYNAMICS for kind in kinds], bool)
        self.accelerations = np.array([kind == JOINT or (self.hard and kind == CONTACT) for kind in kinds], bool)
        self.kind = np.where(self.lower == self.upper, EQUALITY, 0).astype(np.int32)
        self.kind[self.contact] = EQUALITY if self.hard else 0

    def filled(self, found: Terms, damping: float, q: Any, v: Any) -> tuple[Terms, Floats, Floats, Floats]:
        """The terms of the contacts that stand, and A, lower, upper in one state."""
        if self.kept is not None:
            rows = self.kept[self.nv :] - self.nv
            balance = found.balance[np.ix_(self.kept, self.kept)]
            found = found._replace(balance=balance, bias=found.bias[rows], speed=found.speed[rows])
        A, lower, upper = self.A.copy(), self.lower.copy(), self.upper.copy()
        A[: self.n] = found.balance
        lower[self.balance] -= found.h
        upper[self.balance] -= found.h
        if self.hard:
            lower[self.contact] = upper[self.contact] = -found.bias - damping * found.speed
        for number, four, columns in self.soles:
            A[four, columns] = found.moments[number]
        if self.joints:
            lower[: self.nv], upper[: self.nv] = self.joints.bounds(np.asarray(q, float), np.asarray(v, float))
        return found, A, lower, upper

    def active(self, multipliers: Floats, q: Any, v: Any) -> list[str]:
        """Names of the active inequalities; equations of motion and contacts that stay are none."""
        active = [i for i in multipliers.nonzero()[0].tolist() if abs(multipliers[i]) > 1e-12]
        found = [self._label(i, multipliers[i] > 0, q, v) for i in active if self.groups[i].kind not in DEFINING]
        return list(dict.fromkeys(found))

    def missed(self, A: Floats, lower: Floats, upper: Floats, x: Floats) -> dict[str, float]:
        """Largest violation of each group's bounds by x, in the group's unit."""
        y = np.concatenate([x[: self.bounded], A @ x])
        beyond = np.maximum(lower - y, y - upper)
        scale = 1 + np.concatenate([np.abs(x[: self.bounded]), np.abs(A) @ np.abs(x)])
        found: dict[str, float] = {}
        for i in np.flatnonzero(beyond > 1e-7 * scale):
            name, amount = str(self.groups[i]), self.groups[i].scale * float(beyond[i])
            found[name] = max(amount, found.get(name, 0.0))
        return found

    def _label(self, i: int, above: bool, q: Any, v: Any) -> str:
        group, side = self.groups[i], "upper" if above else "lower"
        if self.joints and group.kind == JOINT:
            group = group._replace(kind=self.joints.which(i, bool(above), np.asarray(q, float), np.asarray(v, float)))
        return f"{group} {side}" if group.kind in (POSITION, VELOCITY, TORQUE) else str(group)


def _kept(contacts: Contacts, standing: Contacts) -> NDArray[np.intp]:
    """Rows of the balance that belong to accelerations and to contacts that stand."""
    names = [c.name for c in contacts.contacts for _ in range(c.size)]
    nv = contacts.robot.nv
    return np.array([*range(nv), *(nv + i for i, name in enumerate(names) if name in standing.names)], int)
