"""A tab on the left of the page."""

from collections.abc import Callable
from typing import Any, NamedTuple

from ...robot import Robot
from ..page_lock import Turn
from ..state import Moment


class Place(NamedTuple):
    """Surroundings of a panel: it adds its controls to `gui`, where its tab is open."""

    gui: Any
    turn: Turn
    robot: Robot
    frame: str  # that is chosen first
    again: Callable[[], None]  # draws and tells everything once more


class Panel:
    """A panel adds its controls when it is made, and shows the state of the robot whenever it is told a new one."""

    def __init__(self, place: Place):
        self.robot = place.robot

    @staticmethod
    def suits(robot: Robot) -> bool:
        """Whether a robot has this panel."""
        return True

    def tell(self, moment: Moment) -> None:
        """Show this state."""
