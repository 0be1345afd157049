"""`art.time_optimal`: the fastest motion along a path under torque, acceleration and velocity limits."""

from __future__ import annotations  # help shows types as they are written here

from functools import reduce
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..errors import ShapeError, warn
from ..inputs.choices import flag, whole_number
from ..robot import Robot
from ..simulation.trajectory.trajectory import Trajectory
from .limits import MotionLimits, dof_name, inside, limits_of
from .passes import passes
from .path import Path, Point
from .path import path as path_through
from .supported import forces, polygons, support

Floats = np.ndarray
#: a limit where there is none, and a bound of x where nothing bounds it
UNBOUNDED = 1e20
#: passes for viscous friction, which is no polynomial of ṡ², and the change of x that is small enough
ROUNDS, SETTLED = 30, 1e-10


class Rows(NamedTuple):
    """Limits |inertia u + velocity x + damping √x + rest| ≤ most at every point, (N, m) each, with x = ṡ², u = s̈."""

    inertia: Floats
    velocity: Floats
    damping: Floats
    rest: Floats
    most: Floats  # (m,)


def time_optimal(
    robot: Robot, path: ArrayLike | Path, torque_limits: bool = True, limits: Any = None, *, points: int = 1000,
    contacts: Any = None, friction: Any = 0.6,
) -> Trajectory:  # fmt: skip
    """The fastest motion along a path, from rest to rest: some limit is reached at every moment.

    Parameters
    ----------
    robot : a Robot
    path : a Path (`art.path`, `art.frame_path`), or waypoints (K, nq), through which a spline goes
    torque_limits : False: efforts are not limited
    limits : {"velocity": …, "acceleration": …, "effort": …}, numbers or (nv,), in the place of the robot's
    points : of the path, at which limits hold; between two of them s̈ is constant
    contacts : names of frames held as points on level ground, which the path keeps at rest
    friction : of these contacts, a number or {name: number}; forces stay in pyramids inside the cones

    Returns
    -------
    a Trajectory with a sample at every point; tau is inverse dynamics, friction included, without what contacts supply:
    the least forces that do are its `forces`

    Notes
    -----
    Source: Pham and Pham 2018, A new approach to time-optimal path parameterization based on reachability analysis.

    Examples
    --------
    >>> import articulated as art
    >>> panda = art.load("panda")
    >>> home = panda.poses["home"]
    >>> fast = art.time_optimal(panda, [home, home + [1, 0.3, 0, 0.5, 0, 0, 0], home + [1.5, 0, 0, 0, 0, 0, 0]])
    >>> fast.duration.__round__(2), float(abs(fast.tau / panda.limits.effort).max().round(6))
    (0.75, 1.0)
    """
    way = path if isinstance(path, Path) else path_through(robot, path)
    if way.q.ndim != 2:
        raise ShapeError(f"time_optimal takes one path at a time; got a batch {way.q.shape[:-2]}")
    if way.robot.joint_names != robot.joint_names:
        raise ShapeError(f"time_optimal: the path is one of another robot, {way.robot.name}")
    allowed = limits_of("time_optimal", robot, limits)
    if not flag("time_optimal: torque_limits", torque_limits):
        allowed = allowed._replace(effort=np.full(robot.nv, np.inf))
    s = np.linspace(way.s[0], way.s[-1], whole_number("time_optimal: points", points, 3))
    at = way.at(s)
    inside("time_optimal", robot, at.q, "point")
    rows, top = _rows(robot, at, allowed), _top(at, allowed)
    if contacts is None:
        if any(b.joint.floats for b in robot.model.bodies) and abs(at.slope).any():
            warn(f"time_optimal: what {robot.name}'s floating base needs to move is not limited; name its contacts=[…]")
        return _timed(robot, s, at, *_fastest(robot, s, rows, top, allowed))
    given = support(robot, contacts, friction, at, Rows(*(x[..., : robot.nv] for x in rows)), top)
    inertia, velocity, rest = polygons(given)
    edges = Rows(inertia, velocity, 0 * rest, rest, np.ones(inertia.shape[1]))
    x, u = _fastest(robot, s, joined([edges, Rows(*(x[..., robot.nv :] for x in rows))]), top, allowed)
    return _timed(robot, s, at, x, u, forces(robot, given, at.q, x, u))


