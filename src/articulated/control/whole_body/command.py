"""Commands of a whole-body law: torques at once, the rest when it is asked for."""

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .arrays import LawArrays
from .task_arrays import TaskArrays
from .tick import Found

Floats = NDArray[np.floating]


class Command:
    """Torques for the motors, and the motion and forces a whole-body law expects of them; in one state or in many.

    Attributes
    ----------
    tau : torques of the actuated joints, in the order of contacts.actuated, (…, n) N m
    time : seconds that the command took, all included
    """

    def __init__(self, law: LawArrays, tasks: TaskArrays, terms: Any, found: Found, q: Any):
        self.tau, self.time = found.tau, 0.0
        self._law, self._tasks, self._terms, self._found, self._q = law, tasks, terms, found, q

    @cached_property
    def a(self) -> Floats:
        """Accelerations, (…, nv)."""
        return self._found.x[..., : self._law.nv]

    @cached_property
    def forces(self) -> Floats:
        """Forces of the ground on the robot, one per row of the contacts, (…, k)."""
        forces, law = self._found.x[..., self._law.nv :], self._law
        return forces if law.all_stand or forces.ndim > 1 else forces[law.numbers.standing != 0]

    @cached_property
    def active(self) -> Any:
        """Names of the inequalities that hold it back; of many states a mark for each row of `law.constraints`."""
        multipliers, x = self._found.multipliers, self._found.x
        if x.ndim > 1:
            return (abs(multipliers) > 1e-12).any(axis=-2)
        law, velocity = self._law, self._terms.velocity
        return list(dict.fromkeys(name for own in multipliers for name in law.active(own, x, self._q, velocity)))

    @cached_property
    def residuals(self) -> dict[str, Floats]:
        """By task: what it gets minus what it wants, m/s² or rad/s²."""
        return self._tasks.by_task(self._found.residual)

    @cached_property
    def objective(self) -> Any:
        """Sum of weight · residual² and the regularization."""
        return self._found.cost[..., 0]

    @cached_property
    def iterations(self) -> Any:
        """Steps of the solver, all levels."""
        return self._found.about[..., 1]

    @cached_property
    def status(self) -> Any:
        """ "solved"; "unconfirmed" if a lower level is; "nearest" if no motion meets all constraints."""
        about, levels = self._found.about, len(self._law.levels)
        if about.ndim == 1:  # in a tick, so without arrays
            gave_way, _, sure = about.tolist()
            return "nearest" if gave_way else "unconfirmed" if sure < levels else "solved"
        return np.where(about[..., 0] > 0, "nearest", np.where(about[..., 2] < levels, "unconfirmed", "solved"))

    @cached_property
    def violations(self) -> dict[str, float]:
        """Accelerations that contacts and joint limits miss in one state that is "nearest", m/s² or rad/s²."""
        if self.tau.ndim > 1 or self.status != "nearest":
            return {}
        return self._law.missed(self._terms, self._found.x)

    @cached_property
    def unconfirmed(self) -> list[str]:
        """Tasks of lower levels that may have got less than the levels above leave them; of one state."""
        first = len(self._law.levels) if self.tau.ndim > 1 else self._found.about[2]
        return [name for rows in self._law.levels[first:] for name in self._tasks.within(rows)]

    def __repr__(self) -> str:
        which = f"{len(self.active)} active constraints" if self.tau.ndim == 1 else f"{len(self.tau)} states"
        return f"<Command: {self.status if self.tau.ndim == 1 else ''} {which}, tau {self.tau.shape}>"
