"""Differential inverse kinematics: velocities that bring frames to their targets, within the limits of the next period.

The least Σ (w (J v - rate - gain e))² + damping |v - v_posture|², with v such that every joint keeps its range and its
largest velocity for a period dt; gain e is the velocity with which an error dies away.
"""

from __future__ import annotations  # help shows types as they are written here

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..algebra.scalars import Array
from ..algorithms.inverse_kinematics import Goal, Wanted, bounded, errors
from ..errors import ModelError, ShapeError, unknown
from ..geometry.distances import Obstacle
from ..inputs.choices import function_of, number, whole_number
from ..model import Model
from ..robot import Robot
from ..robot.arguments.arrays import Vector, as_vectors
from ..robot.inverse_kinematics.targets import CENTER, Targets, row_names, targets_of
from .checks import array
from .laws.feedback import LARGEST, Feedback
from .qp.active_set import Problem, SolverFailed, least

Floats = NDArray[np.floating]
METHOD = "DifferentialIK"
#: periods in which two links that approach each other as fast as they may use up an e-th of their distance
PERIODS = 5


class Rows(NamedTuple):
    """Errors of the frames, and the Jacobian of the velocities that reduce them."""

    error: Array
    J: Array


def rows(model: Model, q: Array, target: Array, goals: tuple[Wanted, ...]) -> Rows:
    """Rows of the goals, on any scalar."""
    return Rows(*errors(model, goals, q, target))


