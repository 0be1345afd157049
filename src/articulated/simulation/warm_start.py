"""What contacts leave from one call of the compiled loop to the next: impulses, the largest residual, anchors."""

from dataclasses import dataclass

import numpy as np

from .contact.constraints import anchors
from .inertial_parameters import of_lanes, over_batch
from .plan import Plan


@dataclass
class Carried:
    """Arrays of every state of a batch."""

    impulses: np.ndarray  # (n, 1, m): of the last step, where the next one begins to search
    anchors: np.ndarray  # (n, 1, 16 each): where the contacts that hold are
    friction: np.ndarray  # (1, nc), or (n, 1, nc): of the contacts
    residual: np.ndarray  # (n, 1, 1): the largest since the last sample
    lowest: np.ndarray | None = None  # (n, 1, 1): the smallest gap of what must not touch, if anything is watched

    @classmethod
    def start(cls, plan: Plan, q: np.ndarray) -> "Carried":
        """At the beginning of a run."""
        assert plan.system
        where = anchors(plan.robot, plan.system, q)[:, None]
        friction = over_batch(plan.system.frictions, plan.batch)
        lowest = np.full((len(q), 1, 1), np.inf) if plan.system.touching.watched else None
        return cls(np.zeros((len(q), 1, plan.system.size)), where, friction, np.zeros((len(q), 1, 1)), lowest)

    def of(self, lanes: slice) -> "Carried":
        """Of some states, without the impulses of a step that they have not taken."""
        impulses, residual = (np.zeros_like(x[lanes]) for x in (self.impulses, self.residual))
        lowest = None if self.lowest is None else np.full_like(residual, np.inf)
        return Carried(impulses, self.anchors[lanes], of_lanes(self.friction, lanes), residual, lowest)

    def arrays(self) -> dict[str, np.ndarray]:
        """For a call."""
        given = {"impulses before": self.impulses, "anchors before": self.anchors, "friction before": self.friction}
        room = {"impulses after": np.empty_like(self.impulses), "residual after": np.empty_like(self.residual)}
        if self.lowest is not None:
            room["lowest after"] = np.empty_like(self.lowest)
        return {name: x for name, x in {**given, **room}.items() if x.shape[-1]}

    def take(self, arrays: dict[str, np.ndarray]) -> None:
        """After a call, whose first sample has seen only its own steps."""
        first = arrays["residual"][:, 0]
        np.maximum(first, self.residual[:, 0], out=first)
        if self.lowest is not None:
            first = arrays["lowest"][:, 0]
            np.minimum(first, self.lowest[:, 0], out=first)
            self.lowest = arrays["lowest after"]
        self.impulses, self.residual = arrays["impulses after"], arrays["residual after"]
