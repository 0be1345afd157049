"""Initial states of a simulation, q0 and v0 as rows, and `parameters=`; checked."""

from collections.abc import Mapping
from numbers import Real
from typing import Any

import numpy as np

from ..errors import ModelError, ShapeError
from ..robot import Robot
from ..robot.arguments.arrays import as_vectors
from ..text import shortened

#: a quaternion this far from unit length is a mistake, not rounding
QUATERNION_TOLERANCE = 1e-3


def start(
    robot: Robot, q0: Any, v0: Any, others: Mapping[str, tuple[int, ...]] = {}, caller: str = "simulate"
) -> tuple[np.ndarray, np.ndarray, tuple[int, ...]]:
    """q0 (n, nq) and v0 (n, nv) of a batch, and its shape; quaternions are brought to unit length.

    `others` are the leading axes of what else the runs of the batch differ in, by name.
    """
    if not robot.nv:
        raise ModelError(f"{caller}: {robot.name} has no moving joint; robot.floating() frees its base")
    if isinstance(v0, Real) and robot.nv > 1 and caller == "simulate":
        raise ShapeError(f"simulate: v0 is the velocities at the start, got {v0!r}; did you mean duration={v0!r}?")
    given = {"q0": as_vectors(caller, robot.name, "q0", q0, robot.kernels.vectors["q"])}
    if v0 is not None:
        given["v0"] = as_vectors(caller, robot.name, "v0", v0, robot.kernels.vectors["v"])
    for name, x in given.items():
        if not np.isfinite(x).all():
            raise ShapeError(f"{caller}: {name} holds NaN or infinity")
    axes = {name: x.shape[:-1] for name, x in given.items()} | dict(others)
    shapes = set(axes.values())
    try:
        batch = np.broadcast_shapes(*shapes) if len(shapes) > 1 else shapes.pop()
    except ValueError:
        told = ", ".join(f"{name} {shape}" for name, shape in axes.items() if shape)
        raise ShapeError(f"{caller}: the leading axes do not broadcast: {told}") from None
    q, v = np.empty((*batch, robot.nq)), np.zeros((*batch, robot.nv))
    for x, name in ((q, "q0"), (v, "v0")):
        if name in given:
            x[...] = given[name]
    q, v = q.reshape(-1, robot.nq), v.reshape(-1, robot.nv)
    if not len(q):
        raise ShapeError(f"{caller}: the batch {shortened(repr(batch))} is empty")
    _normalize(robot, q, caller)
    return q, v, batch


def parameters_of(robot: Robot, given: Any) -> np.ndarray | None:
    """(…, 10 nb), checked; None if the robot keeps its own."""
    if given is None:
        return None
    found = as_vectors("simulate", robot.name, "parameters", given, robot.kernels.vectors["parameters"])
    if not np.isfinite(found).all():
        raise ShapeError("simulate: parameters holds NaN or infinity")
    masses = found[..., ::10].reshape(-1, len(robot.body_names))
    if (masses < 0).any():
        state, k = np.argwhere(masses < 0)[0]
        of = f" in set {state}" if found.ndim > 1 else ""
        raise ShapeError(f"simulate: parameters gives {robot.body_names[k]!r} a mass of {masses[state, k]:g} kg{of}")
    return found


def _normalize(robot: Robot, q: np.ndarray, caller: str) -> None:
    for joint, place in robot.kernels.once("quaternions", lambda: _quaternions(robot)):
        part = q[:, place]
        length = np.sqrt((part * part).sum(axis=-1, keepdims=True))
        if abs(length - 1).max() > QUATERNION_TOLERANCE:
            raise ShapeError(
                f"{caller}: the quaternion x y z w of joint {joint!r} in q0 has length "
                f"{length[abs(length - 1).argmax(), 0]:.6g}, not 1; start from robot.neutral() or divide by its length"
            )
        part /= length


def _quaternions(robot: Robot) -> list[tuple[str, slice]]:
    """Joints that have one, and where it is in q."""
    own = [(b, b.joint.quaternion) for b in robot.model.bodies if b.joint.quaternion is not None and b.leader is b]
    return [(b.joint.name, slice(b.coords.start + at.start, b.coords.start + at.start + 4)) for b, at in own]
