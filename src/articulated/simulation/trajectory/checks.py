"""Checks of the arguments of a trajectory: shapes, finite numbers, unit quaternions."""

import json
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import ShapeError
from ...inputs.choices import floats
from ...inputs.labels import Names
from ...robot import Robot
from ...robot.arguments.state_names import SPATIAL, component_names, parameter_names
from ...text import shortened
from ..joint_parameters import JointParameters, joint_parameters, leading_axes

if TYPE_CHECKING:
    from .contact_history import ContactHistory

#: how far from 1 the length of a quaternion may be: six decimals in a file, and then some
UNIT = 1e-4


def frozen(x: np.ndarray) -> np.ndarray:
    """A read-only view."""
    view = x.view(np.ndarray)
    view.flags.writeable = False
    return view


def times(value: Any) -> np.ndarray:
    """`value` as times in seconds, each later than the one before."""
    t = floats("t", value)
    if t.ndim != 1 or not t.size:
        raise ShapeError(f"t holds the times of the samples, (T,) with T from 1; got the shape {t.shape}")
    if not np.isfinite(t).all():
        raise ShapeError(f"t[{np.argmin(np.isfinite(t))}] is {t[np.argmin(np.isfinite(t))]}; a time is a finite number")
    steps = np.diff(t)
    if not (steps > 0).all():
        k = int(np.argmin(steps > 0))
        raise ShapeError(f"t must increase: t[{k + 1}] = {t[k + 1]} does not come after t[{k}] = {t[k]}")
    return frozen(t)


def over_time(
    what: str,
    value: Any,
    batch: tuple[int, ...] | None,
    tail: Sequence[int],
    names: Names = (),
    rows: Names | None = None,
) -> np.ndarray:
    """`value` as an array of shape (*batch, *tail); any leading axes if there is no batch yet.

    `names` are along its last axis, and `rows` along the one before, if that is not time.
    """
    x = floats(what, value, names, what, rows)
    tail = tuple(tail)
    leading = x.shape[: max(0, x.ndim - len(tail))]
    if x.shape[len(leading) :] != tail or (batch is not None and leading != batch):
        wanted = ", ".join(["…"] * (batch is None) + [str(n) for n in (*(batch or ()), *tail)])
        raise ShapeError(f"{what} has shape {x.shape}; it must be ({wanted})")
    return frozen(x)


def require_numbers(
    what: str, x: np.ndarray, axis: int, t: np.ndarray | None = None, names: Sequence[str] = ()
) -> None:
    """Refuse NaN and infinity, with their place; time is the axis `axis`, counted from the end."""
    # broadcast axes are checked once
    if np.isfinite(x[tuple(slice(0, 1) if step == 0 else slice(None) for step in x.strides)]).all():
        return
    finite = np.isfinite(x)
    at = np.unravel_index(int(np.argmin(finite)), x.shape)
    sample = int(at[axis])
    of = f" of {shortened(names[int(at[-1])])}" if names else ""
    when = f"in sample {sample}" if t is None else f"at t = {t[sample]:g} s (sample {sample})"
    member = ", ".join(str(int(k)) for k in at[:axis])
    run = f" of member {member} of the batch" if member else ""
    raise ShapeError(f"{what}{of} is {x[at]} {when}{run}; a trajectory holds finite numbers")


def require_unit_quaternions(robot: Robot, q: np.ndarray, t: np.ndarray) -> None:
    """Refuse quaternions that are not of unit length, with joint and time."""
    for b in robot.model.bodies:
        if b.leader is not b or b.joint.quaternion is None:
            continue
        found = np.linalg.norm(q[..., b.coords][..., b.joint.quaternion], axis=-1)
        if (abs(found - 1) > UNIT).any():
            at = np.unravel_index(int(np.argmax(abs(found - 1))), found.shape)
            told = f"q: the quaternion of {shortened(b.joint.name)} has the length {found[at]:g}, not 1"
            raise ShapeError(f"{told}, at t = {t[at[-1]]:g} s")


