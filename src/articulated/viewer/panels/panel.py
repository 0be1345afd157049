"""A tab on the left of the page."""

from typing import TYPE_CHECKING

from ...robot import Robot
from ..state import Moment

if TYPE_CHECKING:
    from ..page import Page


class Panel:
    """A panel adds its controls to `page.gui` when it is made, and shows every state of the robot that it is told."""

    def __init__(self, page: "Page"):
        self.robot = page.robot

    @staticmethod
    def suits(robot: Robot) -> bool:
        """Whether a robot has this panel."""
        return True

    def tell(self, moment: Moment) -> None:
        """Show this state."""
