"""Walking where it is told: from velocity and turn to contacts, footholds and references of a whole-body law."""

from __future__ import annotations  # help shows types as they are written here

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from ...algebra.rotations import exponential_quaternion, quaternion, rotation_between
from ...contacts import Contacts
from ...errors import ModelError, ShapeError
from ...inputs.choices import choose, flag, function_of, number
from ...inputs.choices import names as listed_names
from ...robot import Robot
from ..checks import vector
from ..tasks import CenterOfMass, Frame, Posture
from .gait import swing
from .mpc import STEPS, Body, accelerations
from .patterns import GAITS, LEGS, POINTS, SOLES, Cycle
from .reference import PARTS, Path, preview, repeating
from .stepping import Stepping

Floats = NDArray[np.floating]
#: frames this part of the height of the center of mass above the lowest one are feet, too
LOW = 0.05
#: footholds are this part of it below the ground, so that feet arrive
DEEPER = 0.03


class Walk(Stepping):
    """A controller (t, q, v) that walks by a velocity and turn command, with a whole-body law of its own.

    A gait is a row of a table (`art.control.gait.patterns.GAITS`): stand, walk, trot, pace, bound, pronk.  Feet are put
    down where the commanded motion has them in the middle of their stance, moved by `capture` times the distance of the
    divergent component of motion (center of mass + velocity √(height / g)) from its reference.  The reference of the
    center of mass is the motion that stays bounded above the feet to come; feet take on and give up their load in
    ramps.  `done` is the last Command of the law, `footholds` are where feet in the air are to be put down.

    Parameters
    ----------
    robot : a Robot with a free base
    gait : stand, walk, trot, pace, bound, pronk; of two soles stand and walk, of two points trot
    feet : frames, in any order; None: the lowest ones of the home pose
    soles : of feet that are surfaces, m: (length, width) or ((x0, x1), (y0, y1)) by foot
    home : configuration to walk in, (nq,); None: the robot's first pose
    friction : Coulomb's coefficient that the law relies on
    period : s; None: that of the gait, scaled by √(height / g)
    height : of the steps, m; None: a quarter of the height of the center of mass, of two feet a tenth
    capture : how far footholds follow a push: 1 follows, more comes back; None: 1.3, on two points 2
    mpc : plan base and center of mass by a convex program over the forces of the next period instead of the pendulum:
        a millisecond every sixteenth of a period
    terrain : function of (x, y), m, that gives the height of the ground; None: feet are put down at the height of those
        that stand
    tasks : further tasks of the law, whose targets they have
    options : further options of `art.WholeBody`

    Examples
    --------
    >>> import articulated as art
    >>> dog = art.load("quadruped", floating_base=True)
    >>> walk = art.Walk(dog, gait="trot")
    >>> walk.command(0.5, 0.0, 0.2)
    >>> run = art.simulate(dog, walk.home, duration=0.1, dt=2e-3, torque=walk, contacts=art.Ground())
    """

    gait: Cycle
    _next: Cycle | None = None

    def __init__(
        self,
        robot: Robot,
        gait: str = "trot",
        *,
        feet: Iterable[str] | None = None,
        soles: Mapping[str, Any] = {},
        home: Any = None,
        friction: float = 0.6,
        period: float | None = None,
        height: float | None = None,
        capture: float | None = None,
        mpc: bool = False,
        terrain: Callable[[float, float], float] | None = None,
        tasks: Iterable[Any] = (),
        **options: Any,
    ):
        if not isinstance(robot, Robot) or not robot.model.bodies[0].joint.floats:
            raise ModelError("Walk takes a robot with a free base: art.load(…, floating_base=True)")
        if not isinstance(soles, Mapping) or not isinstance(tasks, (list, tuple)):
            raise ShapeError("Walk: soles are shapes by foot, {foot: …}, and tasks a list of art.tasks")
        first = next(iter(robot.poses.values()), robot.neutral())
        self.home = vector("Walk: home", first if home is None else home, robot.nq, ()).copy()
        self.terrain = None if terrain is None else function_of("Walk: terrain", terrain, "x", "y")
        self._base, self._velocity, self._turn = robot.body_names[0], np.zeros(2), 0.0
        self._weight = float(np.linalg.norm(robot.gravity))  # of one kilogram, N
        if not self._weight or not np.isfinite(robot.center_of_mass(self.home)).all():
            raise ModelError("Walk: nobody walks without gravity, or from a home that is no configuration")
        self._order, places = _ordered(robot, self.home, feet, soles)
        self._offsets = (places - places.mean(axis=0))[:, :2]
        self._over = float(robot.center_of_mass(self.home)[2] - places[:, 2].mean())
        self._rate = float(np.sqrt(self._weight / self._over))
        self.friction = number("Walk: friction", friction, "Coulomb's coefficient, from 0")
        self._turned = {frame: robot.pose(self.home, frame)[:3, :3] for frame in (self._base, *self._order)}
        self._soles = [foot for foot in self._order if foot in soles]
        self._period = None if period is None else number("Walk: period", period, "a time above zero", 1e-3)
        self._body = _rigid_body(robot, self.home) if flag("Walk: mpc", mpc) else None
        points = [foot for foot in self._order if foot not in soles]
        contacts = Contacts(robot, point=points, surface=self._soles)
        self._places = [self._order.index(name) for name in contacts.names]
        wanted = [
            CenterOfMass(gain=1.5 * self._rate**2, weight=30),
            Frame(self._base, "orientation", gain=150, weight=3),
            Posture(gain=40, weight=0.05, target=self.home),
            *(Frame(foot, "position", gain=800, weight=10) for foot in self._order),
            *(Frame(foot, "orientation", gain=800, weight=1, name=_turn_of(foot)) for foot in self._soles),
            *tasks,
        ]
        from ..whole_body.law import WholeBody  # which imports Stepping

        law = WholeBody(contacts, wanted, **{"friction": friction, "soles": soles, "contact_damping": 20.0, **options})
        cycle = self._cycle(gait, 0.0)
        self._usual_height, self._usual_capture = height is None, capture is None
        super().__init__(law, None, cycle, height or 0.0, capture or 0.0)
        still = np.zeros(robot.nv)
        self._rows, self._points = [self._foot[foot] for foot in self._order], self._seen.call(self.home, still).points
        self._given(0.0, self.home, still)  # compiles, which no tick should
        self._begin()

    def command(self, vx: float, vy: float = 0.0, turn: float = 0.0, gait: str | None = None) -> None:
        """Velocity and turn from now on, and another gait when the period ends; who stands, or is to, keeps his feet.

        Parameters
        ----------
        vx : forwards, m/s
        vy : to the left, m/s
        turn : about the vertical, counterclockwise, rad/s
        gait : of the table; None: as before

        Returns
        -------
        None

        Examples
        --------
        >>> import articulated as art
        >>> walk = art.Walk(art.load("quadruped", floating_base=True), gait="stand")
        >>> walk.command(0.5, gait="trot")
        """
        what = ("Walk: vx", vx, "m/s"), ("Walk: vy", vy, "m/s"), ("Walk: turn", turn, "rad/s")
        vx, vy, turn = (number(name, x, unit, -np.inf) for name, x, unit in what)
        if gait is not None:
            asked = self._cycle(gait, self.gait.boundary(self._time))
            if self._time == -np.inf:
                self._take(asked)
            elif asked.pattern is not (self._next or self.gait).pattern:
                self._next = asked
        moves = (self._next or self.gait).air > 0
        self._velocity, self._turn = moves * np.array([vx, vy]), moves * turn

    def _cycle(self, gait: str, since: float) -> Cycle:
        """A gait after half a period of standing, in which the weight goes to the feet that stand first."""
        kind = LEGS if len(self._order) == 4 else SOLES if len(self._soles) == 2 else POINTS
        if kind == POINTS and gait in ("stand", "walk"):
            words = f"give soles={{'{self._order[0]}': (length, width), …}}, or gait='trot': quick steps"
            raise ModelError(f"Walk: no robot can {gait} on two points; {words}")
        choose("Walk", "gait", gait, [name for name, rows in GAITS.items() if kind in rows])
        pattern = GAITS[gait][kind]
        period = self._period or pattern.period / self._rate
        return Cycle(pattern, self._order, period, since + period / 2)

    def _take(self, gait: Cycle) -> None:
        """A gait from now on, with its own height and capture unless others were given."""
        self.gait, self._next = gait, None
        if self._usual_height:
            self.height = gait.pattern.height * self._over
        if self._usual_capture:
            self.capture = gait.pattern.capture

    def _begin(self) -> None:
        super()._begin()
        self._node = self._predicted = -np.inf  # the ends of what is planned
        self._leaves = -np.inf  # when the path goes on
        self._take(self._next or self.gait)
        self._headings: dict[str, float] = {}
        # stances that are known, by whole turns of the feet and what was commanded
        self._whole: Floats = np.full(len(self._order), np.inf)
        self._told: tuple[Any, ...] = (None, None, None)
        self._stands: Floats = np.zeros((len(self._order), 2))

    def _set_out(self, t: float, q: Any, feet: Floats) -> None:
        """A path, and a gait, that begin where the robot stands."""
        R = self.robot.pose(q, self._base)[:3, :3] @ self._turned[self._base].T
        self._path = Path(feet[:, :2].mean(axis=0), _heading(R), self._velocity, self._turn)
        self._last, self._center = t, self._points[0, :2].tolist()
        self._stood_at, self._floor = feet[:, 2], float(feet[:, 2].mean())
        self._above = feet[:, 2] - self._terrain(feet)
        self.gait.begin = t + self.gait.period / 2

    def _terrain(self, places: Floats) -> Floats:
        return np.array([float(self.terrain(x, y)) if self.terrain else 0.0 for x, y in places[:, :2].tolist()])

    def _given(self, t: float, q: Any, v: Any) -> dict[str, Any]:
        """References at a time: center of mass, orientation of the base, footholds."""
        feet = self._points[self._rows]
        if self._node == -np.inf:
            self._set_out(t, q, feet)
        if self._next and t >= self._next.begin - self._next.period / 2:
            if len(feet) == 2 and not self.gait.air:  # else the first step of two would be too long
                self._leaves = self._next.begin
            self._take(self._next)
            self._node = t
        gap, self._last = float(t - self._last), t
        place, heading = self._path.after(gap)
        self._path = Path(place, heading, self._velocity, self._turn, max(0.0, self._leaves - t))
        # the ground below a foot in the air is where it was lifted
        turns = self.gait.turns(np.array(t))
        self._loads = self.gait.loads(turns)
        self._stood_at = np.where(self._loads > 0, feet[:, 2], self._stood_at)
        if t >= self._node:
            self._plan(t, feet)
        center = self._center_of_mass(t, gap)
        (x, y, _), (vx, vy, _), (ahead_x, ahead_y) = self._points[0].tolist(), self._speed.tolist(), self._dcm
        shift = np.array([x + vx / self._rate - ahead_x, y + vy / self._rate - ahead_y]) * self.capture
        ahead: Any = _about_z(self._path.heading) @ self._turned[self._base], np.array([0, 0, self._turn])
        if self._body:
            ahead, center = self._prediction(t, q, v, feet, self._body)
        return {"center_of_mass": center, self._base: ahead, **self._footholds(t, turns, shift), **self._turns(t, q)}

    def _center_of_mass(self, t: float, gap: float) -> tuple[Floats, Floats, Floats]:
        """Its position, velocity and acceleration: after the divergent component, which moves on from the plan."""
        step, rate = self.gait.period / PARTS, self._rate
        along, means, ahead, now = t - (self._node - step), [], [], []
        grows, decays = math.exp(rate * along), math.exp(-rate * gap)
        for first, second, begin, center in zip(*self._means, self._dcms[0].tolist(), self._center, strict=True):
            moves = (second - first) / step
            means.append(first + moves * along)
            ahead.append(means[-1] + moves / rate + (begin - first - moves / rate) * grows)
            now.append(ahead[-1] + (center - ahead[-1]) * decays)
        self._dcm, self._center = ahead, now
        mean_height = sum(self._stood_at.tolist()) / len(self._stood_at)
        self._floor += (mean_height - self._floor) * (1 - math.exp(-2 * gap / self.gait.period))
        part = (t - self.gait.begin) / self.gait.period % 1 * PARTS
        k, beyond = int(part), part - int(part)
        here, next_ = self._bounce[k], self._bounce[(k + 1) % PARTS]
        up, rises, pushed = ((1 - beyond) * a + beyond * b for a, b in zip(here, next_, strict=True))
        return (
            np.array([*now, self._floor + self._over + up]),
            np.array([*(rate * (a - c) for a, c in zip(ahead, now, strict=True)), rises]),
            np.array([*(rate**2 * (c - r) for c, r in zip(now, means, strict=True)), pushed]),
        )

    def _prediction(self, t: float, q: Any, v: Any, feet: Floats, body: Body) -> tuple[Any, Any]:
        """Orientation of the base and center of mass, each with its rates, as the forces to come allow them."""
        if t >= self._predicted:
            step = self.gait.period / STEPS
            self._predicted, self._since, later = t + step, t, step * np.arange(STEPS)
            turn = _about_z(self._path.heading)
            self._ahead, pose = turn @ self._turned[self._base], self.robot.pose(q, self._base)
            rotation = rotation_between(self._ahead, pose[:3, :3]).astype(float)
            spin = self.robot.frame_velocity(q, v, self._base)[3:]
            self._state = np.array([[*rotation, *self._points[0]], [*spin, *self._speed]])
            wanted = np.zeros((STEPS, 2, 6))
            wanted[:, 0, 2], wanted[:, 1, 2] = self._turn * (later + step), self._turn
            wanted[:, :, 3:5], wanted[:, 0, 5] = self._pendulum(t, step), self._floor + self._over
            loads, places = self._to_come(t, feet, t + later + step / 2)
            heights = np.broadcast_to(self._stood_at[:, None, None], (*loads.shape, 1))
            places = np.concatenate([places, heights], axis=-1)
            now = body._replace(inertia=turn @ body.inertia @ turn.T)
            self._pushed = accelerations(now, self._state, wanted, places, loads, step, self.friction)[0]
        since = t - self._since
        at = self._state[0] + since * self._state[1] + since**2 / 2 * self._pushed
        rates = self._state[1] + since * self._pushed
        R = np.array(quaternion(exponential_quaternion(at[:3])).tolist(), float) @ self._ahead
        return (R, rates[:3], self._pushed[:3]), (at[3:], rates[3:], self._pushed[3:])

    def _pendulum(self, t: float, step: float) -> Floats:
        """Center of mass and its velocity, (STEPS, 2, 2), at the ends of steps to come, as a pendulum."""
        part, center, found = self.gait.period / PARTS, self._center, []
        nodes, times = self._node + part * np.arange(-1, PARTS), t + step * np.arange(STEPS + 1)
        dcms = np.column_stack([np.interp(times, nodes, along) for along in self._dcms.T])
        for begin, end in pairwise(dcms):
            middle = (begin + end) / 2
            center = middle + (center - middle) * np.exp(-self._rate * step)
            found.append((center, self._rate * (end - center)))
        return np.array(found)

    def _to_come(self, t: float, feet: Floats, later: Floats) -> tuple[Floats, Floats]:
        """Loads (feet, times) and places (feet, times, 2) of the feet at times from now on."""
        turns = self.gait.turns(later)
        loads, turns = self.gait.loads(turns), np.floor(turns)
        stays = (turns == np.floor(self.gait.turns(np.array(t)))[:, None]) & (self._loads > 0)[:, None]
        return loads, np.where(stays[..., None], feet[:, None, :2], self._stances(t, turns))

    def _plan(self, t: float, feet: Floats) -> None:
        """The means of the loads from now on, and the divergent component of a period that stays bounded above them."""
        gait, step = self.gait, self.gait.period / PARTS
        self._node, weights = t + step, preview(self._rate, step)
        later = t + step * np.arange(PARTS + len(weights))
        loads, places = self._to_come(t, feet, later)
        whole = loads.sum(axis=0)[:, None]
        means = np.einsum("fs,fsk->sk", loads, places) / np.maximum(whole, 1e-9)
        means = np.where(whole > 0, means, self._path.after(later - t)[0])
        self._means, self._dcms = means[:2].tolist(), sliding_window_view(means, len(weights), axis=0) @ weights
        # where no foot stands the robot falls, which it makes up for while some do
        stands = gait.loads(gait.turns(gait.begin + gait.period * (1 + np.arange(PARTS) / PARTS))).max(axis=0)
        self._bounce = repeating(self._weight * stands / stands.mean(), gait.period).T.tolist()

    def _stances(self, t: float, turns: Floats) -> Floats:
        """Places of the feet in the middle of their stances after so many turns, (feet, …, 2)."""
        gait, axes = self.gait, [1] * (turns.ndim - 1)
        phases = np.reshape(gait.pattern.phases, (-1, *axes))
        middle = gait.begin + gait.period * (turns + phases + 1 - gait.pattern.ground / 2)
        return self._path.footholds(middle - t, (self._offsets * gait.pattern.stance).reshape(-1, *axes, 2))

    def _footholds(self, t: float, turns: Floats, shift: Floats) -> dict[str, Any]:
        whole, told = np.floor(turns), (self.gait, self._path.velocity, self._path.turn)
        if (whole != self._whole).any() or any(a is not b for a, b in zip(told, self._told, strict=True)):
            self._whole, self._told, self._stands = whole, told, self._stances(t, whole)
        wanted = np.empty((len(self._order), 3))
        places = np.add(self._stands, shift, out=wanted[:, :2])
        heights = self._above + self._terrain(places) if self.terrain else self._stood_at
        wanted[:, 2] = heights - DEEPER * self._over
        return dict(zip(self._order, wanted, strict=True))

    def _turns(self, t: float, q: Any) -> dict[str, Any]:
        """Orientations of the soles: level, and in the air from the heading they had to that of the path."""
        found: dict[str, Any] = {}
        swings = {each.foot: each for each in self.gait.swinging(t)} if self._soles else {}
        for foot in self._soles:
            if foot not in swings:
                self._headings[foot] = _heading(self.robot.pose(q, foot)[:3, :3] @ self._turned[foot].T)
            _, begin, end = swings.get(foot, (foot, t, t + 1))
            start = self._headings[foot]
            turns = (self._path.heading - start + np.pi) % (2 * np.pi) - np.pi
            heading, rate, bend = swing([0, 0, start], [0, 0, start + turns], 0.0, end - begin, t - begin)
            found[_turn_of(foot)] = _about_z(heading[2]) @ self._turned[foot], rate, bend
        return found

    def _captured(self, given: Mapping[str, Any]) -> Floats:
        """Nothing: the footholds have their shift."""
        return np.zeros(3)

    def _force_limits(self, lifted: tuple[str, ...]) -> Floats | None:
        if all(load >= 1 or foot in lifted for foot, load in zip(self._order, self._loads.tolist(), strict=True)):
            return None
        loads = self._loads[self._places]
        return np.where(loads < 1, loads * self._mass * self._weight, np.inf)


