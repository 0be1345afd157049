"""Euler's method and the midpoint rule with contacts and constrained joints in the compiled loop."""

from functools import partial
from typing import Any

import numpy as np

from ...compiler.passes.loops import Memory
from ..loop.blocks import nothing
from ..loop.routine import Writer
from ..methods.midpoint import middle
from ..plan import Plan, contact_sizes, over_batch
from .dynamics import euler
from .held import Holding
from .step import ContactStep
from .system import contact_data, contact_tables


class ContactLoop(Writer):
    """Loop whose step is a contact problem; it carries impulses, where the next step begins to search."""

    step: Any  # the statements of a step, with its arrays `m`

    def __init__(self, plan: Plan):
        super().__init__(plan)
        sizes = {name: (size,) if name == "change" else (3, size // 3) for name, size in self.carries(plan).items()}
        self.known = {name: self.r.local(name, *size) for name, size in sizes.items() if name != "residual"}
        self.now |= {name: memory.whole() for name, memory in self.known.items()}
        assert plan.system
        self.contact = {name: self.r.output(name, n, "samples") for name, n in contact_sizes(plan.system).items()}

    @classmethod
    def carries(cls, plan: Plan) -> dict[str, int]:
        """Impulses of the last step, what they changed, and the largest residual since the last sample."""
        assert plan.system
        change = {"change": plan.robot.nv} if plan.integrator.order > 1 else {}
        return {"impulses": 3 * plan.system.blocks, **change, "residual": 1}

    @classmethod
    def data(cls, plan: Plan) -> dict[str, np.ndarray]:
        """Contacts and their friction."""
        assert plan.system
        friction = {"friction": over_batch(plan.system.frictions, plan.batch)} if plan.system.contacts else {}
        return friction | contact_data(plan.dynamics.model, plan.system)

    @classmethod
    def tables(cls, plan: Plan) -> dict[str, np.ndarray]:
        """The bodies of contacts."""
        assert plan.system
        return contact_tables(plan.dynamics.model, plan.system)

    def prepare(self) -> None:
        """Memory of the contacts."""
        plan, r = self.plan, self.r
        assert plan.system
        data = {name: self.copied_rows(name, x) for name, x in contact_data(plan.dynamics.model, plan.system).items()}
        data |= self.friction()
        self.settled = Holding(self) if plan.system.held else None
        if self.settled:
            data["anchors"] = self.settled.anchors
        known = {**self.known, "residual": self.now["residual"]}
        midway = plan.integrator.order > 1
        holding = self.settled.along if self.settled else None
        rule: Any = partial(middle, stiff=plan.drive.implicit is not None, holding=holding) if midway else euler
        law = self.law if midway else None
        self.step = ContactStep(r, plan.dynamics, plan.system.coded, known, data, plan.sites, rule, law)

    def friction(self) -> dict[str, Memory]:
        """Frictions of the contacts."""
        if not (count := len(self.plan.system.contacts)):  # type: ignore[union-attr]
            return {}
        given, here = self.r.input("friction", count), self.r.local("friction now", 1, count)
        self.r.copy(given, here.whole())
        return {"friction": here}

    def advance(self, sampled: bool) -> None:
        """One contact problem."""
        now = self.now
        self.r.part(
            "contact step",
            lambda: self.step.step(now["q"], now["v"], now["t"], now["tau"], now["dt"], now["a"], self.outside()),
        )
        if self.settled and self.step.midway:
            self.settled.settle()
        self.tick()

    def keep(self, sample: str) -> None:
        """Forces and states of the contacts."""
        for name, memory in self.contact.items():
            here = self.step.m[name]
            self.r.copy(here if here.rows == 1 else here.whole(), memory.row(sample))
        self.r.run(nothing(), {}, [self.now["residual"]])  # the largest since this sample comes next
