"""Contact forces in their friction cones, and footfall diagrams."""

from typing import TYPE_CHECKING, Any

import numpy as np

from ....errors import ShapeError
from ..contact_history import OPEN, SLIDING, STICKING, ContactHistory
from .style import BLUE, GRAY, INK, LIGHT, RED, curve, legend, name_of, time_axis

if TYPE_CHECKING:
    from ..trajectory import Trajectory

MOST_CONTACTS = 12
MOST_DOTS = 4000
#: a force this many times as large as 99 % of them is an impact, and runs out of the panel
IMPACT = 2.5
STATES = {"sticking": (STICKING, BLUE), "sliding": (SLIDING, RED)}


def contact_forces(figure: Any, run: "Trajectory", joints: list[str] | None) -> None:
    """By contact: friction force under what the cone allows, over time; and both as a cone."""
    contact = _contacts(run)
    normal, tangential = contact.normal, contact.tangential
    most = normal.reshape(-1, len(contact.names)).max(axis=0)
    order = np.argsort(-most, kind="stable")[: min(MOST_CONTACTS, max(1, np.count_nonzero(most > 0)))]
    left, right = figure.subplots(len(order), 2, squeeze=False, width_ratios=[3, 1]).T
    for axes, cone, k in zip(left, right, sorted(order), strict=True):
        one = normal[..., k], tangential[..., k], contact.frictions[..., k]
        _over_time(axes, run.t, *one)
        axes.set_title(f"{name_of(contact.names[k])} (N)")
        _cone(cone, *one, contact.states[..., k])
    left[0].set_title("shaded: what the cone allows", loc="right", color=GRAY, fontsize=7.5)
    legend(left[0])
    legend(right[0], markerscale=0)
    time_axis(left, 1)
    right[-1].set_xlabel("normal force (N)")
    if left_out := len(contact.names) - len(order):
        figure.text(0, 0, f"{left_out} contacts with smaller forces left out", ha="left", va="bottom", color=GRAY)


def _contacts(run: "Trajectory") -> ContactHistory:
    if run.contact is None or not run.contact.names:
        raise ShapeError("plot: kind needs contacts, and this trajectory has none")
    return run.contact


def _over_time(axes: Any, t: np.ndarray, normal: np.ndarray, tangential: np.ndarray, friction: np.ndarray) -> None:
    curve(axes, t, normal, GRAY, "normal", linewidth=1)
    allowed = np.where(np.isfinite(friction), friction, 0.0)[..., None] * normal
    axes.fill_between(t, 0, np.median(allowed.reshape(-1, len(t)), axis=0), color=BLUE, alpha=0.13, linewidth=0)
    curve(axes, t, tangential, BLUE, "friction")
    top = usual(normal)
    axes.set_ylim(-0.05 * top, 1.08 * top)
    if normal.max() > 1.08 * top:
        at = float(t[np.unravel_index(int(np.argmax(normal)), normal.shape)[-1]])
        axes.annotate(f"impact: {normal.max():.3g} N = impulse / dt", (at, 1), (4, -2), va="top", color=GRAY,
                      xycoords=("data", "axes fraction"), textcoords="offset points", fontsize=7.5)  # fmt: skip


def usual(normal: np.ndarray) -> float:
    """Upper end of the force axis: the largest force, unless that is an impact far beyond the others."""
    largest = float(max(normal.max(), 1e-12))
    pressed = normal[normal > 0]
    most = float(np.percentile(pressed, 99)) if pressed.size else largest
    return largest if largest < IMPACT * most else 1.25 * most


def _cone(axes: Any, normal: np.ndarray, tangential: np.ndarray, friction: np.ndarray, states: np.ndarray) -> None:
    largest, slope = usual(normal), float(np.median(friction))
    edge = slope * largest if np.isfinite(slope) else 0.0
    if edge:
        axes.fill_between([0, largest], 0, [0, edge], color=BLUE, alpha=0.13, linewidth=0)
        axes.plot([0, largest], [0, edge], color=GRAY, linewidth=0.8)
        axes.set_title(f"≤ {slope:.3g} × normal", color=GRAY, fontsize=7.5)
    every = max(1, normal.size // MOST_DOTS)
    n, s, state = (x.ravel()[::every] for x in (normal, tangential, states))
    for word, (kind, ink) in STATES.items():
        dots = {"color": ink, "markersize": 2.5, "markeredgewidth": 0, "alpha": 0.7, "label": word}
        axes.plot(n[state == kind], s[state == kind], ".", **dots)
    axes.set_ylabel("friction (N)")
    axes.set_xlim(0, 1.03 * largest)
    axes.set_ylim(0, 1.05 * max(edge, float(tangential[normal <= largest].max(initial=0.0)), 1e-12))


def footfalls(figure: Any, run: "Trajectory", joints: list[str] | None) -> None:
    """Hildebrand's diagram: a bar while a contact is closed, red where it slides; of a batch the share of runs."""
    contact = _contacts(run)
    axes, names = figure.subplots(), contact.names
    states = contact.states.reshape(-1, len(run), len(names))
    end = run.t[-1] if len(run) > 1 else run.t[0] + 1
    for row in range(len(names)):
        axes.axhline(row, color=LIGHT, linewidth=0.6, zorder=0)
        closed = states[..., row] != OPEN
        if run.batch.shape:
            axes.imshow(closed.mean(axis=0)[None], aspect="auto", cmap="Blues", vmin=0, vmax=1.15,
                        interpolation="nearest", extent=(run.t[0], end, row + 0.3, row - 0.3))  # fmt: skip
        else:
            bars(axes, run.t, states[0, :, row], row)
        axes.annotate(f"{closed.mean():.0%}", (1, row), (6, 0), xycoords=("axes fraction", "data"), va="center",
                      textcoords="offset points", color=GRAY, fontsize=8, annotation_clip=False)  # fmt: skip
    axes.set_yticks(range(len(names)), [name_of(name) for name in names], color=INK)
    axes.set(ylim=(len(names) - 0.4, -0.6), xlim=(run.t[0], end), xlabel="t (s)")
    axes.grid(False)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    what = "share of runs in contact" if run.batch.shape else "in contact (blue), sliding (red)"
    axes.set_title(f"{what}; on the right the part of the time")


def bars(axes: Any, t: np.ndarray, states: np.ndarray, row: int) -> None:
    """One bar for each stretch of samples with the same state; it ends where the next sample begins."""
    begins = np.flatnonzero(np.diff(states, prepend=-1))
    ends = np.append(begins[1:], len(t) - 1)
    for kind, ink in STATES.values():
        spans = [(t[a], t[b] - t[a]) for a, b in zip(begins, ends, strict=True) if states[a] == kind]
        axes.broken_barh(spans, (row - 0.3, 0.6), facecolors=ink, linewidth=0)
