"""A controller with the clock, the sensors and the motors of a real drive."""

from __future__ import annotations  # help shows types as they are written here

from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..errors import ShapeError
from ..inputs.choices import flag, floats, function_of, generator, number
from ..robot import Robot
from ..text import shortened

#: part of a period by which a time that is a sum of steps may miss its beginning
ROUNDING = 1e-9


class Servo:
    """A controller whose torques are clipped, held over a period, late, or made from noisy measurements.

    Without period, delay and noise the drive is continuous: a simulation takes the gains of `PD` and `Impedance`
    implicitly, whatever their size.  With any of them it is a digital one: torques are computed from what is measured
    at the beginning of a period, and held; gains that a real drive cannot have make it unstable here as well.

    Parameters
    ----------
    controller : law.towards(…), or a function of (t, q, v)
    period : time between two computations of the torques, s; None: every step
    delay : time from a measurement to its torques, s; the first torques are there from the start
    noise : standard deviation of what is measured: a number, or (of q, of v), each a number or (nv,): rad, rad/s
        (m, m/s)
    clip : True: torques are at most `robot.limits.effort`
    seed : of the noise; every run with the same seed measures the same noise

    Examples
    --------
    >>> import articulated as art
    >>> arm = art.load("panda")
    >>> home = arm.poses["home"]
    >>> hold = art.PD(arm, 1000, 50).towards(home)
    >>> motors = art.Servo(hold, period=0.002, delay=0.001, noise=1e-4, clip=True)
    >>> run = art.simulate(arm, home, duration=0.1, torque=motors)
    >>> bool((abs(run.tau) <= arm.limits.effort).all())
    True
    """

    def __init__(
        self,
        controller: Callable[..., Any],
        period: float | None = None,
        delay: float = 0.0,
        noise: ArrayLike | tuple[ArrayLike, ArrayLike] = 0.0,
        clip: bool = False,
        seed: int | None = 0,
    ):
        if not callable(controller):
            raise ShapeError(f"Servo takes law.towards(…) or a function first; got {shortened(repr(controller))}")
        self.controller = function_of("Servo: controller", controller, "t", "q", "v")
        least = np.nextafter(0, 1)
        self.period = None if period is None else number("Servo: period", period, "a time above 0, s", least)
        self.delay = number("Servo: delay", delay, "a time from 0, s")
        pair = noise if isinstance(noise, tuple) and len(noise) == 2 else (noise, noise)
        self.noise = tuple(floats("Servo: noise", x) for x in pair)
        if not all(np.isfinite(x).all() and (x >= 0).all() and x.ndim < 2 for x in self.noise):
            raise ShapeError(
                f"Servo: noise is a deviation from 0, or one of q and one of v; got {shortened(repr(noise))}"
            )
        self.clip, self.seed = flag("Servo: clip", clip), seed
        generator("Servo: seed", seed)

    @property
    def digital(self) -> bool:
        """Whether torques are held, late or made from noisy measurements."""
        return self.period is not None or self.delay > 0 or any(x.any() for x in self.noise)

    @property
    def settings(self) -> dict[str, Any]:
        """As plain values."""
        noise = [x.tolist() for x in self.noise]
        return {"period": self.period, "delay": self.delay, "noise": noise, "clip": self.clip, "seed": self.seed}

    def _begun(self, robot: Robot) -> Callable[..., Any]:
        """The digital controller of one run: a function of (t, q, v) with a clock, a queue and a source of noise."""
        for name, x in zip("qv", self.noise, strict=True):
            if x.shape not in ((), (robot.nv,)):
                raise ShapeError(f"Servo: the noise of {name} has shape {x.shape}; it is a number or ({robot.nv},)")
        rng, queue = generator("Servo: seed", self.seed), deque[tuple[float, Any]]()
        period, last = self.period or 0.0, -1

        def measured(q: Any, v: Any) -> tuple[Any, Any]:
            of_q, of_v = (x * rng.standard_normal(np.shape(v)) for x in self.noise)
            return robot.integrate(q, of_q), v + of_v

        def controller(t: float, q: Any, v: Any) -> Any:
            nonlocal last
            count = int(t / period + ROUNDING) if period else last + 1
            if count > last:
                last = count
                state = measured(q, v) if any(x.any() for x in self.noise) else (q, v)
                queue.append((t + self.delay, self.controller(t, *state)))
            while len(queue) > 1 and queue[1][0] <= t * (1 + ROUNDING):
                queue.popleft()
            return queue[0][1]

        return controller

    def __repr__(self) -> str:
        named = getattr(self.controller, "__name__", None) or repr(self.controller)
        period = "" if self.period is None else f", period {self.period:g} s"
        delay = f", delay {self.delay:g} s" if self.delay else ""
        noise = ", noise" if any(x.any() for x in self.noise) else ""
        return f"<Servo of {shortened(named)}{period}{delay}{noise}{', clipped' if self.clip else ''}>"
