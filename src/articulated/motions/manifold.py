"""Velocities and accelerations of q(t) = q0 exp(S ξ(t)), joint by joint: `trajectory.interpolation` backwards.

v = (1 - e^-ad)/ad ξ̇ with ad the bracket with ξ, summed as the series Σ (-ad)^k / (k + 1)! ξ̇; a differentiates it term
by term (Iserles et al. 2000, Lie-group methods).
"""

import numpy as np

from ..robot import Robot
from ..simulation.trajectory.interpolation import bracket, rates

Floats = np.ndarray
#: terms of the series: 2π to the 40th, over 41!, is below 1e-17
TERMS = 40


def moved(robot: Robot, q: Floats, x: Floats, rate: Floats, bend: Floats) -> tuple[Floats, Floats, Floats]:
    """q, v and a where the exponential coordinates from `q` are x, their rates `rate` and `bend`; all (…, nv)."""
    v, a = rate.copy(), bend.copy()
    for b in robot.model.bodies:
        if b.leader is b and b.joint.nv > 1:
            S = np.array(b.joint.S, float)
            twists = [part[..., b.dofs] @ S.T for part in (x, rate, bend)]
            back = np.linalg.pinv(S).T
            v[..., b.dofs], a[..., b.dofs] = (part @ back for part in _series(*twists))
    return robot.integrate(q, x), v, a


def _series(x: Floats, rate: Floats, bend: Floats) -> tuple[Floats, Floats]:
    term, slope, v, a = rate, bend, rate.copy(), bend.copy()
    for k in range(2, TERMS):
        slope = -(bracket(rate, term) + bracket(x, slope)) / k
        term = -bracket(x, term) / k
        v, a = v + term, a + slope
        if not (np.abs(term) > 1e-18).any() and not (np.abs(slope) > 1e-18).any():
            break
    return v, a


def ends(robot: Robot, q0: Floats, q1: Floats, v1: Floats, a1: Floats) -> tuple[Floats, Floats, Floats]:
    """Exponential coordinates of q1 from q0, and their rates while the robot moves there with v1 and a1."""
    along = robot.difference(q0, q1)
    rate = rates(robot.model, along, v1)
    # a = series(bend), affine in bend: the part without it is subtracted
    still = moved(robot, q0, along, rate, np.zeros_like(rate))[2]
    return along, rate, rates(robot.model, along, a1 - still)