def _rows(robot: Robot, at: Point, limits: MotionLimits) -> Rows:
    """Torques and accelerations of every point."""
    found = []
    still = np.zeros_like(at.slope)
    if np.isfinite(limits.effort).any():
        # weight, inertia along the path, and what the curvature of path and manifold adds
        moves = ((still, still), (still, at.slope), (at.slope, at.bend))
        rest, inertia, velocity = (robot.inverse_dynamics(at.q, *move) for move in moves)
        friction = robot.friction_forces(at.slope)
        dry = robot.friction_forces(1e-200 * at.slope)
        found.append(Rows(inertia - rest, velocity - rest - friction, friction - dry, rest + dry, limits.effort))
    if np.isfinite(limits.acceleration).any():
        found.append(Rows(at.slope, at.bend, still, still, limits.acceleration))
    if not found:
        raise ShapeError(
            "time_optimal: neither efforts nor accelerations are limited, so there is no fastest motion; give "
            'limits={"acceleration": …}'
        )
    return joined(found)


def joined(rows: list[Rows]) -> Rows:
    """Limits of all of them."""
    found = rows[0] if len(rows) == 1 else Rows(*(np.concatenate(x, axis=-1) for x in zip(*rows, strict=True)))
    return found._replace(most=np.minimum(found.most, UNBOUNDED))


def _top(at: Point, limits: MotionLimits) -> Floats:
    """Largest x that the velocity limits allow."""
    with np.errstate(divide="ignore", invalid="ignore"):
        # joint by joint: NumPy is slow along short axes
        return reduce(np.fmin, (limits.velocity / abs(at.slope)).T, np.sqrt(UNBOUNDED)) ** 2


def _fastest(robot: Robot, s: Floats, rows: Rows, top: Floats, limits: MotionLimits) -> tuple[Floats, Floats]:
    """x (N,) and u (N,) along the path; viscous friction is linear near the x of the round before."""
    gaps, near, damped = np.diff(s), rows, rows.damping.any()
    before = top
    for _ in range(ROUNDS):
        x, u, sets = passes(robot, near, top, gaps)
        empty = np.flatnonzero(sets[:, 1] < sets[:, 0])
        if len(empty):
            raise _stuck(robot, s, rows, int(empty[-1]), limits)
        if not damped or abs(x - before).max() <= SETTLED * x.max():
            break
        before, near = x, _near(rows, x)
    return x, np.append(u, u[-1])


def _near(rows: Rows, before: Floats) -> Rows:
    """Limits with the damping linear near an x: √x ≈ (x + before) / (2 √before)."""
    root = np.sqrt(np.maximum(before, 1e-12 * before.max()))[:, None]
    return rows._replace(velocity=rows.velocity + rows.damping / (2 * root), rest=rows.rest + rows.damping * root / 2)


def _stuck(robot: Robot, s: Floats, rows: Rows, k: int, limits: MotionLimits) -> ShapeError:
    """Which limit leaves no motion, and where."""
    share = abs(rows.rest[k]) / rows.most
    row = int(np.argmax(share))
    name = "effort" if row < robot.nv and np.isfinite(limits.effort).any() else "acceleration"
    dof = dof_name(robot, row % robot.nv)
    if share[row] > 1:
        return ShapeError(
            f"time_optimal: at point {k} of {len(s)} (s = {s[k]:.4g}) the {name} limit of {dof}, {rows.most[row]:g}, "
            f"does not hold the robot: {abs(rows.rest[k, row]):.4g} are needed at rest"
        )
    return ShapeError(f"time_optimal: the limits leave no motion at point {k} of {len(s)} (s = {s[k]:.4g})")


def _timed(robot: Robot, s: Floats, at: Point, x: Floats, u: Floats, supplied: Any = None) -> Trajectory:
    """The motion over time."""
    speed = np.sqrt(np.maximum(x, 0.0))
    t = np.concatenate([[0.0], np.cumsum(2 * np.diff(s) / (speed[1:] + speed[:-1]))])
    v = at.slope * speed[:, None]
    a = at.slope * u[:, None] + at.bend * x[:, None]
    tau = robot.inverse_dynamics(at.q, v, a, **({"forces": supplied} if supplied else {}))
    return Trajectory(robot, t, at.q, v, a, tau, forces=supplied, info={"method": "time_optimal"})
