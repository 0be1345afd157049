"""From velocities to the rates of exponential coordinates, joint by joint (Iserles et al. 2000, Lie-group methods).

A joint is a subgroup of SE(3): near q0 it is q0 exp(S ξ), and while it moves with v, dξ/dt = ad/(1 - e^-ad) v with
ad the bracket with ξ.  On SE(3) that series is a polynomial, 1 + ad/2 + c2 ad² + c4 ad⁴, since ad (ad² + θ²)² = 0.
"""

import numpy as np

from ...model import Model

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
