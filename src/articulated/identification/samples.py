"""Samples of a motion and its torques, from whatever holds them, with force sensors and contacts."""

from __future__ import annotations  # help shows types as they are written here

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..algorithms.sensors import sensed, with_sensors
from ..errors import ShapeError
from ..inputs.choices import floats
from ..robot import Robot
from ..robot.arguments.state_names import component_names
from .joint_terms import driven

Floats = NDArray[np.floating]


def samples_of(
    method: str, robot: Robot, block: Any, weights: Any = None
) -> tuple[Robot, dict[str, Floats], tuple[str, ...]]:
    """The robot, with the force sensors of the block; q, v, a, tau and weights, (n, ·), the torques of external forces
    if there are some and the components of unknown `contacts`; and the frames of these."""
    found: dict[str, Floats] = {}
    floats_free = ~driven(robot)
    for name in ("q", "v", "a", "tau"):
        value = _held(block, name)
        if value is None and name == "tau" and floats_free.any():  # base rows alone: nothing drives the base
            value, weights = np.zeros_like(found["v"]), floats_free.astype(float) if weights is None else weights
        if value is None:
            files = f"; art.read_log(robot, {str(block)!r}) reads files" if isinstance(block, (str, Path)) else ""
            raise ShapeError(f"{method}: the block has no {name}; it needs q, v, a and tau{files}")
        x = floats(f"{method}: {name}", value, component_names(robot.model, name), name)
        size = robot.nq if name == "q" else robot.nv
        if x.ndim == 0 or x.shape[-1] != size:
            raise ShapeError(f"{method}: {name} has shape {x.shape}; its last axis must have {size}")
        found[name] = x.reshape(-1, size)
    rows = {name: len(x) for name, x in found.items()}
    if len(set(rows.values())) > 1:
        raise ShapeError(
            f"{method}: q, v, a and tau have {', '.join(map(str, rows.values()))} rows; give as many of each"
        )
    count = rows["q"]
    if weights is None:
        weights = _held(block, "weights")
    found["weights"] = _rows(method, "weights", 1.0 if weights is None else weights, (count, robot.nv))
    if (external := _held(block, "external")) is not None:
        found["external"] = _rows(method, "external", external, (count, robot.nv))
    if sensors := _held(block, "sensors"):
        robot = with_force_sensors(robot, tuple(sensors))
        found |= {name: with_sensors(robot.model, x) for name, x in found.items() if name != "q"}
        for name, wrench in sensors.items():
            own = robot.index(next(k.joint.name for k in robot.links if k.name == name)).v
            found["tau"][:, own] = _rows(method, f"sensors[{name!r}]", wrench, (count, 6))
            found["weights"][:, own] = 1.0
    if forces := _held(block, "forces"):
        q, v, a = (found[name] for name in ("q", "v", "a"))
        pushed = np.asarray(robot.inverse_dynamics(q, v, a, forces=forces))
        found["external"] = found.get("external", 0.0) + np.asarray(robot.inverse_dynamics(q, v, a)) - pushed
    contacts = _held(block, "contacts") or {}
    if floats_free.any() and not (
        contacts or forces or sensors or "external" in found or np.any(found["tau"][:, floats_free])
    ):
        _require_free_flight(method, robot, found, floats_free)
    if contacts:
        each = [_components(method, name, mask, count) for name, mask in contacts.items()]
        found["contacts"] = np.concatenate(each, axis=1)
    return robot, found, tuple(robot.model.frame(name).name for name in contacts)


def _require_free_flight(method: str, robot: Robot, found: dict[str, Floats], base: NDArray[np.bool_]) -> None:
    """Refuse a log of a floating base without any force that does not fall: it would be that of bodies without mass."""
    if len(found["tau"]) and method == "identify" and not found["tau"].any():
        raise ShapeError("identify: all torques and forces of the log are zero; they show no mass")
    q, v, a = (found[name][:: -(-len(found["q"]) // 100) or 1] for name in ("q", "v", "a"))
    needed = np.asarray(robot.inverse_dynamics(q, v, a))[:, np.flatnonzero(base)[:3]]
    force = float(np.median(np.linalg.norm(needed, axis=1))) if len(q) else 0.0
    weight = robot.mass * float(np.linalg.norm(robot.gravity))
    if force > 0.5 * weight > 0:
        raise ShapeError(
            f"{method}: no force acts on the floating base in this log, but its motion takes about {force:.3g} N; "
            "give forces= (measured) or contacts= (where it touches)"
        )


def with_force_sensors(robot: Robot, sensors: tuple[str, ...]) -> Robot:
    """The robot with sensors, made once."""
    return robot.kernels.once(("sensors", sensors), lambda: Robot(sensed(robot.model, sensors))) if sensors else robot


def _rows(method: str, name: str, value: Any, shape: tuple[int, int]) -> Floats:
    x = floats(f"{method}: {name}", value)
    try:
        return np.broadcast_to(x, shape)
    except ValueError:
        raise ShapeError(f"{method}: {name} has shape {x.shape}; it must be {shape}") from None


def _components(method: str, name: str, mask: Any, count: int) -> Floats:
    """(n, 6): 1 for each component of the wrench at a contact that may act; of a point, its force."""
    x = np.asarray(mask, float)
    if x.shape in ((), (count,)):
        x = x[..., None] * np.array([1.0, 1, 1, 0, 0, 0])
    return _rows(method, f"contacts[{name!r}]", x, (count, 6))


def free_of_contacts(
    robot: Robot, frames: tuple[str, ...], q: Floats, mask: Floats, weights: Floats, rows: Floats
) -> Floats:
    """Weighted rows (n, nv, k) without what unknown forces at contacts explain: projected onto the null space of their
    Jacobian."""
    E = weights[..., None] * np.asarray(robot.force_map(q, list(frames))) * mask[:, None, :]
    return rows - E @ (np.linalg.pinv(E, rcond=1e-9) @ rows)


def _held(block: Any, name: str) -> Any:
    return block.get(name) if isinstance(block, Mapping) else getattr(block, name, None)
