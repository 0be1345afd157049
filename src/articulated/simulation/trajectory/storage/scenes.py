"""Scenes in the headers of files: their parts, where they are, their ground and the law between parts, as JSON."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ....errors import ArticulatedError
from ....logs import LogError
from ....robot import Robot
from ...contact import surfaces
from ...contact.ground import Ground
from ...objects import Ball, Box, Place, place
from ...scene import Scene

#: surfaces of the ground by their names
SURFACES: dict[str, Callable[..., surfaces.Surface]] = {
    "Plane": surfaces.Plane,
    "Steps": lambda treads: surfaces.Steps(tuple(surfaces.Tread(*each) for each in treads)),
    "HeightField": surfaces.HeightField,
}


def scene_header(scene: Scene, described: Callable[[Robot], str]) -> dict[str, Any] | None:
    """A scene as plain values; None if a robot of it cannot be `described`."""
    parts: dict[str, Any] = {}
    for name, part in scene.parts.items():
        if isinstance(part, Robot):
            parts[name] = {"robot": described(part)}
        else:
            shape: Any = part.shape
            size = {"radius": shape.radius} if isinstance(part, Ball) else {"size": shape.size}
            parts[name] = {**size, "mass": part.mass, "at": _matrix(part.at), "color": shape.color}
    if any(part.get("robot") == "" for part in parts.values()):
        return None
    moved: Any = scene._settings["at"] or {}
    settings = scene._settings | {"at": {name: _matrix(x) for name, x in moved.items()}}
    found = {"parts": parts, "settings": settings, "ground": scene.ground and _ground(scene.ground)}
    plain: dict[str, Any] = json.loads(json.dumps(found, default=lambda x: x.tolist()))
    return plain


def scene_of(found: Any, read: Callable[[str], Robot], file: Path) -> Scene:
    """The scene of a header; `read` reads its robots."""
    try:
        parts: dict[str, Any] = {}
        for name, part in found["parts"].items():
            kind = Ball if "radius" in part else Box
            parts[name] = read(part["robot"]) if "robot" in part else kind(**part)
        ground = found["ground"] and {"ground": _grounded(found["ground"])}
        return Scene({**parts, **(ground or {})}, **found["settings"])
    except (KeyError, TypeError, AttributeError, ValueError) as problem:
        if isinstance(problem, LogError):
            raise
        why = f": {problem}" if isinstance(problem, ArticulatedError) else ""
        raise LogError(f"{file}: its scene cannot be read{why}") from None


def _matrix(at: Place) -> Any:
    return np.array(place("Scene", at).matrix(), float)


def _ground(ground: Ground) -> dict[str, Any]:
    """Arguments of the ground, but its surface by its numbers."""
    names = ("friction", "restitution", "rolling", "spinning", "self_collision", "slow")
    feet = None if ground.feet is None else dict(ground.feet)
    surface = [type(ground.surface).__name__, *ground.surface]  # type: ignore[misc]
    return {**{name: getattr(ground, name) for name in names}, "feet": feet, "surface": surface}


def _grounded(found: Mapping[str, Any]) -> Ground:
    kind, *numbers = _tuples(found["surface"])
    known = Ground(**{name: x for name, x in found.items() if name != "surface"})
    ground = object.__new__(Ground)
    ground.__setstate__({**vars(known), "surface": SURFACES[kind](*numbers)})
    return ground


def _tuples(x: Any) -> Any:
    return tuple(map(_tuples, x)) if isinstance(x, list) else x
