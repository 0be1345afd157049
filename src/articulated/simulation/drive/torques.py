"""Drive of a robot in a simulation: nothing, torques over time, a controller, or a function of (t, q, v)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from types import FunctionType
from typing import Any

import numpy as np

from ...errors import ArticulatedError, ShapeError
from ...inputs import labels
from ...inputs.choices import floats, function_of
from ...robot import Robot
from ...robot.arguments.state_names import component_names
from ...text import shortened
from .external_forces import over_steps


@dataclass(frozen=True)
class Drive:
    """Drive as the loop needs it: one of these, or none of them."""

    rows: np.ndarray | None = None  # torques by step: (T, nv), or (n, T, nv)
    compiled: Callable[..., Any] | None = None  # (t, q, v, **data) -> tau on scalars
    key: Any = None  # what tells it from other compiled ones; None if nothing does
    function: Callable[..., Any] | None = None  # called step by step, as it is
    jumps: bool = False  # the compiled one may, as a function of time and state
    data: Mapping[str, np.ndarray] = field(default_factory=dict)  # numbers of the compiled one: (size,) or (…, size)
    implicit: np.ndarray | None = None  # dt D of a law whose torques act at the end of a step: tau - dt D a, (nv,)
    info: Mapping[str, Any] = field(default_factory=dict)  # how the torques are made, plain values
    most: np.ndarray | None = None  # torques that motors give at most, (nv,)

    @property
    def given(self) -> bool:
        """Whether anything drives the robot."""
        return self.rows is not None or self.compiled is not None or self.function is not None

    @property
    def changed(self) -> bool:
        """Whether the torque that acts is found in the step."""
        return self.implicit is not None or self.most is not None

    @property
    def advice(self) -> str:
        """Advice beside a smaller dt where a motion ends badly."""
        return ", weaker gains, or look at the torques" if self.given else ""


def drive_of(
    robot: Robot, torque: Any, steps: int, batch: tuple[int, ...], implicit: float = 0.0, within: bool = False
) -> Drive:
    """Drive that `torque=` of `simulate` means; gains of a law may be `implicit` over so many seconds.

    `within`: a law is evaluated in the middle of a step.
    """
    if torque is None or isinstance(torque, Drive):
        return torque or Drive()
    if not isinstance(torque, (FunctionType, np.ndarray, list, tuple)):
        from .controllers import controller_drive

        if found := controller_drive(robot, torque, batch, implicit, within):
            return found
    if callable(torque):
        return Drive(function=function_of("simulate: torque", torque, "t", "q", "v"))
    return Drive(rows=_over_time(robot, torque, steps, batch))


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


def full_torques(robot: Robot, given: Any, batch: tuple[int, ...], t: float | None) -> np.ndarray:
    """Torques (*batch, nv) that a controller has returned; those of motors alone get zeros for the base.

    Without a time they are an argument of `Simulator.step`.
    """
    gave, when = ("step was given", "") if t is None else ("the controller returned", f" at t = {t:g} s")
    given = getattr(given, "tau", given)
    if given is None:
        raise ShapeError(f"{gave} nothing (None){when}; torques are what it must return")
    given = labels.plain(f"what {gave}{when}", given, torque_names(robot), "tau")
    try:
        x = floats("the torque", given)
    except (TypeError, ValueError):
        raise ShapeError(f"{gave} {shortened(repr(given))}{when}, not torques") from None
    free = undriven(robot)
    if x.ndim and x.shape[-1] == robot.nv - len(free) and free:
        whole = np.zeros((*x.shape[:-1], robot.nv))
        whole[..., [k for k in range(robot.nv) if k not in free]] = x
        x = whole
    if x.ndim == 0 or x.shape[-1] != robot.nv or x.shape[:-1] not in ((), batch):
        motors = f" or ({robot.nv - len(free)},) for the motors" if free else ""
        raise ShapeError(f"{gave} an array {x.shape}{when}; {robot.name} needs {(*batch, robot.nv)}{motors}")
    bad = ~np.isfinite(x)
    if bad.any() and bad.any(axis=-1).all():  # one run of a batch ends by it, the others go on
        at = tuple(np.argwhere(bad)[0])
        which = f" in state {int(at[0])} of the batch" if len(at) > 1 else ""
        joint = component_names(robot.model, "tau")[int(at[-1])]
        raise ControllerFailed(f"{gave} {x[at]} for {joint!r}{when}{which}")
    return x


def torque_writer(robot: Robot, batch: tuple[int, ...]) -> Callable[[Any, float | None, np.ndarray], None]:
    """A function of (given, t, tau) that writes `full_torques` to tau: quickly if they are good and of one state."""
    nv, one = robot.nv, (robot.nv,)

    def write(given: Any, t: float | None, tau: np.ndarray) -> None:
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


def torque_names(robot: Robot) -> dict[int, Sequence[str]]:
    """Names of the torques of a controller, for all velocities or for the motors alone."""
    names, free = robot.kernels.vectors["tau"].names, undriven(robot)
    return {len(names) - len(free): [name for k, name in enumerate(names) if k not in free], len(names): names}


def undriven(robot: Robot) -> list[int]:
    """Velocities that no motor drives."""
    return [k for b in robot.model.bodies if b.joint.floats for k in range(b.dofs.start, b.dofs.stop)]


def by_joint(robot: Robot, D: np.ndarray) -> np.ndarray:
    """The largest of each joint, as rotor inertia is the same in all directions of a joint."""
    out = D.copy()
    for b in robot.model.bodies:
        out[b.dofs] = out[b.dofs].max(initial=0.0)
    return out
