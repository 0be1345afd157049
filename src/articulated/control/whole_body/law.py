"""A whole-body law: torques of a robot on its contacts, by one quadratic program per level of tasks."""

from __future__ import annotations  # help shows types as they are written here

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
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
from ..qp.active_set import SolverFailed
from ..tasks import Task
from .arrays import LawArrays, law_arrays
from .friction_cones import FrictionCones
from .infeasible import Infeasible, explained, possible
from .kernel_terms import Asked, Terms, terms_kernel, without_joint_friction
from .limits import JointLimits, joint_limits
from .limits import torque_limits as torque_limits_of
from .task_arrays import TaskArrays
from .tick import Found, ticks

Floats = NDArray[np.floating]
#: meanings of numbers, in messages
NOT_NEGATIVE, UNIQUE = "a number, not negative", "a number, and must be positive: it makes the solution unique"
TINY = float(np.finfo(float).tiny)


class Command(NamedTuple):
    """Torques for the motors, and the motion and forces a whole-body law expects of them."""

    tau: Floats  # of the actuated joints, in the order of contacts.actuated
    a: Floats  # (nv,)
    forces: Floats  # of the ground on the robot, one per row of the contacts, (k,)
    active: Any  # the inequalities that hold it back
    residuals: dict[str, Floats]  # by task: what it gets minus what it wants, m/s² or rad/s²
    objective: Any  # sum of weight · residual² and the regularization
    iterations: Any  # of the solver, all levels
    time: float  # seconds, all included
    status: Any  # "solved"; "unconfirmed" if a lower level is; "nearest" if no motion meets all constraints
    violations: dict[str, float]  # of "nearest": what contacts and joint limits miss, m/s² or rad/s²
    unconfirmed: list[str]  # tasks of lower levels that may have got less than the levels above leave them


