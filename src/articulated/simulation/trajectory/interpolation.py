"""States between the samples of a trajectory, on the configuration manifold.

Positions: the cubic Hermite interpolant of the coordinates that `difference` measures from the beginning of a step; it
has the positions and velocities of both ends.  Velocities: the quadratic through both velocities that starts with the
acceleration of the step, so that what jumps at a sample (a torque that is held, an impact) does not reach into the step
before.  What belongs to the step as a whole (a, tau, contacts, forces) is that of the step.

Where nothing jumps (`info["smooth"]`: a method of higher order under torques that do not) the accelerations of both
ends are met, too: positions are quintics in the same coordinates, velocities cubics, accelerations their slopes.

A joint is a subgroup of SE(3): near q0 it is q0 exp(S ξ), and while it moves with v, dξ/dt = ad/(1 - e^-ad) v with
ad the bracket with ξ.  On SE(3) that series is a polynomial, 1 + ad/2 + c2 ad² + c4 ad⁴, since ad (ad² + θ²)² = 0
(Iserles et al. 2000, Lie-group methods).
"""

from typing import Any, NamedTuple

import numpy as np

from ...errors import ShapeError
from ...inputs.choices import floats
from ...model import Model
from ...robot import Robot

#: bound on θ² below which the coefficients are summed as series, with a relative error of 1e-16
SMALL = 0.05
#: seconds, of a central difference: its error is far below that of what is interpolated
CLOSE = 1e-5


def rates(model: Model, along: np.ndarray, v: np.ndarray) -> np.ndarray:
    """dξ/dt (…, nv) of the exponential coordinates `along` (…, nv), while the robot moves with v (…, nv)."""
    found = v.copy()
    for b in model.bodies:
        if b.leader is b and b.joint.nv > 1:
            S = np.array(b.joint.S, float)
            twist = _rate(along[..., b.dofs] @ S.T, v[..., b.dofs] @ S.T)
            found[..., b.dofs] = twist @ np.linalg.pinv(S).T
    return found


def accelerations(model: Model, along: np.ndarray, v: np.ndarray, a: np.ndarray) -> np.ndarray:
    """d²ξ/dt² (…, nv), while v changes with a; the change of the coefficients by a central difference."""
    found = rates(model, along, a)
    if any(b.leader is b and b.joint.nv > 1 for b in model.bodies):
        step = CLOSE * rates(model, along, v)
        found += (rates(model, along + step, v) - rates(model, along - step, v)) / (2 * CLOSE)
    return found


def _rate(along: np.ndarray, twist: np.ndarray) -> np.ndarray:
    once = bracket(along, twist)
    twice = bracket(along, once)
    four = bracket(along, bracket(along, twice))
    c2, c4 = _coefficients((along[..., 3:] ** 2).sum(axis=-1))
    return twist + once / 2 + c2[..., None] * twice + c4[..., None] * four


def bracket(V: np.ndarray, W: np.ndarray) -> np.ndarray:
    """[V, W] of twists [linear; angular]."""
    linear = np.cross(V[..., 3:], W[..., :3]) + np.cross(V[..., :3], W[..., 3:])
    return np.concatenate([linear, np.cross(V[..., 3:], W[..., 3:])], axis=-1)


