"""Samples of a motion and its torques, from whatever holds them."""

from __future__ import annotations  # help shows types as they are written here

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import ShapeError
from ..inputs.choices import floats
from ..robot import Robot
from ..robot.arguments.state_names import component_names


def samples_of(method: str, robot: Robot, block: Any, weights: Any = None) -> dict[str, NDArray[np.floating]]:
    """q, v, a, tau and weights of a block, (n, ·), and the torques of external forces if it has some."""
    found = {}
    for name in ("q", "v", "a", "tau"):
        value = _held(block, name)
        if value is None:
            raise ShapeError(f"{method}: the block has no {name}; it needs q, v, a and tau")
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
    if weights is None:
        weights = _held(block, "weights")
    weights = 1.0 if weights is None else floats(f"{method}: weights", weights)
    try:
        found["weights"] = np.broadcast_to(weights, (rows["q"], robot.nv))
    except ValueError:
        raise ShapeError(
            f"{method}: weights has shape {np.shape(weights)}; it must be {(rows['q'], robot.nv)}"
        ) from None
    given = {name: _held(block, name) for name in ("forces", "external")}
    if given["external"] is not None:
        external = floats(f"{method}: external", given["external"], component_names(robot.model, "tau"), "tau")
        if external.shape != (rows["q"], robot.nv):
            raise ShapeError(f"{method}: external has shape {external.shape}; it must be {(rows['q'], robot.nv)}")
        found["external"] = external
    if given["forces"]:
        q, v, a = (found[name] for name in ("q", "v", "a"))
        pushed = np.asarray(robot.inverse_dynamics(q, v, a, forces=given["forces"]))
        found["external"] = found.get("external", 0.0) + np.asarray(robot.inverse_dynamics(q, v, a)) - pushed
    return found


def _held(block: Any, name: str) -> Any:
    return block.get(name) if isinstance(block, Mapping) else getattr(block, name, None)
