"""Euler's method with contacts and constrained joints in the compiled loop."""

import numpy as np

from ..inertial_parameters import over_batch
from ..loop.routine import Writer
from ..plan import Plan, contact_sizes
from .constraints import anchors
from .routine import FAR, ContactStep


class ContactEuler(Writer):
    """Loop whose step is a contact problem; it carries impulses, where the next step begins to search."""

    @classmethod
    def carries(cls, plan: Plan) -> dict[str, int]:
        """Impulses of the last step; the largest residual and the smallest gap since the last sample."""
        assert plan.system
        watched = {"lowest": 1} if plan.system.touching.watched else {}
        return {"impulses": plan.system.size, "residual": 1, **watched}

    @classmethod
    def begin(cls, plan: Plan, q: np.ndarray, v: np.ndarray, lanes: slice = slice(None)) -> dict[str, np.ndarray]:
        """No impulse, and nothing near the ground."""
        found = super().begin(plan, q, v)
        return found | {"lowest": np.full((len(q), 1), FAR)} if "lowest" in found else found

    @classmethod
    def data(cls, plan: Plan, q: np.ndarray) -> dict[str, np.ndarray]:
        """Friction of the contacts, and poses of those that hold."""
        assert plan.system
        given = {"friction": over_batch(plan.system.frictions, plan.batch)}
        given["anchors"] = anchors(plan.robot, plan.system, q)[:, None]
        return {name: x for name, x in given.items() if x.shape[-1]}

    def prepare(self) -> None:
        """Memory of the contacts."""
        plan, r = self.plan, self.r
        assert plan.system
        sizes = {"friction": len(plan.system.contacts), "anchors": 16 * len(plan.system.held)}
        known = {name: self.now[name] for name in self.carries(plan)}
        known |= {name: self.copied(name, size) for name, size in sizes.items() if size}
        self.step = ContactStep(r, plan.dynamics, plan.system.coded, known, plan.sites)
        self.contact = {name: r.output(name, n, "samples") for name, n in contact_sizes(plan.system).items()}

    def advance(self, sampled: bool) -> None:
        """One contact problem."""
        now = self.now
        self.step.step(now["q"], now["v"], now["tau"], now["dt"], now["a"], self.outside())
        self.tick()

    def keep(self, sample: str) -> None:
        """Forces and states of the contacts."""
        for name, memory in self.contact.items():
            self.r.copy(self.step.memory[name], memory.row(sample))
        self.step.forget()
