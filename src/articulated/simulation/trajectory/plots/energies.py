"""Energies over time, and how the total changes."""

from typing import TYPE_CHECKING, Any

import numpy as np

from .style import AMBER, BLUE, INK, curve, end_labels

if TYPE_CHECKING:
    from ..trajectory import Trajectory

ENERGY_INKS = {"kinetic": BLUE, "potential": AMBER, "total": INK}


def energies(figure: Any, run: "Trajectory", joints: list[str] | None) -> None:
    """Kinetic, potential and total energy; below, what the total has gained since the start."""
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=[2.2, 1])
    levels(above, run)
    change = run.energy.total - run.energy.total[..., :1]
    curve(below, run.t, change, INK)
    worst = float(abs(change).max())
    scale = float(run.energy.kinetic.max())
    share = f", {worst / scale:.2g} of the largest kinetic energy" if scale > 0 else ""
    below.set_title(f"change of the total (J): by at most {worst:.2g} J{share}")
    below.set_xlabel("t (s)")


def levels(axes: Any, run: "Trajectory") -> None:
    """The three energies in one panel; of a batch the total without its band."""
    for name, x in run.energy._asdict().items():
        curve(axes, run.t, x, ENERGY_INKS[name], band=0.0 if name == "total" else 0.13)  # not three bands
    axes.set_ylabel("energy (J)")
    ends = {name: float(np.median(x[..., -1])) for name, x in run.energy._asdict().items()}
    end_labels(axes, [(value, name, ENERGY_INKS[name]) for name, value in ends.items()], 0.085)
