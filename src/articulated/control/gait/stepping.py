"""Controller of a whole-body law whose feet step by a gait."""

from collections.abc import Mapping
from math import isfinite, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...algebra.scalars import Array, array
from ...algorithms.centroidal import center_of_mass, centroidal_momentum
from ...algorithms.kinematics import frame_pose
from ...errors import ShapeError, unknown
from ...inputs.choices import function_of, number
from ...model import Model
from ...text import shortened
from ..checks import not_finite, vector
from ..tasks import CenterOfMass
from .gait import Gait, Swing, arc, course

if TYPE_CHECKING:
    from ..whole_body.command import Command
    from ..whole_body.history import Tick
    from ..whole_body.law import WholeBody

Floats = NDArray[np.floating]
#: part of a swing after which its foothold stays: later changes would throw the foot, and the robot with it
SETTLED = 0.6


class Seen(NamedTuple):
    """Quantities of a state that footholds depend on."""

    momentum: Array  # (6,)
    points: Array  # center of mass, and the origins of all contacts, (1 + contacts, 3)


def seen(model: Model, q: Array, v: Array, frames: tuple[str, ...]) -> Seen:
    """In one kernel, on any scalar."""
    points = [center_of_mass(model, q), *(frame_pose(model, q, frame).p for frame in frames)]
    return Seen(centroidal_momentum(model, q, v), array([list(p) for p in points]))


