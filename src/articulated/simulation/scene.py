"""`art.Scene`: several robots and free objects as one model, which touch each other and the ground."""

from __future__ import annotations  # help shows types as they are written here

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..algebra.rotations import to_quaternion
from ..algebra.scalars import Vector
from ..algebra.spatial import IDENTITY, Transform
from ..errors import ModelError, unknown
from ..inputs.choices import number
from ..model import STANDARD_GRAVITY, Link, Model, build
from ..model.changes import renamed, renamed_finding
from ..model.lines import LINES
from ..model.lines import renamed as renamed_line
from ..robot import Robot
from ..robot.arguments.states import JointIndex
from ..text import counted, shortened
from .contact.ground import Ground, Parts, with_parts
from .objects import Place, Solid, link_of, place

#: link that fixed robots stand on
WORLD = "world"


class Scene(Robot):
    """Robots and free objects that touch each other and the ground: one model, one state.

    A scene is a robot: energies, momenta, `art.simulate` and `art.view` take it as they take one.  Its parts are named:
    `scene.index("ball")` is where one is in q and v.  What belongs to a robot is named after it, "panda/hand"; an
    object is a link and a floating joint of its own name.

    Parameters
    ----------
    parts : robots, `art.Box(…)`, `art.Ball(…)` and at most one `art.Ground(…)`: a list, named after what they are
        ("ball", or "ball1", "ball2" … if there are several), or a dict by name
    at : pose of robots, and of objects instead of their own, at the start, by name: (x, y, z), a Transform or a 4×4
        matrix; a robot that does not float stays there
    friction : Coulomb's coefficient between parts; the ground has its own
    restitution : fraction of the normal speed left after a bounce between parts
    gravity : acceleration of free fall in the world, (3,): m/s²
    name : of the scene

    Notes
    -----
    `scene.poses["start"]` is where everything is at the start; robots are in their pose "home", or neutral.

    Examples
    --------
    >>> import articulated as art
    >>> arm, ball = art.load("panda"), art.Ball(radius=0.05, mass=0.2, at=(0.5, 0, 0.05))
    >>> scene = art.Scene({"left": arm, "right": arm, "ball": ball, "ground": art.Ground()}, at={"right": (0, 1, 0)})
    >>> scene.nq, scene.index("ball").q
    (21, slice(14, 21, None))
    >>> scene.pose(scene.poses["start"], "right/panda_link0")[:3, 3].tolist()
    [0.0, 1.0, 0.0]
    """

    beside_model = ("a file holds the robots and objects of a scene, not its ground and the contacts between them",)

    def __init__(
        self,
        parts: Iterable[Any] | Mapping[str, Any],
        *,
        at: Mapping[str, Place] | None = None,
        friction: float = 0.7,
        restitution: float = 0.0,
        gravity: Vector = STANDARD_GRAVITY,
        name: str = "scene",
    ):
        self.parts, self.ground = _members(parts)
        self._settings = {"at": at, "friction": friction, "restitution": restitution, "gravity": gravity, "name": name}
        placed = _places(self.parts, {} if at is None else at)
        found = [_part(key, what, placed[key]) for key, what in self.parts.items()]
        links = [Link(WORLD), *(link for part in found for link in part.links)]
        report = [d for part in found for d in part.report]
        start = {joint: x for part in found for joint, x in part.start.items()}
        springs, actuators = ([x for part in found for x in part.lines.get(kind, ())] for kind in LINES)
        super().__init__(build(links, gravity, name, report, {"start": start}, springs, actuators))
        law = {
            "friction": number("Scene: friction", friction, "Coulomb's coefficient between parts, from 0"),
            "restitution": number("Scene: restitution", restitution, "the speed left after a bounce, 0 to 1", most=1.0),
        }
        of = {link.name: key for key, part in zip(self.parts, found, strict=True) for link in part.links}
        #: what `simulate` takes as the contacts of the scene
        self.contacts = with_parts(self.ground or Ground(feet=()), Parts(of, **law))

    def index(self, joint: str) -> JointIndex:
        """Where a part or a joint is in q and v: slices.

        Parameters
        ----------
        joint : name of a part, or of a joint ("panda/panda_joint1")

        Returns
        -------
        JointIndex(q, v): slices

        Examples
        --------
        >>> import articulated as art
        >>> scene = art.Scene([art.load("2r"), art.Ball(radius=0.1, mass=1.0)])
        >>> scene.index("2r").v, scene.index("ball").v
        (slice(0, 2, None), slice(2, 8, None))
        """
        if not isinstance(self.parts.get(joint), Robot):
            return super().index(joint)
        of = self.contacts.parts.of
        own = [b for b in self.model.bodies if b.leader is b and of[b.name] == joint]
        places = [[getattr(b, name) for b in own] for name in ("coords", "dofs")]
        return JointIndex(*(slice(min(x.start for x in each), max(x.stop for x in each)) for each in places))

    def configuration(self, values: Mapping[str, ArrayLike], start: ArrayLike | None = None) -> NDArray[np.floating]:
        """q (…, nq) with values by part or by joint; the others as in `start`, or at the start of the scene.

        Parameters
        ----------
        values : arrays by part, or by joint, or by component ("ball_z")
        start : the array the other entries come from

        Returns
        -------
        (…, nq), the leading shape of the values

        Examples
        --------
        >>> import articulated as art
        >>> scene = art.Scene([art.load("2r"), art.Ball(radius=0.1, mass=1.0, at=(1, 0, 2))])
        >>> scene.configuration({"2r": [0.1, 0.2], "ball_y": 3}).tolist()
        [0.1, 0.2, 1.0, 3.0, 2.0, 0.0, 0.0, 0.0, 1.0]
        """
        return super().configuration(self._by_joint(values, "q"), self.poses["start"] if start is None else start)

    def velocity(self, values: Mapping[str, ArrayLike], start: ArrayLike | None = None) -> NDArray[np.floating]:
        """v, a or tau (…, nv) with values by part or by joint; the others as in `start`, or zero.

        Parameters
        ----------
        values : arrays by part, or by joint, or by component ("ball_z")
        start : the array the other entries come from

        Returns
        -------
        (…, nv)

        Examples
        --------
        >>> import articulated as art
        >>> scene = art.Scene([art.load("2r"), art.Ball(radius=0.1, mass=1.0)])
        >>> scene.velocity({"ball": [5, 0, 0, 0, 0, 0]}).tolist()
        [0.0, 0.0, 5.0, 0.0, 0.0, 0.0, 0.0, 0.0]
        """
        return super().velocity(self._by_joint(values, "v"), start)

    def _by_joint(self, values: Any, kind: Literal["q", "v"]) -> Any:
        """Values of robots as those of their joints."""
        if not isinstance(values, Mapping):
            return values
        found: dict[str, Any] = {}
        for name, value in values.items():
            part: Any = self.parts.get(name)
            own = {f"{name}/{joint}": x for joint, x in part.named(value, kind).items()} if _is_robot(part) else None
            found |= {name: value} if own is None else own
        return found

    def __repr__(self) -> str:
        bodies = counted(len(self.model.bodies), "body", "bodies")
        return f"<Scene {self.name}: {counted(len(self.parts), 'part')}, {bodies}, nq={self.nq}, nv={self.nv}>"

    def __reduce__(self) -> Any:
        ground = {"ground": self.ground} if self.ground else {}
        return _rebuilt, ({**self.parts, **ground}, self._settings)


