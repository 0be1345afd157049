"""Euler's method with contacts and constrained joints in the compiled loop."""

from ...compiler.passes.loops import Memory
from ..loop.routine import Writer
from ..plan import contact_sizes
from .routine import ContactStep


class ContactEuler(Writer):
    """A step is a contact problem; what is stored of contacts, and what one call leaves to the next, comes with it."""

    def prepare(self) -> None:
        """Memory of the contacts."""
        plan, r = self.plan, self.r
        assert plan.system
        self.step = ContactStep(r, plan.dynamics, plan.system.coded, plan.pushed)
        self.contact = {name: r.output(name, n, "samples") for name, n in contact_sizes(plan.system).items()}
        carried = {
            "impulses": plan.system.size,
            "friction": len(plan.system.contacts),
            "anchors": 16 * len(plan.system.held),
        }
        before: dict[str, Memory] = {name: r.input(f"{name} before", size) for name, size in carried.items() if size}
        self.after, self.worst = r.output("impulses after", plan.system.size), r.output("residual after", 1)
        self.nearest = r.output("lowest after", 1) if plan.system.touching.watched else None
        self.step.begin(before)

    def advance(self, sampled: bool) -> None:
        """One contact problem."""
        now = self.now
        self.step.step(now["q"], now["v"], now["tau"], now["dt"], now["a"], self.pushes())
        self.tick()

    def keep(self, sample: str) -> None:
        """Forces and states of the contacts."""
        for name, memory in self.contact.items():
            self.r.copy(self.step.memory[name], memory.row(sample))
        self.step.forget()

    def finish(self) -> None:
        """Impulses for the next call, and the largest residual since the last sample."""
        self.r.copy(self.step.memory["impulses"], self.after)
        self.r.copy(self.step.memory["residual"], self.worst)
        if self.nearest:
            self.r.copy(self.step.memory["lowest"], self.nearest)
