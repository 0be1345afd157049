"""Positions, velocities and torques over time, joint by joint, against their limits."""

from typing import TYPE_CHECKING, Any

import numpy as np

from ....errors import ShapeError
from .series import Series, series, shown
from .style import BLUE, GRAY, INK, INKS, RED, columns_for, curve, end_labels, grid, name_of, time_axis

if TYPE_CHECKING:
    from ..trajectory import Trajectory

#: more panels than this are a map of all joints
MOST_PANELS = 40
#: a limit is drawn if the motion comes within this share of it, otherwise it is written
NEAR = 0.35
WORDS = {-1: "lower", 1: "upper"}
#: joints that move by less than this part of what others move are drawn flat: their noise is no motion
FLAT = 1e-3
LABELED = 8


def panels(figure: Any, run: "Trajectory", name: str, joints: list[str] | None) -> None:
    """One panel for each joint; a map for very many."""
    found = shown(run, name, joints)
    if not found:
        raise ShapeError(f"plot: kind needs a joint that moves, and {run.robot.name} has none")
    if len(found) > MOST_PANELS:
        heat_map(figure, run, found, change=name == "q")
        return
    columns = columns_for(len(found))
    axes = grid(figure, len(found), columns)
    least = least_ranges(found)
    for one, each in zip(axes, found, strict=True):
        _panel(one, run.t, each, least[each.unit])
    time_axis(axes, columns)


def least_ranges(found: list[Series]) -> dict[str, float]:
    """By unit, the range that a panel shows at least."""

    def span(each: Series) -> float:
        return max(float(np.ptp(x)) for x in each.lines.values())

    return {unit: FLAT * max(span(each) for each in found if each.unit == unit) for unit in {x.unit for x in found}}


def _panel(axes: Any, t: np.ndarray, each: Series, least: float) -> None:
    inks = [BLUE] if len(each.lines) == 1 else INKS
    for ink, x in zip(inks, each.lines.values(), strict=False):
        curve(axes, t, x, ink)
    axes.set_title(f"{each.label}{f' ({each.unit})' if each.unit else ''}")
    _limits(axes, each, least)
    if len(each.lines) > 1:
        ends = [float(np.median(x[..., -1])) for x in each.lines.values()]
        end_labels(axes, list(zip(ends, each.lines, inks, strict=False)), 0.14)


def _limits(axes: Any, each: Series, least: float) -> None:
    """Limits as lines where the motion comes near them, else in words; what lies beyond them in red.

    A panel shows a range of at least `least`.
    """
    low, high = (float(extreme([extreme(x) for x in each.lines.values()])) for extreme in (np.min, np.max))
    bottom, top = low, high
    written: dict[str, str] = {}
    for limit, sign in ((each.lower, -1), (each.upper, 1)):
        if not np.isfinite(limit):
            continue
        extreme = high if sign > 0 else low
        if sign * extreme < NEAR * sign * limit or (sign * limit <= 0 and sign * (limit - extreme) > 1):
            written[WORDS[sign]] = f"{limit:.4g}".replace("-", "−")
            continue
        axes.axhline(limit, color=RED, linewidth=0.8, dashes=(4, 3))
        bottom, top = min(bottom, limit), max(top, limit)
        if sign * (extreme - limit) > 1e-9 * abs(limit):
            axes.axhspan(limit, limit + sign * 10 * (high - low + 1), color=RED, alpha=0.09, linewidth=0)
    room = max(0.08 * (top - bottom), (least - (top - bottom)) / 2) or 0.08 * (abs(high) or 1.0)
    axes.set_ylim(bottom - room, top + room)
    if written:
        ends = [f"{word} limit {limit}" for word, limit in written.items()]
        told = f"limits {' … '.join(written.values())}" if len(written) > 1 else ends[0]
        axes.set_title(told, loc="right", color=GRAY, fontsize=7.5)


def overlay(axes: Any, run: "Trajectory", name: str, joints: list[str] | None) -> None:
    """All joints in one panel; where they are many, those that move most are named."""
    lines = [
        (f"{each.label} {part}".strip(), x, each.unit)
        for each in series(run, name, joints)
        for part, x in each.lines.items()
    ]
    order = sorted(range(len(lines)), key=lambda k: -float(np.ptp(lines[k][1])))
    named = set(order[:LABELED]) if len(lines) > LABELED else set(range(len(lines)))
    ends, inks = [], iter(INKS)
    for k, (label, x, _) in enumerate(lines):
        ink = next(inks) if k in named else "#c3c8cf"
        curve(axes, run.t, x, ink, zorder=3 if k in named else 2, **({} if k in named else {"linewidth": 0.8}))
        if k in named:
            ends.append((float(np.median(x[..., -1])), name_of(label, 24), ink))
    end_labels(axes, ends, 0.085)
    if len(lines) > LABELED:
        axes.set_title(f"{len(lines) - LABELED} more in gray", loc="right", color=GRAY, fontsize=7.5)
    axes.set_ylabel(", ".join(dict.fromkeys(unit for _, _, unit in lines if unit)))
    axes.set_xlabel("t (s)")


def heat_map(figure: Any, run: "Trajectory", found: list[Series], change: bool) -> None:
    """Every joint a row, colored by its value, or its change since the start; medians of a batch."""
    rows = [(f"{each.label} {part}".strip(), x, each.unit) for each in found for part, x in each.lines.items()]
    every = max(1, len(run) // 1500)
    table = np.array([np.median(x.reshape(-1, len(run)), axis=0)[::every] for _, x, _ in rows])
    table = table - table[:, :1] if change else table
    largest = abs(table).max(axis=1, initial=0.0)
    axes = figure.subplots()
    shown = table / np.where(largest > 0, largest, 1)[:, None]
    picture = axes.imshow(shown, aspect="auto", cmap="RdBu_r", vmin=-1, vmax=1, interpolation="nearest",
                          extent=(run.t[0], run.t[-1] or 1, len(rows) - 0.5, -0.5))  # fmt: skip
    size = max(3.0, min(7.5, 420 / len(rows)))
    axes.set_yticks(range(len(rows)), [name for name, _, _ in rows], fontsize=size, color=INK)
    right = axes.secondary_yaxis("right")
    right.set_yticks(
        range(len(rows)), [f"{x:.3g} {u}" for x, (_, _, u) in zip(largest, rows, strict=True)], fontsize=size
    )
    axes.grid(False)
    axes.set_xlabel("t (s)")
    what = "change since the start, " if change else ""
    axes.set_title(f"{what}each row relative to its largest value, on the right")
    figure.colorbar(picture, ax=axes, shrink=0.4, pad=0.02, ticks=[-1, 0, 1]).outline.set_visible(False)
