"""Checks of the arguments of a trajectory beside its arrays."""

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from ...errors import ShapeError
from ...inputs.choices import floats
from ...robot import Robot
from ...robot.arguments.state_names import SPATIAL, parameter_names
from ...text import shortened
from ..joint_parameters import JointParameters, joint_parameters, leading_axes
from .arrays import frozen, over_time, require_numbers
from .contact_history import ContactHistory


def contact(given: Any, shape: tuple[int, ...]) -> ContactHistory | None:
    """`given` if it is a history of contacts over these samples."""
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
