"""`art.simulate`: a robot moves."""

from __future__ import annotations  # help shows types as they are written here

import time
from collections.abc import Mapping
from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from ..errors import ShapeError
from ..inputs.choices import choose, flag, number, whole_number
from ..robot import Robot
from ..robot.arguments.arrays import remark_on_degrees
from ..text import shortened
from .contact.joints import joint_rows
from .drive.external_forces import external_forces
from .drive.torques import Drive, drive_of
from .joint_parameters import joint_parameters, leading_axes, numbers, require_mass, stand_in, with_given_friction
from .loop.events import events_of
from .loop.python_loop import CalledRollout
from .loop.rollout import MOST_KEPT, Rollout, idle_loop, keep, run_in_pieces
from .methods.table import INTEGRATORS, Integrator, tolerances_of, writer_of
from .outcome import keep_run, trajectory_of
from .plan import Plan, over_batch
from .scene import Scene, contacts_of
from .start import parameters_of, start
from .trajectory.trajectory import Trajectory

if TYPE_CHECKING:
    from .contact.system import System

#: for type checkers: the rows of INTEGRATORS
Method = Literal["euler", "midpoint", "rk4", "adaptive", "symplectic"]
#: most steps of a run
MOST_STEPS = 1e10


def simulate(
    robot: Robot,
    q0: ArrayLike | None = None,
    v0: ArrayLike | None = None,
    duration: float = 1.0,
    dt: float = 1e-3,
    torque: Any = None,
    contacts: Any = None,
    method: Method = "euler",
    *,
    forces: Mapping[str, Any] | None = None,
    parameters: ArrayLike | None = None,
    joints: Mapping[str, Mapping[str, ArrayLike]] | None = None,
    rtol: float | None = None,
    atol: float | None = None,
    events: Any = None,
    every: int = 1,
    limits: bool | None = None,
    threads: int = 1,
    progress: bool | None = None,
) -> Trajectory:
    """The motion of a robot under gravity, torques, friction and contacts; leading axes of q0 and v0 are a batch.

    Torques are held during a step; methods other than "euler" evaluate controllers and traced functions within it.
    Joints stop at their limits, and dry friction can hold them.  Ground, limits and sticking need the method "euler" or
    "midpoint"; with others joints pass their limits, and dry friction is the sign of the velocity.

    Parameters
    ----------
    robot : a Robot, or a Scene, whose contacts act beside those that are given
    q0 : configurations at t = 0, (…, nq); of a Scene: its start if not given
    v0 : velocities at t = 0, (…, nv); zero if not given
    duration : s; a run has whole steps, and ends there or less than a step later
    dt : length of a step, s; of "adaptive": between samples
    torque : None, an array (…, steps, nv) in N m or N, a controller, `art.traced(f)`, or f(t, q, v), which is
        called before every step of dt as it is
    contacts : `art.Ground(…)`, `art.Contacts(…)` that hold, or a list of them
    method : "euler" (semi-implicit, order 1), "midpoint" (order 2, gyroscopic terms implicit), "rk4" (order 4),
        "adaptive" (order 8) or "symplectic" (variational, order 2: conserves momenta, energy does not drift)
    forces : external forces by frame, (6,) or (…, steps, 6), [force; moment] at its origin, in its axes: N, N m
        or art.Wrenches in other axes, held in these during a step; the run keeps them in the axes of the frames
    parameters : inertial parameters (…, 10 nb) instead of `robot.parameters`, a set for each run of a batch
    joints : {joint: {"damping": …, "friction": …, "armature": …, "stiffness": …}} instead of the robot's own, any of
        these; numbers, or arrays (…) with one for each run of a batch: N m s, N m, kg m², N m (N s/m, N, kg, N/m)
    rtol : of "adaptive": errors of a step are at most rtol |x| + atol; 1e-9
    atol : see rtol; 1e-12
    events : functions of (t, q, v), or (function, {"terminal": True, "direction": -1}), in a list or a dict by
        name. Changes of sign between samples are located; `info["events"]` has t, q, v.  A terminal one ends
        the run; direction 1 (-1): only from below (above) zero
    every : only every n-th step is stored
    limits : False: joints pass their limits
    threads : among which a batch is divided
    progress : True or False; None: a bar on a terminal when it takes long

    Returns
    -------
    a Trajectory; t (T,) s, q (…, T, nq), v, a, tau (…, T, nv)

    Notes
    -----
    Source: docs/integrators.md, docs/simulation_contacts.md.

    Examples
    --------
    >>> import articulated as art
    >>> art.simulate(art.load("acrobot"), [0.1, 0.0], duration=0.5, method="rk4").q.shape
    (501, 2)
    """
    __tracebackhide__ = True  # a notebook shows a mistake in the user's torque as theirs
    threads = whole_number("simulate: threads", threads, 1)
    if progress is not None:
        progress = flag("simulate: progress", progress)
    plain = forces is parameters is joints is rtol is atol is events is None
    key = _plan_key(robot, q0, v0, torque is None, (duration, dt, every, method, contacts, limits)) if plain else None
    if key and (kept := robot.kernels.once("plans", dict).get(key)):
        plan, q, v = _planned_again(kept, robot, q0, v0, torque)
    else:
        plan, q, v = planned(
            robot, q0, v0, _steps(dt, duration, every), torque, contacts, method, forces=forces, parameters=parameters,
            joints=joints, tolerances=(rtol, atol), events=events, limits=limits,
        )  # fmt: skip
        if key and not (plan.system and plan.system.held):  # which depend on q0
            plans: dict[Any, Plan] = robot.kernels.once("plans", dict)
            if len(plans) > MOST_KEPT:
                plans.clear()
            plans[key] = plan if torque is None else replace(plan, drive=Drive())  # each run has its own
    if plan.system:
        from .contact.constraints import require_apart, require_possible

        require_possible(plan.robot, plan.system, q, v)
        if plan.switching and plan.integrator.order > 1:  # the first sample of Euler's method has the gaps
            require_apart(plan, q)
    began = time.perf_counter()
    loop = idle_loop(CalledRollout if plan.drive.function else Rollout, plan, len(q), threads)
    loop.begin(plan, q, v)
    try:
        found = run_in_pieces(loop, progress)
    except Exception as problem:  # of a controller or an event
        keep_run(problem, plan, loop.out, loop.at, time.perf_counter() - began)
        raise
    if plan.system and "gaps" in found.contact:
        require_apart(plan, q, found.contact["gaps"][:, 0])
    keep(loop)
    return trajectory_of(plan, found, time.perf_counter() - began)


