"""The panels on the left of the page, by title.  To add one, write its file and list it here."""

from .contacts import Feet
from .dynamics import Dynamics
from .equations import Equations
from .panel import Panel
from .tree import Tree

PANELS: dict[str, type[Panel]] = {"Dynamics": Dynamics, "Tree": Tree, "Equations": Equations, "Contacts": Feet}
