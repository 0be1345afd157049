"""Arguments of methods: meaning, type, default and check of each, in one place for all the methods that take it."""

from collections.abc import Callable, Iterable
from inspect import Parameter
from typing import Any, NamedTuple

from ...algorithms import coriolis, forward_dynamics, kinematics, operational
from ...algorithms.regressor import TERMS
from ...errors import ShapeError, WrongKind
from ...geometry.distances import Near, near
from ...geometry.table import SHAPES, kind_of
from ...inputs.choices import choose, flag
from ...inputs.choices import names as given_names
from ...model import Model
from ...text import shortened

#: check(model, method, value): the value as the algorithm takes it, or an error
Check = Callable[[Model, str, Any], Any]


class Argument(NamedTuple):
    """An argument of a method; without a check it is an array, or `forces`."""

    text: str
    type: str = "ArrayLike"
    default: Any = Parameter.empty
    check: Check | None = None
    selects: bool = False  # the algorithm, rather than being passed to it


def _literal(words: Iterable[str]) -> str:
    return f"Literal[{', '.join(map(repr, words))}]"


def one_of(name: str, options: Iterable[str], default: str, text: str, selects: bool = False) -> Argument:
    """An argument that is one of some words."""
    known = list(options)
    return Argument(text, _literal(known), default, lambda model, method, x: choose(method, name, x, known), selects)


def _flag(name: str, text: str, selects: bool = False) -> Argument:
    return Argument(text, "bool", False, lambda model, method, x: flag(f"{method}: {name}", x), selects)


def _frame(model: Model, method: str, name: Any) -> str:
    return model.frame(name).name


def _frames(model: Model, method: str, frames: Any) -> tuple[str, ...]:
    frames = [frames] if isinstance(frames, str) else frames
    names = [b.name for b in model.bodies] if frames is None else given_names(f"{method}: frames", frames)
    return tuple(_frame(model, method, name) for name in names)


def _directions(model: Model, method: str, directions: Any) -> tuple[str, ...]:
    # letters are names, too: "xyz"
    named = directions if isinstance(directions, str) else given_names(f"{method}: directions", directions)
    rows = tuple(choose(method, "directions", x, operational.DIRECTIONS) for x in named)
    if not rows or len(set(rows)) < len(rows):
        raise ShapeError(f"{method}: directions are different ones, at least one; got {named!r}")
    return rows


def _obstacles(model: Model, method: str, obstacles: Any) -> tuple[Near, ...]:
    """The pairs that the robot makes with itself and with obstacles."""
    given = tuple(obstacles) if isinstance(obstacles, (list, tuple)) else (obstacles,)
    for shape in (part for x in given for part in (x if isinstance(x, (list, tuple)) and x else (x,))):
        if kind_of(shape) is None:
            known = ", ".join(kind.__name__ for kind in SHAPES)
            raise WrongKind(
                f"{method}: obstacles are shapes ({known}) placed in the world, or lists of these; "
                f"got {shortened(repr(shape))}"
            )
    return near(model, given)


def joint_terms(method: str, friction: Any) -> tuple[str, ...]:
    """Terms in the order of the table: those named; True is the usual ones, None and False are none."""
    if isinstance(friction, (bool, type(None))):
        return tuple(TERMS)[:3] if friction else ()
    named = [friction] if isinstance(friction, str) else given_names(f"{method}: friction", friction)
    return tuple(sorted({choose(method, "friction", x, TERMS) for x in named}, key=list(TERMS).index))


_MOVING = "of the platform, the frame in which the root is placed, (…, 6), [linear; angular] in its axes at its origin"
_SEEN_FROM = '"world" (at the frame, world axes), "frame" (its own axes) or "spatial" (at the world\'s origin)'

ARGUMENTS: dict[str, Argument] = {
    "q": Argument("configuration, (…, nq): rad, m, quaternions x y z w"),
    "q0": Argument("configuration, (…, nq)"),
    "q1": Argument("another configuration, (…, nq)"),
    "v": Argument("velocity, (…, nv): rad/s, m/s; of a free base [linear; angular] in its own axes"),
    "a": Argument("acceleration, the rate of v, (…, nv): rad/s², m/s²"),
    "contributions.a": Argument("acceleration, (…, nv): rad/s², m/s²; zero if not given", "ArrayLike | None", None),
    "dv": Argument("velocity times time, (…, nv): rad, m"),
    "tau": Argument("generalized forces, (…, nv): N m, N"),
    "base_velocity": Argument(f"velocity {_MOVING}", "ArrayLike | None", None),
    "base_acceleration": Argument(f"acceleration {_MOVING}", "ArrayLike | None", None),
    "forces": Argument(
        "external forces by frame, (…, 6), [force; moment] on the robot at its origin: N, N m; or art.Wrenches",
        "Mapping[str, ArrayLike] | None",
        None,
    ),
    "frame": Argument("name of a link or frame", "str", check=_frame),
    "frames": Argument("names of frames; the bodies if none are given", "Sequence[str] | None", None, _frames),
    "axes": one_of("axes", kinematics.AXES, "world", f"of the result: {_SEEN_FROM}"),
    "composite_inertias.axes": one_of(
        "axes", ["spatial", "frame"], "spatial", '"spatial" (at the world\'s origin) or "frame" (of each body)'
    ),
    "force_axes": one_of("force_axes", kinematics.AXES, "frame", f"the forces are written in: {_SEEN_FROM}"),
    "at": one_of("at", ["origin", "center_of_mass"], "origin", '"origin" or "center_of_mass" of each body'),
    "method": one_of(
        "method",
        forward_dynamics.METHODS,
        "fastest",
        '"fastest", or the recursions as they are written, "articulated_body" and "composite_body"',
        selects=True,
    ),
    "factorization": one_of(
        "factorization",
        [*coriolis.SKEW, "nonskew"],
        "christoffel",
        '"christoffel", "body_jacobian" or "nonskew"',
    ),
    "directions": Argument(
        "components of the velocity that count: x y z rx ry rz",
        f"Sequence[{_literal(operational.DIRECTIONS)}]",
        operational.DIRECTIONS,
        _directions,
    ),
    "obstacles": Argument(
        "shapes placed in the world, or lists of shapes, of which the nearest counts",
        "Sequence[Obstacle]",
        (),
        _obstacles,
    ),
    "friction": Argument(
        "terms of the joints: viscous, coulomb, offset, armature, spring, stribeck; True: the first three",
        "bool | str | Sequence[str]",
        (),
        lambda model, method, x: joint_terms(method, x),
    ),
    "wrenches": Argument(
        "frames of forces that are columns, [force; moment] in their axes: N, N m", "Sequence[str]", (), _frames
    ),
    "sensors": Argument("links on fixed joints whose force sensors are rows", "Sequence[str]", (), _frames),
    "spatial": _flag("spatial", "True: the spatial acceleration, not that of the point at the origin"),
    "by_body": _flag("by_body", "True: one value per body", selects=True),
}

#: options of every method
OPTIONS = {
    "out": "array, or tuple of arrays, to fill",
    "dtype": "float64 or float32",
    "threads": "threads for a batch",
}
#: and of those that depend on inertial parameters
OWN_INERTIAS = "inertial parameters (…, 10 nb) instead of the robot's own"