def _rigid_body(robot: Robot, home: Floats) -> Body:
    """The robot as one body in its home pose: the inertia about its center of mass, in world axes."""
    M, R = robot.mass_matrix(home)[:6, :6], robot.pose(home, robot.body_names[0])[:3, :3]
    about = M[3:, 3:] - M[3:, :3] @ np.linalg.solve(M[:3, :3], M[:3, 3:])
    return Body(robot.mass, R @ about @ R.T, np.asarray(robot.gravity, float))


def _turn_of(foot: str) -> str:
    return f"turn of {foot}"


def _heading(R: Floats) -> float:
    return float(np.arctan2(R[1, 0], R[0, 0]))


def _about_z(angle: float) -> Floats:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def _above(body: Any) -> Iterator[Any]:
    while body := body.parent:
        yield body


def _ordered(
    robot: Robot, home: Floats, feet: Iterable[str] | None, soles: Mapping[str, Any]
) -> tuple[list[str], Floats]:
    """Feet from front left to hind right, or left and right, and their places.

    None: the lowest, one of each leg; of its frames that with a sole.
    """
    if feet is None:
        heights = {frame: float(robot.pose(home, frame)[2, 3]) for frame in robot.frame_names}
        low, found = min(heights.values()), dict[Any, str]()
        for frame in sorted(heights, key=lambda frame: (frame not in soles, heights[frame])):
            if heights[frame] < low + LOW * (robot.center_of_mass(home)[2] - low):
                found.setdefault(robot.model.frame(frame).body, frame)
        above = {body for foot in found for body in _above(foot)}
        feet = [frame for body, frame in found.items() if body not in above]
    places = {foot: robot.pose(home, foot)[:3, 3] for foot in listed_names("Walk: feet", feet)}
    if len(places) not in (2, 4):
        raise ModelError(f"Walk takes two or four feet; got {', '.join(places) or 'none'}: feet=[…] names them")
    middle = np.mean(list(places.values()), axis=0)
    order = sorted(places, key=lambda foot: (len(places) == 4 and places[foot][0] < middle[0], -places[foot][1]))
    return order, np.array([places[foot] for foot in order])
