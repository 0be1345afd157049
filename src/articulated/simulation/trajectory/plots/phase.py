"""Phase portraits: velocity over position, joint by joint."""

from typing import TYPE_CHECKING, Any

import numpy as np

from ....errors import ShapeError
from ....text import shortened
from .joints import least_ranges
from .series import series
from .style import BLUE, FEW, GRAY, INK, columns_for, grid, name_of

if TYPE_CHECKING:
    from ..trajectory import Trajectory

MOST = 40


def phase_portraits(figure: Any, run: "Trajectory", joints: list[str] | None) -> None:
    """Joints with one coordinate; a dot where they start; of a batch a few runs."""
    one = [b.joint.name for b in run.robot.model.bodies if b.leader is b and b.joint.nq == b.joint.nv == 1]
    several = [name for name in run.robot.joint_names if name not in one]
    if joints is not None and (wrong := [name for name in joints if name in several]):
        raise ShapeError(f"plot: joints: {shortened(wrong[0])} has several coordinates; phase portraits are of one")
    chosen = [name for name in one if joints is None or name in joints][:MOST]
    if not chosen:
        raise ShapeError("plot: phase portraits need a joint with one coordinate, and none of these has")
    axes = grid(figure, len(chosen), max(2, columns_for(len(chosen))) if len(chosen) > 1 else 1)
    positions, velocities = list(series(run, "q", chosen)), list(series(run, "v", chosen))
    least = least_ranges(positions), least_ranges(velocities)
    for panel, position, velocity in zip(axes, positions, velocities, strict=True):
        q, v = (x.lines[""].reshape(-1, len(run)) for x in (position, velocity))
        members = np.unique(np.linspace(0, len(q) - 1, FEW).astype(int))
        for k in members:
            panel.plot(q[k], v[k], color=BLUE, linewidth=1, alpha=1 if len(members) == 1 else 0.6)
            panel.plot(q[k, :1], v[k, :1], "o", color=INK, markersize=3.5)
        panel.margins(x=0.05)
        _widened(panel.get_xlim, panel.set_xlim, least[0][position.unit])
        _widened(panel.get_ylim, panel.set_ylim, least[1][velocity.unit])
        panel.set_title(position.label)
        panel.set_xlabel(position.unit)
        panel.set_ylabel(velocity.unit)
    if note := _left_out(several, one) if joints is None else _left_out([], [name for name in one if name in joints]):
        figure.supxlabel(note, x=0.99, ha="right", color=GRAY, fontsize=8)


def _widened(ask: Any, say: Any, least: float) -> None:
    """An axis that shows no less than a range: the noise of a joint that rests is no motion."""
    low, high = ask()
    room = (least - (high - low)) / 2
    if room > 0:
        say(low - room, high + room)


def _left_out(several: list[str], one: list[str]) -> str:
    """Which joints have no portrait, in words."""
    names = ", ".join(map(name_of, several[:FEW])) + (" …" if len(several) > FEW else "")
    told = [f"not shown, with more than one coordinate: {names}"] if several else []
    return "; ".join(told + ([f"the first {MOST} of {len(one)} joints"] if len(one) > MOST else []))
