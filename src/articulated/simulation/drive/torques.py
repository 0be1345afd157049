"""What drives a robot in a simulation: nothing, torques over time, a controller, or a function of (t, q, v)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from itertools import zip_longest
from math import isfinite
from typing import Any

import numpy as np

from ...compiler.emit import numpy as numpy_emitter
from ...compiler.passes.trace import trace
from ...control import WholeBody
from ...control.differential_ik import Servo
from ...control.gait.stepping import Stepping
from ...control.laws.feedback import Feedback
from ...control.laws.reference import Towards
from ...control.tracing.tracing import NotTraceable, Traced, run_on_scalars
from ...errors import ArticulatedError, ShapeError
from ...inputs import labels
from ...inputs.choices import floats, function_of
from ...robot import Robot
from ...robot.arguments.state_names import component_names
from ...text import shortened
from .discontinuities import jumps
from .external_forces import over_steps

#: states at which a traced function is compared with the function itself
TRIALS = 8
#: a traced function and its compiled form round in their own ways; a hidden state or a branch differs by more
AGREE = 1e-9


@dataclass(frozen=True)
class Drive:
    """What drives a robot, as the loop needs it: one of these, or none of them."""

    rows: np.ndarray | None = None  # torques by step: (T, nv), or (n, T, nv)
    compiled: Callable[..., Any] | None = None  # (t, q, v) -> tau on scalars
    key: Any = None  # what tells it from other compiled ones; None if nothing does
    function: Callable[..., Any] | None = None  # called step by step, as it is
    jumps: bool = False  # whether the compiled one can, as a function of time and state

    @property
    def given(self) -> bool:
        """Whether anything drives the robot."""
        return self.rows is not None or self.compiled is not None or self.function is not None

    @property
    def advice(self) -> str:
        """What to try beside a smaller dt where a motion ends badly."""
        return ", weaker gains, or look at the torques" if self.given else ""


def drive_of(robot: Robot, torque: Any, steps: int, batch: tuple[int, ...]) -> Drive:
    """What `torque=` of `simulate` means."""
    if torque is None:
        return Drive()
    if isinstance(torque, Traced):
        return _checked(robot, function_of("simulate: torque", torque.function, "t", "q", "v"))
    if isinstance(torque, (Towards, Stepping, Servo)):  # a controller of one's own may have a robot for anything
        _same_joints(robot, torque.robot)
    if getattr(torque, "on_scalars", None) is not None:
        if torque.key is None:  # a traced function is in it
            return _checked(robot, torque, torque.on_scalars, torque.reference_on_scalars)
        return Drive(compiled=torque.on_scalars, key=torque.key)
    if isinstance(torque, (Feedback, WholeBody)):
        kind = type(torque).__name__
        raise ShapeError(f"simulate: a {kind} does not know where to; pass law.towards(…), its controller")
    if callable(torque):
        return Drive(function=function_of("simulate: torque", torque, "t", "q", "v"))
    return Drive(rows=_over_time(robot, torque, steps, batch))


def _same_joints(robot: Robot, other: Robot) -> None:
    """A controller computes with its own robot: q and v must mean the same to it and to the one that moves."""
    for mine, its in zip_longest(_moving(robot), _moving(other), fillvalue="none"):
        if mine != its:
            raise ShapeError(
                f"simulate: the controller is for {other.name!r}, whose joints are not those of {robot.name!r}, in "
                f"their order: {its} instead of {mine}"
            )


def _moving(robot: Robot) -> list[str]:
    """The joints that move by themselves, and how."""
    joints = [b.joint for b in robot.model.bodies if b.leader is b and b.joint.nv]
    kinds = ("turns" if j.turns else "slides" if j.slides else f"is {type(j).__name__}" for j in joints)
    return [f"{j.name!r}, which {kind}" for j, kind in zip(joints, kinds, strict=True)]


def _over_time(robot: Robot, torque: Any, steps: int, batch: tuple[int, ...]) -> np.ndarray:
    """Torques (…, T, nv) for T = steps or steps + 1, held during each step; or one (nv,) for all time."""
    torque = labels.plain("simulate: torque", torque, robot.kernels.vectors["tau"].names, "tau")
    try:
        given = np.asarray(torque)
        x = given.astype(float) if given.dtype.kind in "biuf" else None
    except (TypeError, ValueError):
        x = None
    if x is None:
        raise ShapeError(
            "simulate: torque is None, an array over time, a controller or a function of (t, q, v); "
            f"got {shortened(repr(torque))}"
        )
    if x.shape == (robot.nv,):
        x = np.broadcast_to(x, (steps + 1, robot.nv))
    if x.ndim < 2 or x.shape[-1] != robot.nv or x.shape[-2] not in (steps, steps + 1):
        raise ShapeError(
            f"simulate: torque has shape {x.shape}; over {steps} steps {robot.name} needs (…, {steps}, {robot.nv}) "
            f"or (…, {steps + 1}, {robot.nv}), or ({robot.nv},) for all time"
        )
    if not np.isfinite(x).all():
        raise ShapeError("simulate: torque holds NaN or infinity")
    return over_steps("torque", x, steps, batch)


def full_torques(robot: Robot, given: Any, batch: tuple[int, ...], t: float) -> np.ndarray:
    """What a controller has returned, as torques (*batch, nv); those of motors alone get zeros for the base."""
    given = getattr(given, "tau", given)
    if given is None:
        raise ShapeError(f"the controller returned nothing (None) at t = {t:g} s; torques are what it must return")
    given = labels.plain(f"what the controller returned at t = {t:g} s", given, _torque_names(robot), "tau")
    try:
        x = floats("the torque", given)
    except (TypeError, ValueError):
        raise ShapeError(f"the controller returned {shortened(repr(given))} at t = {t:g} s, not torques") from None
    free = _undriven(robot)
    if x.ndim and x.shape[-1] == robot.nv - len(free) and free:
        whole = np.zeros((*x.shape[:-1], robot.nv))
        whole[..., [k for k in range(robot.nv) if k not in free]] = x
        x = whole
    if x.ndim == 0 or x.shape[-1] != robot.nv or x.shape[:-1] not in ((), batch):
        motors = f" or ({robot.nv - len(free)},) for the motors" if free else ""
        raise ShapeError(
            f"the controller returned an array {x.shape} at t = {t:g} s; {robot.name} needs "
            f"{(*batch, robot.nv)}{motors}"
        )
    if not np.isfinite(x).all():
        at = tuple(np.argwhere(~np.isfinite(x))[0])
        which = f" in state {int(at[0])} of the batch" if len(at) > 1 else ""
        joint = component_names(robot.model, "tau")[int(at[-1])]
        raise ControllerFailed(f"the controller returned {x[at]} for {joint!r} at t = {t:g} s{which}")
    return x


def torque_writer(robot: Robot, batch: tuple[int, ...]) -> Callable[[Any, float, np.ndarray], None]:
    """A function of (given, t, tau) that writes `full_torques` to tau: quickly if they are good and of one state."""
    nv, one = robot.nv, (robot.nv,)

    def write(given: Any, t: float, tau: np.ndarray) -> None:
        kind = type(given)
        # a list of several numbers cannot be broadcast; one of one number could be a list in a list
        if not batch and (
            given.shape == one and given.dtype.kind in "fiub"
            if kind is np.ndarray
            else kind in _PLAIN and len(given) == nv > 1 and _NUMBERS.issuperset(map(type, given))
        ):
            try:
                tau[:] = given
            except (TypeError, ValueError):
                pass  # told below
            else:
                if isfinite(sum(tau.tolist())):  # a sum is finite only if all numbers are; else they are looked at
                    return
        tau[...] = full_torques(robot, given, batch, t)

    return write


_PLAIN = {list, tuple}
_NUMBERS = {float, int, np.float64}


class ControllerFailed(ArticulatedError, ValueError):
    """A controller returned NaN or infinity."""


def _torque_names(robot: Robot) -> dict[int, Sequence[str]]:
    """Of what a controller returns, for all velocities or for the motors alone."""
    names, free = robot.kernels.vectors["tau"].names, _undriven(robot)
    return {len(names) - len(free): [name for k, name in enumerate(names) if k not in free], len(names): names}


def _undriven(robot: Robot) -> list[int]:
    """The velocities no motor drives."""
    return [k for b in robot.model.bodies if b.joint.floats for k in range(b.dofs.start, b.dofs.stop)]


def _checked(
    robot: Robot,
    function: Callable[..., Any],
    law: Callable[..., Any] | None = None,
    reference: Callable[..., Any] | None = None,
) -> Drive:
    """The function on scalars, compared with itself at random states; what it computes tells it from others.

    `law` is the function on scalars, where that is known, and `reference` what the user has written of it.
    """
    nq, nv = robot.nq, robot.nv
    free, names = _undriven(robot), _torque_names(robot)

    @wraps(function)
    def returned(t: Any, q: Any, v: Any) -> Any:
        return labels.plain(_name(function), function(t, q, v), names, "tau")

    def on_scalars(t: Any, q: Any, v: Any) -> np.ndarray:
        found = run_on_scalars(returned, t, q, v)
        if len(found) == nv - len(free) and free and found.ndim == 1:
            whole = np.zeros(nv, object)
            whole[[k for k in range(nv) if k not in free]] = found
            return whole
        if found.shape != (nv,):
            raise ShapeError(f"{_name(function)} returned an array {found.shape}; {robot.name} needs ({nv},)")
        return found

    scalar_law = law or on_scalars
    program = trace(lambda t, q, v: scalar_law(t[0], q, v), {"t": 1, "q": nq, "v": nv})
    rng = np.random.default_rng(0)
    t, q, v = rng.uniform(0, 10, TRIALS), robot.random(rng, (TRIALS,)), rng.normal(size=(TRIALS, nv))
    out = np.empty((TRIALS, nv))
    out[:] = [0.0 if isinstance(entry, tuple) else entry for entry in program.outputs[0].entries]
    with np.errstate(all="ignore"):
        numpy_emitter.compiled(program)(out, t[None], np.ascontiguousarray(q.T), np.ascontiguousarray(v.T))
    _compare(robot, function, out, list(zip(t, q, v, strict=True)))
    computed = (program.ops, program.args, tuple(output.entries for output in program.outputs))
    own = program if reference is None else trace(lambda t: reference(t[0]), {"t": 1})
    return Drive(compiled=scalar_law, key=("traced", computed), jumps=jumps(own))


def _compare(robot: Robot, function: Callable[..., Any], out: np.ndarray, states: Sequence[Any]) -> None:
    for _ in range(2):  # the second time a function that counts its calls has counted
        wanted = np.array([full_torques(robot, function(t, q, v), (), float(t)) for t, q, v in states])
        near = abs(out - wanted) <= AGREE * (1 + abs(wanted) + abs(wanted).max(axis=1, keepdims=True))
        if not near.all():
            k = int(np.argmin(near.all(axis=1)))
            raise NotTraceable(
                f"{_name(function)} is not a pure function of (t, q, v): compiled it is {out[k]}, called {wanted[k]} "
                f"at t = {states[k][0]:.6g}; pass it without art.traced, and it is called step by step"
            )


def _name(function: Any) -> str:
    return getattr(function, "__name__", "the function")
