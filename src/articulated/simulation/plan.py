"""What is simulated: the robot, how, driven by what, for how long."""

from dataclasses import dataclass, field

import numpy as np

from ..robot import Robot
from .contact.system import System, without_dry_friction
from .damping import damped
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
    system: System | None = None  # contacts and constrained joints

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

    @property
    def dynamics(self) -> Robot:
        """The robot whose dynamics a step takes: damped, and its dry friction left to the contact problem."""
        model = self.robot.model
        if self.stiff:
            model = damped(model, self.stiff)
        if self.system:
            model = without_dry_friction(model)
        if model is self.robot.model:
            return self.robot
        key = ("dynamics", self.stiff, self.system is not None)
        return self.robot.kernels.once(key, lambda: Robot(model))


@dataclass
class Recorded:
    """What a run has stored: arrays (n, samples, size)."""

    q: np.ndarray
    v: np.ndarray
    a: np.ndarray
    tau: np.ndarray
    samples: int = 0  # that are there
    ended: str = "after its duration"
    contact: dict[str, np.ndarray] = field(default_factory=dict)  # (n, samples, …), by field of ContactHistory

    @classmethod
    def empty(cls, plan: Plan, states: int) -> "Recorded":
        """Room for a whole run."""
        nq, nv = plan.robot.nq, plan.robot.nv
        q, v, a, tau = (np.empty((states, plan.samples, size)) for size in (nq, nv, nv, nv))
        contact = {name: np.empty((states, plan.samples, size)) for name, size in contact_sizes(plan.system).items()}
        return cls(q, v, a, tau, contact=contact)


def contact_sizes(system: System | None) -> dict[str, int]:
    """What is stored of contacts, and how many numbers for a sample."""
    if system is None:
        return {}
    nc = len(system.contacts)
    each = {"forces": 3 * nc, "positions": 3 * nc, "normals": 3 * nc, "gaps": nc, "states": nc} if nc else {}
    return {**each, "residual": 1}
