"""Semi-implicit Euler, and the loop of any method whose step is one block."""

from collections.abc import Callable
from typing import Any, NamedTuple

from ...algebra.scalars import Array, Scalar
from ...algorithms.configuration import bending, straight
from ...model import Model
from ..loop.routine import Writer


class Step(NamedTuple):
    """State after a step, and acceleration at its beginning."""

    q: Array
    v: Array
    a: Array


#: (q, v, time since the step began) → acceleration
Acceleration = Callable[..., Array]


def euler(model: Model, q: Array, v: Array, dt: Scalar, acceleration: Acceleration) -> Step:
    """Semi-implicit step: the velocity first, then the configuration with the new velocity.

    Free bodies move straight on, v being written in the axes they had until they have moved: so momentum stays.
    """
    a = acceleration(q, v)
    return Step(*straight(model, q, v + dt * (a - bending(model, v)), dt), a)


class OneBlock(Writer):
    """Loop of a step function (model, q, v, dt, acceleration) → Step, compiled as one block."""

    def prepare(self) -> None:
        """The block in several formulations of the dynamics."""
        self.ways = [self._way(accelerations) for accelerations in self.dynamics()]

    def _way(self, accelerations: Callable[..., Any]) -> Callable[..., Any]:
        def block(q: Any, v: Any, t: Any, tau: Any, dt: Any, **forces: Any) -> Any:
            def acceleration(q: Any, v: Any, after: Any = None) -> Any:
                torque = self.law(t[0] + after, q, v) if self.law and after is not None else tau
                return accelerations(q, v, torque, forces)

            return self.plan.integrator.step(self.model, q, v, dt[0], acceleration)

        return block

    def advance(self, sampled: bool) -> None:
        """One block."""
        r, now = self.r, self.now
        reads = {name: now[name] for name in ("q", "v", "t", "tau", "dt")} | self.outside()
        r.run(self.ways, reads, [now["q"], now["v"], now["a"]])
        self.tick()
