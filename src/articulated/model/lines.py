"""Springs and linear actuators: forces along the line between two frames."""

from __future__ import annotations  # help shows types as they are written here

from collections.abc import Mapping
from typing import Any, NamedTuple

from ..algebra.scalars import Scalar, array
from ..algebra.spatial import IDENTITY, Transform
from ..errors import ModelError, unknown
from ..inputs import numbers
from ..text import shortened

#: the name of a frame, or a point of the world, (x, y, z): m
End = str | tuple[Scalar, ...]


class Spring(NamedTuple):
    """A spring with a damper between two frames: it pulls them together by k (l - length) + damping × dl/dt.

    Parameters
    ----------
    a : name of a frame, or a point of the world, (3,): m
    b : the same of the other end
    stiffness : k: N/m
    length : distance of the ends without force: m
    damping : N s/m

    Examples
    --------
    >>> arm = art.load("2r").add_springs([art.Spring("tip", (0.0, 1.0, 0.0), stiffness=100.0, length=0.5)])
    >>> arm.spring_forces([0, 0], [0, 0]).round(3).tolist()
    [-56.552, -25.134]
    """

    a: End
    b: End
    stiffness: Scalar = 0
    length: Scalar = 0
    damping: Scalar = 0


class LinearActuator(NamedTuple):
    """A cylinder, hydraulic or electric, between two frames: a force u > 0 pushes them apart.

    Parameters
    ----------
    a : name of a frame, or a point of the world, (3,): m
    b : the same of the other end
    name : of the actuator

    Examples
    --------
    >>> arm = art.load("2r").add_actuators([art.LinearActuator((0.0, -0.3, 0.0), "link1", "lift")])
    >>> arm.actuation_map(passive=arm.joint_names, q=[0.3, 0.2]).shape
    (2, 1)
    """

    a: End
    b: End
    name: str = ""


Line = Spring | LinearActuator
#: fields of a model that hold some
LINES = ("springs", "actuators")


def checked(name: str, frames: Mapping[str, Any], given: Any, kind: Any) -> tuple[Any, ...]:
    """Lines of a robot: their ends are frames or points, their numbers not negative."""
    told = f"{name}: {'springs' if kind is Spring else 'actuators'} are a list of art.{kind.__name__}"
    if isinstance(given, kind) or not isinstance(given, (list, tuple)):
        raise ModelError(f"{told}; got {shortened(repr(given))}")
    found = []
    for line in given:
        if not isinstance(line, kind):
            raise ModelError(f"{told}; one of them is {shortened(repr(line))}")
        ends = [_end(name, frames, end, kind) for end in line[:2]]
        if not any(isinstance(end, str) for end in ends):
            raise ModelError(f"{told}; both ends of {shortened(repr(line))} are points of the world: name a frame")
        values = line._asdict().items() if isinstance(line, Spring) else ()
        own = {k: _number(numbers.not_negative(f"the {k} of a Spring", x)) for k, x in values if k not in ("a", "b")}
        found.append(line._replace(a=ends[0], b=ends[1], **own))
    return tuple(found)


def _number(x: Scalar) -> Scalar:
    """A number of SymPy's as a float; a symbol as it is."""
    try:
        return x if isinstance(x, (int, float)) else float(x)
    except TypeError:
        return x


def _end(name: str, frames: Mapping[str, Any], end: Any, kind: type) -> End:
    if isinstance(end, str):
        if end not in frames:
            raise unknown("frame", end, name, frames)
        return end
    return tuple(map(_number, numbers.numbers(f"an end of a {kind.__name__}", end, 3, error=ModelError).tolist()))


def listed(what: str, known: tuple[Any, ...], more: Any) -> tuple[Any, ...]:
    """The lines of a robot and more of them."""
    if not isinstance(more, (list, tuple)) or hasattr(more, "_fields"):
        raise ModelError(f"add_{what} takes a list; got {shortened(repr(more))}")
    return (*known, *more)


def renamed(line: Any, prefix: str, at: Transform = IDENTITY) -> Any:
    """The line between the same frames under names with a prefix, in a world that has been moved to `at`."""
    a, b = (prefix + end if isinstance(end, str) else tuple(at.R @ array(end) + at.p) for end in line[:2])
    return line._replace(a=a, b=b)
