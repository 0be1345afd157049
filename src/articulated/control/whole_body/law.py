"""A whole-body law: torques of a robot on its contacts, by one quadratic program per level of tasks."""

from __future__ import annotations  # help shows types as they are written here

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from time import perf_counter
from typing import Any, Literal, Self

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
from .clearance import Clearance
from .command import Command
from .friction_cones import FrictionCones
from .history import Tick, tick
from .infeasible import Infeasible, explained, possible
from .kernel_terms import Asked, Terms, terms_kernel, without_joint_friction
from .limits import JointLimits, joint_limits, per_motor
from .task_arrays import TaskArrays
from .tick import Found, results_of, ticks

Floats = NDArray[np.floating]
#: meanings of numbers, in messages
NOT_NEGATIVE, UNIQUE = "a number, not negative", "a number, and must be positive: it makes the solution unique"
TINY = float(np.finfo(float).tiny)
#: states whose terms stay in the cache until their ticks take them
PART = 128


class WholeBody:
    """Torques that fulfil tasks as well as motors and ground allow, while the contacts hold.

    Of all accelerations a and contact forces λ with M a + h = Sᵀ tau + Jᵀ λ and J a + J̇ v = 0, those with the least
    sum over tasks of weight |J_task a + J̇_task v - wanted|², level by level (see `tasks`), plus a regularization.  Line
    contacts without a sole have no end; at a `direction` contact the ground pushes along it, without friction.

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
        left of it; of line contacts a length, or (x0, x1) along the line; pressure stays inside
    torsion : moment about the normal per normal force, m; else half the shorter side times friction
    glued : contacts that may also pull, as loops may
    force_range : least and largest normal force, N
    torque_limits : True (the model's), False, a number, one per actuated joint, or by joint name: N m, N
    no_load_speeds : at which motors drive no more, as torque_limits: rad/s, m/s; a motor that drives gives at most
        limit · (1 - |v| / no-load speed), one that brakes its whole limit
    horizon : s; joint positions stay in their ranges all that time, and velocities at its end, at constant
        acceleration, as far as both can; a period dt may still pass a limit by a distance that falls with dt
    acceleration_limits : as torque_limits, with a horizon: (rad or m)/s²; bounds then are such that braking within
        these limits stays possible, and exclude each other only where it is too late
    clearance : m; links with collision shapes, and obstacles, do not come nearer, d̈ >= -k (d - clearance) - 2 √k ḋ for
        the eight nearest pairs; None: they may
    clearance_gain : k, 1/s²
    obstacles : shapes in the world
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
        no_load_speeds: Any = None,
        horizon: float | None = None,
        acceleration_limits: Any = None,
        clearance: float | None = None,
        clearance_gain: float = 400.0,
        obstacles: Sequence[Any] = (),
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
        own, motors = np.array(robot.limits.effort), contacts.actuated
        self.torque_limits = per_motor(robot, motors, "torque_limits", torque_limits, own)
        no_load = per_motor(robot, motors, "no_load_speeds", no_load_speeds, np.full(robot.nv, np.inf))
        most = np.full(robot.nv, np.inf)
        most[motors] = per_motor(robot, motors, "acceleration_limits", acceleration_limits, most)
        self.force = robot.mass * 9.81
        self.joint_limits = JointLimits(1.0, ()) if horizon is None else joint_limits(robot, horizon, most)
        self._clearance = None if clearance is None else Clearance(robot, clearance, clearance_gain, obstacles)
        self._task_arrays = TaskArrays(robot, self.tasks, contacts.contacts)
        asked = Asked(
            contacts.contacts, self._task_arrays.goals, self.ground.framed_soles, self.force, self.joint_limits
        )
        self._terms = terms_kernel(robot if compensated else without_joint_friction(robot), asked)
        self._terms.ready("one")  # a controller should not wait in its first step
        weight = -1.0 if self.contact_weight is None else self.contact_weight
        options = (self.force, *self.weights.values(), weight, self.contact_damping)
        self._all = contacts
        self._arrays = law_arrays(
            contacts, self.ground, self._task_arrays, self.torque_limits, no_load, self.joint_limits,
            self._clearance.groups if self._clearance else [], options,
        )  # fmt: skip
        self._structure = self._arrays.structure

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

    def __call__(
        self,
        q: ArrayLike,
        v: ArrayLike,
        *,
        weights: Mapping[str, ArrayLike] = {},
        gains: Mapping[str, ArrayLike] = {},
        standing: Any = None,
        force_limits: ArrayLike | None = None,
        torque_limits: ArrayLike | None = None,
        moving: Mapping[str, Any] = {},
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
        torque_limits : of the actuated joints in place of the law's, (…, n) N m
        moving : by contact the velocity of the ground below it, one number for each of its rows, or (velocity,
            acceleration): a conveyor; velocities count through contact_damping
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
        arrays, law = self._task_arrays, self._arrays
        given: Any = (q, v, arrays.targets(targets), arrays.changed_gains(gains) if gains else arrays.gains)
        parts = _many(given)
        terms = None if parts else self._terms.call(*given)
        batch = given[0].shape[:1] if terms is None else terms.h.shape[:-1]
        if weights or moving or not (standing is force_limits is torque_limits is self._clearance is None):
            law = self._numbers(q, v, weights, standing, force_limits, torque_limits, moving, batch)
        result, status = self._in_parts(law, given) if terms is None else ticks(law, self._structure, terms)
        if status:
            worst = np.unravel_index(np.argmax(result.about[..., 0]), batch)
            own = (np.broadcast_to(x, (*batch, np.shape(x)[-1]))[worst] for x in given)
            self._refuse(law.at(worst), self._terms.call(*own), status, q, v, targets)
        done = Command(law, self._task_arrays, terms, result, np.array(q, float) if law.joints.ranges else q)
        done.time = perf_counter() - started
        return done

    def _in_parts(self, law: LawArrays, given: tuple[Floats, ...]) -> tuple[Found, int]:
        """Results of many states, and the worst status."""
        count, worst = len(given[0]), 0
        out = results_of(law, (count,))
        for part in (slice(k, k + PART) for k in range(0, count, PART)):
            terms = self._terms.call(*(x[part] if x.ndim > 1 else x for x in given))
            room = Found._make(x[part] for x in out)
            worst = max(worst, ticks(law.at(part), self._structure, terms, room)[1])
        return out, worst

    def _refuse(self, law: LawArrays, found: Terms, status: int, q: Any, v: Any, targets: Mapping[str, Any]) -> None:
        """The errors of a state without a motion that meets all constraints."""
        if status == 3:
            raise ShapeError(f"the law: {not_finite({'q': q, 'v': v, **targets})}")
        if status > 1:
            raise SolverFailed("the quadratic program of the whole-body law was not solved to its tolerance")
        if self.on_infeasible == "raise":
            raise explained(law, law.rows(found))

    @np.errstate(over="ignore", invalid="ignore")
    def explain(
        self,
        q: ArrayLike,
        v: ArrayLike,
        *,
        standing: Any = None,
        force_limits: ArrayLike | None = None,
        torque_limits: ArrayLike | None = None,
        moving: Mapping[str, Any] = {},
        **targets: Any,
    ) -> Infeasible | None:
        """Which constraints exclude each other in a state, and what would have to give; None if all can be met.

        Parameters
        ----------
        q : one configuration, (nq,)
        v : one velocity, (nv,)
        standing : as of the call, and what follows, too
        force_limits : largest normal force of each contact on the ground, N
        torque_limits : of the actuated joints, N m
        moving : by contact the velocity of the ground below it, or (velocity, acceleration)
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
        if not np.isfinite(found.h @ found.h + found.wanted @ found.wanted):
            self._refuse(self._arrays, found, 3, q, v, targets)
        law = self._numbers(q, v, {}, standing, force_limits, torque_limits, moving)
        rows = law.rows(found)
        return None if possible(rows) else explained(law, rows)

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

    def tick(
        self, t: float, done: Command, wanted: ArrayLike | None = None, footholds: Mapping[str, ArrayLike] = {}
    ) -> Tick:
        """The numbers of a command that pictures show: a list of them is `law=` of `run.plot` and `art.view`.

        Parameters
        ----------
        t : time, s
        done : the Command of this law, of one state
        wanted : target of the center of mass, (3,) m
        footholds : where feet in the air are to be put down, (3,) m by foot

        Returns
        -------
        a Tick: contacts with forces and cones, active constraints, residuals, status, center of mass, footholds

        Examples
        --------
        >>> import articulated as art
        >>> dog = art.load("quadruped", floating_base=True)
        >>> feet = art.Contacts(dog, point=["FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"])
        >>> law = art.WholeBody(feet, [art.tasks.Momentum()])
        >>> q = dog.poses["home"]
        >>> law.tick(0.0, law(q, [0.0] * dog.nv)).forces.shape
        (4, 3)
        """
        return tick(self, t, done, wanted, footholds)

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
        return self._terms.call(q, v, arrays.targets(targets), arrays.changed_gains(gains) if gains else arrays.gains)

    def _numbers(
        self, q: Any, v: Any, weights: Mapping[str, Any] = {}, standing: Any = None, force_limits: Any = None,
        torque_limits: Any = None, moving: Mapping[str, Any] = {}, batch: tuple[int, ...] = (),
    ) -> LawArrays:  # fmt: skip
        """The arrays of the law with what is given for this call."""
        law, contacts, numbers = self._arrays, self._all.contacts, dict[str, Any]()
        if force_limits is not None:
            law = law.pressed_by(len(contacts), force_limits, batch)
        if standing is not None:
            law = law.standing_on(self._all, standing, batch)
        if weights:
            numbers["weight"] = self._task_arrays.changed("weight", weights, law.numbers.weight, batch)
        if torque_limits is not None:
            numbers["limit"] = law.limited_by(torque_limits, batch)
        if moving:
            numbers["moving"] = law.carried_by(contacts, moving, batch)
        if self._clearance:
            numbers["given"], numbers["least"], groups = self._clearance.rows(q, v)
            law = replace(law, groups=[*law.groups[: len(law.groups) - len(groups)], *groups])
        return replace(law, numbers=law.numbers._replace(**numbers)) if numbers else law


def _many(given: tuple[Any, ...]) -> bool:
    """Whether these are arrays of one axis of states, more than a part of them, or of one state for all."""
    q, v = given[:2]
    count = len(q) if type(q) is type(v) is np.ndarray and q.ndim == 2 else 0
    return count > PART and all(x.shape[:-1] in ((), (count,)) for x in given)


def _listed(tasks: Any) -> tuple[Task, ...]:
    if isinstance(tasks, Task):
        raise ShapeError(f"a whole-body law takes a list of tasks; did you mean [art.tasks.{type(tasks).__name__}(…)]?")
    if not isinstance(tasks, Iterable) or getattr(tasks, "ndim", 1) == 0:
        raise ShapeError(f"a whole-body law takes a list of tasks; got {tasks!r}")
    return tuple(tasks)
