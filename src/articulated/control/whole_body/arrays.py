"""A whole-body law as arrays: its structure, and the numbers that may change from tick to tick."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...contacts import Contacts
from ...errors import ShapeError, unknown
from .friction_cones import FrictionCones
from .groups import CONTACT, DYNAMICS, JOINT, POSITION, TORQUE, UNILATERAL, VELOCITY, Group, joint_groups
from .kernel_terms import Terms
from .limits import JointLimits
from .task_arrays import TaskArrays

Floats = NDArray[np.floating]
Mask = NDArray[np.bool_]
#: kinds of rows that say what a motion is, and do not hold it back
DEFINING = (DYNAMICS, CONTACT)
#: places in `Numbers.options`, as in `tick.h`
FORCE, ACCELERATION_WEIGHT, FORCE_WEIGHT, TORQUE_WEIGHT, CONTACT_WEIGHT, CONTACT_DAMPING = range(6)


class Numbers(NamedTuple):
    """Numbers of a law, each once for all states or once for each: as `tick.h` has them."""

    ground: Floats  # (ground, contacts), on contact forces in units of `force`
    lower: Floats
    upper: Floats
    weight: Floats  # of every row of a task
    limit: Floats  # torque of every velocity; 0 where there is no motor
    standing: Floats  # 1 for the contact rows that take part, else 0
    options: Floats  # by their places above; a contact weight of -1: contacts stay


class Rows(NamedTuple):
    """lower <= A x <= upper with x = [accelerations, forces / force]: joints, motors, contacts, ground."""

    A: Floats
    lower: Floats
    upper: Floats


@dataclass(frozen=True, eq=False)
class LawArrays:
    """Structure and numbers of a law, and the group that each of its rows belongs to."""

    nv: int
    contacts: int
    levels: Sequence[slice]  # rows of the tasks of each
    column: NDArray[np.intc]  # of each row of the ground a row of its contact
    soles: Sequence[tuple[int, slice, slice]]  # number of the sole, its rows of the ground, columns of its moment
    numbers: Numbers
    groups: Sequence[Group]
    joints: JointLimits

    @property
    def structure(self) -> tuple[NDArray[np.intc], ...]:
        """Integers of `tick.h`."""
        n = self.numbers
        sizes = [self.nv, self.contacts, len(n.weight), len(self.column), len(self.soles), len(self.levels)]
        sole = [place for _, rows, moment in self.soles for place in (rows.start, moment.start)]
        level = [0, *(rows.stop for rows in self.levels)]
        return tuple(np.array(x, np.intc) for x in (sizes, level, self.column, sole))

    @cached_property
    def all_stand(self) -> bool:
        """Whether every contact takes part."""
        return bool(self.numbers.standing.all())

    @property
    def hard(self) -> bool:
        """Whether contacts stay, rather than being a task."""
        return bool(self.numbers.options[CONTACT_WEIGHT] < 0)

    def standing_on(self, contacts: Contacts, standing: Any, batch: tuple[int, ...]) -> "LawArrays":
        """The same on some of the contacts: their names, or an array (…, contacts) of True and False."""
        names, sizes = [c.name for c in contacts.contacts], [c.size for c in contacts.contacts]
        given = np.asarray(standing)
        if given.dtype.kind in "US" or not given.size:
            for name in given.tolist():
                if name not in names:
                    raise unknown("contact", name, "this law", names)
            given = np.isin(names, given)
        if given.dtype != bool or given.shape not in ((len(names),), (*batch, len(names))):
            raise ShapeError(f"standing= are names of contacts, or True and False for each, (…, {len(names)})")
        mask = np.repeat(given, sizes, axis=-1).astype(float)
        return replace(self, numbers=self.numbers._replace(standing=mask))

    def pressed_by(self, contacts: int, given: Any, batch: tuple[int, ...]) -> "LawArrays":
        """The same with largest normal forces of the contacts, (…, contacts) N."""
        most = np.asarray(given, float)
        if most.shape not in ((contacts,), (*batch, contacts)) or not (most >= 0).all():
            raise ShapeError(f"force_limits= are newtons, not negative, one for each contact, (…, {contacts})")
        rows, owners = self.presses
        upper = np.broadcast_to(self.numbers.upper, (*most.shape[:-1], len(self.column))).copy()
        upper[..., rows] = np.minimum(upper[..., rows], most[..., owners] / self.numbers.options[FORCE])
        return replace(self, numbers=self.numbers._replace(upper=upper))

    @cached_property
    def presses(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Rows of the ground on normal forces, and the number of the contact of each."""
        contacts = list(dict.fromkeys(x.name for x in self.groups if x.kind == CONTACT))
        own = self.groups[len(self.groups) - len(self.column) :]
        rows = [i for i, x in enumerate(own) if x.kind == UNILATERAL]
        return np.array(rows, int), np.array([contacts.index(own[i].name) for i in rows], int)

    def at(self, k: tuple[Any, ...]) -> "LawArrays":
        """The law of one state of many."""
        ndim = (2, 1, 1, 1, 1, 1, 1)
        own = (x[k] if x.ndim > n else x for x, n in zip(self.numbers, ndim, strict=True))
        return replace(self, numbers=Numbers(*own))

    def rows(self, found: Terms) -> Rows:
        """All rows in one state; those of contacts that do not stand hold anything."""
        n, nv, k = self.numbers, self.nv, self.contacts
        ground, stands = n.ground.copy(), n.standing != 0
        for number, four, columns in self.soles:
            ground[four, columns] = found.moments[number]
        A = np.concatenate([np.eye(nv, nv + k), found.balance, np.pad(ground, ((0, 0), (nv, 0)))])
        low, high = np.split(found.bounds, 2)
        stay = -found.bias - n.options[CONTACT_DAMPING] * found.speed
        held = stands & self.hard
        here = stands[self.column] if len(self.column) else np.zeros(0, bool)
        lower = [low, -n.limit - found.h, np.where(held, stay, -np.inf), np.where(here, n.lower, -np.inf)]
        upper = [high, n.limit - found.h, np.where(held, stay, np.inf), np.where(here, n.upper, np.inf)]
        A[:, nv:] *= stands
        return Rows(A, np.concatenate(lower), np.concatenate(upper))

    @property
    def accelerations(self) -> Mask:
        """Rows about accelerations alone: what a robot may fail to do, while motors and ground are as they are."""
        return np.array([x.kind == JOINT or (self.hard and x.kind == CONTACT) for x in self.groups], bool)

    @property
    def dynamics(self) -> Mask:
        """Rows of joints without motors."""
        return np.array([x.kind == DYNAMICS for x in self.groups], bool)

    def active(self, multipliers: Floats, x: Floats, q: Any, v: Any) -> list[str]:
        """Names of the active inequalities; equations of motion and contacts that stay are none."""
        some = [i for i in multipliers.nonzero()[0].tolist() if abs(multipliers[i]) > 1e-12]
        names = {self.groups[i].name for i in some}
        # at the apex of a cone the rows of friction are enough to hold the least force
        pressed, first = self.numbers.ground @ x[self.nv :], len(self.groups) - len(self.column)
        least = np.flatnonzero(pressed <= self.numbers.lower + 1e-10)
        some += [
            i for i in (first + least).tolist() if (own := self.groups[i]).kind == UNILATERAL and own.name in names
        ]
        found = [self._label(i, multipliers[i] > 0, q, v) for i in some if self.groups[i].kind not in DEFINING]
        return list(dict.fromkeys(found))

    def missed(self, found: Terms, x: Floats) -> dict[str, float]:
        """Largest violation of each group's bounds by x, in the group's unit; in a tick, so without the whole rows."""
        n, nv, a, push = self.numbers, self.nv, x[: self.nv], x[self.nv :]
        balance, least = found.balance @ x, 1e-7 * (1 + abs(x).max(initial=0.0))
        torque, moved = balance[:nv] + found.h, balance[nv:] + found.bias + n.options[CONTACT_DAMPING] * found.speed
        pressed = n.ground @ push
        for number, four, columns in self.soles:
            pressed[four] += (found.moments[number] - n.ground[four, columns]) @ push[columns]
        stands = n.standing != 0
        beyond = np.concatenate([
            np.maximum(found.bounds[:nv] - a, a - found.bounds[nv:]), abs(torque) - n.limit,
            abs(moved) * (stands & self.hard), np.maximum(n.lower - pressed, pressed - n.upper) * stands[self.column],
        ])  # fmt: skip
        some: dict[str, float] = {}
        for i in (beyond > least).nonzero()[0].tolist():
            name, amount = str(self.groups[i]), self.groups[i].scale * float(beyond[i])
            some[name] = max(amount, some.get(name, 0.0))
        return some

    def _label(self, i: int, above: bool, q: Any, v: Any) -> str:
        group, side = self.groups[i], "upper" if above else "lower"
        if group.kind == JOINT:
            group = group._replace(kind=self.joints.which(i, bool(above), np.asarray(q, float), np.asarray(v, float)))
        return f"{group} {side}" if group.kind in (POSITION, VELOCITY, TORQUE) else str(group)


def law_arrays(
    contacts: Contacts, cones: FrictionCones, tasks: TaskArrays, torques: Floats, joints: JointLimits,
    options: Sequence[float],
) -> LawArrays:  # fmt: skip
    """Arrays of a law that stands on all its contacts; `options` by their places."""
    nv, force = contacts.robot.nv, options[FORCE]
    ground = cones.rows(contacts.contacts, force)
    limit = np.zeros(nv)
    limit[contacts.actuated] = torques
    names = [c.name for c in contacts.contacts for _ in range(c.size)]
    groups = [
        *joint_groups(contacts.robot, JOINT),
        *joint_groups(contacts.robot, TORQUE, contacts.actuated),
        *(Group(CONTACT, name, "m/s²") for name in names),
        *ground.groups,
    ]
    column = np.array([names.index(group.name) for group in ground.groups], np.intc)
    numbers = Numbers(
        ground.rows, ground.lower, ground.upper, tasks.weights, limit, np.ones(contacts.k), np.array(options, float)
    )
    levels = [rows for rows, _ in tasks.levels]
    return LawArrays(nv, contacts.k, levels, column, ground.soles, numbers, groups, joints)
