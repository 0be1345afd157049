"""Keyframes as named poses: their positions in our coordinates."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...joints import Mimic
from ...model.model import Poses
from .compiler import Compiled

FREE, BALL = range(2)  # mjtJoint
NEAR = 1e-4  # rad, m: what people round keyframes to


def read_keyframes(file: Compiled, joints: Sequence[str], mimics: Mapping[int, Mimic]) -> Poses:
    """Coordinates of every joint by keyframe; velocities, controls and keyframes without a name are left out."""
    poses, model = {}, file.model
    for k in range(model.nkey):
        name = model.key(k).name
        moving = [part for part in ("qvel", "act") if np.any(getattr(model, f"key_{part}")[k])]
        if not name or moving:
            text = f"its {' and '.join(moving)}" if name else "a keyframe without a name"
            file.report.add("MJCF019", text, file.places.of("key", k), f"keyframe {name!r}" if name else "")
        if name:
            _note_contradictions(file, k, joints, mimics)
            poses[name] = {joint: _coordinates(model, j, model.key_qpos[k]) for j, joint in enumerate(joints)}
    return poses


def _note_contradictions(file: Compiled, k: int, joints: Sequence[str], mimics: Mapping[int, Mimic]) -> None:
    """A joint that follows has no coordinate of its own: where the keyframe has it elsewhere, the pose has not."""
    model = file.model
    q = {joint: _coordinates(model, j, model.key_qpos[k])[0] for j, joint in enumerate(joints)}
    for j, (leader, factor, offset) in mimics.items():
        found, follows = q[joints[j]], factor * q[leader] + offset
        if not abs(found - follows) <= NEAR * max(1.0, abs(found)):
            text = f"{joints[j]!r} is at {found:g}, and follows {leader!r} to {follows:g}"
            file.report.add("MJCF026", text, file.places.of("key", k), f"keyframe {model.key(k).name!r}")


def _coordinates(model: Any, j: int, qpos: Any) -> tuple[float, ...]:
    """Coordinates of a joint, quaternions as x y z w."""
    kind, start = int(model.jnt_type[j]), int(model.jnt_qposadr[j])
    x = qpos[start : start + {FREE: 7, BALL: 4}.get(kind, 1)].tolist()
    order = {FREE: (0, 1, 2, 4, 5, 6, 3), BALL: (1, 2, 3, 0)}.get(kind, (0,))
    return tuple(x[i] for i in order)
