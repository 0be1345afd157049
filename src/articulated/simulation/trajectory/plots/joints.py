"""Positions, velocities, torques and energies over time, and phase portraits."""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ....errors import ShapeError
from ....robot.arguments.state_names import component_units
from ....text import shortened
from ..quantities import bounds
from .style import AMBER, BLUE, FEW, GRAY, INK, INKS, RED, columns_for, curve, grid, legend, name_of, time_axis

if TYPE_CHECKING:
    from ..trajectory import Trajectory

WORDS = {"q": ("position", "orientation"), "v": ("velocity", "angular velocity"), "tau": ("force", "torque")}
#: more panels than this are a map of all joints
MOST_PANELS = 40
#: joints that move by less than this part of what others move are drawn flat: their noise is no motion
FLAT = 1e-3
LABELED = 8
ENERGY_INKS = {"kinetic": BLUE, "potential": AMBER, "total": INK}


class Series(NamedTuple):
    """Lines of one panel (…, T) by their names, their unit, and the limits they share."""

    label: str
    unit: str
    lines: dict[str, np.ndarray]
    lower: float = -np.inf
    upper: float = np.inf


def series(run: "Trajectory", name: str, joints: list[str] | None = None) -> list[Series]:
    """q, v or tau by joint; orientations as roll, pitch and yaw."""
    model = run.robot.model
    x, unit, limits = getattr(run, name), component_units(model, name), bounds(model, name)
    found = []
    for b in model.bodies:
        if b.leader is not b or (joints is not None and b.joint.name not in joints):
            continue
        places, title = range(x.shape[-1])[b.coords if name == "q" else b.dofs], name_of(b.joint.name)
        if len(places) == 1:
            k = places[0]
            found.append(Series(title, unit[k], {"": x[..., k]}, limits.lower[k], limits.upper[k]))
            continue
        turned = list(places[b.joint.quaternion]) if name == "q" and b.joint.quaternion is not None else []
        plain = [k for k in places if k not in turned]
        for along in dict.fromkeys(unit[k] for k in plain):
            same = [k for k in plain if unit[k] == along]
            word = WORDS[name][along.startswith(("rad", "N m"))]
            parts = "xyz" if len(same) <= 3 else map(str, range(len(same)))
            lines = {part: x[..., k] for part, k in zip(parts, same, strict=False)}
            found.append(Series(f"{title} {word}", along, lines))
        if turned:
            angles = np.moveaxis(roll_pitch_yaw(x[..., turned]), -1, 0)
            lines = dict(zip(("roll", "pitch", "yaw"), angles, strict=True))
            found.append(Series(f"{title} orientation", "rad", lines))
    return found


def shown(run: "Trajectory", name: str, joints: list[str] | None) -> list[Series]:
    """The panels of q, v or tau; without those of a free base that nothing drives, unless they are asked for."""
    if name == "tau" and joints is None:
        moving = [b for b in run.robot.model.bodies if b.leader is b]
        driven = [b.joint.name for b in moving if not b.joint.floats or run.tau[..., b.dofs].any()]
        joints = driven or None
    return series(run, name, joints)


def roll_pitch_yaw(q: np.ndarray) -> np.ndarray:
    """Angles about the fixed axes x, y, z of quaternions (…, T, 4); full turns are counted, not jumped over."""
    x, y, z, w = np.moveaxis(q, -1, 0)
    roll = np.arctan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y))
    pitch = np.arcsin(np.clip(2 * (w * y - z * x), -1, 1))
    yaw = np.arctan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))
    return np.stack([np.unwrap(roll, axis=-1), pitch, np.unwrap(yaw, axis=-1)], axis=-1)


def panels(figure: Any, run: "Trajectory", name: str, joints: list[str] | None) -> None:
    """One panel for each joint; a map for very many."""
    found = shown(run, name, joints)
    if not found:
        raise ShapeError(f"plot: kind needs a joint that moves, and {run.robot.name} has none")
    if len(found) > MOST_PANELS:
        heat_map(figure, run, found, change=name == "q")
        return
    columns = columns_for(len(found))
    axes, least = grid(figure, len(found), columns), least_ranges(found)
    for one, each in zip(axes, found, strict=True):
        for ink, (part, x) in zip(INKS, each.lines.items(), strict=False):
            curve(one, run.t, x, ink, part)
        one.set_title(f"{each.label}{f' ({each.unit})' if each.unit else ''}")
        _limits(one, each, least[each.unit])
        legend(one)
    time_axis(axes, columns)


