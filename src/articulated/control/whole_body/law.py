"""A whole-body law: torques of a robot on its contacts, by one quadratic program per level of tasks."""

from __future__ import annotations  # help shows types as they are written here

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from math import isfinite
from time import perf_counter
from typing import Any, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...contacts import Contacts
from ...errors import ShapeError
from ...inputs.choices import number
from ...robot.arguments.arrays import choose
from ..checks import not_finite
from ..gait.gait import Gait
from ..gait.stepping import Stepping
from ..qp.feasibility import possible, settled
from ..qp.solver import Program, quickly, solver
from ..tasks import Task
from .constraint_rows import ProgramRows
from .friction_cones import FrictionCones
from .hierarchy import choices, narrowed, next_level
from .infeasible import Infeasible, explained
from .kernel_terms import Asked, Terms, terms_kernel
from .limits import JointLimits
from .limits import torque_limits as torque_limits_of
from .task_arrays import TaskArrays

Floats = NDArray[np.floating]
#: meanings of numbers, in messages
NOT_NEGATIVE, UNIQUE = "a number, not negative", "a number, and must be positive: it makes the solution unique"
TINY = float(np.finfo(float).tiny)


class Command(NamedTuple):
    """Torques for the motors, and the motion and forces a whole-body law expects of them."""

    tau: Floats  # of the actuated joints, in the order of contacts.actuated
    a: Floats  # (nv,)
    forces: Floats  # of the ground on the robot, one per row of the contacts, (k,)
    active: list[str]  # the inequalities that hold it back
    residuals: dict[str, Floats]  # by task: what it gets minus what it wants, m/s² or rad/s²
    objective: float  # sum of weight · residual² and the regularisation
    iterations: int  # of the solver, all levels
    time: float  # seconds, all included
    status: str  # "solved"; "unconfirmed" if a lower level is; "nearest" if no motion meets all constraints
    violations: dict[str, float]  # of "nearest": what contacts and joint limits miss, m/s² or rad/s²
    unconfirmed: list[str]  # tasks of lower levels that may have got less than the levels above leave them


