"""The rows of a whole-body program: which inequality stands where, what it is called, what never changes."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...contacts import Contacts
from ..qp.solver import EQUALITY
from .friction_cones import FrictionCones
from .kernel_terms import Terms
from .limits import JointLimits, sliding, velocity_names

Floats = NDArray[np.floating]
#: units of the groups, by their first word; of joints that slide
UNITS = {"contact": "m/s²", "torque": "N m", "joint": "rad/s²", "center": "N m", "torsion": "N m"}
SLIDING = {"torque": "N", "joint": "m/s²"}


class ProgramRows:
    """x = [a, contact forces / force]; rows: bounds on a, M a + h - Jᵀ λ, J a + J̇ v, then those of the ground.

    `standing` are the contacts that hold, of all those of the kernel.  `accelerations` are the rows about these alone,
    joints in their ranges and contacts that stay: what a robot may fail to do, while motors and ground are as they are.
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
        robot, self.joints, self.force = contacts.robot, joints, force
        nv, k = robot.nv, standing.k
        self.nv, self.n, self.bounded = nv, nv + k, nv if joints else 0
        self.unactuated = [i for i in range(nv) if i not in contacts.actuated]
        self.hard = contact_weight is None
        self.kept = None if standing.k == contacts.k else _kept(contacts, standing)
        found = ground.rows(standing.contacts, force)

        joint_of = velocity_names(robot)
        self.sliding = {name for name, slides in zip(joint_of, sliding(robot), strict=True) if slides}
        self.groups = [f"joint limit {joint_of[i]}" for i in range(self.bounded)]
        self.groups += ["dynamics" if i in self.unactuated else f"torque limit {joint_of[i]}" for i in range(nv)]
        self.groups += [f"contact {c.name}" for c in standing.contacts for _ in range(c.size)] + found.names

        self.balance = slice(self.bounded, self.bounded + nv)
        self.contact = slice(self.bounded + nv, self.bounded + nv + k)
        self.A = np.zeros((len(self.groups) - self.bounded, self.n))
        self.A[self.n :, nv:] = found.rows
        self.soles = [(i, slice(self.n + r.start, self.n + r.stop), _moved(c, nv)) for i, r, c in found.soles]
        self.upper = np.full(len(self.groups), np.inf)
        self.upper[self.balance] = 0
        self.upper[np.array(contacts.actuated, int) + self.bounded] = torques
        self.lower = -self.upper
        self.lower[self.contact.stop :], self.upper[self.contact.stop :] = found.lower, found.upper
        self.can_cross = joints is not None
        self.dynamics = np.array([name == "dynamics" for name in self.groups], bool)
        self.accelerations = np.zeros(len(self.groups), bool)
        self.accelerations[: self.bounded] = True
        self.accelerations[self.contact] = self.hard
        self.kind = np.where(self.lower == self.upper, EQUALITY, 0).astype(np.int32)
        self.kind[self.contact] = EQUALITY if self.hard else 0
        #: rows that hold a solution back, and do not just say what a motion is
        self.named = [not (row == "dynamics" or row.startswith("contact ")) for row in self.groups]

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
        """Names of the inequalities that hold the solution back."""
        held = [i for i in multipliers.nonzero()[0].tolist() if self.named[i] and abs(multipliers[i]) > 1e-12]
        return list(dict.fromkeys(self._label(i, multipliers[i] > 0, q, v) for i in held))

    def missed(self, A: Floats, lower: Floats, upper: Floats, x: Floats) -> dict[str, float]:
        """By how much x misses the bounds, largest of each group, in its unit."""
        y = np.concatenate([x[: self.bounded], A @ x])
        beyond = np.maximum(lower - y, y - upper)
        scale = 1 + np.concatenate([np.abs(x[: self.bounded]), np.abs(A) @ np.abs(x)])
        found: dict[str, float] = {}
        for i in np.flatnonzero(beyond > 1e-7 * scale):
            amount, _ = self.amount(self.groups[i], float(beyond[i]))
            found[self.groups[i]] = max(amount, found.get(self.groups[i], 0.0))
        return found

    def amount(self, group: str, slack: float) -> tuple[float, str]:
        """A slack of a row in the unit of its group."""
        kind = group.split()[0]
        scale = self.force if kind in ("unilateral", "friction", "center", "torsion") else 1.0
        slides = kind in SLIDING and group.split(" limit ", 1)[1] in self.sliding
        return slack * scale, SLIDING[kind] if slides else UNITS.get(kind, "N")

    def _label(self, i: int, above: bool, q: Any, v: Any) -> str:
        group, side = self.groups[i], "upper" if above else "lower"
        if self.joints and i < self.bounded:
            which = self.joints.which(i, bool(above), np.asarray(q, float), np.asarray(v, float))
            return f"{which}{group.removeprefix('joint')} {side}"
        return f"{group} {side}" if group.startswith("torque limit") else group


def _kept(contacts: Contacts, standing: Contacts) -> NDArray[np.intp]:
    """Rows of the balance that belong to accelerations and to contacts that stand."""
    names = [c.name for c in contacts.contacts for _ in range(c.size)]
    nv = contacts.robot.nv
    return np.array([*range(nv), *(nv + i for i, name in enumerate(names) if name in standing.names)], int)


def _moved(columns: slice, by: int) -> slice:
    return slice(columns.start + by, columns.stop + by)
