"""`art.Problem`: optimal control by differential dynamic programming, one problem or thousands at once."""

from __future__ import annotations  # help shows types as they are written here

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..errors import ShapeError
from ..inputs.choices import choose, floats, names, number, whole_number
from ..inputs.frozen import Frozen
from ..motions.limits import limits_of
from ..robot import Robot
from ..simulation.drive.torques import undriven
from ..simulation.run import time_step
from ..simulation.start import start
from .costs import Cost
from .phases import Phase, phases, points
from .rollout import BLOCKS
from .solution import Solution
from .solver import first_guess, solved
from .terms import Beyond, Terms, laid_out

Floats = np.ndarray
#: for type checkers: the rows of BLOCKS
RolloutMethod = Literal["euler", "rk4"]
#: weight of limits before their multipliers are known, of the largest of the costs; a larger one makes short steps
HEAVY = 1e-4


class Bounds(NamedTuple):
    """Limits of coordinates and velocities."""

    q: tuple[int, ...]  # which of them have limits
    v: tuple[int, ...]
    low: Floats  # of both, one after the other
    high: Floats


class Problem(Frozen):
    """Find torques over a horizon whose motion costs least: Σ dt l(x, τ) + l_end(x), within limits.

    Solved by iterative LQR on the exact derivatives of the step (Gauss-Newton, box constraints in the backward pass,
    rollouts with a line search; an augmented Lagrangian for positions and velocities; multiple shooting from states
    that no motion goes through).

    Parameters
    ----------
    robot : a Robot
    horizon : number of steps
    costs : of `art.costs`
    dt : length of a step, s
    method : "euler" or "rk4"
    actuated : names of joints with motors; all, but a floating base, if not given
    limits : True: the robot's limits; False: none; {"effort": …, "velocity": …, "position": (lower, upper)} in the
        place of the robot's, numbers, (nv,) or (nq,), None takes one away; a number or (nv,): efforts, N m, N
    contacts : a schedule, a list of (steps, contacts) whose steps add up to the horizon; contacts are names of frames
        that are held as points, or an `art.Contacts`.  Where contacts begin, the first step brings them to rest.

    Examples
    --------
    >>> import articulated as art
    >>> robot = art.load("2r")
    >>> problem = art.Problem(robot, 50, [art.costs.control(1e-3), art.costs.state([0.5, 0.5], final=100)], dt=0.02)
    >>> found = problem.solve([0, 0])
    >>> bool(found.converged), abs(found.trajectory.q[-1] - 0.5).max() < 0.02
    (True, np.True_)
    """

    robot: Robot
    horizon: int
    costs: tuple[Cost, ...]
    dt: float
    method: str
    actuated: tuple[int, ...]
    limits: tuple[Floats, Floats]  # of the controls
    bounds: Bounds | None  # of the states
    schedule: tuple[Phase, ...]
    terms: Terms
    on_batches: tuple[Cost, ...]

    def __init__(
        self,
        robot: Robot,
        horizon: int,
        costs: Sequence[Cost],
        dt: float = 0.01,
        method: RolloutMethod = "euler",
        actuated: Iterable[str] | None = None,
        limits: Any = True,
        contacts: Sequence[tuple[int, Any]] | None = None,
    ):
        if not isinstance(robot, Robot):
            raise ShapeError(f"Problem takes a robot first; got {type(robot).__name__}")
        costs = tuple(costs) if isinstance(costs, (list, tuple)) else ()
        wrong = [x for x in costs if not isinstance(x, Cost)]
        if wrong or not costs:
            raise ShapeError(
                f"Problem: costs are a list of art.costs.state(…), art.costs.frame(…) …; got {wrong or costs}"
            )
        driven, steps, h = _driven(robot, actuated), whole_number("Problem: horizon, in steps,", horizon, 1), dt
        efforts, bounds = (
            robot.kernels.once(("limits of problems", driven), lambda: _limits(robot, True, driven))
            if limits is True
            else _limits(robot, limits, driven)
        )
        scalars = [cost for cost in costs if cost.numbers is not None]
        self.__dict__.update(
            robot=robot, horizon=steps, costs=costs, dt=time_step(h, "Problem"),
            method=choose("Problem", "method", method, BLOCKS if contacts is None else ["euler"]), actuated=driven,
            limits=efforts, bounds=bounds, schedule=phases(robot, contacts, steps, h, driven),
            terms=laid_out([*scalars, *_beyond(bounds, costs, h)], robot, steps, h),
            on_batches=tuple(cost for cost in costs if cost.numbers is None),
        )  # fmt: skip
        if robot.model.springs and self.method == "euler":
            raise ShapeError('Problem: springs between frames are implicit in the step of "euler"; use method="rk4"')
        if any(x.of_forces for x in costs) and not points(self.schedule):
            raise ShapeError("Problem: a cost of contact forces needs contacts=, with points that push")

    def solve(
        self,
        q0: ArrayLike,
        v0: ArrayLike | None = None,
        tau: ArrayLike | None = None,
        iterations: int = 300,
        tolerance: float = 1e-7,
        q: ArrayLike | None = None,
        v: ArrayLike | None = None,
    ) -> Solution:
        """The motion of least cost near a first guess; leading axes of q0 and v0 are problems of their own.

        Parameters
        ----------
        q0 : configuration at the start, (…, nq)
        v0 : velocity, (…, nv); zero if not given
        tau : first guess of the torques, (…, T, nv); those that hold the robot at q0 if not given
        iterations : at most
        tolerance : relative decrease of the cost that is too small to go on
        q : first guess of the configurations, (…, T + 1, nq); they need not be those of a motion.  If not given, those
            of the motion under tau; with contacts and without tau, q0 throughout
        v : of the velocities, (…, T + 1, nv); zero if q is given and v is not

        Returns
        -------
        Solution, with trajectory, tau, feedback, cost, costs, forces, iterations, converged, violation and reason

        Notes
        -----
        Source: Tassa, Mansard and Todorov 2014, Control-limited differential dynamic programming.

        Examples
        --------
        >>> import articulated as art
        >>> problem = art.Problem(art.load("2r"), 20, [art.costs.control(1.0), art.costs.state([0, 0])])
        >>> problem.solve([[0.1, 0.0], [0.2, 0.1]], iterations=3).cost.shape
        (2,)
        """
        begin, speed, batch = start(self.robot, q0, v0, caller="Problem.solve")
        most = whole_number("solve: iterations", iterations)
        small = number("solve: tolerance", tolerance, "a number from zero")
        near, gaps = first_guess(self, begin, speed, tau, q, v, batch)
        found, spent, done = solved(self, near, gaps, most, small)
        iterated, converged, over = (x.reshape(batch)[()] for x in (spent, done, found.over))
        return Solution(iterated, converged, over, self, found.motion)

    def __repr__(self) -> str:
        terms = ", ".join(cost.name for cost in self.costs)
        return f"<Problem of {self.robot.name}: {self.horizon} steps of {self.dt:g} s, {terms}>"


