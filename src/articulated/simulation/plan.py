"""What is simulated: the robot, how, driven by what, for how long."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..robot import Robot
from .torques import Drive


@dataclass(frozen=True, eq=False)
class Plan:
    """A simulation apart from its initial states."""

    robot: Robot
    method: str
    dt: float
    drive: Drive
    forces: dict[str, np.ndarray]  # by frame: (steps + 1, 6), or (n, steps + 1, 6)
    steps: int
    every: int  # steps between two samples

    @property
    def frames(self) -> tuple[str, ...]:
        """Where external forces act."""
        return tuple(self.forces)

    @property
    def samples(self) -> int:
        """The initial state is the first one."""
        return self.steps // self.every + 1

    @property
    def times(self) -> np.ndarray:
        """Of the samples."""
        return np.arange(self.samples) * (self.every * self.dt)

    @property
    def stiff(self) -> float | None:
        """The step, where the dynamics depend on it: Euler's method takes damping at the end of a step."""
        damping = any(b.damping for b in self.robot.model.bodies)
        return self.dt if self.method == "euler" and damping else None


@dataclass
class Recorded:
    """What a run has stored: arrays (n, samples, size)."""

    q: np.ndarray
    v: np.ndarray
    a: np.ndarray
    tau: np.ndarray
    samples: int = 0  # that are there
    ended: str = "after its duration"
    more: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def empty(cls, plan: Plan, states: int) -> "Recorded":
        """Room for a whole run."""
        nq, nv = plan.robot.nq, plan.robot.nv
        q, v, a, tau = (np.empty((states, plan.samples, size)) for size in (nq, nv, nv, nv))
        return cls(q, v, a, tau)
