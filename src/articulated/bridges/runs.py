"""`simulate` as an operation with derivatives: arrays in, states out, by coordinates."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..optimization.sensitivity import RunDerivatives, simulate_derivatives
from ..robot import Robot
from ..simulation.run import simulate
from ..simulation.trajectory.trajectory import Trajectory

Floats = np.ndarray


@dataclass
class Run:
    """A run that is differentiated: its arrays are q0, v0, torques (…, T, nv) and, where they are given, parameters."""

    robot: Robot
    dt: float
    method: Any
    contacts: Any

    def states(self, q0: Floats, v0: Floats, tau: Floats, parameters: Floats | None = None) -> Trajectory:
        """The run of `simulate`, kept; joints have limits with contacts; q and v are (…, T + 1, …)."""
        inertias = () if parameters is None else parameters.shape[:-1]
        batch = np.broadcast_shapes(q0.shape[:-1], v0.shape[:-1], tau.shape[:-2], inertias)
        q, v = (np.broadcast_to(x, (*batch, x.shape[-1])) for x in (q0, v0))
        torque, steps = np.broadcast_to(tau, (*batch, *tau.shape[-2:])), tau.shape[-2]
        limits = None if self.contacts is not None else False
        self.found = simulate(
            self.robot, q, v, steps * self.dt, self.dt, torque, self.contacts, self.method, limits=limits,
            parameters=parameters,
        )  # fmt: skip
        return self.found

    def gradients(self, by_q: Floats, by_v: Floats) -> list[Floats]:
        """Gradients by all arrays from those by q and v; none along a quaternion."""
        of, rates, back = self._derivatives()
        found = of.adjoint((by_q[..., None, :] @ rates)[..., 0, :], by_v, self.found.parameters is not None)
        first = (found.q0[..., None, :] @ back)[..., 0, :]
        return [first, *(x for x in found[1:] if x is not None)]

    def tangents(self, moves: Mapping[int, Floats]) -> tuple[Floats, Floats]:
        """Changes of q and v along changes of some arrays, by their numbers."""
        of, rates, back = self._derivatives()
        q0 = (back @ moves[0][..., None])[..., 0] if 0 in moves else None
        found = of.forward(q0, *map(moves.get, (1, 2, 3)))
        return (rates @ found.q[..., None])[..., 0], found.v

    def _derivatives(self) -> tuple[RunDerivatives, Floats, Floats]:
        """Those of the run, of coordinates by tangents, and of the tangent at the start by coordinates."""
        still = np.zeros(self.robot.nv)
        rates = self.robot.derivatives("integrate", wrt="dv", space="coordinates")(self.found.q, still).dv
        first = np.swapaxes(rates[..., 0, :, :], -1, -2)
        back = np.linalg.solve(first @ np.swapaxes(first, -1, -2), first)
        return simulate_derivatives(self.found, contacts=self.contacts), rates, back
