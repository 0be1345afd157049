"""The measurements as pictures: peers as lines, both axes logarithmic."""

from collections.abc import Iterable
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

from . import ours
from .grid import Row
from .growth import QUANTITIES, Chain
from .report import named
from .robots import ROBOTS

FOLDER = Path(__file__).parent / "plots"
LABELS = {ours.NAME: "articulated", "pin": "Pinocchio", "mujoco": "MuJoCo", "adam-robotics": "adam (JAX)"}
COLORS = {
    ours.NAME: "#c1121f", "pin": "#1d3557", "mujoco": "#457b9d", "dynibo": "#2a9d8f", "frax": "#e9a03b",
    "adam-robotics": "#8d6a9f", "roboticstoolbox-python": "#777777",
}  # fmt: skip
plt.rcParams.update({"font.size": 11, "axes.grid": True, "grid.alpha": 0.3, "lines.linewidth": 2})


def draw(rows: list[Row], chains: list[Chain]) -> list[str]:
    """All pictures; their file names."""
    FOLDER.mkdir(exist_ok=True)
    names = [_batches(rows, quantity) for quantity in ours.QUANTITIES]
    return [*names, _growth(chains)]


def _batches(rows: list[Row], quantity: str) -> str:
    """Time per state against the size of the batch, a panel for each robot."""
    figure, panels = plt.subplots(2, 2, figsize=(10, 7.5), sharex=True, sharey=True, layout="constrained")
    for panel, robot in zip(panels.flat, ROBOTS, strict=True):
        mine = [row for row in rows if row.robot == robot and row.quantity == quantity]
        for library in _libraries(row.library for row in mine):
            points = sorted((max(row.size, 1), row.seconds * 1e9) for row in mine if row.library == library)
            _line(panel, points, library)
        panel.set(title=robot, xscale="log", yscale="log")
    _label(panels, "states per call", "ns per state")
    _legend(figure, panels)
    figure.suptitle(f"{named(quantity)[0].upper()}{named(quantity)[1:]}, one thread")
    return _save(figure, f"{quantity}.png")


def _growth(chains: list[Chain]) -> str:
    """Time of a call and memory against the number of bodies."""
    figure, panels = plt.subplots(1, 3, figsize=(14, 4.5), layout="constrained")
    for library in _libraries(chain.library for chain in chains):
        mine = [chain for chain in chains if chain.library == library]
        for panel, quantity in zip(panels, QUANTITIES, strict=False):
            _line(panel, [(c.bodies, c.call) for c in mine if c.quantity == quantity], library)
            panel.set(title=f"{named(quantity)}, one state", ylabel="seconds")
        _line(panels[-1], [(c.bodies, c.memory) for c in mine if c.quantity == QUANTITIES[0]], library)
    for panel in panels:
        panel.set(xscale="log", yscale="log", xlabel="bodies in the chain")
    panels[-1].set(title="memory of the process", ylabel="MB", yscale="linear", ylim=(0, None))
    _legend(figure, panels)
    return _save(figure, "growth.png")


def _libraries(found: Iterable[str]) -> list[str]:
    there = set(found)
    return [library for library in COLORS if library in there]


def _line(panel, points: list[tuple[float, float]], library: str) -> None:
    if points:
        panel.plot(*zip(*points, strict=True), "o-", color=COLORS[library], label=LABELS.get(library, library), ms=5)


def _label(panels, x: str, y: str) -> None:
    for panel in panels[-1]:
        panel.set_xlabel(x)
    for panel in panels[:, 0]:
        panel.set_ylabel(y)


def _legend(figure, panels) -> None:
    """One legend for all panels, below them."""
    lines = {line.get_label(): line for panel in panels.flat for line in panel.get_lines()}
    figure.legend(lines.values(), lines.keys(), loc="outside lower center", ncols=len(lines), frameon=False)


def _save(figure, name: str) -> str:
    figure.savefig(FOLDER / name, dpi=110)
    plt.close(figure)
    return name