class DifferentialIK:
    """Velocities that bring frames to targets, while every joint keeps its range and velocity for a period `dt`.

    Parameters
    ----------
    robot : a Robot
    frames : a list of frames, or their weights by frame (a number, or one per row); "center_of_mass", and pairs of
        frames, the first in the axes of the second, as in `Robot.inverse_kinematics`
    gain : how fast errors die away, 1/s
    dt : the period for which limits are kept, s
    posture : a configuration (nq,) that is approached where frames leave a choice
    posture_gain : how fast, 1/s; `gain` if not given
    damping : the weight of velocity relative to that of errors: small; keeps velocities finite near
        singularities
    velocity : largest velocities (nv,) instead of the robot's: rad/s, m/s
    clearance : m, that links keep from each other and from obstacles; those that are nearer come no nearer
    obstacles : shapes placed in the world, as those of `Robot.distances`
    manipulability : how fast the manipulability of the first frame is raised where frames leave a choice: the velocity
        is so many times its gradient
    priority : levels by frame, whole numbers, 0 if not given: frames of a higher one move only as those of lower ones
        are left to

    Notes
    -----
    Source: Nakamura and Hanafusa 1986 (damping); Kanoun, Lamiraux, Wieber 2011 (limits as inequalities, priorities).

    Examples
    --------
    >>> import articulated as art
    >>> arm = art.load("2r")
    >>> law = art.DifferentialIK(arm, ["tip"], gain=2.0, dt=0.01)
    >>> v = law([0.5, 0.6], {"tip": arm.pose([0.6, 0.4], "tip")[:3, 3]})
    >>> v.shape
    (2,)
    """

    def __init__(
        self,
        robot: Robot,
        frames: Iterable[str] | Mapping[str, ArrayLike],
        gain: float = 1.0,
        dt: float = 1e-2,
        posture: ArrayLike | None = None,
        posture_gain: float | None = None,
        damping: float = 1e-6,
        velocity: ArrayLike | None = None,
        clearance: float | None = None,
        obstacles: Sequence[Obstacle] = (),
        manipulability: float = 0.0,
        priority: Mapping[Any, int] | None = None,
    ):
        if not isinstance(robot, Robot):
            raise ShapeError(f"{METHOD} takes a robot first, as from art.load; got {type(robot).__name__}")
        self.robot = robot
        if isinstance(frames, (str, tuple)) or not isinstance(frames, Iterable):
            raise ShapeError(f"{METHOD}: frames takes a list of names; got {frames!r}")
        given = dict(frames) if isinstance(frames, Mapping) else dict.fromkeys(frames)
        self.weights = {frame: weight for frame, weight in given.items() if weight is not None}
        self.frames = [self._named(frame) for frame in given]
        self._known = set(self.frames)
        if not self.frames:
            raise ShapeError(f"{METHOD}: frames is empty; name at least one frame to track")
        self.gain = number(f"{METHOD}: gain", gain, "1/s, not negative", most=1e100)
        self.dt = number(f"{METHOD}: dt", dt, "seconds, above zero", np.nextafter(0, 1))
        self.damping = number(f"{METHOD}: damping", damping, "above zero, small", 1e-15)
        coordinates = robot.kernels.vectors["q"]
        self.posture = None if posture is None else self._finite("posture", posture, coordinates)
        if self.posture is not None and self.posture.ndim > 1:
            raise ShapeError(f"{METHOD}: posture is one configuration ({robot.nq},); got {self.posture.shape}")
        wish = self.gain if posture_gain is None else posture_gain
        self.posture_gain = number(f"{METHOD}: posture_gain", wish, "1/s, not negative", most=1e100)
        self.velocity = self._largest(velocity)
        self.clearance = None if clearance is None else number(f"{METHOD}: clearance", clearance, "m, from 0")
        self.obstacles, self._gradient = tuple(obstacles), robot.derivatives("distances")
        if self.obstacles and clearance is None:
            raise ShapeError(f"{METHOD}: obstacles are kept away from by a clearance, in m, which is not given")
        self.manipulability = number(f"{METHOD}: manipulability", manipulability, "not negative", most=1e100)
        self.priority = {self._named(frame): whole_number(METHOD, level) for frame, level in (priority or {}).items()}
        if missing := set(self.priority) - set(self.frames):
            raise unknown("frame", next(iter(missing)), f"{METHOD}: priority", map(str, self.frames))
        # of each velocity: the coordinate with a range, and its ends
        self._at, self._ends = np.zeros(robot.nv, int), np.full((2, robot.nv), np.inf) * [[-1.0], [1.0]]
        for k, c in bounded(robot.model, robot.limits[:2]):
            self._at[k], self._ends[:, k] = c, [end[c] for end in robot.limits[:2]]
        self._unit: Floats = np.eye(robot.nv)
        # of the quadratic program: weights of rows and of velocities, no equalities
        self._ones = np.ones(6 * len(self.frames))
        self._free = np.full(robot.nv, self.damping), np.zeros((0, robot.nv)), np.zeros(0)
        self._prefer = np.zeros((0, 2), np.intc)
        self._kernels: dict[tuple[Wanted, ...], Any] = {}

    def _named(self, frame: Any) -> Any:
        """A frame, a pair of frames or the center of mass by their full names."""
        if isinstance(frame, tuple):
            return tuple(self.robot.model.frame(x).name for x in frame)
        return frame if frame == CENTER not in self.robot.model.frames else self.robot.model.frame(frame).name

    def __repr__(self) -> str:
        frames = ", ".join(map(str, self.frames))
        return f"<DifferentialIK of {self.robot.name}: {frames}; gain {self.gain:g}, dt {self.dt:g} s>"

    @np.errstate(over="ignore", invalid="ignore")  # overflow is reported below
    def __call__(
        self, q: ArrayLike, targets: Mapping[str, Any], rates: Mapping[str, ArrayLike] | None = None
    ) -> Floats:
        """Velocities (…, nv) at q (…, nq), towards targets as those of `Robot.inverse_kinematics`, one for every frame.

        Parameters
        ----------
        q : configurations, (…, nq)
        targets : by frame: a pose (…, 4, 4), a position (…, 3), art.Orientation or art.Direction
        rates : velocities of the targets by frame, one number per row, world axes, linear first: m/s, rad/s

        Returns
        -------
        velocities, (…, nv): rad/s, m/s; NaN in rows of a batch whose targets hold NaN

        Notes
        -----
        Source: Nakamura and Hanafusa 1986; Kanoun, Lamiraux, Wieber 2011.

        Examples
        --------
        >>> import articulated as art
        >>> arm = art.load("2r")
        >>> q, still = [0.1, 0.2], [0.0, 0.0]
        >>> law = art.DifferentialIK(arm, ["tip"])
        >>> law(q, {"tip": arm.pose([0.3, 0.1], "tip")[:3, 3]}).shape
        (2,)
        """
        q = as_vectors(METHOD, self.robot.name, "q", q, self.robot.kernels.vectors["q"])
        if not isinstance(targets, Mapping) or targets.keys() != self._known:
            given = list(targets) if isinstance(targets, Mapping) else type(targets).__name__
            raise ShapeError(f"{METHOD}: targets are given for {', '.join(map(str, self.frames))}; got {given}")
        ordered = {frame: targets[frame] for frame in self.frames}
        wanted = targets_of(self.robot.model, ordered, self.weights or None, method=METHOD)
        e, J = self._kernel(wanted.goals)(q, wanted.values)
        speed = self.gain * e
        if rates is not None:
            rate = self._rates(rates, wanted.goals)
            try:
                speed = speed + rate
            except ValueError:
                raise ShapeError(f"{METHOD}: the leading axes of rates do not broadcast: {rate.shape}") from None
        if batch := speed.shape[:-1]:
            q, J = np.broadcast_to(q, (*batch, self.robot.nq)), np.broadcast_to(J, (*batch, *J.shape[-2:]))
        return self._velocities(q, J, speed, wanted)

    def towards(self, targets: Any, through: Feedback) -> Following:
        """A controller (t, q, v) for `art.simulate`: a joint law such as `art.ComputedTorque` follows these velocities.

        Parameters
        ----------
        targets : by frame, or a function of t (s) that returns them
        through : a joint law, such as art.ComputedTorque

        Returns
        -------
        a controller: a function of (t, q, v) that gives generalized forces (nv,), for art.simulate

        Examples
        --------
        >>> import articulated as art
        >>> arm = art.load("2r")
        >>> q, still = [0.1, 0.2], [0.0, 0.0]
        >>> law = art.DifferentialIK(arm, ["tip"])
        >>> servo = law.towards({"tip": arm.pose([0.3, 0.1], "tip")[:3, 3]}, through=art.ComputedTorque(arm, 100, 20))
        >>> servo(0.0, q, still).shape
        (2,)
        """
        return Following(self, targets, through)

    @np.errstate(over="ignore")  # far outside: back at the largest velocity
    def bounds(self, q: ArrayLike) -> tuple[Floats, Floats]:
        """The least and largest velocities (…, nv) with which joints keep their limits for the next period.

        A joint beyond its range has to come back, as fast as it may.

        Parameters
        ----------
        q : configurations, (…, nq)

        Returns
        -------
        least and largest velocities, two arrays (…, nv): rad/s, m/s

        Examples
        --------
        >>> import articulated as art
        >>> arm = art.load("2r")
        >>> q, still = [0.1, 0.2], [0.0, 0.0]
        >>> least, most = art.DifferentialIK(arm, ["tip"], velocity=[1.0, 2.0]).bounds(q)
        >>> most.tolist()
        [1.0, 2.0]
        """
        least, most = self._bounds(self._finite("q", q, self.robot.kernels.vectors["q"]))
        return least, most

    def _bounds(self, q: Floats) -> Floats:
        ends = self._ends if q.ndim == 1 else self._ends.reshape(2, *[1] * (q.ndim - 1), -1)
        reach = (ends - q.take(self._at, axis=-1)) / self.dt
        return np.minimum(np.maximum(reach, -self.velocity), self.velocity)

    def _velocities(self, q: Floats, J: Floats, speed: Floats, wanted: Targets) -> Floats:
        """Level by level, the least |weights (J v - speed)|² + damping |v - wish|², what came before held.

        Found is x = v - wish; NaN for states of a batch whose targets are NaN.
        """
        least_speed, most_speed = self._bounds(q)
        tasks, wish, G = wanted.weights[:, None] * J, self._wish(q), self._unit
        aims = wanted.weights * speed - (tasks @ wish[..., None])[..., 0]
        lower, upper = least_speed - wish, most_speed - wish
        if self.clearance is not None:
            G, lower, upper = self._clear(q, self.clearance, wish, lower, upper)
        lost = False
        if not np.vdot(tasks, tasks) + np.vdot(aims, aims) < LARGEST**2:
            self._finite("q", q, self.robot.kernels.vectors["q"])
            lost = ~((tasks * tasks).sum(axis=(-2, -1)) + (aims * aims).sum(axis=-1) < LARGEST**2)[..., None]
            if lost.all():
                raise ShapeError(f"{METHOD}: targets or rates hold NaN, or numbers that are too large to compute with")
            tasks, aims = np.where(lost[..., None], 0.0, tasks), np.where(lost, 0.0, aims)
        for rows in self._levels(wanted.goals):
            T, b = tasks[..., rows, :], aims[..., rows]
            x = self._least(T, b, G, lower, upper)
            if self.priority:
                reached = (T @ x[..., None])[..., 0]
                G = np.concatenate([np.broadcast_to(G, (*x.shape[:-1], *G.shape[-2:])), T], axis=-2)
                lower, upper = (np.concatenate([end, reached], axis=-1) for end in (lower, upper))
        found = np.minimum(np.maximum(wish + x, least_speed), most_speed)
        return found if lost is False else np.where(lost, np.nan, found)

    def _wish(self, q: Floats) -> Floats:
        """Velocities that are preferred where frames leave a choice."""
        wish: Floats = np.zeros((*q.shape[:-1], self.robot.nv))
        if self.posture is not None:
            there = self.posture if q.ndim == 1 else np.broadcast_to(self.posture, q.shape)
            wish = self.posture_gain * self.robot.difference(q, there)
        if self.manipulability:
            wish = wish + self.manipulability * self.robot.derivatives("manipulability")(q, self.frames[0]).q
        return wish

    def _levels(self, goals: tuple[Wanted, ...]) -> list[Any]:
        """Rows of the frames of each priority, the first one first."""
        if not self.priority:
            return [slice(None)]
        each = np.repeat([self.priority.get(frame, 0) for frame in self.frames], [goal.rows for goal in goals])
        return [np.flatnonzero(each == level) for level in np.unique(each)]

    def _least(self, T: Floats, b: Floats, G: Floats, lower: Floats, upper: Floats) -> Floats:
        """The least squares of one level."""
        nv, batch, w = self.robot.nv, b.shape[:-1], self._ones[: b.shape[-1]]
        T, b, lower, upper = (x if not batch else x.reshape(-1, *x.shape[len(batch) :]) for x in (T, b, lower, upper))
        G = G if G.ndim == 2 else G.reshape(-1, *G.shape[-2:])
        found = least(Problem(T, b, w, *self._free, G, lower, upper, self._prefer))
        if found.status.any():  # not SOLVED
            raise SolverFailed("the bounded least-squares problem for the velocities was not solved")
        return found.x.reshape(*batch, nv)

    def _clear(self, q: Floats, clearance: float, wish: Floats, lower: Floats, upper: Floats) -> tuple[Floats, ...]:
        """Rows of the joints and of distances: what is left above the clearance lasts for some periods.

        Joints that have to come back into their ranges may use up more of it, so that there is always a velocity.
        """
        d = np.asarray(self.robot.distances(q, self.obstacles))
        gradient = np.asarray(self._gradient(q, obstacles=self.obstacles).q)
        back = np.clip(0.0, lower + wish, upper + wish)  # the least that keeps the ranges
        nearing = -np.maximum(d - clearance, 0.0) / (PERIODS * self.dt)
        nearing = np.minimum(nearing, (gradient @ back[..., None])[..., 0]) - (gradient @ wish[..., None])[..., 0]
        G = np.concatenate([np.broadcast_to(self._unit, (*d.shape[:-1], *self._unit.shape)), gradient], axis=-2)
        return G, np.concatenate([lower, nearing], axis=-1), np.concatenate([upper, np.full_like(d, np.inf)], axis=-1)

    def _kernel(self, goals: tuple[Wanted, ...]) -> Any:
        if goals not in self._kernels:
            size = sum(goal.size for goal in goals)
            kernels = self.robot.kernels.under(
                f"{METHOD}.", {"target": Vector(size, "the targets, one after the other")}
            )
            self._kernels[goals] = kernels.kernel(
                kernels.request("rows", rows, ("q", "target"), choices={"goals": goals})
            )
        return self._kernels[goals]

    def _rates(self, rates: Any, goals: tuple[Wanted, ...]) -> Floats:
        """Velocities of all targets, one after the other."""
        if not isinstance(given := rates, Mapping) or not set(given) <= set(self.frames):
            raise ShapeError(f"{METHOD}: rates are given by frame, {', '.join(map(str, self.frames))}; got {given!r}")
        parts = []
        for frame, goal in zip(self.frames, goals, strict=True):
            rate = given.get(frame, np.zeros(goal.rows))
            if isinstance(goal, Goal) and goal.kind == "direction" and frame in given:
                raise ShapeError(f"{METHOD}: rates do not apply to a direction; change its target at every call")
            vector = Vector(goal.rows, "one per row", names=tuple(row_names(goal)))
            parts.append(self._finite(f"the rate of {goal.name}", rate, vector))
        batch = np.broadcast_shapes(*(x.shape[:-1] for x in parts))
        return np.concatenate([np.broadcast_to(x, (*batch, x.shape[-1])) for x in parts], axis=-1)

    def _finite(self, name: str, given: Any, vector: Vector) -> Floats:
        x = as_vectors(METHOD, self.robot.name, name, given, vector)
        if not np.isfinite(x).all():
            raise ShapeError(f"{METHOD}: {name} holds NaN or infinity")
        return x

    def _largest(self, given: Any) -> Floats:
        """Largest velocities: the robot's if None."""
        nv = self.robot.nv
        if given is None:
            return np.array(self.robot.limits.velocity, float)
        meaning = f"a number or ({nv},), not negative"
        x = array(f"{METHOD}: velocity", given, meaning, self.robot.kernels.vectors["v"].names)
        if x.shape not in ((), (nv,)) or not (x >= 0).all():
            raise ShapeError(f"{METHOD}: velocity is {meaning}; got {given!r}")
        return np.full(nv, x)


class Following:
    """`controller(t, q, v)`: the torques (nv,) of a joint law that follows the velocities of another."""

    def __init__(self, law: DifferentialIK, targets: Any, through: Feedback):
        if not isinstance(through, Feedback) or through.robot.model is not law.robot.model or through.contacts:
            raise ModelError(f"{METHOD}: through is a joint law of this robot, such as art.ComputedTorque(robot, …)")
        if callable(targets):
            function_of("towards: targets", targets, "t")
        elif isinstance(targets, Mapping) and targets:
            targets_of(law.robot.model, targets, None, method=METHOD)  # early errors: one call before the run
        self.law, self.robot, self.targets, self.through = law, law.robot, targets, through

    def __call__(self, t: float, q: Any, v: Any) -> Floats:
        """Torques: the reference is where the velocities lead within a period."""
        v_ref = self.law(q, self.targets(t) if callable(self.targets) else self.targets)
        q_ref = self.law.robot.integrate(q, v_ref * self.law.dt)
        return self.through(q, v, q_ref, v_ref).tau
