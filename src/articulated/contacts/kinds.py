"""The kinds of contact, each stated once as the motions it forbids; and feet, as far as the names of frames tell."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..algebra.rotations import aligning_z
from ..errors import ModelError, ShapeError, warn
from ..inputs.choices import floats, names
from ..inputs.labels import COMPONENTS
from ..model import Body, Model
from ..robot.arguments.arrays import choose
from ..text import shortened

#: what feet are called, the better names first
FEET = ("foot", "feet", "sole", "toe", "ankle")


def likely_feet(model: Model) -> list[str]:
    """The outermost of the frames that are named like feet."""
    last: dict[Body | None, str] = {}
    for word in reversed(FEET):  # the better name of a body last
        last |= {model.frame(name).body: name for name in model.frames if word in name.lower()}
    carriers = {b.parent for b in last if b is not None}
    return [name for body, name in last.items() if body is not None and body not in carriers]


def remark_on_fixed_base(model: Model, contacts: Collection[str]) -> None:
    """A warning where feet are in contact and the base is bolted to the world, which then carries the weight."""
    held = not any(b.joint.floats or b.joint.in_plane for b in model.bodies)
    if held and len(set(contacts) & set(likely_feet(model))) > 1:
        text = f"the base of {shortened(model.name)} is fixed, and carries what its feet should"
        warn(f"{text}; art.load(…, floating_base=True) or robot.floating() frees it")


Axis = tuple[float, float, float]
XYZ: tuple[Axis, ...] = ((1, 0, 0), (0, 1, 0), (0, 0, 1))


@dataclass(frozen=True)
class Contact:
    """`frame` may not move against `other` (None: the ground) along `linear`, nor turn about `angular`.

    Directions along are in world axes; those about are in the axes of `frame` if `turning`, else in the world's.
    A force in a row acts on `frame`, and its opposite on `other`.
    """

    kind: str
    frame: str
    other: str | None = None
    linear: tuple[Axis, ...] = XYZ
    angular: tuple[Axis, ...] = ()
    turning: bool = False

    @property
    def size(self) -> int:
        """Number of rows."""
        return len(self.linear) + len(self.angular)

    @property
    def name(self) -> str:
        """The frame, or both frames of a loop."""
        return self.frame if self.other is None else f"{self.frame}~{self.other}"

    @property
    def rows(self) -> list[str]:
        """A name for each row."""
        along = [f"{self.name} {_spelled(d)}" for d in self.linear]
        return along + [f"{self.name} about {_spelled(d)}" for d in self.angular]


def point(frame: str) -> Contact:
    """The origin of the frame stays where it is: 3 rows."""
    return Contact("point", frame)


def surface(frame: str) -> Contact:
    """The frame stays where it is: 6 rows."""
    return Contact("surface", frame, angular=XYZ)


def line(frame: str, axis: Any) -> Contact:
    """The frame may only turn about an axis of its own, the edge it stands on: 5 rows."""
    return Contact("line", frame, angular=_across(frame, axis), turning=True)


def direction(frame: str, along: Any) -> Contact:
    """The origin of the frame does not move along a direction of the world, as on ice: 1 row."""
    return Contact("direction", frame, linear=(_unit(frame, along),))


def loop(frame: str, other: str, kind: str = "point", axis: Any = None) -> Contact:
    """Two frames of the robot held together: at a "point" (3 rows), by a "hinge" (5), or a "weld" (6)."""
    choose("a loop", "kind", kind, ("point", "hinge", "weld"))
    if (axis is None) == (kind == "hinge"):
        raise ModelError(f"the loop {frame}~{other}: a hinge, and only a hinge, needs the axis it turns about")
    if frame == other:
        raise ModelError(f"a loop needs two frames; got {frame!r} twice")
    if kind == "hinge":
        return Contact("hinge", frame, other, angular=_across(frame, axis), turning=True)
    return Contact("weld", frame, other, angular=XYZ) if kind == "weld" else Contact("loop at a point", frame, other)


def passive_names(given: Any) -> tuple[str, ...]:
    """Names of joints, checked to be a list."""
    return tuple(names("passive=", given))


def listed(
    model: Model,
    points: Iterable[str],
    surfaces: Iterable[str],
    lines: Mapping[str, Any],
    directions: Mapping[str, Any],
    loops: Iterable[Sequence[Any]],
) -> tuple[Contact, ...]:
    """All contacts of a set, their frames looked up and none named twice in the same way."""
    found = [
        *map(point, names("point=", points)),
        *map(surface, names("surface=", surfaces)),
        *(line(frame, axis) for frame, axis in _by_frame("line", lines)),
        *(direction(frame, along) for frame, along in _by_frame("direction", directions)),
        *(loop(*given) for given in _loops(loops)),
    ]
    for contact in found:
        bodies = [model.frame(frame).body for frame in (contact.frame, contact.other) if frame is not None]
        if not any(bodies):
            raise ModelError(
                f"{contact.name} does not move: the base of {model.name} is fixed; a robot that stands on its feet is "
                "robot.floating(), or art.load(…, floating_base=True)"
            )
    named = [contact.name for contact in found]
    if twice := sorted({name for name in named if named.count(name) > 1}):
        raise ModelError(f"{', '.join(twice)}: named by more than one contact")
    return tuple(found)


def remade(kind: Any, robot: Any, contacts: tuple[Contact, ...], passive: tuple[str, ...]) -> Any:
    """A set of contacts that have been checked before."""
    made = kind.__new__(kind)
    made._set_up(robot, contacts, passive)
    return made


def _by_frame(kind: str, given: Any) -> list[tuple[str, Any]]:
    if not isinstance(given, Mapping):
        raise ShapeError(f'{kind}= takes a direction for each frame: {kind}={{"frame": (0, 0, 1)}}; got {given!r}')
    return list(given.items())


def _loops(given: Any) -> list[Sequence[Any]]:
    found = list(given) if isinstance(given, (list, tuple)) else [given]
    for one in found:
        words = isinstance(one, (tuple, list)) and 2 <= len(one) <= 4 and all(isinstance(x, str) for x in one[:2])
        if not words:
            raise ShapeError(
                f'loops= takes a list such as [("frame", "other"), ("a", "b", "hinge", axis)]; got {one!r}'
            )
    return found


def _unit(frame: str, axis: Any) -> Axis:
    x = floats(f"the direction at {frame}", axis, COMPONENTS)
    if x.shape != (3,) or not np.isfinite(x).all() or not x.any():
        raise ShapeError(f"the direction at {frame} must be three numbers, not all zero; got {axis!r}")
    x = x / abs(x).max()  # so that no square overflows or vanishes
    a, b, c = (x / np.linalg.norm(x)).tolist()
    return a, b, c


def _across(frame: str, axis: Any) -> tuple[Axis, ...]:
    """Two unit vectors at right angles to the axis and to each other."""
    R = np.array(aligning_z(_unit(frame, axis)), float)
    return tuple(tuple(column) for column in R.T[:2].tolist())


def _spelled(d: Axis) -> str:
    if sorted(map(abs, d)) == [0, 0, 1]:
        return ("-" if min(d) < 0 else "") + "xyz"[[abs(x) for x in d].index(1)]
    return "(" + ", ".join(f"{x:.3g}" for x in d) + ")"
