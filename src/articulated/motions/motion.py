"""`art.motion`: a trajectory through configurations, as fast as limits allow."""

from __future__ import annotations  # help shows types as they are written here

from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..errors import ShapeError
from ..inputs.choices import choose, number
from ..robot import Robot
from ..simulation.trajectory.trajectory import Trajectory
from .limits import ROUNDING, Binding, MotionLimits, dof_name, inside, limits_of, stretch
from .path import Path, as_waypoints, path
from .profiles import KINDS, Bounds, Profile

Floats = np.ndarray
#: for type checkers: the rows of KINDS
KindName = Literal["cubic", "quintic", "septic", "trapezoidal", "jerk_limited", "spline"]
#: samples of a leg at which limits are looked at
LOOKED_AT = 257
#: how often the worst sample and its neighbors are looked at more closely
CLOSER = 2


class Leg(NamedTuple):
    """A path and the time law along it."""

    way: Path
    law: Profile
    binding: Binding


def motion(
    robot: Robot,
    waypoints: ArrayLike | Path,
    kind: KindName = "quintic",
    limits: Any = None,
    *,
    duration: float | None = None,
    dt: float = 1e-3,
) -> Trajectory:
    """A motion through configurations in the shortest time that the limits allow for its kind.

    "spline" passes through all waypoints; the other kinds are straight in joint space (on the manifold where joints
    have quaternions) and stop at every waypoint.  The runs of a batch share their times: the slowest decides.  Effort
    limits stretch a leg as a whole; `art.time_optimal` uses them everywhere.

    Parameters
    ----------
    robot : a Robot
    waypoints : configurations, (…, K, nq), K ≥ 2; or a Path, along which the robot moves from rest to rest
    kind : "cubic", "quintic", "septic" (polynomials: velocity, acceleration, jerk are continuous), "trapezoidal"
        (constant accelerations), "jerk_limited" (constant jerks) or "spline" (continuous accelerations)
    limits : {"velocity": …, "acceleration": …, "jerk": …, "effort": …}, numbers or (nv,), in the place of the
        robot's; None takes one away
    duration : s, in the place of the shortest; a shorter one is refused
    dt : longest time between two samples, s

    Returns
    -------
    a Trajectory, whose tau is inverse dynamics; every waypoint is a sample

    Notes
    -----
    Source: Biagiotti and Melchiorri 2008, chapters 2 to 4.

    Examples
    --------
    >>> import articulated as art
    >>> panda = art.load("panda")
    >>> goal = panda.poses["home"] + [0.5, 0.2, 0, 0.4, 0, 0, 0]
    >>> art.motion(panda, [panda.poses["home"], goal])
    <Trajectory of panda: 433 samples, 0 … 0.431034 s>
    """
    choose("motion", "kind", kind, KINDS)
    step = number("motion: dt", dt, "a time above zero", 1e-9)
    ways = _ways(robot, waypoints, kind)
    allowed = limits_of("motion", robot, limits)
    if np.isfinite(allowed.jerk).any() and KINDS[kind].continuous < 2:
        raise ShapeError(
            f"motion: accelerations of kind = {kind!r} jump, so no jerk limit holds; "
            'use "quintic", "septic", "jerk_limited" or "spline"'
        )
    inside("motion", robot, np.concatenate([way.q for way in ways], axis=-2), "waypoint")
    legs = [_fastest(robot, way, kind, allowed, k) for k, way in enumerate(ways)]
    legs = _timed(robot, legs, duration)
    return _sampled(robot, legs, kind, step)


def _ways(robot: Robot, waypoints: Any, kind: str) -> list[Path]:
    """One path for each leg."""
    if isinstance(waypoints, Path):
        if kind == "spline":
            raise ShapeError('motion: a Path needs a time law from rest to rest; "spline" has none, use "quintic"')
        if waypoints.robot.joint_names != robot.joint_names:
            raise ShapeError(f"motion: the path is one of another robot, {waypoints.robot.name}")
        return [waypoints]
    q = as_waypoints("motion", robot, waypoints)
    chords = robot.difference(q[..., :-1, :], q[..., 1:, :])
    lengths = abs(chords).max(axis=-1).reshape(-1, chords.shape[-2]).max(axis=0)
    if not lengths.all():
        k = int(np.argmin(lengths))
        raise ShapeError(f"motion: waypoints {k} and {k + 1} are the same configuration; give each once")
    if kind == "spline":
        speed = np.where(np.isfinite(robot.limits.velocity), robot.limits.velocity, 1.0)
        times = (abs(chords) / speed).max(axis=-1).reshape(-1, chords.shape[-2]).max(axis=0)
        return [path(robot, q, np.concatenate([[0.0], np.cumsum(times)]), rest=True)]
    still = np.zeros((*chords.shape[:-2], 2, robot.nv))
    return [
        Path(robot, np.array([0.0, 1.0]), q[..., k : k + 2, :], np.repeat(chords[..., k : k + 1, :], 2, axis=-2), still)
        for k in range(q.shape[-2] - 1)
    ]


