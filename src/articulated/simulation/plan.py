"""Plan of a simulation (robot, integrator, drive, duration), and the arrays it fills."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ..compiler.runtime.call import empty
from ..robot import Robot
from .contact.joints import without_dry_friction
from .drive.damping import damped
from .drive.external_forces import ExternalForces, ForceSites
from .drive.torques import Drive
from .joint_parameters import JointParameters
from .loop.events import Event, Watch

if TYPE_CHECKING:
    from .contact.system import System
    from .methods.table import Integrator

#: state of a robot
STATE = ("q", "v")
#: arrays of a run
STORED = (*STATE, "a", "tau")
#: a state with larger numbers has diverged: their squares, and what follows from them, are finite
LARGEST = 1e75


@dataclass(frozen=True, eq=False)
class Plan:
    """A simulation apart from its initial states."""

    robot: Robot
    method: str
    integrator: "Integrator"
    dt: float
    drive: Drive
    external: ExternalForces
    steps: int
    every: int  # steps between two samples
    system: "System | None" = None  # contacts and constrained joints
    tolerances: tuple[float, float] = (0.0, 0.0)  # relative and absolute, of an adaptive method
    events: tuple[Event, ...] = ()
    parameters: np.ndarray | None = None  # inertial ones in the place of the robot's: (1, 10 nb), or (n, 1, 10 nb);
    #                                       and those of its joints, as `joint_parameters.numbers` has it
    batch: tuple[int, ...] = ()  # leading axes of q0 and v0
    inertias: np.ndarray | None = None  # `parameters` as they were given, (…, 10 nb)
    joints: JointParameters = field(default_factory=dict)  # in the place of the robot's
    whose: Robot | None = None  # the robot that was given, where `robot` stands in for it

    @property
    def forces(self) -> dict[str, np.ndarray]:
        """External forces by frame, as they are written: (steps + 1, 6), or (n, steps + 1, 6)."""
        return self.external.forces

    @cached_property
    def sites(self) -> ForceSites:
        """Where external forces act, and in which axes they are written."""
        return ForceSites(tuple(self.forces), self.external.axes)

    @cached_property
    def switching_contacts(self) -> tuple[tuple[str, ...], np.ndarray, bool]:
        """Names and frictions of contacts that switch, and whether friction against rolling acts at them."""
        assert self.system
        return tuple(self.system.names), self.system.frictions, self.system.rolls

    @cached_property
    def gaps(self) -> Callable[[np.ndarray], np.ndarray]:
        """How far each contact that switches is open at configurations (n, nq); (n, nc)."""
        from .contact.constraints import gaps_of

        assert self.system
        return gaps_of(self.robot, self.system)

    @cached_property
    def samples(self) -> int:
        """Number of samples; the initial state is the first."""
        return self.steps // self.every + 1

    @property
    def structure(self) -> Any:
        """All but the numbers of a run that its loop takes; None if that cannot be told."""
        drive = self.drive
        if self.joints or (drive.compiled and drive.key is None) or (self.system and self.system.held):
            return None
        numbers = [*drive.data, drive.implicit is None, drive.most is None, drive.rows is None, drive.function is None]
        own = self.parameters is None, self.sites, self.stiff, self.tolerances, id(self.system)
        return self.method, self.steps, self.every, self.batch, drive.key, tuple(numbers), own

    @cached_property
    def times(self) -> np.ndarray:
        """Times of the samples, s."""
        return np.arange(self.samples) * (self.every * self.dt)

    def joint_of(self, k: int) -> str:
        """The joint of number k of (q, v)."""
        nq = self.robot.nq
        own = [b for b in self.robot.model.bodies if b.leader is b]
        place, k = ("coords", k) if k < nq else ("dofs", k - nq)
        return next(b.joint.name for b in own if getattr(b, place).start <= k < getattr(b, place).stop)

    @cached_property
    def stiff(self) -> float | None:
        """Time over which damping and springs of joints are implicit, s; None if they are not, or there are none."""
        part = self.integrator.damping
        return part * self.dt if part and any(b.damping or b.stiffness for b in self.robot.model.bodies) else None

    @property
    def switching(self) -> bool:
        """Whether a step is a contact problem."""
        return self.system is not None and self.integrator.contacts

    @property
    def smooth(self) -> bool:
        """Whether accelerations are continuous in time, as far as is known."""
        drive = self.drive
        held = drive.rows is not None or drive.function is not None or bool(self.forces)
        smooth = self.integrator.order > 1 and not held and not drive.jumps
        return smooth and not any(b.friction for b in self.robot.model.bodies)

    @cached_property
    def stored(self) -> tuple[str, ...]:
        """Arrays that the compiled loop stores.

        Torques that are zero or given are known; accelerations without contacts are forward dynamics, computed when
        they are first read.
        """
        accelerations = ("a",) if self.system or self.joints else ()
        return (*STATE, *accelerations, *(("tau",) if self.drive.compiled or self.drive.changed else ()))

    @cached_property
    def dynamics(self) -> Robot:
        """Robot whose dynamics a step takes: damped, and its dry friction left to the contact problem."""
        stiff = self.stiff if self.integrator.contacts else None

        def own() -> Robot:
            model = damped(self.robot.model, stiff) if stiff else self.robot.model
            model = without_dry_friction(model) if self.switching else model
            return self.robot if model is self.robot.model else Robot(model)

        return self.robot.kernels.once(("dynamics", stiff, self.switching), own)


@dataclass
class Recorded:
    """Stored arrays of a run, (n, samples, size), and how it ended."""

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
    speed: float = np.inf  # no joint moves faster at any sample
    died: Any = np.inf  # good samples of runs that the method has begun anew, (n,)
    refused: Any = False  # runs whose controller returned NaN, (n,)
    last: tuple[float, int] | None = None  # time and step number of the last sample, if an event put it there
    more: dict[str, Any] = field(default_factory=dict)  # plain values for `info`

    @classmethod
    def empty(cls, plan: Plan, states: int, sizes: Mapping[str, int], by_time: bool = False) -> "Recorded":
        """Arrays of a whole run, in one piece; `by_time`: the states of a sample lie together in memory."""
        rows, parts, end = states * plan.samples, dict[str, Any](), 0
        whole = empty(rows * sum(sizes.values()))
        for name, size in sizes.items():
            start, end = end, end + rows * size
            shape = (plan.samples, states, size) if by_time else (states, plan.samples, size)
            parts[name] = whole[start:end].reshape(shape)
            if by_time:
                parts[name] = parts[name].swapaxes(0, 1)
        q, v, a, tau = (parts.pop(name, None) for name in STORED)
        return cls(q, v, a, tau, contact=parts, watch=Watch(plan.events))

    def times(self, plan: Plan, count: int) -> np.ndarray:
        """Times of the first samples, s."""
        found = plan.times[:count].copy()
        if self.last and count == self.samples:
            found[-1] = self.last[0]
        return found

    def steps(self, plan: Plan, count: int) -> np.ndarray:
        """The numbers of the steps that begin at the first samples."""
        found = np.arange(count) * plan.every
        if self.last and count == self.samples:
            found[-1] = self.last[1]
        return found


def stored_sizes(plan: Plan) -> dict[str, int]:
    """Sizes of the arrays that are stored, for a sample."""
    sizes = {name: plan.robot.nq if name == "q" else plan.robot.nv for name in plan.stored}
    return sizes | (contact_sizes(plan.system) if plan.system else {})


def contact_sizes(system: "System") -> dict[str, int]:
    """Sizes of the arrays that are stored of contacts, for a sample."""
    nc = len(system.contacts)
    each = {"forces": 3 * nc, "positions": 3 * nc, "normals": 3 * nc, "gaps": nc, "states": nc} if nc else {}
    each |= {"moments": 3 * nc} if system.rolls else {}
    held = {"held": 3 * system.triples} if system.held else {}
    return {**each, **held, "residual": 1}


def over_batch(given: np.ndarray, batch: tuple[int, ...]) -> np.ndarray:
    """(…, size) as (n, 1, size), or as (1, size) if all runs have the same."""
    if given.ndim == 1:
        return np.ascontiguousarray(given[None])
    whole = np.broadcast_to(given, (*batch, given.shape[-1]))
    return np.ascontiguousarray(whole.reshape(-1, 1, given.shape[-1]))


def of_lanes(given: np.ndarray, lanes: slice) -> np.ndarray:
    """Rows of `over_batch` for some runs."""
    return given if given.ndim == 2 else given[lanes]