def contacts_of(scene: Scene, others: Any) -> list[Any]:
    """Contacts of a scene, and others that `simulate` was given."""
    given = list(others) if isinstance(others, (list, tuple)) else [] if others is None else [others]
    if any(isinstance(each, Ground) for each in given):
        raise ModelError("simulate: the ground is a part of the scene, art.Scene([…, art.Ground(…)])")
    return [scene.contacts, *given]


def _rebuilt(parts: Any, settings: Any) -> Scene:
    return Scene(parts, **settings)


class _Part(NamedTuple):
    """Links of a part under the names they have in the scene, findings about them, and where it starts."""

    links: list[Link]
    report: list[Any]
    start: dict[str, Any]
    lines: Mapping[str, list[Any]] = {}


def _is_robot(part: Any) -> bool:
    return isinstance(part, Robot)


def _members(given: Any) -> tuple[dict[str, Any], Ground | None]:
    """Robots and objects by name, and the ground."""
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable) or isinstance(given, np.ndarray):
        raise ModelError(f"a Scene is a list of robots, art.Box, art.Ball and art.Ground; got {shortened(repr(given))}")
    members = list(given.items()) if isinstance(given, Mapping) else [(None, part) for part in given]
    for _, part in members:
        if not isinstance(part, (Robot, Solid, Ground)) or isinstance(part, Scene):
            raise ModelError(f"a Scene holds robots, art.Box, art.Ball and art.Ground; got {shortened(repr(part))}")
    grounds = [part for _, part in members if isinstance(part, Ground)]
    if len(grounds) > 1:
        raise ModelError(f"a Scene has one ground at most; got {len(grounds)}")
    moving = [(key, part) for key, part in members if not isinstance(part, Ground)]
    if not any(part.nv if _is_robot(part) else part.mass for _, part in moving):
        raise ModelError("a Scene needs a robot with a joint that moves, an art.Box or an art.Ball")
    named: dict[str, Any] = {}
    for key, part in zip(_names(moving), (part for _, part in moving), strict=True):
        if not isinstance(key, str) or not key or "/" in key or key == WORLD:
            raise ModelError(f"Scene: a part is named by a text without '/', and not {WORLD!r}; got {key!r}")
        if key in named:
            raise ModelError(f"Scene: two parts are called {key!r}; name them, art.Scene({{name: part, …}})")
        named[key] = part
    return named, grounds[0] if grounds else None