def _plan_key(robot: Any, q0: Any, v0: Any, limp: bool, options: tuple[Any, ...]) -> Any:
    """Everything but numbers and controllers that a plan depends on; None if some has no hash."""
    if not isinstance(robot, Robot) or type(q0) is not np.ndarray or type(v0) not in (np.ndarray, type(None)):
        return None
    try:
        hash(options)
    except TypeError:
        return None
    return q0.shape, None if v0 is None else v0.shape, limp, options, tuple(map(type, options))


def _planned_again(plan: Plan, robot: Robot, q0: Any, v0: Any, torque: Any) -> tuple[Plan, np.ndarray, np.ndarray]:
    """A plan that was made before, with other initial states and another drive."""
    q, v, _ = start(robot, q0, v0)
    remark_on_degrees(robot.model, q)
    if torque is not None:
        plan = copy(plan)
        plan.__dict__["drive"] = _drive(robot, torque, plan.integrator, plan.dt, plan.steps, plan.batch)
        writer_of(plan).check(plan)
    return plan, q, v


def _drive(robot: Robot, torque: Any, method: Integrator, dt: float, steps: int, batch: tuple[int, ...]) -> Drive:
    """Drive of a run by a method."""
    implicit = method.damping * dt if method.contacts else 0.0
    return drive_of(robot, torque, steps, batch, implicit, within=method.order > 1)


