"""Controllers and traced functions as drives of the compiled loop."""

from collections.abc import Callable, Sequence
from functools import wraps
from itertools import zip_longest
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
from ...errors import ShapeError
from ...inputs import labels
from ...inputs.choices import function_of
from ...robot import Robot
from .torques import Drive, full_torques, torque_names, undriven

#: states at which a traced function is compared with the function itself
TRIALS = 8
#: a traced function and its compiled form round in their own ways; a hidden state or a branch differs by more
AGREE = 1e-9
#: operations that can jump, or are what a jump is made of, as x/√x²; a function without them is smooth
JUMPING = {"select", "sign", "sqrt", "atan2"}


def controller_drive(robot: Robot, torque: Any) -> Drive | None:
    """Drive of a traced function or a controller; None if it is neither."""
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
    return None


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
) -> Drive:
    """The function on scalars, compared with itself at random states; what it computes tells it from others.

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
    return Drive(compiled=scalar_law, key=("traced", computed), jumps=not JUMPING.isdisjoint(own.ops))


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