class WholeBody:
    """Torques that fulfil tasks as well as motors and ground allow, while the contacts hold.

    Of all accelerations a and contact forces λ with M a + h = Sᵀ tau + Jᵀ λ and J a + J̇ v = 0, those with the least
    sum over tasks of weight |J_task a + J̇_task v - wanted|², level by level (see `tasks`), plus a regularisation.  Line
    contacts have friction, but no end; at a `direction` contact the ground pushes along it, without friction.

    Every solution is confirmed by its residuals.  Where no motion meets all constraints, which is proven first, the
    command is the "nearest": the limits of motors and ground hold, while contacts accelerate and joints pass their
    limits by the smallest sum of squares, compared with which tasks count very little; with `on_infeasible="raise"` an
    `Infeasible` is raised instead.  Where the constraints of a level leave hardly any freedom to the levels below, the
    best of it may not be found: the command then meets all constraints and the levels above, and the status is
    "unconfirmed", or the tasks are in `unconfirmed`.

    `explain` finds the constraints that exclude each other.  `SolverFailed` is raised if there is neither a solution
    nor a proof.  Source: Escande, Mansard, Wieber 2014; Kuindersma et al. 2016.

    Parameters
    ----------
    contacts : art.Contacts of a robot that stands on them
    tasks : a list of tasks from `art.tasks`
    friction : Coulomb's coefficient, a number or by contact; else 0.6
    sides : of the pyramids within which the ground pushes; their corners lie on the cone of friction
    normals : of the ground by contact, (3,) world axes; else z
    soles : of surface contacts, m: (length, width), or ((x0, x1), (y0, y1)) along the frame's x axis and to the
        left of it; pressure stays inside
    torsion : moment about the normal per normal force, m; else half the shorter side times friction
    glued : contacts that may also pull, as loops may
    force_range : least and largest normal force, N
    torque_limits : True (the model's), False, a number, one per actuated joint, or by joint name: N m, N
    horizon : s; joint positions stay in their ranges all that time, and velocities at its end, at constant
        acceleration, as far as both can; a period dt may still pass a limit by a distance that falls with dt
    contact_weight : contacts are a task of this weight; None: they do not accelerate
    contact_damping : rate at which their velocities decay, 1/s
    acceleration_weight : of |a|² in the regularisation
    force_weight : of |λ / (mass · 9.81)|²
    torque_weight : of |tau|²
    on_infeasible : "nearest" or "raise"

    Examples
    --------
    >>> import articulated as art
    >>> dog = art.load("quadruped", floating_base=True)
    >>> feet = art.Contacts(dog, point=["FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"])
    >>> law = art.WholeBody(feet, [art.tasks.CenterOfMass()])
    >>> q = dog.poses["home"]
    >>> law(q, [0.0] * dog.nv, center_of_mass=dog.center_of_mass(q)).status
    'solved'
    """

    def __init__(
        self,
        contacts: Contacts,
        tasks: Sequence[Task] = (),
        *,
        friction: float | Mapping[str, float] = 0.6,
        sides: int = 4,
        normals: Mapping[str, ArrayLike] = {},
        soles: Mapping[str, Any] = {},
        torsion: float | Mapping[str, float] | None = None,
        glued: Iterable[str] = (),
        force_range: tuple[float, float] = (0.0, np.inf),
        torque_limits: Any = True,
        horizon: float | None = None,
        contact_weight: float | None = None,
        contact_damping: float = 0.0,
        acceleration_weight: float = 1e-6,
        force_weight: float = 1e-4,
        torque_weight: float = 0.0,
        on_infeasible: Literal["nearest", "raise"] = "nearest",
    ):
        if not isinstance(contacts, Contacts):
            raise ShapeError(f"a whole-body law takes art.Contacts(robot, …) first; got {type(contacts).__name__}")
        solver()  # if it is missing, say so now
        robot = contacts.robot
        self.on_infeasible = choose("WholeBody", "on_infeasible", on_infeasible, ("nearest", "raise"))
        self.contacts, self.tasks = contacts, _listed(tasks)
        self.weights = {
            "acceleration_weight": number("acceleration_weight", acceleration_weight, UNIQUE, TINY),
            "force_weight": number("force_weight", force_weight, UNIQUE, TINY),
            "torque_weight": number("torque_weight", torque_weight, NOT_NEGATIVE),
        }
        self.contact_weight = contact_weight
        if contact_weight is not None:
            self.contact_weight = number("contact_weight", contact_weight, NOT_NEGATIVE)
        self.contact_damping = number("contact_damping", contact_damping, NOT_NEGATIVE)
        self.ground = FrictionCones(contacts.contacts, friction, sides, normals, soles, torsion, glued, force_range)
        self.torque_limits = torque_limits_of(robot, contacts.actuated, torque_limits)
        self.force = robot.mass * 9.81
        self.joint_limits = None if horizon is None else JointLimits(robot, horizon)
        self._all, self._task_arrays = contacts, TaskArrays(robot, self.tasks)
        asked = Asked(contacts.contacts, self._task_arrays.goals, self.ground.framed_soles, self.force)
        self._terms = terms_kernel(robot, asked)
        self._terms.ready("one")  # a controller should not wait in its first step
        self._set_up()

    def _set_up(self) -> None:
        self._rows = ProgramRows(
            self._all, self.contacts, self.ground, self.torque_limits, self.joint_limits, self.contact_weight,
            self.force,
        )  # fmt: skip
        n, nv = self._rows.n, self._rows.nv
        self._weights = np.full(n, self.weights["force_weight"])
        self._weights[:nv] = self.weights["acceleration_weight"]
        self._regularisation, self._actuated = np.diag(self._weights), np.array(self.contacts.actuated, int)
        self._heaviest = float(max(1.0, self._task_arrays.weights.max(initial=0.0), self.contact_weight or 0.0))

    def lift(self, *names: str) -> Self:
        """The law without some of its contacts, at once: it shares the compiled code.

        Parameters
        ----------
        names : of contacts

        Returns
        -------
        a WholeBody on the other contacts

        Examples
        --------
        >>> import articulated as art
        >>> dog = art.load("quadruped", floating_base=True)
        >>> feet = art.Contacts(dog, point=["FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"])
        >>> law = art.WholeBody(feet, [art.tasks.CenterOfMass()])
        >>> q, still = dog.poses["home"], [0.0] * dog.nv
        >>> law.lift("FL_FOOT").contacts.k
        9
        """
        lighter = copy(self)
        lighter.contacts = self.contacts.lift(*names)
        lighter._set_up()
        return lighter

    def towards(self, targets: Any = None, gait: Gait | None = None, **options: Any) -> Stepping:
        """A controller (t, q, v) for `art.simulate`: to targets by task, or a function of t, stepping by a gait.

        Options: `height` of the steps (0.05 m), and `capture`, how far footholds follow a push (1; see `Stepping`).

        Parameters
        ----------
        targets : by frame (a whole-body law: by task), or a function of t (s) that returns that
        gait : an art.Gait, or None: all feet stay on the ground height= of the steps (0.05 m); capture=, how far
            footholds follow a push (1)

        Returns
        -------
        a controller: a function of (t, q, v) that gives generalized forces (nv,), for art.simulate

        Examples
        --------
        >>> import articulated as art
        >>> dog = art.load("quadruped", floating_base=True)
        >>> feet = art.Contacts(dog, point=["FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"])
        >>> law = art.WholeBody(feet, [art.tasks.CenterOfMass()])
        >>> q, still = dog.poses["home"], [0.0] * dog.nv
        >>> law.towards({"center_of_mass": dog.center_of_mass(q)})(0.0, q, still).shape
        (18,)
        """
        return Stepping(self, targets, gait, **options)

    @np.errstate(over="ignore", invalid="ignore")  # what overflows is found below, and said
    def __call__(self, q: ArrayLike, v: ArrayLike, **targets: Any) -> Command:
        """The command in one state; a target by the name of its task: the value, or (value, rate, acceleration).

        Parameters
        ----------
        q : one configuration, (nq,)
        v : one velocity, (nv,)
        targets : by the name of a task: the value, or (value, rate, acceleration)

        Returns
        -------
        a Command: tau of the actuated joints (n,) N m, a (nv,), forces (k,) N and N m, active constraints,
            residuals by task, status

        Notes
        -----
        Source: Escande, Mansard, Wieber 2014.

        Examples
        --------
        >>> import articulated as art
        >>> dog = art.load("quadruped", floating_base=True)
        >>> feet = art.Contacts(dog, point=["FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"])
        >>> law = art.WholeBody(feet, [art.tasks.CenterOfMass()])
        >>> q, still = dog.poses["home"], [0.0] * dog.nv
        >>> law(q, still, center_of_mass=dog.center_of_mass(q)).tau.shape
        (12,)
        """
        started = perf_counter()
        found, A, lower, upper = self._filled(q, v, targets)
        x, multipliers, iterations, feasible, unconfirmed = self._levels(found, A, lower, upper)
        nv, rows, arrays = self._rows.nv, self._rows, self._task_arrays
        a = x[:nv]
        tau = (found.balance[:nv] @ x + found.h)[self._actuated]
        residual = found.tasks @ a - found.wanted
        active: list[str] = []
        for level in multipliers:
            active += [name for name in rows.active(level, q, v) if name not in active]
        cost = float((arrays.weights * residual) @ residual + (self._weights * x) @ x)
        if motors := self.weights["torque_weight"]:
            cost += motors * float(tau @ tau)
        missed = {} if feasible else rows.missed(A, lower, upper, x)
        return Command(
            tau, a, x[nv:] * rows.force, active, arrays.by_task(residual), cost, iterations,
            perf_counter() - started, "nearest" if not feasible else "unconfirmed" if unconfirmed else "solved", missed,
            unconfirmed,
        )  # fmt: skip

    @np.errstate(over="ignore", invalid="ignore")
    def explain(self, q: ArrayLike, v: ArrayLike, **targets: Any) -> Infeasible | None:
        """Which constraints exclude each other in a state, and what would have to give; None if all can be met.

        Parameters
        ----------
        q : one configuration, (nq,)
        v : one velocity, (nv,)
        targets : by the name of a task: the value, or (value, rate, acceleration)

        Returns
        -------
        an art.Infeasible with conflict and relaxation, or None

        Notes
        -----
        Source: Chinneck 2008 (conflicts).

        Examples
        --------
        >>> import articulated as art
        >>> dog = art.load("quadruped", floating_base=True)
        >>> feet = art.Contacts(dog, point=["FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"])
        >>> law = art.WholeBody(feet, [art.tasks.CenterOfMass()])
        >>> q, still = dog.poses["home"], [0.0] * dog.nv
        >>> law.explain(q, still, center_of_mass=dog.center_of_mass(q)) is None
        True
        """
        found, A, lower, upper = self._filled(q, v, targets)
        program = self._program(found, A, lower, upper)
        return None if possible(program, self._rows.accelerations) else explained(self._rows, A, lower, upper)

    def __repr__(self) -> str:
        tasks = ", ".join(task.label for task in self.tasks) or "no tasks"
        return f"<WholeBody of {self.contacts.robot.name}: on {', '.join(self.contacts.names) or 'nothing'}; {tasks}>"

    # -- how ----------------------------------------------------------------------------

    def _filled(self, q: Any, v: Any, targets: Mapping[str, Any]) -> tuple[Terms, Floats, Floats, Floats]:
        """The terms of the law in one state, and the rows A with their bounds."""
        found = self._terms.call(q, v, self._task_arrays.targets(targets), self._task_arrays.gains)
        self._check(found, q, v, targets)
        return self._rows.filled(found, self.contact_damping, q, v)

    def _program(self, found: Terms, A: Floats, lower: Floats, upper: Floats) -> Program:
        """The quadratic program of the first level."""
        H, f = self._cost(found, self._task_arrays.levels[0][0])
        return Program(H, f, A, lower, upper, self._rows.kind, self._heaviest)

    def _levels(
        self, found: Terms, A: Floats, lower: Floats, upper: Floats
    ) -> tuple[Floats, list[Floats], int, bool, list[str]]:
        """Solve level by level, what a level has reached the next one keeps.

        The last of the results: whether all rows are met, and the tasks of levels that are not confirmed.
        """
        program, others, feasible = self._program(found, A, lower, upper), self._task_arrays.levels[1:], True
        solved = None if self._rows.joints and (lower > upper).any() else quickly(program)
        if solved is None:
            solved, program, feasible = settled(program, self._rows.accelerations, self._rows.dynamics)
            if not feasible and self.on_infeasible == "raise":
                raise explained(self._rows, A, lower, upper)
        multipliers, iterations, unconfirmed = [solved.multipliers], solved.iterations, []
        Z = choices(program) if others else np.zeros((0, 0))
        for rows, above in others:
            H, f = self._cost(found, rows)
            reached = np.zeros((len(above), len(f)))
            reached[:, : self._rows.nv] = found.tasks[above]
            Z = narrowed(Z, reached)
            solved, sure = next_level(program._replace(H=H, f=f), solved.x, Z)
            unconfirmed += [] if sure else self._task_arrays.within(rows)
            multipliers.append(solved.multipliers)
            iterations += solved.iterations
        return solved.x, multipliers, iterations, feasible, unconfirmed

    def _cost(self, found: Terms, rows: slice) -> tuple[Floats, Floats]:
        """½ xᵀ H x + fᵀ x of one level's tasks and the regularisation."""
        nv, weights, tasks = self._rows.nv, self._task_arrays.weights[rows], found.tasks[rows]
        H, f = self._regularisation.copy(), np.zeros(self._rows.n)
        H[:nv, :nv] += (tasks.T * weights) @ tasks
        f[:nv] = -(weights * found.wanted[rows]) @ tasks
        if self.contact_weight:
            J = found.balance[nv:, :nv]
            H[:nv, :nv] += self.contact_weight * (J.T @ J)
            f[:nv] += self.contact_weight * ((found.bias + self.contact_damping * found.speed) @ J)
        if motors := self.weights["torque_weight"]:
            torque = found.balance[self._actuated]
            H += motors * (torque.T @ torque)
            f += motors * (found.h[self._actuated] @ torque)
        return H, f

    def _check(self, found: Terms, q: Any, v: Any, targets: Mapping[str, Any]) -> None:
        if found.h.ndim != 1:
            raise ShapeError(f"a whole-body law takes one state; got q {np.shape(q)}, v {np.shape(v)}")
        # a NaN in q or v shows in h, one in a target in what is wanted
        if not isfinite(float(found.h @ found.h + found.wanted @ found.wanted)):
            raise ShapeError(f"the law: {not_finite({'q': q, 'v': v, **targets})}")


def _listed(tasks: Any) -> tuple[Task, ...]:
    if isinstance(tasks, Task):
        raise ShapeError(f"a whole-body law takes a list of tasks; did you mean [art.tasks.{type(tasks).__name__}(…)]?")
    if not isinstance(tasks, Iterable) or getattr(tasks, "ndim", 1) == 0:
        raise ShapeError(f"a whole-body law takes a list of tasks; got {tasks!r}")
    return tuple(tasks)
