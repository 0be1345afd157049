"""Directions as an MJCF file writes them: MuJoCo scales them to length 1; of what it cannot scale it makes another."""

from ..numbers import LARGEST

#: those of a keyframe are positions, quaternions among them
DIRECTIONS = ("quat", "axisangle", "xyaxes", "zaxis", "euler", "axis", "refquat", "qpos")


def lost_direction(attributes: dict[str, str]) -> str:
    """The attribute whose direction MuJoCo would lose, with its value; nothing if there is none."""
    lost = (name for name in DIRECTIONS if name in attributes and not all(map(_usable, attributes[name].split())))
    return next((f"{name} {attributes[name]}" for name in lost), "")


def _usable(word: str) -> bool:
    try:
        return abs(float(word)) < LARGEST  # NaN is not
    except ValueError:
        return True  # MuJoCo refuses it
