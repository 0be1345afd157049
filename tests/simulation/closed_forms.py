"""Motions that are known exactly, and how fast errors fall."""

import mpmath
import numpy as np

import articulated as art

GRAVITY, LENGTH = 9.81, 0.7


def pendulum() -> art.Robot:
    """A point mass on a massless rod that hangs down at q = 0."""
    inertia = art.Inertia(1.3, [0, 0, -LENGTH])
    return art.build([art.Link("bob", None, art.Revolute([0, 1, 0], name="hinge"), inertia=inertia)], name="pendulum")


def swing(amplitude: float, t: float) -> tuple[float, float]:
    """(q, v) of the pendulum a time t after its release at rest, to fifty digits."""
    with mpmath.workdps(50):
        k, omega = mpmath.sin(mpmath.mpf(amplitude) / 2), mpmath.sqrt(mpmath.mpf(GRAVITY) / mpmath.mpf(LENGTH))
        u = mpmath.ellipk(k**2) - omega * mpmath.mpf(t)
        sn, cn = (mpmath.ellipfun(name, u, m=k**2) for name in ("sn", "cn"))
        return float(2 * mpmath.asin(k * sn)), float(-2 * k * omega * cn)


def period(amplitude: float) -> float:
    """Period of the pendulum, by the complete elliptic integral."""
    with mpmath.workdps(30):
        return float(4 * mpmath.sqrt(mpmath.mpf(LENGTH) / GRAVITY) * mpmath.ellipk(mpmath.sin(amplitude / 2) ** 2))


def order(steps, errors) -> float:
    """The slope of errors over steps on logarithmic axes."""
    return float(np.polyfit(np.log(steps), np.log(errors), 1)[0])