def _names(parts: list[tuple[Any, Any]]) -> list[Any]:
    """Names that were given, or what parts are, numbered from 1 where several are the same."""
    kinds = [key if key is not None else part.name if _is_robot(part) else part.kind for key, part in parts]
    many, met = Counter(kinds), Counter[Any]()
    found = []
    for (key, _), kind in zip(parts, kinds, strict=True):
        met[kind] += 1
        found.append(kind if key is not None or many[kind] == 1 else f"{kind}{met[kind]}")
    return found


def _places(parts: Mapping[str, Any], at: Any) -> dict[str, Transform]:
    """Where each part is at the start."""
    if not isinstance(at, Mapping):
        raise ModelError(f"Scene: at has poses by part, {{name: (x, y, z)}}; got {shortened(repr(at))}")
    for name in at:
        if name not in parts:
            raise unknown("part", name, "the scene", parts)
    own = {name: IDENTITY if _is_robot(part) else part.at for name, part in parts.items()}
    return {name: place(f"Scene: {name}", at[name]) if name in at else x for name, x in own.items()}


def _part(name: str, part: Any, at: Transform) -> _Part:
    if not _is_robot(part):
        return _Part([link_of(part, name, WORLD, at)], [], {} if part.mass is None else {name: _floating(at)})
    model: Model = part.model
    root = next(link for link in model.links if link.parent is None)
    q = part.poses["home"] if "home" in part.poses else part.neutral()
    start = {f"{name}/{joint}": np.atleast_1d(x) for joint, x in part.named(q).items()}
    if root.joint.floats:
        base, home = f"{name}/{root.joint.name or root.name}", root.placement
        start[base] = _floating(home.inverse() @ at @ home @ root.joint.transform(start[base]))
    here = IDENTITY if root.joint.floats else at
    links = renamed(model, f"{name}/", WORLD, here)
    lines = {kind: [renamed_line(x, f"{name}/", here) for x in getattr(model, kind)] for kind in LINES}
    return _Part(links, [renamed_finding(d, f"{name}/") for d in model.report], start, lines)


def _floating(at: Transform) -> np.ndarray:
    """Coordinates of a floating joint at a pose."""
    return np.concatenate([np.array(at.p, float), to_quaternion(np.array(at.R, float))])
