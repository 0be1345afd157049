"""The ground a robot meets: its shape, its friction, how things bounce off it, and what of a robot touches it."""

from __future__ import annotations  # help shows types as they are written here

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...algebra.rotations import aligning_z
from ...algebra.scalars import exact_array
from ...errors import ShapeError
from ...inputs.choices import floats, number
from ...inputs.frozen import Frozen
from ...inputs.labels import XYZ
from ...text import shortened
from .surfaces import HeightField, Plane, Steps, treads

Feet = Iterable[str] | Mapping[str, ArrayLike] | None
Pairs = bool | Iterable[tuple[str, str]]


#: of a height field: every contact sums them all
MOST_NODES = 1024


class Ground(Frozen):
    """Flat ground at z = `height`, or tilted, or with steps, and what touches it.

        friction: Coulomb's coefficient, a number, or {name: number} by what touches; an array (…) has one for each
            run of a batch
        restitution: the fraction of the normal speed left after a bounce, a number, or {name: number} by what touches
        height: of the plane, m
        slope: angle by which the ground rises along x, rad
        normal: instead of slope: a direction away from the ground, (3,) world axes, z above 0
        steps: (x, z), m: from each x on the ground is at height z
        heights: (nx, ny) m, a height field of at most 1024 numbers
        extent: of the height field: x from, x to, y from, y to, m
        feet: frames whose origins touch, {frame: radius} for balls, {frame: (k, 3)} for points in its axes; None: the
            collision shapes of the robot: balls, the ends of capsules, the corners of boxes; of more than 32 points
            those of the outermost bodies (unless these have more, too), and a run ends with an error where another one
            would touch
        self_collision: balls and capsules of the robot touch each other: True, or pairs of links
        slow: slower contacts do not bounce, m/s

    Source: Signorini's conditions and Coulomb's law, docs/simulation_contacts.md.

    >>> import articulated as art
    >>> dog = art.load("quadruped", floating_base=True)
    >>> run = art.simulate(dog, dog.poses["home"], duration=0.02, contacts=art.Ground(friction=0.8))
    >>> bool((run.contact.normal[-1] > 0).all())
    True
    """

    friction: float | np.ndarray | Mapping[str, float | np.ndarray]
    restitution: float | Mapping[str, float]
    surface: Plane | Steps | HeightField
    feet: tuple[tuple[str, float | tuple], ...] | None
    self_collision: bool | tuple[tuple[str, str], ...]
    slow: float

    def __init__(
        self,
        friction: ArrayLike | Mapping[str, ArrayLike] = 0.7,
        restitution: float | Mapping[str, float] = 0.0,
        *,
        height: float = 0.0,
        slope: float | None = None,
        normal: ArrayLike | None = None,
        steps: Iterable[tuple[float, float]] | None = None,
        heights: ArrayLike | None = None,
        extent: ArrayLike | None = None,
        feet: Feet = None,
        self_collision: Pairs = False,
        slow: float = 0.05,
    ):
        self.__setstate__(
            {
                "friction": _by_name("friction", friction, _friction),
                "restitution": _by_name("restitution", restitution, _restitution),
                "surface": _surface(height, slope, normal, steps, heights, extent),
                "feet": _feet(feet),
                "self_collision": _pairs(self_collision),
                "slow": number("Ground: slow", slow, "the speed below which nothing bounces, from 0"),
            }
        )

    def __repr__(self) -> str:
        shape = {Plane: "plane", Steps: "steps", HeightField: "height field"}[type(self.surface)]
        each = f"of {np.shape(self.friction)}" if isinstance(self.friction, np.ndarray) else self.friction
        return f"<Ground: {shape}, friction {each}, restitution {self.restitution}>"


def _by_name(name: str, given: Any, checked: Callable[[str, Any], Any]) -> Any:
    if isinstance(given, Mapping):
        return {str(key): checked(f"Ground: {name} of {key!r}", x) for key, x in given.items()}
    return checked(f"Ground: {name}", given)


def _friction(what: str, given: Any) -> float | np.ndarray:
    """A number, or one for each run of a batch."""
    meaning = "Coulomb's coefficient of friction, a number from 0"
    if not isinstance(given, (np.ndarray, list, tuple)) or getattr(given, "ndim", 1) == 0:
        return number(what, given, meaning)
    each = np.array(floats(what, given))
    if not each.size or not (np.isfinite(each) & (each >= 0)).all():
        raise ShapeError(f"{what} is {meaning}, or an array of them; got {shortened(repr(given))}")
    return each


def _restitution(what: str, given: Any) -> float:
    return number(what, given, "the speed left after a bounce, from 0 to 1", most=1.0)


