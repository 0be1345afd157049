"""Doubts about a log that does not fit the robot: gravity along another direction."""

from __future__ import annotations  # help shows types as they are written here

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from ..robot import Robot
from .joint_terms import driven

#: samples that are looked at, and the angle from which on a direction is another one
SAMPLES, ANGLE = 500, np.radians(15)


def doubts(robot: Robot, samples: Mapping[str, NDArray[np.floating]]) -> list[str]:
    """Sentences; none if gravity is as described, as far as the torques tell."""
    part = {name: x[:: -(-len(x) // SAMPLES)] for name, x in samples.items()}
    q, v, a, rows = part["q"], part["v"], part["a"], driven(robot)
    own = np.asarray(robot.gravity, float)
    rest = part["tau"] - np.asarray(robot.inverse_dynamics(q, v, a)) + np.asarray(robot.gravity_forces(q))
    columns = [np.asarray(robot.replace(gravity=g).gravity_forces(q))[:, rows].ravel() for g in np.eye(3)]
    found, _, rank, _ = np.linalg.lstsq(np.stack(columns, axis=1), rest[:, rows].ravel(), rcond=1e-6)
    size = float(np.linalg.norm(found) * np.linalg.norm(own))
    if rank < 3 or not size or np.arccos(np.clip(found @ own / size, -1, 1)) < ANGLE:
        return []
    there, here = (", ".join(f"{x:.1f}" for x in g) for g in (found, own))
    return [f"these torques look as if gravity were ({there}) m/s²; the robot has ({here}): is it mounted otherwise?"]
