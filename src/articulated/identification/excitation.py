"""Motions that show the base parameters: Fourier series within limits, optimized for information (Swevers et al. 1997).

The information of a motion is log det Σ Yᵀ W² Y of the base columns.  Positions, velocities and accelerations are
linear in the coefficients, so that limits are a logarithmic barrier on linear functions; gradients come from
`robot.vjp("regressor")`.
"""

from __future__ import annotations  # help shows types as they are written here

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ModelError, ShapeError
from ..inputs.choices import floats, generator, number, whole_number
from ..robot import Robot
from ..simulation import Trajectory
from .base import base_parameters

Floats = NDArray[np.floating]
#: samples that information and limits are looked at
SAMPLES = 200
#: part of a limit that is used
MARGIN = 0.9
#: of joints without limits: rad or m about the start, rad/s or m/s; acceleration is velocity over RAMP s
RANGE, SPEED, RAMP = 1.0, 1.0, 0.3
#: weight of the barrier, tries with weaker accelerations, steps of each
BARRIER, TRIES, STEPS = 0.02, 8, 150


class _Series(NamedTuple):
    """Position, velocity and acceleration of a joint per unit of its coefficients, (samples, coefficients) each."""

    position: Floats
    velocity: Floats
    acceleration: Floats

    def of(self, c: Floats, middle: Floats) -> tuple[Floats, Floats, Floats]:
        """q, v, a (samples, nv) of coefficients (nv, coefficients) about the middle."""
        q, v, a = (x @ c.T for x in self)
        return q + middle, v, a


def excitation(
    robot: Robot,
    duration: float = 10.0,
    *,
    rate: float = 100.0,
    harmonics: int = 5,
    acceleration: ArrayLike | None = None,
    start: ArrayLike | None = None,
    seed: Any = 0,
) -> Trajectory:
    """A periodic motion that shows the base parameters, within the limits of position, velocity and effort.

    It begins and ends at rest.  Joints collide with nothing that `robot.collides` knows.

    Parameters
    ----------
    robot : a Robot on a fixed base, of joints with one coordinate
    duration : of one period, s
    rate : samples per second
    harmonics : of the Fourier series of each joint
    acceleration : limit, (nv,) or one number: rad/s²; without it velocity limits are reached within 0.3 s
    start : middle of the motion, (nq,); the middle of the limits if not given
    seed : of the first guess

    Returns
    -------
    a Trajectory, with the torques of the robot as described; `.info` has the information and the condition number

    Notes
    -----
    Source: Swevers et al. 1997.

    Examples
    --------
    >>> import articulated as art
    >>> motion = art.excitation(art.load("2r"), duration=4.0, rate=50, harmonics=3)
    >>> motion.q.shape
    (201, 2)
    """
    duration = number("excitation: duration", duration, "a number of seconds", 1e-3)
    rate = number("excitation: rate", rate, "samples per second", 1e-3)
    harmonics = whole_number("excitation: harmonics", harmonics, 2)
    rng = generator("excitation: seed", seed)
    if robot.nq != robot.nv or not robot.nv:
        raise ModelError(f"excitation: {robot.name} has joints of several coordinates; lock or fix them first")
    lower, upper, speed = _limits(robot, start)
    fastest = (
        speed / RAMP
        if acceleration is None
        else np.broadcast_to(floats("excitation: acceleration", acceleration), speed.shape)
    )
    if not (fastest > 0).all():
        raise ShapeError("excitation: acceleration is larger than 0 for every joint")
    middle, effort = (lower + upper) / 2, robot.limits.effort
    series = _series(np.linspace(0, duration, SAMPLES, endpoint=False), duration, harmonics)
    for _ in range(TRIES):
        limits = ((upper - lower) / 2, speed, fastest)
        c = _optimized(robot, series, middle, limits, rng)
        q, v, a = series.of(c, middle)
        fits = (abs(np.asarray(robot.inverse_dynamics(q, v, a))) <= np.where(effort > 0, effort, np.inf)).all()
        if fits and not robot.collides(q).any():
            break
        fastest = 0.7 * fastest
    else:
        raise ModelError(
            f"excitation: no motion of {robot.name} around start meets effort limits and is collision-free; give start="
        )
    t = np.arange(round(duration * rate) + 1) / rate
    q, v, a = _series(t, duration, harmonics).of(c, middle)
    G = _gram(robot, *series.of(c, middle))
    d = 1 / np.sqrt(np.diag(G))
    values = np.linalg.eigvalsh(G * d * d[:, None])
    info = {"information": float(np.linalg.slogdet(G)[1]), "condition": float(np.sqrt(values[-1] / values[0]))}
    return Trajectory(robot, t, q, v, a, robot.inverse_dynamics(q, v, a), info={"made by": "excitation", **info})


