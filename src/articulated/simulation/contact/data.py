"""Numbers and tables of a system of contacts that its compiled step is given."""

from typing import Any

import numpy as np

from ...robot import Robot
from .dynamics import carried
from .surfaces import Plane
from .system import System


def contact_data(robot: Robot, system: System) -> dict[str, np.ndarray]:
    """Numbers of a system that its compiled step is given, by name of the array: (rows, size)."""
    given: dict[str, Any] = {
        "masks": [carried(robot.model, x.frame) - carried(robot.model, x.other) for x in system.contacts],
        "bounce": [[x.restitution, system.slow] for x in system.contacts] if system.bounces else [],
    }
    if system.rolls:
        given["rolling"] = [[x.rolling, x.spinning] for x in system.contacts]
    for kind, first, count in system.groups:
        given[kind] = [x.numbers for x in system.contacts[first : first + count] if x.point == 0]
    if isinstance(system.surface, Plane) and system.touching.grounded:
        given["plane"] = [[*np.ravel(system.surface.axes), system.surface.offset]]
    return {name: np.array(x, float) for name, x in given.items() if len(x)}


def contact_tables(robot: Robot, system: System) -> dict[str, np.ndarray]:
    """The rows that contacts refer to: of the bodies that carry one shape or two, by kind."""
    row = {k: i for i, k in enumerate(system.carriers(robot.model))}
    found = {}
    for kind, first, count in system.groups:
        each = [touch.carriers(robot.model) for touch in system.contacts[first : first + count]]
        for name, bodies in zip(("first", "second"), zip(*each, strict=True), strict=False):
            found[f"{kind}.{name}"] = np.array([row[k] for k in bodies], np.int64)
    return found