class WholeBody:
    """Torques that fulfil tasks as well as motors and ground allow, while the contacts hold.

    Of all accelerations a and contact forces λ with M a + h = Sᵀ tau + Jᵀ λ and J a + J̇ v = 0, those with the least
    sum over tasks of weight |J_task a + J̇_task v - wanted|², level by level (see `tasks`), plus a regularization.  Line
    contacts have friction, but no end; at a `direction` contact the ground pushes along it, without friction.

    Every solution is confirmed by its residuals.  Where no motion meets all constraints, the command is the "nearest":
    the limits of motors and ground hold, while contacts accelerate and joints pass their limits by the smallest sum of
    squares, compared with which tasks count very little; with `on_infeasible="raise"` an `Infeasible` is raised
    instead.  Where the constraints of a level leave hardly any freedom to the levels below, the best of it may not be
    found: the command then meets all constraints and the levels above, and the status is "unconfirmed", or the tasks
    are in `unconfirmed`.

    `explain` finds the constraints that exclude each other.  `SolverFailed` is raised if no command is confirmed.
    Source: Escande, Mansard, Wieber 2014; Kuindersma et al. 2016.

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
    acceleration_weight : of |a|² in the regularization
    force_weight : of |λ / (mass · 9.81)|²
    torque_weight : of |tau|²
    joint_friction : "ignored": damping and dry friction of the joints are left to act, and dissipate; "compensated":
        the torques make up for them at the measured velocity, which takes the dissipation from the closed loop
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
        joint_friction: Literal["ignored", "compensated"] = "ignored",
        on_infeasible: Literal["nearest", "raise"] = "nearest",
    ):
        if not isinstance(contacts, Contacts):
            raise ShapeError(f"a whole-body law takes art.Contacts(robot, …) first; got {type(contacts).__name__}")
        robot = contacts.robot
        self.on_infeasible = choose("WholeBody", "on_infeasible", on_infeasible, ("nearest", "raise"))
        choose("WholeBody", "joint_friction", joint_friction, ("ignored", "compensated"))
        compensated = joint_friction == "compensated"
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
        self.joint_limits = JointLimits(1.0, ()) if horizon is None else joint_limits(robot, horizon)
        self._task_arrays = TaskArrays(robot, self.tasks)
        asked = Asked(
            contacts.contacts, self._task_arrays.goals, self.ground.framed_soles, self.force, self.joint_limits
        )
        self._terms = terms_kernel(robot if compensated else without_joint_friction(robot), asked)
        self._terms.ready("one")  # a controller should not wait in its first step
        weight = -1.0 if self.contact_weight is None else self.contact_weight
        options = (self.force, *self.weights.values(), weight, self.contact_damping)
        self._all = contacts
        self._arrays = law_arrays(
            contacts, self.ground, self._task_arrays, self.torque_limits, self.joint_limits, options
        )
        self._structure = self._arrays.structure
        self._actuated = np.array(contacts.actuated, int)

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
        lighter._arrays = self._arrays.standing_on(self._all, lighter.contacts.names, ())
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
    def __call__(
        self,
        q: ArrayLike,
        v: ArrayLike,
        *,
        weights: Mapping[str, ArrayLike] = {},
        gains: Mapping[str, ArrayLike] = {},
        standing: Any = None,
        force_limits: ArrayLike | None = None,
        **targets: Any,
    ) -> Command:
        """Command in one state or in many, towards targets by the names of their tasks.

        Parameters
        ----------
        q : configurations, (…, nq)
        v : velocities, (…, nv)
        weights : by task, in place of its own: a number, (rows,) or (…, rows); 0 leaves the task out
        gains : by task, in place of its own Kp; Kd follows as 2 √Kp
        standing : names of the contacts that take part, or an array (…, contacts) of True and False; else all
        force_limits : largest normal force of each contact on the ground, (…, contacts) N, below that of force_range:
            ramps of feet that take on their load
        targets : by the name of a task: the value, or (value, rate, acceleration), each with leading axes or without

        Returns
        -------
        a Command: tau of the actuated joints (…, n) N m, a (…, nv), forces (…, k) N and N m, active constraints,
            residuals by task, status; of many states `status` is an array, and `active` marks the rows of
            `law.constraints`

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
        found = self._found(q, v, targets, gains)
        law, arrays = self._numbers(weights, standing, force_limits, found.h.shape[:-1]), self._task_arrays
        done = ticks(law, self._structure, found)
        if found.h.ndim > 1:
            return self._commands(law, found, done, started)
        (x, multipliers, about), nv = done, law.nv
        status, steps, level = about.tolist()
        if status:
            self._refuse(law, found, status)
        a, push = x[:nv], x[nv:]
        tau = (found.balance[:nv] @ x + found.h)[self._actuated]
        residual = found.tasks @ a - found.wanted
        active: list[str] = []
        if multipliers.any():
            for own in multipliers:
                active += [name for name in law.active(own, x, q, v) if name not in active]
        unconfirmed = [name for rows in law.levels[level:] for name in arrays.within(rows)]
        acceleration, force, torque = self.weights.values()
        cost = (law.numbers.weight * residual) @ residual + acceleration * (a @ a) + force * (push @ push)
        return Command(
            tau, a, self.force * (push if law.all_stand else push[law.numbers.standing != 0]), active,
            arrays.by_task(residual), float(cost + torque * (tau @ tau)), steps, perf_counter() - started,
            "nearest" if status else "unconfirmed" if unconfirmed else "solved",
            law.missed(found, x) if status else {}, unconfirmed,
        )  # fmt: skip

    def _commands(self, law: LawArrays, found: Terms, done: Found, started: float) -> Command:
        """Commands of many states."""
        (x, multipliers, about), nv = done, law.nv
        worst = np.unravel_index(np.argmax(about[..., 0]), about.shape[:-1]) if about.size else None
        if worst is not None and about[worst][0]:
            self._refuse(law.at(worst), Terms(*(part[worst] for part in found)), about[worst][0])
        tau = ((found.balance[..., :nv, :] @ x[..., None])[..., 0] + found.h)[..., self._actuated]
        residual = (found.tasks @ x[..., :nv, None])[..., 0] - found.wanted
        acceleration, force, torque = self.weights.values()
        parts = (law.numbers.weight, residual), (acceleration, x[..., :nv]), (force, x[..., nv:]), (torque, tau)
        sure = np.where(about[..., 2] < len(law.levels), "unconfirmed", "solved")
        return Command(
            tau, x[..., :nv], self.force * x[..., nv:], (abs(multipliers) > 1e-12).any(axis=-2),
            self._task_arrays.by_task(residual), sum((w * y * y).sum(-1) for w, y in parts), about[..., 1],
            perf_counter() - started, np.where(about[..., 0] > 0, "nearest", sure), {}, [],
        )  # fmt: skip

    def _refuse(self, law: LawArrays, found: Terms, status: int) -> None:
        """The errors of a state without a motion that meets all constraints."""
        if status > 1:
            raise SolverFailed("the quadratic program of the whole-body law was not solved to its tolerance")
        if self.on_infeasible == "raise":
            raise explained(law, law.rows(found))

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
        if getattr(q, "ndim", 1) != 1 or getattr(v, "ndim", 1) != 1:  # before anything is compiled
            raise ShapeError(f"explain takes one state; got q {np.shape(q)}, v {np.shape(v)}")
        found = self._found(q, v, targets)
        if found.h.ndim != 1:
            raise ShapeError("explain takes one state; the targets are a batch")
        rows = self._arrays.rows(found)
        return None if possible(rows) else explained(self._arrays, rows)

    def c_source(self, name: str = "whole_body") -> str:
        """The whole tick as a C99 file without memory allocation, for a controller.

        Parameters
        ----------
        name : of the C function; `name_settings`, `name_workspace` and `name_defaults` follow

        Returns
        -------
        the text of a C99 file: int name(q, v, settings, workspace, tau)

        Examples
        --------
        >>> import articulated as art
        >>> dog = art.load("quadruped", floating_base=True)
        >>> feet = art.Contacts(dog, point=["FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"])
        >>> "int walk(" in art.WholeBody(feet, [art.tasks.CenterOfMass()]).c_source("walk")
        True
        """
        from .source import c_source

        return c_source(self, name)

    def __repr__(self) -> str:
        held = self.contacts.names
        named = (x.label + " (held)" * (getattr(x, "frame", "") in held) for x in self.tasks)
        tasks = ", ".join(named) or "no tasks"
        return f"<WholeBody of {self.contacts.robot.name}: on {', '.join(self.contacts.names) or 'nothing'}; {tasks}>"

    # -- how ----------------------------------------------------------------------------

    @property
    def constraints(self) -> list[str]:
        """Names of the rows that `active` of many states marks."""
        return [str(group) for group in self._arrays.groups]

    def _found(self, q: Any, v: Any, targets: Mapping[str, Any], gains: Mapping[str, Any] = {}) -> Terms:
        """The terms of the law."""
        arrays = self._task_arrays
        found = self._terms.call(q, v, arrays.targets(targets), arrays.changed_gains(gains) if gains else arrays.gains)
        self._check(found, q, v, targets)
        return found

    def _numbers(
        self, weights: Mapping[str, Any], standing: Any, force_limits: Any, batch: tuple[int, ...]
    ) -> LawArrays:
        """The arrays of the law with what is given for this call."""
        law = self._arrays
        if force_limits is not None:
            law = law.pressed_by(len(self._all.contacts), force_limits, batch)
        if standing is not None:
            law = law.standing_on(self._all, standing, batch)
        if weights:
            given = self._task_arrays.changed("weight", weights, law.numbers.weight, batch)
            law = replace(law, numbers=law.numbers._replace(weight=given))
        return law

    def _check(self, found: Terms, q: Any, v: Any, targets: Mapping[str, Any]) -> None:
        # a NaN in q or v shows in h, one in a target in what is wanted
        if not isfinite(np.vdot(found.h, found.h) + np.vdot(found.wanted, found.wanted)):
            raise ShapeError(f"the law: {not_finite({'q': q, 'v': v, **targets})}")


def _listed(tasks: Any) -> tuple[Task, ...]:
    if isinstance(tasks, Task):
        raise ShapeError(f"a whole-body law takes a list of tasks; did you mean [art.tasks.{type(tasks).__name__}(…)]?")
    if not isinstance(tasks, Iterable) or getattr(tasks, "ndim", 1) == 0:
        raise ShapeError(f"a whole-body law takes a list of tasks; got {tasks!r}")
    return tuple(tasks)
