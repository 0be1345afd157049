"""`simulate` as an operation with a gradient: arrays in, states out, and the adjoint sweep by coordinates."""

from typing import Any

import numpy as np

from ..optimization.sensitivity import simulate_derivatives
from ..robot import Robot
from ..simulation.run import simulate

Floats = np.ndarray


def states(robot: Robot, dt: float, method: Any, contacts: Any, q0: Floats, v0: Floats, tau: Floats) -> Any:
    """A run of `simulate` under torques (…, T, nv); joints have limits with contacts; q and v are (…, T + 1, …)."""
    batch = np.broadcast_shapes(q0.shape[:-1], v0.shape[:-1], tau.shape[:-2])
    q, v = (np.broadcast_to(x, (*batch, x.shape[-1])) for x in (q0, v0))
    steps = tau.shape[-2]
    torque = np.broadcast_to(tau, (*batch, *tau.shape[-2:]))
    limits = None if contacts is not None else False
    return simulate(robot, q, v, steps * dt, dt, torque, contacts, method, limits=limits)


def gradients(run: Any, contacts: Any, by_q: Floats, by_v: Floats) -> tuple[Floats, Floats, Floats]:
    """Gradients by q0, v0 and tau from those by q and v, by coordinates: none along a quaternion."""
    robot = run.robot
    rates = robot.derivatives("integrate", wrt="dv", space="coordinates")(run.q, np.zeros(robot.nv)).dv
    found = simulate_derivatives(run, contacts=contacts).adjoint((by_q[..., None, :] @ rates)[..., 0, :], by_v)
    first = rates[..., 0, :, :]
    squared = np.swapaxes(first, -1, -2) @ first
    return (first @ np.linalg.solve(squared, found.q0[..., None]))[..., 0], found.v0, found.tau
