"""Limits of a motion, and how much slower than it is a leg must be to keep them."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from ..errors import ShapeError
from ..inputs.choices import choose, floats
from ..robot import Robot
from ..text import shortened

Floats = np.ndarray
#: relative tolerance of limits: rounding
ROUNDING = 1e-9
UNITS = {"velocity": "rad/s or m/s", "acceleration": "rad/s² or m/s²", "jerk": "rad/s³ or m/s³", "effort": "N m or N"}


class MotionLimits(NamedTuple):
    """Largest absolute values, (nv,) each; infinite where there is no limit."""

    velocity: Floats
    acceleration: Floats
    jerk: Floats
    effort: Floats


class Binding(NamedTuple):
    """The limit that a motion reaches: by how much the time is stretched for it, and where."""

    factor: float
    limit: str
    dof: int
    sample: int


def limits_of(method: str, robot: Robot, given: Any) -> MotionLimits:
    """Limits of the robot, with those that are given in their place; None takes one away."""
    own = robot.limits
    free = np.full(robot.nv, np.inf)
    found = {"velocity": own.velocity, "acceleration": free, "jerk": free, "effort": own.effort}
    if given is not None and not isinstance(given, Mapping):
        raise ShapeError(
            f"{method}: limits is a dict of {', '.join(found)}; got {shortened(repr(given))}; the robot's own "
            "limits apply in any case"
        )
    for name, value in (given or {}).items():
        choose(method, "limits", name, found)
        x = floats(f"{method}: limits[{name!r}]", np.inf if value is None else value)
        try:
            found[name] = np.broadcast_to(x, robot.nv)
        except ValueError:
            told = f"{method}: limits[{name!r}] is a number, ({robot.nv},) or None; got {x.shape}"
            raise ShapeError(told) from None
        if not (found[name] > 0).all():
            k = int(np.argmin(found[name] > 0))
            raise ShapeError(
                f"{method}: limits[{name!r}] of {dof_name(robot, k)} is {found[name][k]:g}; limits are above zero, "
                f"{UNITS[name]}"
            )
    return MotionLimits(**found)


def dof_name(robot: Robot, k: int) -> str:
    """Name of velocity k."""
    return repr(robot.kernels.vectors["v"].names[k])


def inside(method: str, robot: Robot, q: Floats, what: str) -> None:
    """Refuse configurations beyond the joint limits."""
    lower, upper = robot.limits[:2]
    over = np.maximum(lower - q, q - upper)
    slack = ROUNDING * (1 + np.where(np.isfinite(upper - lower), upper - lower, 0.0))
    if not (over <= slack).all():
        index = np.unravel_index(int(np.argmax(over - slack)), over.shape)
        k = int(index[-1])
        name = robot.kernels.vectors["q"].names[k]
        raise ShapeError(
            f"{method}: {what} {int(index[-2])} has {name!r} at {q[index]:.6g}, {over[index]:.3g} beyond its range "
            f"{lower[k]:g} … {upper[k]:g}"
        )


def stretch(robot: Robot, limits: MotionLimits, q: Floats, v: Floats, a: Floats, jerk: Floats) -> Binding:
    """How much longer a motion must take, its samples (…, N, nq or nv) being those of one that takes 1."""
    rows = {"velocity": (v, 1), "acceleration": (a, 2), "jerk": (jerk, 3)}
    found = [_largest(abs(x) / getattr(limits, name), power, name) for name, (x, power) in rows.items()]
    binding = max(found)
    if np.isfinite(limits.effort).any():
        binding = max(binding, _effort(robot, limits.effort, q, v, a, binding.factor or 1.0))
    return binding


def _largest(x: Floats, power: int, name: str) -> Binding:
    """The largest entry and its place; between samples by the parabola through three of them."""
    sample, dof = _place(x)
    worst = x.max(axis=tuple(range(x.ndim - 2)))[:, dof]
    top = float(worst[sample])
    if 0 < sample < len(worst) - 1:
        before, after = worst[sample - 1], worst[sample + 1]
        bends = np.diff(worst[max(sample - 2, 0) : sample + 3], 2)
        if (bends < 0).all() and bends.min() > 2 * bends.max():  # no corner near
            top -= (after - before) ** 2 / (8 * (before - 2 * top + after))
    return Binding(top ** (1 / power), name, dof, sample)


def _place(x: Floats) -> tuple[int, int]:
    """Sample and velocity of the largest entry."""
    index = np.unravel_index(int(np.argmax(x)), x.shape)
    return int(index[-2]), int(index[-1])


def _effort(robot: Robot, effort: Floats, q: Floats, v: Floats, a: Floats, factor: float) -> Binding:
    """Stretch from which on every torque keeps within its limit: tau = c + b u + a u² with u = 1/stretch."""
    v, a = v / factor, a / factor**2
    held = robot.inverse_dynamics(q, 1e-200 * v, np.zeros_like(a))  # friction has the sign of the motion
    once, twice = robot.inverse_dynamics(q, v, a), robot.inverse_dynamics(q, 2 * v, 4 * a)
    square = (twice - 2 * once + held) / 2
    linear = once - held - square
    over = abs(held) / effort
    if over.max(initial=0.0) > 1 + ROUNDING:
        sample, dof = _place(over)
        most = over.max() * effort[dof]
        raise ShapeError(
            f"the effort limit of {dof_name(robot, dof)}, {effort[dof]:g}, does not even hold the robot at rest: "
            f"{most:.4g} are needed at sample {sample} of {len(over[..., 0].T)}"
        )
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        u = np.minimum(_root(square, linear, effort - held), _root(-square, -linear, effort + held))
    slower = np.where(np.isfinite(effort), 1 / np.maximum(u, 1e-300), 0.0)
    sample, dof = _place(slower)
    return Binding(float(slower.max()) * factor, "effort", dof, sample)


def _root(a: Floats, b: Floats, c: Floats) -> Floats:
    """The smallest u > 0 at which a u² + b u reaches c ≥ 0; infinite if it never does."""
    c = np.maximum(c, 0.0)
    inside = b * b + 4 * a * c
    denominator = b + np.sqrt(np.maximum(inside, 0.0))
    return np.where((inside < 0) | (denominator <= 0), np.inf, 2 * c / denominator)
