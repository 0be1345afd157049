"""What is simulated: the robot, how, driven by what, for how long."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..robot import Robot
from .array_pool import room
from .contact.system import System, without_dry_friction
from .drive.damping import damped
from .drive.external_forces import Pushed, Pushes
from .drive.torques import Drive
from .joint_parameters import Resistances
from .loop.events import Event, Hit, Watch

#: what tells how a motion goes on
STATE = ("q", "v")
#: the arrays of a run
STORED = (*STATE, "a", "tau")
#: methods whose accelerations are forward dynamics at the samples
BY_DYNAMICS = ("euler", "rk4", "adaptive")


@dataclass(frozen=True, eq=False)
class Plan:
    """A simulation apart from its initial states."""

    robot: Robot
    method: str
    dt: float
    drive: Drive
    pushes: Pushes
    steps: int
    every: int  # steps between two samples
    system: System | None = None  # contacts and constrained joints
    tolerances: tuple[float, float] = (0.0, 0.0)  # relative and absolute, of the adaptive method
    events: tuple[Event, ...] = ()
    parameters: np.ndarray | None = None  # inertial ones in the place of the robot's: (1, 10 nb), or (n, 1, 10 nb);
    #                                       and what resists in its joints, as `resistances.numbers` has it
    batch: tuple[int, ...] = ()  # leading axes of what was given: what a function of the user's is called with
    inertias: np.ndarray | None = None  # `parameters` as they were given, (…, 10 nb)
    joints: Resistances = field(default_factory=dict)  # in the place of the robot's
    whose: Robot | None = None  # the robot that was given, where `robot` stands in for it

    @property
    def forces(self) -> dict[str, np.ndarray]:
        """External forces by frame, as they are written: (steps + 1, 6), or (n, steps + 1, 6)."""
        return self.pushes.forces

    @property
    def pushed(self) -> Pushed:
        """Where external forces act, and in which axes they are written."""
        return Pushed(tuple(self.forces), self.pushes.axes)

    @property
    def frames(self) -> tuple[str, ...]:
        """Where external forces act."""
        return self.pushed.frames

    @property
    def samples(self) -> int:
        """The initial state is the first one."""
        return self.steps // self.every + 1

    @property
    def times(self) -> np.ndarray:
        """Of the samples."""
        return np.arange(self.samples) * (self.every * self.dt)

    def joint_of(self, k: int) -> str:
        """The joint of number k of (q, v)."""
        nq = self.robot.nq
        own = [b for b in self.robot.model.bodies if b.leader is b]
        place, k = ("coords", k) if k < nq else ("dofs", k - nq)
        return next(b.joint.name for b in own if getattr(b, place).start <= k < getattr(b, place).stop)

    @property
    def stiff(self) -> float | None:
        """The time over which a method takes damping in advance: Euler's the whole step, the variational one half."""
        part = {"euler": 1.0, "symplectic": 0.5}.get(self.method)
        return part * self.dt if part and any(b.damping for b in self.robot.model.bodies) else None

    @property
    def clocked(self) -> bool:
        """Whether the compiled loop knows the time: a law may ask for it, and methods other than Euler's use it."""
        return self.method != "euler" or self.drive.compiled is not None

    @property
    def smooth(self) -> bool:
        """Whether accelerations do not jump from step to step, as far as anybody knows."""
        drive = self.drive
        jumps = self.method == "euler" or drive.rows is not None or drive.function or drive.jumps or self.forces
        return not jumps and not any(b.friction for b in self.robot.model.bodies)

    @property
    def stored(self) -> tuple[str, ...]:
        """What the compiled loop stores of a sample.

        Torques that are zero or given are known; accelerations without contacts are forward dynamics, found when
        somebody asks for them.
        """
        accelerations = ("a",) if self.system or self.joints or self.method not in BY_DYNAMICS else ()
        return (*STATE, *accelerations, *(("tau",) if self.drive.compiled else ()))

    @property
    def dynamics(self) -> Robot:
        """The robot whose dynamics a step takes: damped, and its dry friction left to the contact problem."""
        model = self.robot.model
        if self.stiff and self.method == "euler":
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
    a: np.ndarray | None  # None: forward dynamics
    tau: np.ndarray | None  # None: nothing drives the robot, or torques that were given
    samples: int = 0  # that are there
    finite: bool = False  # the state after the last sample is known to be, and so are all before it
    ended: str = "after its duration"
    problem: str = ""  # why the method could not go on
    contact: dict[str, np.ndarray] = field(default_factory=dict)  # (n, samples, …), by field of ContactHistory
    watch: Watch = field(default_factory=lambda: Watch(()))
    last: tuple[float, int] | None = None  # time and step number of the last sample, if an event put it there
    more: dict[str, Any] = field(default_factory=dict)  # plain values for `info`

    @classmethod
    def empty(cls, plan: Plan, states: int) -> "Recorded":
        """Room for a whole run, in one piece."""
        sizes = {name: plan.robot.nq if name == "q" else plan.robot.nv for name in plan.stored}
        sizes |= (contacts := contact_sizes(plan.system))
        ends = np.cumsum([0, *sizes.values()]) * states * plan.samples
        whole = room(int(ends[-1]))
        parts: dict[str, Any] = {
            name: whole[start:end].reshape(states, plan.samples, size)
            for (name, size), start, end in zip(sizes.items(), ends, ends[1:], strict=False)
        }
        contact = {name: parts[name] for name in contacts}
        state = parts["q"], parts["v"], parts.get("a"), parts.get("tau")
        return cls(*state, contact=contact, watch=Watch(plan.events))

    def end_by(self, hit: Hit, sample: int, step: int) -> None:
        """The run ends at an event, as sample number `sample`, in step number `step`."""
        self.ended, self.problem, self.samples = f"by the event {hit.event.name!r}", "", sample + 1
        self.last = hit.t, step

    def times(self, plan: Plan, count: int) -> np.ndarray:
        """Of the first samples."""
        found = plan.times[:count]
        if self.last and count == self.samples:
            found[-1] = self.last[0]
        return found

    def steps(self, plan: Plan, count: int) -> np.ndarray:
        """The numbers of the steps that begin at the first samples."""
        found = np.arange(count) * plan.every
        if self.last and count == self.samples:
            found[-1] = self.last[1]
        return found


def straight_line(plan: Plan, before: Any, after: Any, part: float) -> tuple[np.ndarray, np.ndarray]:
    """Part of the way from one state (q, v) to another."""
    (q, v), (q1, v1) = before, after
    return plan.robot.integrate(q, part * plan.robot.difference(q, q1)), v + part * (v1 - v)


def contact_sizes(system: System | None) -> dict[str, int]:
    """What is stored of contacts, and how many numbers for a sample."""
    if system is None:
        return {}
    nc = len(system.contacts)
    each = {"forces": 3 * nc, "positions": 3 * nc, "normals": 3 * nc, "gaps": nc, "states": nc} if nc else {}
    held = {"held": system.held_rows} if system.held else {}
    return {**each, **held, "residual": 1, **({"lowest": 1} if system.touching.watched else {})}
