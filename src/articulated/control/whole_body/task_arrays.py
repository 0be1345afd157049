"""The tasks of a law in the order of their levels: gains, weights and targets as arrays."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...contacts.kinds import Contact
from ...errors import ModelError, ShapeError, unknown
from ...inputs.choices import number
from ...robot import Robot
from ..checks import array, vector
from ..qp.active_set import native
from ..tasks import Task

Floats = NDArray[np.floating]


class TaskArrays:
    """Where each task has its rows, and its target its numbers."""

    def __init__(self, robot: Robot, tasks: Sequence[Task], contacts: Sequence[Contact] = ()):
        for task in tasks:
            if not isinstance(task, Task):
                raise ShapeError(f"tasks are art.tasks.CenterOfMass(…) and the like; got {task!r}")
            if not isinstance(task.label, str):
                raise ShapeError(f"the name of a task is a text; got {task.label!r}")
            number(f"the level of {task.label}", task.level, "0, 1, …", -1e9, 1e9)
        self.robot, self.tasks = robot, sorted(tasks, key=lambda task: task.level)
        self.labels = [task.label for task in self.tasks]
        if twice := sorted({name for name in self.labels if self.labels.count(name) > 1}):
            raise ModelError(f"{', '.join(twice)}: the name of more than one task; tell them apart by name=")
        self.goals = tuple(task.goal(robot, contacts) for task in self.tasks)
        ends = np.cumsum([0, *(goal.rows for goal in self.goals)]).tolist()
        self.rows = dict(zip(self.labels, map(slice, ends, ends[1:]), strict=False))
        names = [goal.row_names(robot.model) for goal in self.goals]
        Kp = [_per_row(task, "gain", own) for task, own in zip(self.tasks, names, strict=True)]
        self.gains = np.concatenate([np.zeros(0), *Kp, *map(_damping, self.tasks, Kp, names)])
        weights = [_per_row(task, "weight", own) for task, own in zip(self.tasks, names, strict=True)]
        self.weights = np.concatenate([np.zeros(0), *weights])
        own = [[self.rows[x.label] for x in group] for _, group in groupby(self.tasks, lambda task: task.level)]
        self.levels = [slice(rows[0].start, rows[-1].stop) for rows in own] or [slice(0, 0)]
        self._set_up_targets()

    def _set_up_targets(self) -> None:
        self._places: dict[str, list[slice]] = {}
        # whether a target begins with a rotation, and where its parts end; of a pose, a matrix, nowhere
        self._ends: dict[str, tuple[bool, tuple[int, ...]]] = {}
        start = 0
        for label, goal in zip(self.labels, self.goals, strict=True):
            ends = (start + np.cumsum((0, *goal.sizes(self.robot.model)))).tolist()
            self._places[label] = list(map(slice, ends, ends[1:]))
            self._ends[label] = goal.kind == "orientation", () if goal.kind == "pose" else tuple(ends)
            start = ends[-1]
        self._names = {label: goal.names(self.robot.model) for label, goal in zip(self.labels, self.goals, strict=True)}
        self._usual: Floats = np.zeros(start)
        self._task = dict(zip(self.labels, self.tasks, strict=True))
        self._needed = {task.label for task in self.tasks if task.target is None}
        self._usual = self._filled({task.label: task.target for task in self.tasks if task.target is not None})

    def targets(self, given: Mapping[str, Any]) -> Floats:
        """The targets one after the other, as the kernel takes them."""
        if not self._needed <= given.keys():
            missing = [label for label in self.labels if label in self._needed and label not in given]
            raise ShapeError(f"no target for {', '.join(missing)}: law(q, v, {missing[0]}=…)")
        return self._filled(given) if given else self._usual

    def within(self, rows: slice) -> list[str]:
        """The tasks of these rows."""
        return [label for label, own in self.rows.items() if rows.start <= own.start and own.stop <= rows.stop]

    def by_task(self, rows: Floats) -> dict[str, Floats]:
        """The rows sorted by task."""
        return {label: rows[..., place] for label, place in self.rows.items()}

    def changed(self, what: str, given: Mapping[str, Any], usual: Floats, batch: tuple[int, ...] = ()) -> Floats:
        """Weights or gains of all rows, those that are given in the place of the usual ones."""
        parts = dict[str, Floats]()
        for label, x in given.items():
            if label not in self.rows:
                raise unknown("task", label, "this law", self.labels)
            size = self.rows[label].stop - self.rows[label].start
            parts[label] = _not_negative(f"{what} of {label}", x, size)
        many = any(x.ndim > 1 for x in parts.values())
        out = np.broadcast_to(usual, (*batch, len(usual)) if many else usual.shape).copy()
        for label, x in parts.items():
            out[..., self.rows[label]] = x
        return out

    def changed_gains(self, given: Mapping[str, Any]) -> Floats:
        """Kp of all rows, then Kd, critical where Kp is given."""
        Kp, Kd = np.split(self.gains, 2)
        Kp = self.changed("gain", given, Kp)
        for label in given:
            Kd = Kd.copy()
            Kd[self.rows[label]] = 2 * np.sqrt(Kp[self.rows[label]])
        return np.concatenate([Kp, Kd])

    def _filled(self, given: Mapping[str, Any]) -> Floats:
        out: Floats = self._usual.copy()
        for label, target in given.items():
            if label not in self._places:
                raise unknown("task", label, "this law", self.labels)
            if native and native.put(out, *self._ends[label], target):
                continue
            (value, *rates), (names, rate_names) = self._places[label], self._names[label]
            # (value, rate, acceleration), unless it is a tuple of plain numbers
            parts = target if isinstance(target, tuple) and target and not _plain(target[0]) else (target,)
            out = _put(out, value, self._task[label].value(parts[0], value.stop - value.start, names))
            if len(parts) > 1:
                known = [what for what, x in zip(("rate", "acceleration"), rates, strict=True) if x.stop > x.start]
                if len(parts) > 1 + len(known):
                    words = ", ".join(["value", *known])
                    raise ShapeError(f"the target of {label} has {len(parts)} parts; it is ({words})")
                for what, place, part in zip(known, rates, parts[1:], strict=False):
                    size = place.stop - place.start
                    out = _put(out, place, vector(f"the {what} of {label}", part, size, rate_names, leading=True))
        return out


def _put(out: Floats, place: slice, x: Floats) -> Floats:
    """Targets with the numbers x in their place; of many states if x has them."""
    if x.ndim > out.ndim:
        out = np.broadcast_to(out, (*x.shape[:-1], out.shape[-1])).copy()
    out[place if out.ndim == 1 else (..., place)] = x
    return out


#: of a gain or a weight: what is computed with it is still a number
LARGEST = 1e60


def _plain(x: Any) -> bool:
    return isinstance(x, Real) or getattr(x, "ndim", None) == 0


def _per_row(task: Task, name: str, names: Sequence[str]) -> Floats:
    size = len(names)
    x = _not_negative(f"{name} of {task.label}", getattr(task, name), size, names)
    if x.ndim > 1:
        raise ShapeError(f"{name} of {task.label} is a number, or {size} of them; got {x}")
    return x


def _not_negative(what: str, given: Any, size: int, names: Sequence[str] = ()) -> Floats:
    meaning = f"a number, or {size} of them, not negative"
    x = array(what, given, meaning, names)
    if x.shape[-1:] not in ((), (size,)) or not ((x >= 0) & (x < LARGEST)).all():
        raise ShapeError(f"{what} is {meaning}; got {x}")
    return np.full(size, x) if x.ndim == 0 else x


def _damping(task: Task, Kp: Floats, names: Sequence[str]) -> Floats:
    return 2 * np.sqrt(Kp) if task.damping is None else _per_row(task, "damping", names)
