"""Checks of arrays over time: shapes, finite numbers, unit quaternions."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...errors import ShapeError
from ...inputs.choices import floats
from ...inputs.labels import Names
from ...robot import Robot
from ...robot.arguments.state_names import component_names
from ...text import shortened

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


def state_arrays(robot: Robot, t: np.ndarray, given: dict[str, Any], looked_at: bool = True) -> dict[str, np.ndarray]:
    """q, v, a and tau of a trajectory, checked; the leading axes of q are its batch.

    `looked_at=False` skips the checks of every number.
    """
    found: dict[str, np.ndarray] = {}
    batch = None
    for name, value in given.items():
        size = robot.nq if name == "q" else robot.nv
        names = component_names(robot.model, name)
        x = over_time(name, value, batch, (len(t), size), names)
        if looked_at:
            require_numbers(name, x, -2, t, names)
        batch = x.shape[:-2]
        found[name] = x
    if 0 in found["q"].shape[:-2]:
        raise ShapeError(f"q has shape {found['q'].shape}; a batch has at least one member")
    if looked_at:
        require_unit_quaternions(robot, found["q"], t)
    return found