class Stepping:
    """`controller(t, q, v)`: the torques (nv,) of a whole-body law; it remembers where feet were lifted.

    `targets` by the names of the tasks, or a function of t for these.  A foot that the gait lifts is no contact while
    it swings: its task, `art.tasks.Frame(foot, "position")`, follows an arc of `height` (m) from where it was lifted to
    its foothold.  That is its target, or where it first stood, moved by `capture` times the distance of the capture
    point of the robot (center of mass + velocity √(height / g)) from that of the target of its center of mass and its
    rate, or from where that first was: 0 keeps the footholds, 1 follows a push, more comes back.
    The time of the first call, and one that runs backwards, begin a new run.  `done` is the last Command of the law,
    `footholds` are where feet in the air are to be put down.
    """

    def __init__(
        self,
        law: "WholeBody",
        targets: Any = None,
        gait: Gait | None = None,
        height: float = 0.05,
        capture: float = 1.0,
    ):
        self.law, self.robot = law, law.contacts.robot
        self._mass, self._fall = self.robot.mass, max(float(np.linalg.norm(self.robot.gravity)), 1e-9)
        if targets is not None and not callable(targets) and not isinstance(targets, Mapping):
            raise ShapeError(f"towards: targets are by task, or a function of t; got {shortened(repr(targets))}")
        if callable(targets):
            function_of("towards: targets", targets, "t")
        if gait is not None and not isinstance(gait, Gait):
            raise ShapeError(f"towards: gait is art.Gait(…); got {shortened(repr(gait))}")
        self.targets, self.gait = targets or {}, gait or Gait()
        self.height = number("towards: height", height, "meters above the ground, from 0")
        self.capture = number("towards: capture", capture, "how far footholds follow a push, from 0")
        self._own = {task.label: task.target for task in law.tasks}
        self._center_label = next((task.label for task in law.tasks if isinstance(task, CenterOfMass)), "")
        self._require_feet()
        self._laws: dict[tuple[str, ...], WholeBody] = {(): law}
        self._actuated = np.array(law.contacts.actuated, int)
        self._grounded = [contact.other is None for contact in law.contacts.contacts]
        self.footholds: dict[str, Floats] = {}
        self.done: Command | None = None
        self.ticks: list[Tick] | None = None
        self._begin()
        kernels, contacts = self.robot.kernels, law.contacts.contacts
        choices = {"frames": tuple(contact.frame for contact in contacts)}
        self._seen = kernels.kernel(kernels.request("the law", seen, ("q", "v"), choices=choices))
        self._foot = {contact.name: 1 + i for i, contact in enumerate(contacts)}
        self._look(self.robot.neutral(), np.zeros(self.robot.nv))  # compiles, which no tick should

    def record(self) -> None:
        """Keep the ticks of the present run and of those to come in `ticks`: `run.plot("law", law=…)` shows them.

        Returns
        -------
        None

        Examples
        --------
        >>> import articulated as art
        >>> walk = art.Walk(art.load("quadruped", floating_base=True))
        >>> walk.record()
        >>> torques = walk(0.0, walk.home, [0.0] * 18)
        >>> walk.ticks[0].status, len(walk.ticks)
        ('solved', 1)
        """
        self.ticks = []

    def _require_feet(self) -> None:
        labels = list(self._own)
        for name in () if callable(self.targets) else self.targets:
            if name not in labels:
                raise unknown("task", name, "this law", labels)
        for foot in self.gait.feet:
            if foot not in self.law.contacts.names:
                raise unknown("contact to lift:", foot, self.robot.name, self.law.contacts.names)
            if foot not in labels:
                raise ShapeError(f'towards: {foot} swings: the law needs a task art.tasks.Frame({foot!r}, "position")')

    def _begin(self) -> None:
        self._start = self._time = -np.inf
        self.ticks = None if self.ticks is None else []
        self._stood: dict[str, Floats] = {}
        self._first: Floats = np.zeros(3)
        self._speed: Floats = np.zeros(3)  # of the center of mass
        self._lifted: dict[str, tuple[Swing, Floats, Floats]] = {}

    def __call__(self, t: float, q: Any, v: Any) -> Floats:
        """Torques at a time and in one state.

        Parameters
        ----------
        t : time, s; one before that of the last call begins a new run
        q : configuration, (nq,)
        v : velocity, (nv,)

        Returns
        -------
        generalized forces, (nv,): N m, N; zero where there is no motor

        Examples
        --------
        >>> import articulated as art
        >>> walk = art.Walk(art.load("quadruped", floating_base=True))
        >>> walk(0.0, walk.home, [0.0] * 18).shape
        (18,)
        """
        if np.ndim(q) != 1 or np.ndim(v) != 1:
            raise ShapeError(f"a whole-body law takes one state; got q {np.shape(q)}, v {np.shape(v)}")
        number("t", t, "a time, s", -np.inf)
        now = self._look(q, v)  # before anything remembers it
        if t < self._time or t == self._start:
            self._begin()
        self._speed, self._points = now.momentum[:3] / self._mass, now.points
        if self._time == -np.inf:
            self._start = t
            self._stood = {foot: self._position(foot) for foot in self.gait.feet}
            self._first = self._points[0]
        self._time = t
        given = self._given(t, q, v)
        if not isinstance(given, Mapping):
            raise ShapeError(f"towards: targets are by task; at t = {t:g} s they are {shortened(repr(given))}")
        swings = self.gait.swinging(t)
        lifted = tuple(each.foot for each in swings)
        if lifted not in self._laws:
            self._laws[lifted] = self.law.lift(*lifted)
        targets = {**self._stood, **given}  # the tasks of feet on the ground are inactive
        error = self._captured(given) if swings and self.capture else np.zeros(3)
        self.footholds = {foot: self._wanted(given, foot, self._stood.get(foot)) + error for foot in lifted}
        since = dict.fromkeys((each.begin, each.end) for each in swings)  # feet of a pair share their course
        courses = {times: course(self.height, times[1] - times[0], t - times[0]) for times in since}
        for each in swings:
            start, foothold = self._way(each, t)
            targets[each.foot] = tuple(arc(start, foothold, courses[each.begin, each.end]))
        self.done = self._laws[lifted](q, v, force_limits=self._force_limits(lifted), **targets)
        if self.ticks is not None:
            wanted = self._wanted(given, self._center_label, None)
            self.ticks.append(self._laws[lifted].tick(t, self.done, wanted, self.footholds))
        out = np.zeros(self.robot.nv)
        out[self._actuated] = self.done.tau
        return out

    def _given(self, t: float, q: Any, v: Any) -> Any:
        """Targets by task at a time."""
        return self.targets(t) if callable(self.targets) else self.targets

    def _force_limits(self, lifted: tuple[str, ...]) -> Floats | None:
        """Largest normal force of each contact now, N; None: nothing limits those that are not lifted."""
        return None

    def _way(self, now: Swing, t: float) -> tuple[Floats, Floats]:
        """Where a foot in the air was lifted, and where it is to be put down."""
        foothold = self.footholds[now.foot]
        if now.foot not in self._lifted or self._lifted[now.foot][0] != now:
            self._lifted[now.foot] = now, self._position(now.foot), foothold
        start = self._lifted[now.foot][1]
        if t - now.begin < SETTLED * (now.end - now.begin):
            self._lifted[now.foot] = now, start, foothold
        foothold = self.footholds[now.foot] = self._lifted[now.foot][2]
        return start, foothold

    def _look(self, q: Any, v: Any) -> Seen:
        found: Seen = self._seen.call(q, v)
        if not isfinite(found.momentum @ found.momentum):
            raise ShapeError(f"the law: {not_finite({'q': q, 'v': v})}")
        return found

    def _position(self, foot: str) -> Floats:
        return self._points[self._foot[foot]]

    def _wanted(self, given: Mapping[str, Any], label: str, otherwise: Any) -> Floats:
        """Target of a task: given now, its own, or `otherwise`."""
        target = given.get(label, self._own.get(label))
        return otherwise if target is None else _value(target)

    def _captured(self, given: Mapping[str, Any]) -> Floats:
        """Shift of the footholds by the capture point, (3,) m, along the ground."""
        label = self._center_label
        wanted = self._wanted(given, label, self._first)
        point, *places = self._points.tolist()
        over = point[2] - min(place[2] for place, grounded in zip(places, self._grounded, strict=True) if grounded)
        pace = sqrt(max(over, 0.0) / self._fall)
        target = given.get(label)
        moves = target if isinstance(target, tuple) and len(target) > 1 and np.ndim(target[0]) else None
        (x, y, _), (vx, vy, _) = wanted.tolist(), _value(moves[1]).tolist() if moves else (0.0, 0.0, 0.0)
        moved, rates = (point[0] - x, point[1] - y), self._speed.tolist()
        shift = moved[0] + pace * (rates[0] - vx), moved[1] + pace * (rates[1] - vy)
        return np.array([self.capture * shift[0], self.capture * shift[1], 0.0])

    def __repr__(self) -> str:
        return f"<{self.law!r} towards {shortened(repr(self.targets))}, {self.gait!r}>"


def _value(target: Any) -> Floats:
    """Value of a target that may be (value, rate, acceleration)."""
    parts = isinstance(target, tuple) and len(target) and np.ndim(target[0])
    return vector("the target", target[0] if parts else target, 3)