def state_arrays(robot: Robot, t: np.ndarray, given: dict[str, Any]) -> dict[str, np.ndarray]:
    """q, v, a and tau of a trajectory, checked; the leading axes of q are its batch."""
    found: dict[str, np.ndarray] = {}
    batch = None
    for name, value in given.items():
        size = robot.nq if name == "q" else robot.nv
        names = component_names(robot.model, name)
        x = over_time(name, value, batch, (len(t), size), names)
        require_numbers(name, x, -2, t, names)
        batch = x.shape[:-2]
        found[name] = x
    if 0 in found["q"].shape[:-2]:
        raise ShapeError(f"q has shape {found['q'].shape}; a batch has at least one member")
    require_unit_quaternions(robot, found["q"], t)
    return found


def contact(given: Any, shape: tuple[int, ...]) -> "ContactHistory | None":
    """`given` if it is a history of contacts over these samples."""
    from .contact_history import ContactHistory

    if given is not None and not isinstance(given, ContactHistory):
        raise ShapeError(f"contact is a ContactHistory or None; got {shortened(repr(given))}")
    if given is not None and given.residual.shape != shape:
        raise ShapeError(f"contact has a residual of shape {given.residual.shape}; for this q it must be {shape}")
    return given


def forces(robot: Robot, given: Any, t: np.ndarray, batch: tuple[int, ...]) -> Mapping[str, np.ndarray]:
    """External forces by the name of the frame they act at."""
    if given is not None and not isinstance(given, Mapping):
        raise ShapeError(f"forces maps frames to arrays (…, T, 6); got {shortened(repr(given))}")
    found = {}
    for frame, value in (given or {}).items():
        name = robot.model.frame(frame).name
        found[name] = over_time(f"forces[{frame!r}]", value, batch, (len(t), 6), SPATIAL)
        require_numbers(f"forces[{frame!r}]", found[name], -2, t)
    return MappingProxyType(found)


def plain(info: Any) -> Mapping[str, Any]:
    """A copy of `info` through JSON."""
    if info is not None and not isinstance(info, Mapping):
        raise ShapeError(f"info maps names to plain values; got {shortened(repr(info))}")
    try:
        return MappingProxyType(json.loads(json.dumps(dict(info or {}), default=_as_plain)))
    except (TypeError, ValueError, RecursionError) as problem:
        raise ShapeError(f"info holds plain values (numbers, texts, lists and dicts of them): {problem}") from None


def parameters(robot: Robot, given: Any, batch: tuple[int, ...]) -> np.ndarray | None:
    """Inertial parameters (10 nb,), or of each run (…, 10 nb)."""
    if given is None:
        return None
    found, size = floats("parameters", given, parameter_names(robot.model)), len(robot.parameters)
    if found.shape not in ((size,), (*batch, size)):
        each = f" or {(*batch, size)}" if batch else ""
        raise ShapeError(f"parameters has shape {found.shape}; it must be ({size},){each}")
    if not np.isfinite(found).all():
        raise ShapeError("parameters holds NaN or infinity")
    return frozen(found)


def joints(robot: Robot, given: Any, batch: tuple[int, ...]) -> JointParameters:
    """Joint parameters: numbers, or arrays of the shape of the batch."""
    found = joint_parameters(robot, given, "")
    for name, shape in leading_axes(found).items():
        try:
            fits = np.broadcast_shapes(shape, batch) == batch
        except ValueError:
            fits = False
        if not fits:
            raise ShapeError(f"the {name} has shape {shape}, which does not fit the batch {batch} of q")
    return found


def plain_joints(given: JointParameters) -> dict[str, dict[str, Any]]:
    """Joint parameters as JSON."""
    return {joint: {name: x.tolist() for name, x in own.items()} for joint, own in given.items()}


def _as_plain(x: Any) -> Any:
    if isinstance(x, (np.generic, np.ndarray)):
        return x.tolist()
    if isinstance(x, Mapping):
        return dict(x)
    raise TypeError(f"{shortened(repr(x))} is none")
