"""The loop over time as a routine for the compiler; an integrator says how it advances."""

from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar

import numpy as np

from ...algebra.scalars import array, greatest, total
from ...algorithms.forward_dynamics import forward_dynamics
from ...compiler.passes.builder import Builder
from ...compiler.passes.loops import Memory, Routine
from ...model.with_numbers import with_outside
from ..drive.servo import Servo
from ..plan import Plan
from .blocks import nothing

#: sizes of what every loop carries beside q and v
CARRIED = {"t": 1, "origin": 1, "count": 1, "speed": 1}


class Writer:
    """Writes the routine of a plan; a method says how to `advance`.

    Row k of the results is the state at sample k, with the torque and the acceleration of the step that begins there.
    """

    alone: ClassVar[bool] = False  # states are taken one after the other, not in lanes

    def __init__(self, plan: Plan):
        self.plan, self.model, self.law = plan, plan.robot.model, plan.drive.compiled
        nq, nv = plan.robot.nq, plan.robot.nv
        self.r, self.nq, self.nv = Builder(), nq, nv
        r = self.r
        carried = {"q": nq, "v": nv, **CARRIED, **self.carries(plan)}
        self.given = {name: r.input(f"{name}0", size) for name, size in carried.items()} | {"dt": r.input("step", 1)}
        self.stored = {name: r.output(name, nq if name == "q" else nv, "samples") for name in plan.stored}
        self.last = {name: r.output(f"{name}1", size) for name, size in carried.items()}
        self.now: dict[str, Any] = {name: r.local(f"{name} now", x.size) for name, x in self.given.items()}
        self.now["tau"], self.now["a"] = r.local("tau now", nv), r.local("a now", nv)
        self.rows = r.input("torques", nv, "steps") if plan.drive.rows is not None else None
        self.forces = {f: (r.input(f"force {f}", 6, "steps"), r.local(f"force {f} now", 6)) for f in plan.sites.frames}
        self.inertias = None if plan.parameters is None else self.copied("parameters", plan.parameters.shape[-1])
        self.servo = Servo(self) if plan.drive.changed else None
        self.numbers = {name: self.copied(name, x.shape[-1]) for name, x in plan.drive.data.items()}
        # functions are made once: a block that is run in two places is traced and compiled once
        law = self.law or (lambda t, q, v: v)
        self.law_block = lambda t, q, v, **numbers: law(t[0], q, v, **numbers)
        self.holding = None
        if plan.system and not plan.switching:
            from ..contact.held import Holding

            self.holding = Holding(self)

    def copied(self, name: str, size: int) -> Memory:
        """An input that blocks read."""
        given, here = self.r.input(name, size), self.r.local(f"{name} now", size)
        self.r.copy(given, here)
        return here

    def copied_rows(self, name: str, x: np.ndarray) -> Memory:
        """An input of several rows, the same for every state, that blocks read."""
        count, size = x.shape
        given, here = self.r.input(name, size, count), self.r.local(f"{name} now", size, count)
        with self.r.loop("row", count):
            self.r.copy(given.row("row"), here.row("row"))
        return here

    # -- what a method states -----------------------------------------------------------------

    @classmethod
    def check(cls, plan: Plan) -> None:
        """Refuse what it cannot do."""

    @classmethod
    def carries(cls, plan: Plan) -> dict[str, int]:
        """Sizes of the arrays it carries from step to step beside q, v and t."""
        return {}

    @classmethod
    def begin(cls, plan: Plan, q: np.ndarray, v: np.ndarray, lanes: slice = slice(None)) -> dict[str, np.ndarray]:
        """The first values of what it carries, (n, size), for some lanes of the batch, where they are not zero."""
        return {}

    @classmethod
    def data(cls, plan: Plan) -> dict[str, np.ndarray]:
        """Further inputs: (rows, size), the same for every state, or (n, rows, size)."""
        return {}

    @classmethod
    def tables(cls, plan: Plan) -> dict[str, np.ndarray]:
        """Whole numbers that its loop looks up."""
        return {}

    @classmethod
    def info(cls, plan: Plan, state: dict[str, np.ndarray]) -> dict[str, Any]:
        """Entries of `info` about the method; `state` has the arrays it carried, (n, 1, size)."""
        return {}

    @classmethod
    def failure(cls, plan: Plan, state: dict[str, np.ndarray]) -> str:
        """Why it could not go on, if the carried number `failed` is not zero somewhere."""
        return ""

    def prepare(self) -> None:
        """Before the first step."""

    def advance(self, sampled: bool) -> None:
        """From t to t + dt; the state may be a sample, whose acceleration is stored."""
        raise NotImplementedError

    def keep(self, sample: str) -> None:
        """Store what else there is of a sample."""
        if self.holding:
            self.holding.keep(sample)

    # -- the loop -----------------------------------------------------------------------------

    def routine(self) -> Routine:
        """The whole."""
        r = self.r
        for name, memory in self.given.items():
            r.copy(memory, self.now[name])
        if self.rows is None and self.law is None:
            r.run(nothing(self.nv), {}, [self.now["tau"]])
        self.prepare()
        with r.loop("k", "samples"):
            for name in ("q", "v"):
                r.copy(self.now[name], self.stored[name].row("k"))
            self.see()
            self.drive({"k": "every"}, 0)
            if self.holding:
                self.holding.look()
            self.take(True)
            for name in self.plan.stored[2:]:
                r.copy(self.now[name], self.stored[name].row("k"))
            self.keep("k")
            with r.loop("j", "more"):
                self.drive({"k": "every", "j": 1}, 1)
                self.take(False)
        for name, memory in self.last.items():
            r.copy(self.now[name], memory)
        return r.routine()

    def see(self) -> None:
        """The largest square of the speed at a sample so far."""
        self.r.run(faster, {name: self.now[name] for name in ("speed", "v")}, [self.now["speed"]], entrywise=True)

    def drive(self, index: Any, offset: int) -> None:
        """Torques and forces at the beginning of step `index` + `offset` of this call."""
        r, now = self.r, self.now
        if self.rows is not None:
            r.copy(self.rows.row(index, offset), now["tau"])
        for given, here in self.forces.values():
            r.copy(given.row(index, offset), here)
        if self.law:
            r.run(self.law_block, {name: now[name] for name in "tqv"} | self.numbers, [now["tau"]])

    def take(self, sampled: bool) -> None:
        """A step, and the torque that acts in it."""
        if self.servo:
            self.servo.take(sampled)
        else:
            self.advance(sampled)

    def tick(self) -> None:
        """A step later, for a law: t = origin + count dt, as in a loop in Python, not a sum of rounded steps."""
        now = self.now
        if self.law:
            self.r.run(ticked, {name: now[name] for name in ("origin", "count", "dt")}, [now["count"], now["t"]])

    # -- what blocks are made of --------------------------------------------------------------

    def dynamics(self) -> list[Callable[..., Any]]:
        """Accelerations (q, v, tau, forces) in several formulations; `forces` are named as a block names them."""
        robot = self.plan.dynamics
        if self.holding:
            return self.holding.accelerations()
        if self.inertias:  # the formulations compute with regrouped inertias of the robot
            return [partial(self._accelerations, forward_dynamics, robot.model)]
        return [partial(self._accelerations, way, model) for model, way in robot.kernels.ways(forward_dynamics)]

    def _accelerations(
        self, dynamics: Callable[..., Any], model: Any, q: Any, v: Any, tau: Any, forces: dict[str, Any]
    ) -> Any:
        outside = {"forces": self.plan.sites(self.model, q, forces)} if self.plan.sites.frames else {}
        return dynamics(with_outside(model, forces), q, v, tau, **outside)

    def outside(self) -> dict[str, Memory]:
        """External forces, inertial parameters of one's own and implicit gains, under names that a block can take."""
        own = {"parameters": self.inertias} if self.inertias else {}
        own |= {"implicit": self.servo.implicit} if self.servo and self.servo.implicit else {}
        return own | {f"force_{k}": here for k, (_, here) in enumerate(self.forces.values())}


def faster(speed: Any, v: Any) -> Any:
    """The larger of a square that is known and that of v."""
    return array([greatest(speed[0], total(x * x for x in v))])


def ticked(origin: Any, count: Any, dt: Any) -> Any:
    """The number of the next step, and its time."""
    return count + 1, origin + (count + 1) * dt


def joined(q: Any, v: Any) -> Any:
    """The state as one vector."""
    return np.concatenate([q, v])
