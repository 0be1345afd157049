"""Controllers and traced functions as drives of the compiled loop."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial, wraps
from itertools import zip_longest
from types import MappingProxyType
from typing import Any

import numpy as np

from ...algebra.scalars import array
from ...compiler.emit import numpy as numpy_emitter
from ...compiler.passes.trace import Program, trace
from ...control import WholeBody
from ...control.differential_ik import Following
from ...control.gait.stepping import Stepping
from ...control.laws.feedback import Feedback
from ...control.laws.reference import Towards
from ...control.servo import Servo
from ...control.tracing.tracing import NotTraceable, Traced, run_on_scalars
from ...errors import ShapeError
from ...inputs import labels
from ...inputs.choices import function_of
from ...robot import Robot
from .servo import clipped
from .torques import ControllerFailed, Drive, by_joint, full_torques, torque_names, undriven

#: states at which a traced function is compared with the function itself
TRIALS = 8
#: a traced function and its compiled form round in their own ways; a hidden state or a branch differs by more
AGREE = 1e-9
#: most functions of a robot that are known to agree
MOST_KEPT = 64
#: operations that can jump, or are what a jump is made of, as x/√x²; a function without them is smooth
JUMPING = {"select", "sign", "sqrt", "atan2"}


def controller_drive(
    robot: Robot, torque: Any, batch: tuple[int, ...], implicit: float, within: bool = False
) -> Drive | None:
    """Drive of a traced function or a controller; None if it is neither."""
    if isinstance(torque, Servo):
        return _servo(robot, torque, batch, 0.0 if within else implicit)
    if isinstance(torque, Traced):
        return _checked(robot, function_of("simulate: torque", torque.function, "t", "q", "v"))
    if isinstance(torque, (Towards, Stepping, Following)):  # a controller of one's own may have a robot for anything
        _same_joints(robot, torque.robot)
    if isinstance(torque, Stepping) and batch:  # before anything is compiled for it
        raise ShapeError(f"simulate: a whole-body law takes one state; q0 and v0 are a batch {batch}")
    if isinstance(torque, Towards):
        return _towards(robot, torque, batch, implicit, within)
    if isinstance(torque, (Feedback, WholeBody)):
        kind = type(torque).__name__
        raise ShapeError(f"simulate: a {kind} has no reference yet; pass law.towards(reference)")
    return None


def _servo(robot: Robot, torque: Servo, batch: tuple[int, ...], implicit: float) -> Drive:
    """Drive of a controller within a servo: compiled and implicit unless it is digital, clipped if that is wanted."""
    inner = controller_drive(robot, torque.controller, batch, implicit) or Drive(function=torque.controller)
    if torque.digital:
        inner = Drive(function=torque._begun(robot))
    inner = replace(inner, info={"servo": torque.settings})
    if not torque.clip:
        return inner
    most = np.array(robot.limits.effort)
    if np.isinf(most).all():
        raise ShapeError(f"simulate: no joint of {robot.name} has an effort limit that a Servo could clip torques to")
    if inner.compiled and not implicit:  # evaluated within a step
        law, ends = inner.compiled, array(most.tolist())
        return replace(inner, compiled=lambda t, q, v: clipped(law(t, q, v), ends), key=(inner.key, most))
    return replace(inner, most=most)


def _towards(robot: Robot, torque: Towards, batch: tuple[int, ...], implicit: float, within: bool) -> Drive:
    """Drive of a law with its reference; their numbers are data of a method that may take gains implicitly."""
    over, led = None, torque
    if implicit and (found := torque.at_end_of_step(implicit)):
        led, over = found[0], implicit * by_joint(robot, found[1])
        torque = torque if within else led
    implicit = 0.0 if within else implicit
    law, numbers = torque.on_scalars, torque.numbers
    if not implicit and any(x.ndim > 1 for x in numbers.values()):
        law = None  # a batch of references has no place in the law of one state
    if law is None:  # called at the beginning of a step
        return Drive(function=led, implicit=over)
    key = (torque.key, *map(np.shape, numbers.values()))
    if not implicit:
        law, key, numbers = partial(law, **{k: array(x.tolist()) for k, x in numbers.items()}), (key, numbers), {}
    for name, x in numbers.items():
        if x.ndim > 1 and x.shape[:-1] != batch:
            raise ShapeError(f"simulate: {name} {x.shape} of the controller is not of the batch {batch} of q0 and v0")
    if torque.key is None:  # a traced function is in it
        made = _checked(robot, torque, law, torque.reference_on_scalars, numbers)
    else:
        made = Drive(compiled=law, key=key, data=numbers)
    return replace(made, implicit=over)


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


def _checked(
    robot: Robot,
    function: Callable[..., Any],
    law: Callable[..., Any] | None = None,
    reference: Callable[..., Any] | None = None,
    data: Mapping[str, np.ndarray] = MappingProxyType({}),
) -> Drive:
    """The function on scalars, once compared with itself; what it computes tells it from others.

    `law` is the function on scalars, where that is known, and `reference` what the user has written of it.
    """
    nq, nv = robot.nq, robot.nv
    free, names = undriven(robot), torque_names(robot)

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
    sizes = {"t": 1, "q": nq, "v": nv} | {name: x.shape[-1] for name, x in data.items()}
    program = trace(lambda t, q, v, **data: scalar_law(t[0], q, v, **data), sizes)
    computed = (program.ops, program.args, tuple(output.entries for output in program.outputs))
    own = program if reference is None else trace(lambda t: reference(t[0]), {"t": 1})
    compared: dict[Any, Any] = robot.kernels.once("traced", dict)
    if (id(function), computed) not in compared:
        _compare(robot, function, program, data)
        if len(compared) > MOST_KEPT:
            compared.clear()
        compared[id(function), computed] = function  # which stays, and so does its number
    return Drive(compiled=scalar_law, key=("traced", computed), jumps=not JUMPING.isdisjoint(own.ops), data=data)


def _compare(robot: Robot, function: Callable[..., Any], program: Program, data: Mapping[str, np.ndarray]) -> None:
    """Comparison of a traced function with the function itself at random states."""
    nv, rng = robot.nv, np.random.default_rng(0)
    t, q, v = rng.uniform(0, 10, TRIALS), robot.random(rng, (TRIALS,)), rng.normal(size=(TRIALS, nv))
    out = np.empty((TRIALS, nv))
    out[:] = [0.0 if isinstance(entry, tuple) else entry for entry in program.outputs[0].entries]
    with np.errstate(all="ignore"):
        given = (t[None], q.T, v.T, *(np.repeat(x[:, None], TRIALS, axis=1) for x in data.values()))
        numpy_emitter.compiled(program)(out, *map(np.ascontiguousarray, given))
    states = list(zip(t, q, v, strict=True))
    for _ in range(2):  # the second time a function that counts its calls has counted
        try:
            wanted = np.array([full_torques(robot, function(t, q, v), (), float(t)) for t, q, v in states])
        except ControllerFailed as problem:
            raise ControllerFailed(
                f"{problem}, a random state that functions are tried at before they are compiled; pass it without "
                "art.traced, and it is called step by step"
            ) from None
        near = abs(out - wanted) <= AGREE * (1 + abs(wanted) + abs(wanted).max(axis=1, keepdims=True))
        if not near.all():
            k = int(np.argmin(near.all(axis=1)))
            raise NotTraceable(
                f"{_name(function)} is not a pure function of (t, q, v): compiled it is {out[k]}, called {wanted[k]} "
                f"at t = {states[k][0]:.6g}; pass it without art.traced, and it is called step by step"
            )


def _name(function: Any) -> str:
    return getattr(function, "__name__", "the function")