def _limits(robot: Robot, start: Any) -> tuple[Floats, Floats, Floats]:
    """Ranges about a start, and speeds, with a margin."""
    lower, upper, speed = (np.array(x) for x in robot.limits[:3])
    bounded = np.isfinite(lower) & np.isfinite(upper)
    inside = (np.where(bounded, lower, 0.0) + np.where(bounded, upper, 0.0)) / 2
    middle = inside if start is None else floats("excitation: start", start)
    if middle.shape != inside.shape or not ((lower < middle) & (middle < upper)).all():
        raise ShapeError(f"excitation: start is a configuration ({robot.nq},) within the limits of {robot.name}")
    reach = MARGIN * np.minimum(upper - middle, middle - lower)
    reach = np.where(np.isfinite(reach), reach, RANGE)
    return middle - reach, middle + reach, MARGIN * np.where(np.isfinite(speed) & (speed > 0), speed, SPEED)


def _series(t: Floats, duration: float, harmonics: int) -> _Series:
    """Sines and cosines whose sum is at rest at the ends, without acceleration."""
    w = 2 * np.pi / duration * np.arange(1, harmonics + 1)
    angle = t[:, None] * w
    position = np.concatenate([np.sin(angle) / w, (1 - np.cos(angle)) / w], axis=1)
    velocity = np.concatenate([np.cos(angle), np.sin(angle)], axis=1)
    acceleration = np.concatenate([-np.sin(angle) * w, np.cos(angle) * w], axis=1)
    ends = np.stack([np.r_[np.ones(harmonics), np.zeros(harmonics)], np.r_[np.zeros(harmonics), w]])
    free = np.linalg.svd(ends / np.linalg.norm(ends, axis=1)[:, None])[2][2:].T
    return _Series(position @ free, velocity @ free, acceleration @ free)


def _gram(robot: Robot, q: Floats, v: Floats, a: Floats) -> Floats:
    """Information of samples, with torques in parts of the effort limits."""
    Y = _columns(robot, q, v, a)
    return (np.swapaxes(Y, 1, 2) @ Y).mean(axis=0)


def _columns(robot: Robot, q: Floats, v: Floats, a: Floats) -> Floats:
    effort = robot.limits.effort
    weight = 1 / np.where(np.isfinite(effort) & (effort > 0), effort, 1.0)
    return np.asarray(robot.regressor(q, v, a))[..., base_parameters(robot).columns] * weight[:, None]


def _optimized(robot: Robot, series: _Series, middle: Floats, limits: Any, rng: np.random.Generator) -> Floats:
    """Coefficients (nv, coefficients) of the largest information within the limits."""
    shape, columns = (robot.nv, series.position.shape[1]), base_parameters(robot).columns
    effort = robot.limits.effort
    weight = 1 / np.where(np.isfinite(effort) & (effort > 0), effort, 1.0)
    gradient = robot.vjp("regressor")

    def cost(flat: Floats) -> tuple[float, Floats]:
        c = flat.reshape(shape)
        parts = [x @ c.T for x in series]
        slack = [1 - (x / most) ** 2 for x, most in zip(parts, limits, strict=True)]
        if min(x.min() for x in slack) <= 0:
            return np.inf, flat
        state = (parts[0] + middle, parts[1], parts[2])
        Y = _columns(robot, *state)
        G = (np.swapaxes(Y, 1, 2) @ Y).mean(axis=0) + 1e-12 * np.eye(len(columns))
        pull = np.zeros((len(Y), robot.nv, len(robot.parameters)))
        pull[..., columns] = -2 / len(Y) * (Y @ np.linalg.inv(G)) * weight[:, None]
        by_state = gradient(*state, cotangents=pull)
        total = np.zeros(shape)
        for x, own, most, left, by in zip(series, parts, limits, slack, by_state, strict=True):
            total += (np.asarray(by) + BARRIER * 2 * own / most**2 / left / len(Y) * len(columns)).T @ x
        barrier = -BARRIER * len(columns) * sum(np.log(x).mean(axis=0).sum() for x in slack)
        return float(-np.linalg.slogdet(G)[1] + barrier), total.ravel()

    guess = rng.normal(size=shape)
    parts = [abs(x @ guess.T).max(axis=0) / most for x, most in zip(series, limits, strict=True)]
    guess *= 0.5 / np.max(parts, axis=0)[:, None]
    return _descended(cost, guess.ravel()).reshape(shape)


def _descended(cost: Callable[[Floats], tuple[float, Floats]], x: Floats) -> Floats:
    """A local minimum by BFGS."""
    value, g = cost(x)
    H = np.eye(len(x)) / max(float(np.linalg.norm(g)), 1e-12) * 0.1
    for _ in range(STEPS):
        d = -H @ g
        if d @ g >= 0:
            H, d = np.eye(len(x)) / np.linalg.norm(g) * 0.1, -g / np.linalg.norm(g) * 0.1
        step = 1.0
        while step > 1e-10:
            now, slope = cost(x + step * d)
            if now < value + 1e-4 * step * (d @ g):
                break
            step *= 0.4
        else:
            return x
        s, y = step * d, slope - g
        x, done = x + s, value - now < 1e-6 * max(1.0, abs(value))
        value, g = now, slope
        if (sy := float(s @ y)) > 0:
            r = np.eye(len(x)) - np.outer(s, y) / sy
            H = r @ H @ r.T + np.outer(s, s) / sy
        if done:
            return x
    return x