def _coefficients(squared: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """c2 and c4 for an angle θ, from G(y) = θ/2 cot θ/2 and its slope at y = -θ²: the even part of the series."""
    y = -squared
    # with Bernoulli numbers: (G - 1)/y and G'
    terms = np.array([1 / 12, -1 / 720, 1 / 30240, -1 / 1209600, 1 / 47900160, -691 / 1307674368000])
    powers = np.where(squared < SMALL, y, 0.0)[..., None] ** np.arange(6)
    share, slope = powers @ terms, powers @ (terms * np.arange(1, 7))
    c2 = 2 * share - slope
    c4 = powers[..., :5] @ (terms[1:] * np.arange(1, 6))
    angle = np.sqrt(np.where(squared < SMALL, 1.0, squared))
    half = np.sin(angle / 2)
    G = angle / 2 * np.cos(angle / 2) / half
    slope = -(np.cos(angle / 2) / half - angle / 2 / half**2) / (4 * angle)
    share = (1 - G) / angle**2
    return np.where(squared < SMALL, c2, 2 * share - slope), np.where(squared < SMALL, c4, (share - slope) / angle**2)


#: tolerance of a time, relative to the length of the trajectory: rounding
ROUNDING = 1e-12
#: samples that no memory holds
TOO_MANY = 1e9


class Places(NamedTuple):
    """Places of times: the step that holds each, and the part of it that has passed."""

    step: np.ndarray
    part: np.ndarray


def places(t: np.ndarray, asked: Any, what: str) -> Places:
    """The step of each of the times asked for, and how far into it: 0 … 1."""
    wanted = floats(what, asked)
    slack = ROUNDING * max(abs(t[0]), abs(t[-1]))
    outside = ~((wanted >= t[0] - slack) & (wanted <= t[-1] + slack))
    if outside.any():
        first = wanted[outside].flat[0]
        raise ShapeError(f"{what} = {first:g} s is outside the trajectory, which goes from {t[0]:g} s to {t[-1]:g} s")
    wanted = np.clip(wanted, t[0], t[-1])
    step = np.clip(np.searchsorted(t, wanted, side="right") - 1, 0, len(t) - 1)
    later = t[np.minimum(step + 1, len(t) - 1)]
    length = np.where(later > t[step], later - t[step], 1.0)
    return Places(step, (wanted - t[step]) / length)


def regular(t: np.ndarray, dt: float) -> np.ndarray:
    """Times every `dt` seconds, from the first sample to the last or before it."""
    steps = (t[-1] - t[0]) / dt * (1 + ROUNDING)
    if not steps < TOO_MANY:
        raise ShapeError(f"resample: dt = {dt:g} s makes {steps:.3g} samples of {t[-1] - t[0]:g} s")
    return np.minimum(t[0] + dt * np.arange(int(steps) + 1), t[-1])


def positions(robot: Robot, t: np.ndarray, q: np.ndarray, v: np.ndarray, at: Places) -> np.ndarray:
    """q (…, K, nq) at places (K,)."""
    q0, q1, v0, v1, h, u = _ends(t, q, v, at)
    along = robot.difference(q0, q1)
    first, last = h * v0, h * rates(robot.model, along, v1)
    way = u * (1 - u) ** 2 * first + u * u * (3 - 2 * u) * along + u * u * (u - 1) * last
    return np.where(u == 0, q0, robot.integrate(q0, way))


def smooth(
    robot: Robot, t: np.ndarray, q: np.ndarray, v: np.ndarray, a: np.ndarray, at: Places
) -> tuple[np.ndarray, ...]:
    """q, v and a at places (K,), where a does not jump."""
    q0, q1, v0, v1, h, u = _ends(t, q, v, at)
    a0, a1, *_ = _ends(t, a, v, at)
    along = robot.difference(q0, q1)
    last = h * rates(robot.model, along, v1)
    bent = h * h * accelerations(robot.model, along, v1, a1)
    u2, u3 = u * u, u * u * u
    way = u3 * (10 - 15 * u + 6 * u2) * along
    way += u * (1 - 6 * u2 + 8 * u3 - 3 * u2 * u2) * h * v0 + u3 * (-4 + 7 * u - 3 * u2) * last
    way += u2 / 2 * (1 - u) ** 3 * h * h * a0 + u3 / 2 * (1 - u) ** 2 * bent
    speed = v0 + u2 * (3 - 2 * u) * (v1 - v0) + h * u * (1 - u) * ((1 - u) * a0 - u * a1)
    length = np.where(h > 0, h, 1.0)  # the last sample has no step behind it
    slope = 6 * u * (1 - u) * (v1 - v0) / length + (1 - u) * (1 - 3 * u) * a0 + u * (3 * u - 2) * a1
    return np.where(u == 0, q0, robot.integrate(q0, way)), speed, slope


def velocities(t: np.ndarray, v: np.ndarray, a: np.ndarray, at: Places) -> np.ndarray:
    """v (…, K, nv) at places (K,)."""
    a0, _, v0, v1, h, u = _ends(t, a, v, at)
    return v0 + u * (h * a0 + u * (v1 - v0 - h * a0))


def _ends(t: np.ndarray, x: np.ndarray, v: np.ndarray, at: Places) -> tuple[np.ndarray, ...]:
    """x and v at the beginning and the end of each step, the step's length, and the part of it that has passed."""
    later = np.minimum(at.step + 1, len(t) - 1)
    h = (t[later] - t[at.step])[:, None]
    return x[..., at.step, :], x[..., later, :], v[..., at.step, :], v[..., later, :], h, at.part[:, None]
