"""Contacts as goals of inverse kinematics: each stays where it is, and loops stay closed."""

from typing import NamedTuple

from ..algebra.scalars import Array
from ..model import Model
from .constraints import constraint_drift, constraint_jacobian
from .kinds import Contact


class Held(NamedTuple):
    """A contact that shall not drift from its anchor, a pose; the meaning of its rows is that of the contact."""

    contact: Contact

    @property
    def name(self) -> str:
        """The frame, or both frames of a loop."""
        return self.contact.name

    @property
    def rows(self) -> int:
        """Number of rows of the error."""
        return self.contact.size

    @property
    def size(self) -> int:
        """Number of entries of the anchor, a matrix (4, 4)."""
        return 16

    def errors(self, model: Model, q: Array, wanted: Array) -> tuple[Array, Array]:
        """Distance from its anchor, and the rate at which v reduces it."""
        held = [self.contact]
        return -constraint_drift(model, q, wanted, held), constraint_jacobian(model, q, held)