def _surface(
    height: Any, slope: Any, normal: Any, steps: Any, heights: Any, extent: Any
) -> Plane | Steps | HeightField:
    height = number("Ground: height", height, "the height of the ground, in metres", -math.inf)
    shapes = {"slope": slope, "normal": normal, "steps": steps, "heights": heights}
    if len(given := [name for name, value in shapes.items() if value is not None]) > 1:
        raise ShapeError(f"Ground: {' and '.join(given)} are given; the ground has one shape")
    if (heights is None) != (extent is None):
        raise ShapeError("Ground: heights (nx, ny) and extent (x from, x to, y from, y to) come together")
    if heights is not None:
        return _height_field(height, heights, extent)
    if steps is not None:
        return Steps(treads(height, _risers(steps)))
    off = np.array([0.0, 0.0, 1.0])
    if slope is not None:
        angle = number("Ground: slope", slope, "an angle in radians, less than a quarter turn", -1.55, 1.55)
        off = np.array([-math.sin(angle), 0.0, math.cos(angle)])
    if normal is not None:
        off = floats("Ground: normal", normal, XYZ)
        if off.shape != (3,) or not np.isfinite(off).all() or not off[2] > 0:
            raise ShapeError(f"Ground: normal is a direction off the ground, (x, y, z) with z > 0; got {normal!r}")
        off = off / np.abs(off).max()
        off = off / np.linalg.norm(off)
    axes = exact_array(aligning_z(exact_array(off)).T, 1e-15)
    return Plane(tuple(map(tuple, axes.tolist())), float(height * off[2]))


def _height_field(height: float, heights: Any, extent: Any) -> HeightField:
    nodes, sides = floats("Ground: heights", heights, rows=()), floats("Ground: extent", extent)
    if nodes.ndim != 2 or min(nodes.shape) < 2 or not np.isfinite(nodes).all():
        raise ShapeError(f"Ground: heights (nx, ny) are finite numbers, two or more each way; got shape {nodes.shape}")
    if nodes.size > MOST_NODES:
        raise ShapeError(
            f"Ground: heights {nodes.shape} are {nodes.size} numbers; at most {MOST_NODES}: take a part of them, or "
            "every other one"
        )
    if sides.shape != (4,) or not np.isfinite(sides).all() or sides[0] >= sides[1] or sides[2] >= sides[3]:
        raise ShapeError(f"Ground: extent is (x from, x to, y from, y to); got {shortened(repr(extent))}")
    x0, x1, y0, y1 = sides.tolist()
    return HeightField((x0, x1, y0, y1), tuple(map(tuple, (nodes + height).tolist())))


def _risers(steps: Any) -> tuple[tuple[float, float], ...]:
    found = floats("Ground: steps", _members(steps), ("x", "z"))
    if found.ndim != 2 or found.shape[1] != 2 or not np.isfinite(found).all() or not (np.diff(found[:, 0]) > 0).all():
        raise ShapeError(f"Ground: steps is a list of (x, z), each x beyond the last; got {shortened(repr(steps))}")
    return tuple(map(tuple, found.tolist()))


def _feet(given: Any) -> tuple[tuple[str, Any], ...] | None:
    """Frames with a radius, or with a tuple of points."""
    if given is None:
        return None
    if not isinstance(members := _members(given), list):
        raise ShapeError(
            f"Ground: feet is a list of frames, or {{frame: radius or points}}; got {shortened(repr(given))}"
        )
    pairs = list(given.items()) if isinstance(given, Mapping) else [(name, 0.0) for name in members]
    found = []
    for name, what in pairs:
        if not isinstance(name, str):
            raise ShapeError(f"Ground: feet are named by frames; one of them is {shortened(repr(name))}")
        found.append((name, _foot(name, what)))
    return tuple(found)


def _foot(name: str, what: Any) -> Any:
    sizes = floats(f"Ground: the foot {name!r}", what)
    if sizes.ndim == 0:
        return number(f"Ground: the radius of {name!r}", float(sizes), "a length in metres, from 0")
    if sizes.ndim != 2 or sizes.shape[1] != 3 or not len(sizes) or not np.isfinite(sizes).all():
        raise ShapeError(f"Ground: the foot {name!r} is a radius, or points (k, 3); got shape {sizes.shape}")
    return tuple(map(tuple, sizes.tolist()))


def _pairs(given: Any) -> Any:
    if isinstance(given, (bool, np.bool_)):
        return bool(given)
    found = _members(given)
    for pair in found if isinstance(found, list) else [given]:
        if not isinstance(pair, (tuple, list)) or len(pair) != 2 or not all(isinstance(x, str) for x in pair):
            raise ShapeError(f"Ground: self_collision is True, False, or a list of pairs of links; got {pair!r}")
        if pair[0] == pair[1]:
            raise ShapeError(f"Ground: self_collision: {pair[0]!r} cannot collide with itself")
    return tuple(map(tuple, found))


def _members(given: Any) -> Any:
    """A list of what there is in something, or the thing itself if it is a text or has no members."""
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable) or getattr(given, "ndim", 1) == 0:
        return given
    return list(given)
