"""One step of a robot in time, on any scalar: semi-implicit Euler, and Runge-Kutta methods given by their tableaus.

Configurations live on a manifold.  Euler's step moves along it (`straight`); a Runge-Kutta step works on the
coordinates and their rates and brings quaternions back to unit length at its end, which keeps its order.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ...algebra.scalars import Array, Scalar, array, sqrt, zeros
from ...algorithms.configuration import bending, configuration_rate, straight
from ...algorithms.forward_dynamics import forward_dynamics
from ...algorithms.kinematics import Forces, in_their_frames
from ...model import Model

#: forward dynamics in one of its formulations
Dynamics = Callable[..., Array]


class Step(NamedTuple):
    """The state after a step, and the acceleration at its beginning."""

    q: Array
    v: Array
    a: Array


def euler_step(model: Model, q: Array, v: Array, a: Array, dt: Scalar) -> Step:
    """Semi-implicit: the velocity first, then the configuration with the new velocity.

    Free bodies move straight on, v being written in the axes they had until they have moved: so momentum stays.
    """
    return Step(*straight(model, q, v + dt * (a - bending(model, v)), dt), a)


def euler(
    model: Model,
    q: Array,
    v: Array,
    tau: Array,
    dt: Array,
    forces: Forces = {},
    dynamics: Dynamics = forward_dynamics,
    force_axes: str = "frame",
) -> Step:
    """A step of the semi-implicit Euler method, with forward dynamics in any of its formulations."""
    return euler_step(model, q, v, dynamics(model, q, v, tau, **_outside(model, q, forces, force_axes)), dt[0])


@dataclass(frozen=True)
class Tableau:
    """An explicit Runge-Kutta method: k_i = f(t + c_i h, y + h Σ_j a_ij k_j), y⁺ = y + h Σ_i b_i k_i."""

    order: int
    a: tuple[tuple[float, ...], ...]  # row i: the weights of the stages before it
    b: tuple[float, ...]

    @property
    def stages(self) -> int:
        """How often the dynamics are evaluated in a step."""
        return len(self.b)

    def rows(self) -> np.ndarray:
        """For each stage its weights, zeros for the stages not there yet, and c_i, their sum."""
        out = np.zeros((self.stages, self.stages + 1))
        for i, row in enumerate(self.a):
            out[i, : len(row)] = row
            out[i, -1] = sum(row)
        return out


TABLEAUS = {"rk4": Tableau(4, ((), (1 / 2,), (0, 1 / 2), (0, 0, 1)), (1 / 6, 1 / 3, 1 / 3, 1 / 6))}


def rk4(
    model: Model,
    q: Array,
    v: Array,
    tau: Array,
    dt: Array,
    forces: Forces = {},
    dynamics: Dynamics = forward_dynamics,
    force_axes: str = "frame",
) -> Step:
    """A step of Runge and Kutta's method of order four; the torque and the forces are held."""
    y, nq, tableau = np.concatenate([q, v]), len(q), TABLEAUS["rk4"]
    slopes = zeros(0)
    for weights in tableau.a:
        there = moved(y, slopes, array(weights), dt[0])
        q, v = there[:nq], there[nq:]
        a = dynamics(model, q, v, tau, **_outside(model, q, forces, force_axes))
        slopes = np.concatenate([slopes, slope(model, q, v, a)])
    return end(model, tableau, y, slopes, dt[0])


#: a whole step by the name of its method, as it is defined
STEPS: dict[str, Callable[..., Step]] = {"euler": euler, "rk4": rk4}


def moved(y: Array, slopes: Array, weights: Array, dt: Scalar) -> Array:
    """y + dt Σ weights_i slopes_i, with one slope after the other in `slopes`."""
    size = len(y)
    total: Any = 0
    for i, weight in enumerate(weights):
        total = total + weight * slopes[i * size : (i + 1) * size]
    return y + dt * total


def slope(model: Model, q: Array, v: Array, a: Array) -> Array:
    """The time derivative of (q, v)."""
    return np.concatenate([configuration_rate(model, q, v), a])


def end(model: Model, tableau: Tableau, y: Array, slopes: Array, dt: Scalar) -> Step:
    """The end of a Runge-Kutta step."""
    after = moved(y, slopes, array(tableau.b), dt)
    nq = model.nq
    return Step(normalised(model, after[:nq]), after[nq:], slopes[nq : len(y)])


def normalised(model: Model, q: Array) -> Array:
    """The configuration with quaternions of unit length."""
    out = q.copy()
    for b in model.bodies:
        part = b.joint.quaternion
        if part is not None and b.leader is b:
            where = slice(b.coords.start + part.start, b.coords.start + part.stop)
            x = q[where]
            out[where] = x / sqrt(x @ x)
    return out


def _outside(model: Model, q: Array, forces: Forces, axes: str) -> dict[str, Any]:
    if axes != "frame":
        forces = in_their_frames(model, q, forces, axes)
    return {"forces": forces} if forces else {}
