"""A whole-body law as arrays: its structure, and the numbers that may change from tick to tick."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...contacts import Contacts
from ...contacts.kinds import Contact
from ...errors import ShapeError, unknown
from ..checks import vector
from .friction_cones import FrictionCones
from .goals import FORCE as FORCE_GOAL
from .groups import CLEARANCE, CONTACT, DYNAMICS, JOINT, POSITION, TORQUE, UNILATERAL, VELOCITY, Group, joint_groups
from .kernel_terms import Terms
from .limits import JointLimits
from .task_arrays import TaskArrays

Floats = NDArray[np.floating]
Mask = NDArray[np.bool_]
#: kinds of rows that define a motion, equations and not limits
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
    no_load: Floats  # speed of every velocity at which its motor drives no more
    standing: Floats  # 1 for the contact rows that take part, else 0
    moving: Floats  # (2, contacts): velocities of the ground below the contacts, and accelerations
    given: Floats  # given a >= least, (given, nv)
    least: Floats
    options: Floats  # by their places above; a contact weight of -1: contacts stay


class Rows(NamedTuple):
    """lower <= A x <= upper with x = [accelerations, forces / force]: joints, motors, contacts, ground, given rows."""

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
    alone: NDArray[np.intc]  # of each row of a task the column of x that it is about, or -1: several
    motors: NDArray[np.intc]
    numbers: Numbers
    groups: Sequence[Group]
    joints: JointLimits

    @property
    def structure(self) -> tuple[NDArray[np.intc], ...]:
        """Integers of `tick.h`."""
        n = self.numbers
        sizes = [self.nv, self.contacts, len(n.weight), len(self.column), len(self.soles), len(self.levels)]
        sole = [x for _, rows, moment in self.soles for x in (rows.start, moment.start, moment.stop - moment.start)]
        level = [0, *(rows.stop for rows in self.levels)]
        whole = [*sizes, n.least.shape[-1], len(self.motors)], level, self.column, sole, self.alone, self.motors
        return tuple(np.array(x, np.intc) for x in whole)

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
        upper = np.empty((*most.shape[:-1], len(self.column)))
        upper[...] = self.numbers.upper
        upper[..., rows] = np.minimum(upper[..., rows], most[..., owners] / self.numbers.options[FORCE])
        return replace(self, numbers=self.numbers._replace(upper=upper))

    def limited_by(self, given: Any, batch: tuple[int, ...]) -> Floats:
        """Torque limits of all velocities, from those of the motors, (…, motors) N m."""
        most, motors = np.asarray(given, float), len(self.motors)
        if most.shape not in ((motors,), (*batch, motors)) or not (most >= 0).all():
            raise ShapeError(f"torque_limits= of a call are N m, not negative, one for each motor, (…, {motors})")
        limit = np.zeros((*most.shape[:-1], self.nv))
        limit[..., self.motors] = most
        return limit

    def carried_by(self, contacts: Sequence[Contact], given: Any, batch: tuple[int, ...]) -> Floats:
        """Velocities and accelerations of the ground below contacts: by name, velocity or (velocity, acceleration)."""
        names, ends = [c.name for c in contacts], np.cumsum([0, *(c.size for c in contacts)])
        moving = np.zeros((*batch, 2, self.contacts))
        for name, motion in given.items():
            if name not in names:
                raise unknown("contact (of moving=)", name, "this law", names)
            first, end = ends[names.index(name) :][:2]
            for k, part in enumerate(motion if isinstance(motion, tuple) else (motion,)):
                moving[..., k, first:end] = vector(f"moving= of {name}", part, end - first, leading=True)
        return moving

    @cached_property
    def presses(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Rows of the ground on normal forces, and the number of the contact of each."""
        contacts = list(dict.fromkeys(x.name for x in self.groups if x.kind == CONTACT))
        own = self.groups[2 * self.nv + self.contacts :]
        rows = [i for i, x in enumerate(own) if x.kind == UNILATERAL]
        return np.array(rows, int), np.array([contacts.index(own[i].name) for i in rows], int)

    def at(self, k: Any) -> "LawArrays":
        """The law of one state of many, or of a part of them."""
        ndim = (2, 1, 1, 1, 1, 1, 1, 2, 2, 1, 1)
        if all(x.ndim == n for x, n in zip(self.numbers, ndim, strict=True)):
            return self
        own = (x[k] if x.ndim > n else x for x, n in zip(self.numbers, ndim, strict=True))
        return replace(self, numbers=Numbers(*own))

    def stay(self, found: Terms) -> Floats:
        """Accelerations with which contact rows stay on their ground, less J̇ v."""
        velocity, acceleration = self.numbers.moving
        return acceleration - found.bias - self.numbers.options[CONTACT_DAMPING] * (found.speed - velocity)

    def rows(self, found: Terms) -> Rows:
        """All rows in one state; those of contacts that do not stand hold anything."""
        n, nv, k = self.numbers, self.nv, self.contacts
        ground = np.pad(self.ground(found), ((0, 0), (nv, 0)))
        A = np.concatenate([np.eye(nv, nv + k), found.balance, ground, np.pad(n.given, ((0, 0), (0, k)))])
        A[:, nv:] *= n.standing != 0
        return Rows(A, *self.bounds(found))

    def ground(self, found: Terms) -> Floats:
        """Rows on the forces."""
        ground = self.numbers.ground.copy()
        for number, four, columns in self.soles:
            ground[four, columns] = found.moments[number][:, : columns.stop - columns.start]
        return ground

    def bounds(self, found: Terms) -> tuple[Floats, Floats]:
        """Lower and upper bounds of all rows."""
        n, nv, stands = self.numbers, self.nv, self.numbers.standing != 0
        down, up = (n.limit * np.clip(1 - side * found.velocity / n.no_load, 0, 1) for side in (-1, 1))
        held, stay, here = stands & self.hard, self.stay(found), stands[self.column]
        lower = [-down - found.h, np.where(held, stay, -np.inf), np.where(here, n.lower, -np.inf), n.least]
        upper = [up - found.h, np.where(held, stay, np.inf), np.where(here, n.upper, np.inf)]
        low, high = [found.bounds[:nv], *lower], [found.bounds[nv:], *upper, np.full(len(n.least), np.inf)]
        return np.concatenate(low), np.concatenate(high)

    @property
    def accelerations(self) -> Mask:
        """Rows about accelerations alone: what a robot may fail to do, while motors and ground are as they are."""
        return np.array([x.kind in (JOINT, CLEARANCE) or (self.hard and x.kind == CONTACT) for x in self.groups], bool)

    @property
    def dynamics(self) -> Mask:
        """Rows of joints without motors."""
        return np.array([x.kind == DYNAMICS for x in self.groups], bool)

    def active(self, multipliers: Floats, x: Floats, q: Any, v: Any) -> list[str]:
        """Names of the active inequalities; equations of motion and contacts that stay are none."""
        some = [i for i in multipliers.nonzero()[0].tolist() if abs(multipliers[i]) > 1e-12]
        if not some:
            return []
        found = dict.fromkeys(self._label(i, multipliers[i] > 0, q, v) for i in some)
        # at the apex of a cone the rows of friction are enough to hold the least force
        first, rows = 2 * self.nv + self.contacts, self.presses[0]
        if len(rows) and some[-1] >= first:
            names = {self.groups[i].name for i in some if i >= first}
            pressed = self.numbers.ground[rows] @ x[self.nv :] / self.numbers.options[FORCE]
            at = (pressed <= self.numbers.lower[rows] + 1e-10).nonzero()[0].tolist()
            found |= dict.fromkeys(str(own) for i in at if (own := self.groups[first + rows[i]]).name in names)
        return list(found)

    def missed(self, found: Terms, x: Floats) -> dict[str, float]:
        """Largest violation of each group's bounds by x, in the group's unit; the matrix of rows is not made for it."""
        n, a, push, (lower, upper) = self.numbers, x[: self.nv], x[self.nv :], self.bounds(found)
        push = push / n.options[FORCE]
        y = np.concatenate([a, found.balance @ np.append(a, push), self.ground(found) @ push, n.given @ a])
        beyond, least = np.maximum(lower - y, y - upper), 1e-7 * (1 + abs(a).max(initial=0.0))
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
    contacts: Contacts, cones: FrictionCones, tasks: TaskArrays, torques: Floats, no_load: Floats, joints: JointLimits,
    given: Sequence[Group], options: Sequence[float],
) -> LawArrays:  # fmt: skip
    """Arrays of a law that stands on all its contacts; `options` by their places."""
    nv, force = contacts.robot.nv, options[FORCE]
    ground = cones.rows(contacts.contacts, force)
    limit, speeds = np.zeros(nv), np.full(nv, np.inf)
    limit[contacts.actuated], speeds[contacts.actuated] = torques, no_load
    names = [c.name for c in contacts.contacts for _ in range(c.size)]
    groups = [
        *joint_groups(contacts.robot, JOINT),
        *joint_groups(contacts.robot, TORQUE, contacts.actuated),
        *(Group(CONTACT, name, "m/s²") for name in names),
        *ground.groups,
        *given,
    ]
    column = np.array([names.index(group.name) for group in ground.groups], np.intc)
    numbers = Numbers(
        ground.rows, ground.lower, ground.upper, tasks.weights, limit, speeds, np.ones(contacts.k),
        np.zeros((2, contacts.k)), np.zeros((len(given), nv)), np.full(len(given), -np.inf), np.array(options, float),
    )  # fmt: skip
    first = {goal: nv + names.index(goal.frame) for goal in tasks.goals if goal.kind == FORCE_GOAL}
    alone = [first.get(goal, 0) + i if goal.dofs else -1 for goal in tasks.goals for i in goal.dofs or range(goal.rows)]
    motors = np.array(contacts.actuated, np.intc)
    return LawArrays(
        nv, contacts.k, tasks.levels, column, ground.soles, np.array(alone, np.intc), motors, numbers, groups, joints
    )