def _driven(robot: Robot, actuated: Any) -> tuple[int, ...]:
    """Velocities with motors."""
    free = undriven(robot)
    if actuated is None:
        return tuple(k for k in range(robot.nv) if k not in free)
    found = [k for name in names("Problem: actuated", actuated) for k in range(robot.nv)[robot.index(name).v]]
    if not found:
        raise ShapeError("Problem: actuated names no joint; at least one has a motor")
    return tuple(sorted(set(found)))


def _limits(robot: Robot, given: Any, driven: tuple[int, ...]) -> tuple[tuple[Floats, Floats], Bounds | None]:
    """Limits of the controls and of the states."""
    none = {"effort": None, "velocity": None, "position": None}
    if not isinstance(given, Mapping):
        given = none if given is False else {} if given is True else {"effort": given}
    for name in given:
        choose("Problem", "limits", name, none)
    position = given.get("position", robot.limits[:2]) or (-np.inf, np.inf)
    allowed = limits_of("Problem", robot, {name: x for name, x in given.items() if name != "position"})
    effort = np.minimum(allowed.effort[list(driven)], 1e30)
    try:
        lower, upper = (np.broadcast_to(floats("Problem: limits['position']", x), robot.nq) for x in position)
    except (TypeError, ValueError):
        raise ShapeError(f"Problem: limits['position'] is (lower, upper), numbers or ({robot.nq},) each") from None
    if not (lower <= upper).all():
        k = int(np.argmin(lower <= upper))
        raise ShapeError(
            f"Problem: limits of {robot.kernels.vectors['q'].names[k]!r} exclude each other: lower {lower[k]:g} is "
            f"{lower[k] - upper[k]:.3g} above upper {upper[k]:g}"
        )
    q = tuple(int(k) for k in np.flatnonzero(np.isfinite(lower) | np.isfinite(upper)))
    v = tuple(int(k) for k in np.flatnonzero(np.isfinite(allowed.velocity)))
    speed = allowed.velocity[list(v)]
    low, high = (np.clip(x, -1e30, 1e30)[list(q)] for x in (lower, upper))
    bounds = Bounds(q, v, np.concatenate([low, -speed]), np.concatenate([high, speed]))
    return (-effort, effort), bounds if q or v else None


def _beyond(bounds: Bounds | None, costs: Sequence[Cost], dt: float) -> list[Cost]:
    """The cost that keeps limits of states: its weight and multipliers are numbers of each problem."""
    if bounds is None:
        return []
    heavy = HEAVY * max(float(max((dt * cost.weight).max(), cost.final.max())) for cost in costs)
    numbers = {"shift": (np.zeros((1, 1, len(bounds.low))), 0), "low": (bounds.low, 0), "high": (bounds.high, 0)}
    return [Cost(Beyond(bounds.q, bounds.v), np.full((1, 1, 1), heavy), np.zeros(()), "limits", numbers=numbers)]
