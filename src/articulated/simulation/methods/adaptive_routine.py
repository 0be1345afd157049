"""The adaptive method in the compiled loop: steps are tried until every lane has reached the next sample."""

from functools import partial
from typing import Any

import numpy as np

from ...compiler.passes.loops import Memory, Place
from ...errors import ShapeError
from ..loop.blocks import nothing
from ..loop.routine import joined
from ..plan import Plan
from . import adaptive
from .runge_kutta import RungeKutta
from .symplectic_routine import singular, stop

#: steps that may be tried between two samples
ATTEMPTS = 100_000


class Adaptive(RungeKutta):
    """Dormand and Prince's method of order 8; each lane chooses its steps on its own."""

    @classmethod
    def check(cls, plan: Plan) -> None:
        """Refuse friction that jumps: where a joint comes to rest no step would be short enough."""
        for b in plan.robot.model.bodies:
            if b.friction:
                raise ShapeError(
                    f'simulate: method = "adaptive" and the joint {b.joint.name!r}: dry friction jumps where it '
                    'comes to rest; use "euler", where it sticks, or robot.frictionless()'
                )

    @classmethod
    def carries(cls, plan: Plan) -> dict[str, int]:
        """The step, what is left of the interval, and how it goes."""
        return {"h": 1, "left": 1, "failed": 1, "attempts": 1, "worst": plan.robot.nq + plan.robot.nv}

    @classmethod
    def data(cls, plan: Plan) -> dict[str, np.ndarray]:
        """The weights of the stages, and the tolerances."""
        return super().data(plan) | {"tolerances": np.array([plan.tolerances])}

    @classmethod
    def info(cls, plan: Plan, state: dict[str, np.ndarray]) -> dict[str, Any]:
        """Tolerances, and how many steps each state has tried."""
        rtol, atol = plan.tolerances
        return {"rtol": rtol, "atol": atol, "attempts": [int(n) for n in state["attempts"].ravel()]}

    @classmethod
    def failure(cls, plan: Plan, state: dict[str, np.ndarray]) -> str:
        """When, which joint, why, and what to try."""
        lane, stopped, joint = stop(plan, state)
        h = state["h"][lane, 0, 0]
        jumps, look = ("a torque jumps, or ", ", or look at the torques") if plan.drive.given else ("", "")
        if state["failed"][lane, 0, 0] == adaptive.TOO_SHORT:
            why = f"not even a step of {h:.1g} s meets the tolerances: {jumps}the motion grows without bound"
        else:
            why = f"{ATTEMPTS} steps do not reach the next sample, they are {h:.1g} s long: the motion is stiff there"
        return (
            f"{stopped}, where joint {joint!r} has the largest error; {why}; try larger tolerances than "
            f"rtol = {plan.tolerances[0]:g} and atol = {plan.tolerances[1]:g}{look}{singular(plan)} "
            "(the run so far is in the error's .run)"
        )

    def prepare(self) -> None:
        """Memory, and a first step from the slope at the beginning."""
        super().prepare()
        r, now = self.r, self.now
        given = r.input("tolerances", 2)
        self.own: dict[str, Memory] = {"tolerances": r.local("allowed", 2)}
        self.own |= {name: r.local(f"{name} of the lane", 1) for name in ("goal", "step", "first", "done")}
        self.judge = partial(adaptive.judge, self.model)
        r.copy(given, self.own["tolerances"])
        self.drive(0, 0)
        r.run(joined, {"q": now["q"], "v": now["v"]}, [self.state])
        r.run(nothing(1), {}, [self.own["step"]])
        self.evaluate(0, self.own["step"])
        reads: dict[str, Place] = {"y": self.state, "slope": self.slopes.row(0), "tolerances": self.own["tolerances"]}
        r.run(adaptive.first_step, reads | {"h": now["h"], "dt": now["dt"]}, [now["h"]])

    def advance(self, sampled: bool) -> None:
        """Attempts until every lane has reached t + dt, or has given up."""
        r, now, own = self.r, self.now, self.own
        begun = [own["goal"], now["left"], own["first"], own["done"]]
        r.run(adaptive.interval, {name: now[name] for name in ("t", "dt", "left", "failed")}, begun)
        with r.loop("attempt", ATTEMPTS, until=own["done"]):
            r.run(adaptive.tried, {"h": now["h"], "left": now["left"]}, [own["step"]])
            r.run(joined, {"q": now["q"], "v": now["v"]}, [self.state])
            with r.loop("i", self.tableau.stages):  # slopes of a step that blew up: 0 times infinity is not 0
                r.run(self.clear, {}, [self.slopes.row("i")])
            with r.loop("stage", self.tableau.stages):
                self.evaluate("stage", own["step"])
            self._judge()
            if self.holding:
                self.holding.settle()
        r.run(adaptive.unfinished, {"left": now["left"], "failed": now["failed"]}, [now["failed"]])

    def _judge(self) -> None:
        both = self.now | self.own
        reads: dict[str, Place] = {"y": self.state, "slopes": self.slopes.whole()}
        reads |= {name: both[name] for name in ("tolerances", "step", "goal", "a", "t", "left", "h", "failed")}
        reads |= {name: both[name] for name in ("attempts", "first", "worst")}
        self.r.run(self.judge, reads, [both[name] for name in adaptive.Judged._fields])
