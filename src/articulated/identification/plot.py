"""Measured and predicted torques as a picture, through the pictures of trajectories (extra `plot`)."""

from __future__ import annotations  # help shows types as they are written here

from typing import TYPE_CHECKING, Any

import numpy as np

from ..robot.arguments.state_names import component_names, component_units
from ..simulation.trajectory.plots.draw import picture
from ..simulation.trajectory.plots.style import BLUE, GRAY, RED, columns_for, grid, name_of
from ..text import shortened

if TYPE_CHECKING:
    from .result import Identification

#: samples that are drawn
MOST = 2000


def torques(result: Identification, path: Any) -> Any:
    """Torques by joint: measured, predicted, and the residual."""
    samples, robot = result.samples, result.source
    every = max(1, -(-len(samples["q"]) // MOST))
    part = {name: x[::every] for name, x in samples.items()}
    found = result._predicted(part)
    names, units = (f(robot.model, "tau") for f in (component_names, component_units))

    def paint(figure: Any) -> None:
        for k, axes in enumerate(grid(figure, robot.nv)):
            at = np.arange(len(found)) * every
            axes.plot(at, part["tau"][:, k], color=GRAY, linewidth=0.8)
            axes.plot(at, found[:, k], color=BLUE, linewidth=0.8)
            axes.plot(at, found[:, k] - part["tau"][:, k], color=RED, linewidth=0.6)
            axes.set_title(f"{name_of(names[k])} ({units[k]})")

    columns = columns_for(robot.nv)
    size = (3.6 * columns + 1, 1.7 * -(-robot.nv // columns) + 0.8)
    title = f"{shortened(robot.name)}: torques over samples"
    return picture(paint, title, "gray: measured, blue: predicted, red: the difference", path, size, 150)