def planned(
    robot: Robot, q0: Any, v0: Any, times: tuple[float, int, int], torque: Any, contacts: Any, method: str, *,
    forces: Any = None, parameters: Any = None, joints: Any = None, tolerances: tuple[Any, Any] = (None, None),
    events: Any = None, limits: Any = None,
) -> tuple[Plan, np.ndarray, np.ndarray]:  # fmt: skip
    """The plan of a simulation, and its initial states (n, nq) and (n, nv)."""
    if not isinstance(robot, Robot):
        raise ShapeError(f"simulate takes a robot first; got {shortened(repr(robot))}")
    if isinstance(robot, Scene):
        q0, contacts = robot.poses["start"] if q0 is None else q0, contacts_of(robot, contacts)
    integrator = INTEGRATORS[choose("simulate", "method", method, tuple(INTEGRATORS))]
    step, steps, every = times
    inertias, own = parameters_of(robot, parameters), joint_parameters(robot, joints)
    moving = stand_in(robot, own)
    constrained = _constrained(moving, contacts, limits, method, parameters is None and not own)
    others = {"parameters": inertias, "friction": constrained and constrained.frictions}
    axes = {name: x.shape[:-1] for name, x in others.items() if x is not None} | leading_axes(own)
    q, v, batch = start(robot, q0, v0, axes)
    remark_on_degrees(robot.model, q)
    require_mass(robot, own)
    drive = _drive(robot, torque, integrator, step, steps, batch)
    external = external_forces(robot, forces, steps, batch)
    if constrained and constrained.held and integrator.order > 1:
        from .contact.constraints import independent_rows

        constrained = constrained._replace(independent=independent_rows(moving, constrained, q[0]))
    constrained = with_given_friction(constrained) if constrained and own else constrained
    accuracy, watched = tolerances_of(method, *tolerances), events_of(events, batch)
    given = inertias
    if own:
        given = numbers(robot, inertias, own, constrained, integrator.damping * step if integrator.contacts else 0.0)
    plan = Plan(
        moving, method, integrator, step, drive, external, steps, every, constrained, accuracy, watched,
        None if given is None else over_batch(given, batch), batch, inertias, own, robot,
    )  # fmt: skip
    writer_of(plan).check(plan)
    return plan, q, v


def time_step(dt: Any, who: str = "simulate") -> float:
    """The argument dt, s."""
    return number(f"{who}: dt", dt, "a time step above zero", np.nextafter(0, 1), 1e100)


def _steps(dt: Any, duration: Any, every: Any) -> tuple[float, int, int]:
    """Time step in s, number of steps, and steps between two samples."""
    step = time_step(dt)
    length = number("simulate: duration", duration, "a time above zero", np.nextafter(0, 1))
    every = whole_number("simulate: every", every)
    if not length / step < MOST_STEPS:
        raise ShapeError(f"simulate: {length:g} s in steps of {step:g} s are more than {MOST_STEPS:g} steps")
    steps = max(1, int(np.ceil(length / step * (1 - 1e-12))))
    if not every or steps % every:
        raise ShapeError(f"simulate: every = {every} does not divide the {steps} steps of {step:g} s")
    return step, steps, every


def _constrained(robot: Robot, contacts: Any, limits: Any, method: str, plain: bool) -> System | None:
    """Contacts, joint limits and friction that sticks, of a method that takes them."""
    if limits is not None:
        limits = flag("simulate: limits", limits)
    row = INTEGRATORS[method]
    rows = robot.kernels.once("joint rows", lambda: joint_rows(robot.model)) if row.contacts else ()
    found = None
    if contacts is not None or rows:
        from .contact.constraints import constraints

        found = constraints(robot, contacts, rows, limits is not False, plain and method == "euler")
    if not row.contacts and (limits or (found and (found.contacts or found.pile))):
        what = "limits=True" if limits else "contacts"
        others = " or ".join(f'"{name}"' for name, row in INTEGRATORS.items() if row.contacts)
        raise ShapeError(f"simulate: {what} needs method={others}, whose steps stop at them; got {method!r}")
    return found