def _fastest(robot: Robot, way: Path, kind: str, limits: MotionLimits, number_of_leg: int) -> Leg:
    """A leg in the shortest time."""
    points = way.at(np.linspace(way.s[0], way.s[-1], LOOKED_AT))
    slope = (way.s[-1] - way.s[0]) * abs(points.slope).reshape(-1, robot.nv).max(axis=0)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        bounds = [float(np.fmin.reduce(limit / slope, initial=np.inf)) for limit in limits[:3]]
    missing = [name for name in KINDS[kind].needs if not np.isfinite(getattr(limits, name)[slope > 0]).all()]
    if missing:
        k = int(np.argmin(np.isfinite(getattr(limits, missing[0])) | (slope == 0)))
        raise ShapeError(
            f"motion: kind = {kind!r} needs a limit of {missing[0]}, and {dof_name(robot, k)} has none; "
            f"give limits={{{missing[0]!r}: …}}"
        )
    law = KINDS[kind].law(Bounds(*bounds))
    t = np.linspace(0.0, law.duration, LOOKED_AT)
    binding = worst = stretch(robot, limits, *_states(way, law, t))
    for _ in range(CLOSER):  # between the samples around the worst one, where corners are
        t = np.linspace(t[max(worst.sample - 1, 0)], t[min(worst.sample + 1, LOOKED_AT - 1)], LOOKED_AT)
        worst = stretch(robot, limits, *_states(way, law, t))
        binding = max(binding, worst)
    if not binding.factor > 0:
        raise ShapeError(f"motion: nothing limits the speed of leg {number_of_leg}; give limits={{'velocity': …}}")
    return Leg(way, law.stretched(binding.factor), binding)


def _states(way: Path, law: Profile, t: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """q, v, a and jerk along a path at times (N,)."""
    part, speed, acceleration, jerk = law.at(t)
    length = way.s[-1] - way.s[0]
    s = way.s[0] + length * part
    q, slope, bend = way.at(s)
    speed, acceleration, jerk = (length * x[:, None] for x in (speed, acceleration, jerk))
    # the third derivative by s, one-sided at both ends of a piece of the spline
    third = _third(way, s)
    return (
        q,
        slope * speed,
        slope * acceleration + bend * speed**2,
        slope * jerk + 3 * bend * speed * acceleration + third * speed**3,
    )


def _third(way: Path, s: Floats) -> Floats:
    """d³q/ds³ by differences of the bends a little before and after, within the piece that holds s."""
    k = np.clip(np.searchsorted(way.s, s, side="right") - 1, 0, len(way.s) - 2)
    low, high = way.s[k], way.s[k + 1]
    step = 1e-4 * (high - low)
    before, after = np.maximum(s - step, low), np.minimum(s + step, high)
    return (way.at(after - 1e-12 * step).bend - way.at(before).bend) / (after - before)[:, None]


def _timed(robot: Robot, legs: list[Leg], duration: float | None) -> list[Leg]:
    """Legs that together take `duration`."""
    if duration is None:
        return legs
    shortest = sum(leg.law.duration for leg in legs)
    wanted = number("motion: duration", duration, "a time above zero, s", np.nextafter(0, 1))
    if wanted < shortest * (1 - ROUNDING):
        worst = max(legs, key=lambda leg: leg.law.duration)
        raise ShapeError(
            f"motion: duration = {wanted:g} s is {shortest - wanted:.3g} s too short: the {worst.binding.limit} limit "
            f"of {dof_name(robot, worst.binding.dof)} allows {shortest:.6g} s"
        )
    return [leg._replace(law=leg.law.stretched(wanted / shortest)) for leg in legs]


def _sampled(robot: Robot, legs: list[Leg], kind: str, dt: float) -> Trajectory:
    """All legs, one after the other; the last sample of one is the first of the next."""
    parts, start = [], 0.0
    for k, leg in enumerate(legs):
        T = leg.law.duration
        count = max(2, int(np.ceil(T / dt * (1 - ROUNDING))) + 1)
        t = np.linspace(0.0, T, count)[: None if k == len(legs) - 1 else -1]
        parts.append((start + t, *_states(leg.way, leg.law, t)[:3]))
        start += T
    t = np.concatenate([part[0] for part in parts])
    q, v, a = (np.concatenate([part[k] for part in parts], axis=-2) for k in (1, 2, 3))
    inside("motion", robot, q, "sample")
    slowest = max(legs, key=lambda leg: leg.law.duration).binding
    info = {
        "method": f"motion, {kind}",
        "limited_by": f"{slowest.limit} of {dof_name(robot, slowest.dof)}",
        "times": [0.0, *np.cumsum([leg.law.duration for leg in legs]).tolist()],
        "smooth": KINDS[kind].continuous > 1,
    }
    return Trajectory(robot, t, q, v, a, robot.inverse_dynamics(q, v, a), info=info)