def least_ranges(found: list[Series]) -> dict[str, float]:
    """By unit, the range that a panel shows at least."""
    spans = [(each.unit, max(float(np.ptp(x)) for x in each.lines.values())) for each in found]
    return {unit: FLAT * max(span for other, span in spans if other == unit) for unit, _ in spans}


def _limits(axes: Any, each: Series, least: float) -> None:
    """Limits in words, and as lines where they are in sight, what lies beyond them in red; a range of at least
    `least` is shown."""
    low, high = (float(extreme([extreme(x) for x in each.lines.values()])) for extreme in (np.min, np.max))
    room = max(0.08 * (high - low), (least - (high - low)) / 2) or 0.08 * (abs(high) or 1.0)
    axes.set_ylim(low - room, high + room)
    told = []
    for word, limit, sign in (("lower", each.lower, -1), ("upper", each.upper, 1)):
        if np.isfinite(limit):
            told.append(f"{word} limit {limit:.4g}".replace("-", "−"))
            axes.axhline(limit, color=RED, linewidth=0.8, dashes=(4, 3))
            axes.axhspan(limit, limit + sign * 10 * (high - low + abs(limit) + 1), color=RED, alpha=0.09, linewidth=0)
    axes.set_title(", ".join(told), loc="right", color=GRAY, fontsize=7.5)


def overview(figure: Any, run: "Trajectory", joints: list[str] | None) -> None:
    """Positions, velocities, torques and energies, a panel each."""
    axes = figure.subplots(2, 2).ravel()
    for panel, name, title in zip(axes, ("q", "v", "tau"), ("positions", "velocities", "torques"), strict=False):
        _overlay(panel, run, name, joints)
        panel.set_title(title)
    _levels(axes[3], run)
    axes[3].set_title("energies")
    axes[3].set_xlabel("t (s)")


def _overlay(axes: Any, run: "Trajectory", name: str, joints: list[str] | None) -> None:
    """All joints in one panel; where they are many, those that move most are named."""
    lines = _rows(series(run, name, joints))
    order = sorted(range(len(lines)), key=lambda k: -float(np.ptp(lines[k][1])))
    inks = dict(zip(sorted(order[:LABELED]), INKS, strict=False))
    for k, (label, x, _) in enumerate(lines):
        named = {"name": name_of(label, 24), "zorder": 3} if k in inks else {"linewidth": 0.8}
        curve(axes, run.t, x, inks.get(k, "#c3c8cf"), **named)
    legend(axes, loc="center left", bbox_to_anchor=(1.0, 0.5))
    if len(lines) > LABELED:
        axes.set_title(f"{len(lines) - LABELED} more in gray", loc="right", color=GRAY, fontsize=7.5)
    axes.set_ylabel(", ".join(dict.fromkeys(unit for *_, unit in lines if unit)))
    axes.set_xlabel("t (s)")


def _rows(found: list[Series]) -> list[tuple[str, np.ndarray, str]]:
    """Every line of the panels with its name and unit."""
    return [(f"{each.label} {part}".strip(), x, each.unit) for each in found for part, x in each.lines.items()]


