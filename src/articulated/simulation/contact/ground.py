"""Ground: surface, friction, restitution, and the parts of a robot that touch it."""

from __future__ import annotations  # help shows types as they are written here

import math
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ...errors import ShapeError
from ...inputs.choices import floats, number
from ...inputs.frozen import Frozen
from ...text import shortened
from .surfaces import SURFACES, Surface, level

Feet = Iterable[str] | Mapping[str, ArrayLike] | None
Pairs = bool | Iterable[tuple[str, str]]


class Parts(NamedTuple):
    """Parts of a scene, which meet each other: the part of each link, and the law of contacts between parts."""

    of: Mapping[str, str] = {}
    friction: float = 0.0
    restitution: float = 0.0
    rolling: float = 0.0
    spinning: float = 0.0

    def apart(self, first: str, second: str) -> bool:
        """Whether two links are of different parts."""
        return self.of.get(first) != self.of.get(second)


class Ground(Frozen):
    """Flat ground at z = `height`, or tilted, or with steps, and what touches it.

    Parameters
    ----------
    friction : Coulomb's coefficient, a number, or {name: number} by what touches; an array (…) has one for each
        run of a batch
    restitution : the fraction of the normal speed left after a bounce, a number, or {name: number} by what
        touches
    rolling : moment against rolling per normal force, m: a number, or {name: number} by what touches
    spinning : moment against spinning about the normal per normal force, m, the same
    height : of the plane, m
    slope : angle by which the ground rises along x, rad
    normal : instead of slope: a direction away from the ground, (3,) world axes, z above 0
    steps : (x, z), m: from each x on the ground is at height z
    heights : (nx, ny) m, a height field of at most 1024 numbers
    extent : of the height field: x from, x to, y from, y to, m
    feet : frames whose origins touch, {frame: radius} for balls, {frame: (k, 3)} for points in its axes; None:
        the collision shapes of the robot: balls, capsules, cylinders, boxes, ellipsoids, hulls
    self_collision : shapes of the robot touch each other, but for neighbors: True, or pairs of links
    slow : slower contacts do not bounce, m/s

    Notes
    -----
    Source: Signorini's conditions and Coulomb's law, docs/simulation_contacts.md.

    Examples
    --------
    >>> import articulated as art
    >>> dog = art.load("quadruped", floating_base=True)
    >>> run = art.simulate(dog, dog.poses["home"], duration=0.02, contacts=art.Ground(friction=0.8))
    >>> [name for name, force in zip(run.contact.names, run.contact.normal[-1]) if force > 0]
    ['FL_FOOT', 'FR_FOOT', 'HL_FOOT', 'HR_FOOT']
    """

    friction: float | np.ndarray | Mapping[str, float | np.ndarray]
    restitution: float | Mapping[str, float]
    rolling: float | Mapping[str, float]
    spinning: float | Mapping[str, float]
    surface: Surface
    feet: tuple[tuple[str, float | tuple], ...] | None
    self_collision: bool | tuple[tuple[str, str], ...]
    slow: float
    parts: Parts = Parts()

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
        rolling: float | Mapping[str, float] = 0.0,
        spinning: float | Mapping[str, float] = 0.0,
    ):
        shapes = {"slope": slope, "normal": normal, "steps": steps, "heights": heights}
        self.__setstate__(
            {
                "friction": _by_name("friction", friction, _friction),
                "restitution": _by_name("restitution", restitution, _restitution),
                "rolling": _by_name("rolling", rolling, _length),
                "spinning": _by_name("spinning", spinning, _length),
                "surface": _surface(height, shapes, extent),
                "feet": _feet(feet),
                "self_collision": _pairs(self_collision),
                "slow": number("Ground: slow", slow, "the speed below which nothing bounces, from 0"),
            }
        )

    def __eq__(self, other: object) -> bool:
        return type(other) is Ground and self._value == other._value

    def __hash__(self) -> int:
        return hash(self._value)

    @cached_property
    def _value(self) -> tuple[Any, ...]:
        """What equal grounds have in common: also plans and compiled loops."""
        return tuple(_plain(getattr(self, name)) for name in Ground.__annotations__)

    def __repr__(self) -> str:
        each = f"of {np.shape(self.friction)}" if isinstance(self.friction, np.ndarray) else self.friction
        shape = re.sub("(?<=[a-z])(?=[A-Z])", " ", type(self.surface).__name__).lower()
        return f"<Ground: {shape}, friction {each}, restitution {self.restitution}>"


def _plain(x: Any) -> Any:
    """A value that has a hash."""
    if isinstance(x, np.ndarray):
        return x.shape, x.tobytes()
    if isinstance(x, Mapping):
        return tuple([(name, _plain(value)) for name, value in x.items()])
    return Parts(_plain(x.of), *x[1:]) if isinstance(x, Parts) else x


def with_parts(ground: Ground, parts: Parts) -> Ground:
    """The same ground, and contacts between the parts of a scene."""
    found = object.__new__(Ground)
    found.__setstate__({**{name: getattr(ground, name) for name in Ground.__annotations__}, "parts": parts})
    return found


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


def _length(what: str, given: Any) -> float:
    return number(what, given, "a moment per normal force, m, from 0")


def _surface(height: Any, shapes: dict[str, Any], extent: Any) -> Surface:
    """The surface of the one keyword that is given, or level ground."""
    height = number("Ground: height", height, "the height of the ground, in meters", -math.inf)
    given = [name for name, value in shapes.items() if value is not None]
    if len(given) > 1:
        raise ShapeError(f"Ground: {' and '.join(given)} are given; the ground has one shape")
    if extent is not None and given != ["heights"]:
        raise ShapeError("Ground: heights (nx, ny) and extent (x from, x to, y from, y to) come together")
    more = {} if extent is None else {"extent": extent}
    return SURFACES[given[0]](height, shapes[given[0]], **more) if given else level(height)


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
        return number(f"Ground: the radius of {name!r}", float(sizes), "a length in meters, from 0")
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
