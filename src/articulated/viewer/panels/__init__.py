"""The panels on the left of the page, by title.  To add one, write its file and list it here."""

from .contacts import Feet
from .dynamics import Dynamics
from .equations import Equations
from .exercise import Exercise
from .panel import Panel
from .tree import Tree

PANELS: dict[str, type[Panel]] = {
    "Dynamics": Dynamics, "Tree": Tree, "Equations": Equations, "Exercise": Exercise, "Contacts": Feet,
}  # fmt: skip
