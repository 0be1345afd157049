"""The numbers of a state as people read them: one panel for each joint, with its unit and its limits."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ....robot.arguments.state_names import component_units
from ..quantities import bounds
from .style import name_of

if TYPE_CHECKING:
    from ..trajectory import Trajectory

WORDS = {"q": ("position", "orientation"), "v": ("velocity", "angular velocity"), "a": ("acceleration", "angular"),
         "tau": ("force", "torque")}  # fmt: skip


class Series(NamedTuple):
    """Lines of one panel (…, T) by their names, their unit, and the limits they share."""

    label: str
    unit: str
    lines: dict[str, np.ndarray]
    lower: float = -np.inf
    upper: float = np.inf


def series(run: "Trajectory", name: str, joints: list[str] | None = None) -> list[Series]:
    """q, v, a or tau by joint; orientations as roll, pitch and yaw."""
    model = run.robot.model
    x, unit, limits = getattr(run, name), component_units(model, name), bounds(model, name)
    found = []
    for b in model.bodies:
        if b.leader is not b or (joints is not None and b.joint.name not in joints):
            continue
        places = range(x.shape[-1])[b.coords if name == "q" else b.dofs]
        quaternion = b.joint.quaternion if name == "q" else None
        turned = [places[k] for k in range(len(places))[quaternion]] if quaternion is not None else []
        plain = [k for k in places if k not in turned]
        title = name_of(b.joint.name)
        if len(places) == 1:
            k = places[0]
            found.append(Series(title, unit[k], {"": x[..., k]}, limits.lower[k], limits.upper[k]))
            continue
        for along in dict.fromkeys(unit[k] for k in plain):
            same = [k for k in plain if unit[k] == along]
            word = WORDS[name][along.startswith(("rad", "N m"))]
            lines = dict(zip(_parts(len(same)), (x[..., k] for k in same), strict=True))
            found.append(Series(f"{title} {word}", along, lines))
        if turned:
            angles = roll_pitch_yaw(x[..., turned])
            lines = {part: angles[..., k] for k, part in enumerate(("roll", "pitch", "yaw"))}
            found.append(Series(f"{title} orientation", "rad", lines))
    return found


def shown(run: "Trajectory", name: str, joints: list[str] | None) -> list[Series]:
    """The panels of q, v or tau; without those of a free base that nothing drives, unless they are asked for."""
    found = series(run, name, joints)
    driven = [each for each in found if any(x.any() for x in each.lines.values()) or not _is_free(run, each)]
    return driven if driven and name == "tau" and joints is None else found


def _is_free(run: "Trajectory", each: Series) -> bool:
    bases = [b.joint.name for b in run.robot.model.bodies if b.joint.floats]
    return any(each.label.startswith(name_of(name)) for name in bases)


def _parts(count: int) -> list[str]:
    return ["x", "y", "z"][:count] if count <= 3 else [str(k) for k in range(count)]


def roll_pitch_yaw(q: np.ndarray) -> np.ndarray:
    """Angles about the fixed axes x, y, z of quaternions (…, T, 4); full turns are counted, not jumped over."""
    x, y, z, w = np.moveaxis(q, -1, 0)
    roll = np.arctan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y))
    pitch = np.arcsin(np.clip(2 * (w * y - z * x), -1, 1))
    yaw = np.arctan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))
    return np.stack([np.unwrap(roll, axis=-1), pitch, np.unwrap(yaw, axis=-1)], axis=-1)
