"""Keyframes as named poses: their positions in our coordinates."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...model.model import Poses
from ..description import Findings
from .places import Places

FREE, BALL = range(2)  # mjtJoint


def read_keyframes(model: Any, joints: Sequence[str], report: Findings, places: Places) -> Poses:
    """By name: the coordinates of every joint.  What else a keyframe holds, and one without a name, is left out."""
    poses = {}
    for k in range(model.nkey):
        name = model.key(k).name
        moving = [part for part in ("qvel", "act") if np.any(getattr(model, f"key_{part}")[k])]
        if not name or moving:
            text = f"its {' and '.join(moving)}" if name else "a keyframe without a name"
            report.add("MJCF019", text, places.of("key", k), f"keyframe {name!r}" if name else "")
        if name:
            poses[name] = {joint: _coordinates(model, j, model.key_qpos[k]) for j, joint in enumerate(joints)}
    return poses


def _coordinates(model: Any, j: int, qpos: Any) -> tuple[float, ...]:
    """Of a joint: quaternions are x y z w here."""
    kind, start = int(model.jnt_type[j]), int(model.jnt_qposadr[j])
    x = qpos[start : start + {FREE: 7, BALL: 4}.get(kind, 1)].tolist()
    order = {FREE: (0, 1, 2, 4, 5, 6, 3), BALL: (1, 2, 3, 0)}.get(kind, (0,))
    return tuple(x[i] for i in order)