def heat_map(figure: Any, run: "Trajectory", found: list[Series], change: bool) -> None:
    """Every joint a row, colored by its value, or its change since the start; medians of a batch."""
    rows, every = _rows(found), max(1, len(run) // 1500)
    table = np.array([np.median(x.reshape(-1, len(run)), axis=0)[::every] for _, x, _ in rows])
    table = table - table[:, :1] if change else table
    largest = abs(table).max(axis=1, initial=0.0)
    axes = figure.subplots()
    picture = axes.imshow(table / np.where(largest > 0, largest, 1)[:, None], aspect="auto", cmap="RdBu_r", vmin=-1,
                          vmax=1, interpolation="nearest",
                          extent=(run.t[0], run.t[-1] or 1, len(rows) - 0.5, -0.5))  # fmt: skip
    size = max(3.0, min(7.5, 420 / len(rows)))
    axes.set_yticks(range(len(rows)), [name for name, *_ in rows], fontsize=size, color=INK)
    told = [f"{x:.3g} {unit}" for x, (*_, unit) in zip(largest, rows, strict=True)]
    axes.secondary_yaxis("right").set_yticks(range(len(rows)), told, fontsize=size)
    axes.grid(False)
    axes.set_xlabel("t (s)")
    what = "change since the start, " if change else ""
    axes.set_title(f"{what}each row relative to its largest value, on the right")
    figure.colorbar(picture, ax=axes, shrink=0.4, pad=0.02, ticks=[-1, 0, 1]).outline.set_visible(False)


def energies(figure: Any, run: "Trajectory", joints: list[str] | None) -> None:
    """Kinetic, potential and total energy; below, what the total has gained since the start."""
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=[2.2, 1])
    _levels(above, run)
    change = run.energy.total - run.energy.total[..., :1]
    curve(below, run.t, change, INK)
    worst, scale = float(abs(change).max()), float(run.energy.kinetic.max())
    share = f", {worst / scale:.2g} of the largest kinetic energy" if scale > 0 else ""
    below.set_title(f"change of the total (J): by at most {worst:.2g} J{share}")
    below.set_xlabel("t (s)")


def _levels(axes: Any, run: "Trajectory") -> None:
    """The three energies in one panel; of a batch the total without its band."""
    for name, x in run.energy._asdict().items():
        curve(axes, run.t, x, ENERGY_INKS[name], name, band=0.0 if name == "total" else 0.13)  # not three bands
    axes.set_ylabel("energy (J)")
    legend(axes)


def with_portraits(run: "Trajectory", joints: list[str] | None) -> list[str]:
    """Joints with one coordinate, of which there are portraits."""
    one = [b.joint.name for b in run.robot.model.bodies if b.leader is b and b.joint.nq == b.joint.nv == 1]
    return [name for name in one if joints is None or name in joints]


def phase_portraits(figure: Any, run: "Trajectory", joints: list[str] | None) -> None:
    """Velocity over position of joints with one coordinate; a dot where they start; of a batch a few runs."""
    one = with_portraits(run, joints)
    others = [x for x in joints or run.robot.joint_names if x not in one]
    if joints is not None and others:
        raise ShapeError(f"plot: joints: {shortened(others[0])} has several coordinates; phase portraits are of one")
    chosen = one[:MOST_PANELS]
    if not chosen:
        raise ShapeError("plot: phase portraits need a joint with one coordinate, and none of these has")
    axes = grid(figure, len(chosen), max(2, columns_for(len(chosen))) if len(chosen) > 1 else 1)
    found = [series(run, name, chosen) for name in ("q", "v")]
    least = [least_ranges(each) for each in found]
    for panel, *pair in zip(axes, *found, strict=True):
        q, v = (each.lines[""].reshape(-1, len(run)) for each in pair)
        for k in np.unique(np.linspace(0, len(q) - 1, FEW).astype(int)):
            panel.plot(q[k], v[k], color=BLUE, linewidth=1, alpha=1 if len(q) == 1 else 0.6)
            panel.plot(q[k, :1], v[k, :1], "o", color=INK, markersize=3.5)
        panel.margins(x=0.05)
        for axis, each, ranges in zip((panel.xaxis, panel.yaxis), pair, least, strict=True):
            low, high = axis.get_view_interval()
            room = max(0.0, (ranges[each.unit] - (high - low)) / 2)  # the noise of a joint that rests is no motion
            axis.axes.set(**{f"{axis.axis_name}lim": (low - room, high + room)})
            axis.set_label_text(each.unit)
        panel.set_title(pair[0].label)
    names = ", ".join(map(name_of, others[:FEW])) + (" …" if len(others) > FEW else "")
    told = [f"not shown, with more than one coordinate: {names}"] if others else []
    told += [f"the first {MOST_PANELS} of {len(one)} joints"] if len(one) > MOST_PANELS else []
    if told:
        figure.supxlabel("; ".join(told), x=0.99, ha="right", color=GRAY, fontsize=8)
