"""Contact forces in their friction cones, and footfall diagrams."""

from typing import TYPE_CHECKING, Any

import numpy as np

from ....errors import ShapeError
from ..contact_history import OPEN, SLIDING, STICKING, ContactHistory
from .style import BLUE, GRAY, INK, LIGHT, RED, curve, end_labels, name_of, time_axis

if TYPE_CHECKING:
    from ..trajectory import Trajectory

MOST_CONTACTS = 12
MOST_DOTS = 4000
#: a force this many times as large as 99 % of them is an impact, and runs out of the panel
IMPACT = 2.5


def contact_forces(figure: Any, run: "Trajectory", joints: list[str] | None) -> None:
    """By contact: friction force under what the cone allows, over time; and both as a cone."""
    contact = _contacts(run)
    normal, tangential = contact.normal, contact.tangential
    order = np.argsort(-normal.reshape(-1, len(contact.names)).max(axis=0), kind="stable")[:MOST_CONTACTS]
    left, right = figure.subplots(len(order), 2, squeeze=False, width_ratios=[3, 1]).T
    for axes, cone, k in zip(left, right, sorted(order), strict=True):
        friction = contact.frictions[..., k]
        _over_time(axes, run.t, normal[..., k], tangential[..., k], friction)
        axes.set_title(f"{name_of(contact.names[k])} (N)")
        _cone(cone, normal[..., k], tangential[..., k], contact.states[..., k], friction)
    left[0].set_title("shaded: what the cone allows", loc="right", color=GRAY, fontsize=7.5)
    _states(right[0])
    time_axis(left, 1)
    right[-1].set_xlabel("normal force (N)")
    left_out = len(contact.names) - len(order)
    if left_out:
        figure.text(1, 0, f"{left_out} contacts with smaller forces left out", ha="right", va="bottom", color=GRAY)


def _contacts(run: "Trajectory") -> ContactHistory:
    if run.contact is None or not run.contact.names:
        raise ShapeError("plot: kind needs contacts, and this trajectory has none")
    return run.contact


def _over_time(axes: Any, t: np.ndarray, normal: np.ndarray, tangential: np.ndarray, friction: np.ndarray) -> None:
    curve(axes, t, normal, GRAY, linewidth=1)
    allowed = np.where(np.isfinite(friction), friction, 0.0)[..., None] * normal
    middle = np.median(allowed.reshape(-1, len(t)), axis=0)
    axes.fill_between(t, 0, middle, color=BLUE, alpha=0.13, linewidth=0)
    curve(axes, t, tangential, BLUE)
    top = usual(normal)
    axes.set_ylim(-0.05 * top, 1.08 * top)
    if normal.max() > 1.08 * top:
        at = float(t[np.unravel_index(int(np.argmax(normal)), normal.shape)[-1]])
        text = f"impact: {normal.max():.3g} N = impulse / dt"
        axes.annotate(text, (at, 1), (4, -2), xycoords=("data", "axes fraction"), va="top",
                      textcoords="offset points", color=GRAY, fontsize=7.5)  # fmt: skip
    ends = [(normal, "normal", GRAY), (tangential, "friction", BLUE)]
    end_labels(axes, [(float(np.median(x[..., -1])), text, ink) for x, text, ink in ends], 0.16)


def usual(normal: np.ndarray) -> float:
    """Upper end of the force axis: the largest force, unless that is an impact far beyond the others."""
    largest = float(max(normal.max(), 1e-12))
    pressed = normal[normal > 0]
    most = float(np.percentile(pressed, 99)) if pressed.size else largest
    return largest if largest < IMPACT * most else 1.25 * most


def _cone(axes: Any, normal: np.ndarray, tangential: np.ndarray, states: np.ndarray, friction: np.ndarray) -> None:
    largest = usual(normal)
    slope = float(np.median(friction))
    if np.isfinite(slope):
        axes.fill_between([0, largest], 0, [0, slope * largest], color=BLUE, alpha=0.13, linewidth=0)
        axes.plot([0, largest], [0, slope * largest], color=GRAY, linewidth=0.8)
        axes.set_title(f"≤ {slope:.3g} × normal", color=GRAY, fontsize=7.5)
    every = max(1, normal.size // MOST_DOTS)
    n, s, state = (x.ravel()[::every] for x in (normal, tangential, states))
    for kind, ink in ((STICKING, BLUE), (SLIDING, RED)):
        axes.plot(n[state == kind], s[state == kind], ".", color=ink, markersize=2.5, markeredgewidth=0, alpha=0.7)
    axes.set_ylabel("friction (N)")
    axes.set_xlim(0, 1.03 * largest)
    inside = tangential[normal <= largest]
    axes.set_ylim(0, 1.05 * max(slope * largest if np.isfinite(slope) else 0.0, float(inside.max(initial=0.0)), 1e-12))


def footfalls(figure: Any, run: "Trajectory", joints: list[str] | None) -> None:
    """Hildebrand's diagram: a bar while a contact is closed, red where it slides; of a batch the share of runs."""
    contact = _contacts(run)
    axes = figure.subplots()
    states = contact.states.reshape(-1, len(run), len(contact.names))
    for row in range(len(contact.names)):
        axes.axhline(row, color=LIGHT, linewidth=0.6, zorder=0)
        if run.batch.shape:
            _shares(axes, run.t, states[..., row], row)
        else:
            _bars(axes, run.t, states[0, :, row], row)
        closed = float((states[..., row] != OPEN).mean())
        axes.annotate(f"{closed:.0%}", (1, row), (6, 0), xycoords=("axes fraction", "data"), va="center",
                      textcoords="offset points", color=GRAY, fontsize=8, annotation_clip=False)  # fmt: skip
    axes.set_yticks(range(len(contact.names)), [name_of(name) for name in contact.names], color=INK)
    axes.set_ylim(len(contact.names) - 0.4, -0.6)
    axes.set_xlim(run.t[0], run.t[-1] if len(run) > 1 else run.t[0] + 1)
    axes.grid(False)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    axes.set_xlabel("t (s)")
    what = "share of runs in contact" if run.batch.shape else "in contact"
    axes.set_title(f"{what}; on the right the part of the time")
    if not run.batch.shape:
        _states(axes)


def _states(axes: Any) -> None:
    """Legend of the inks, above the right end of a panel."""
    for text, ink, back in (("sliding", RED, 0), ("sticking", BLUE, 42)):
        axes.annotate(text, (1, 1), (-back, 4), xycoords="axes fraction", textcoords="offset points", color=ink,
                      ha="right", va="bottom", fontsize=8, annotation_clip=False)  # fmt: skip


def _bars(axes: Any, t: np.ndarray, states: np.ndarray, row: int) -> None:
    """One bar for each stretch of samples with the same state; it ends where the next sample begins."""
    begins = np.flatnonzero(np.diff(states, prepend=-1))
    ends = np.append(begins[1:], len(t) - 1)
    for kind, ink in ((STICKING, BLUE), (SLIDING, RED)):
        spans = [(t[a], t[b] - t[a]) for a, b in zip(begins, ends, strict=True) if states[a] == kind]
        axes.broken_barh(spans, (row - 0.3, 0.6), facecolors=ink, linewidth=0)


def _shares(axes: Any, t: np.ndarray, states: np.ndarray, row: int) -> None:
    share = (states != OPEN).mean(axis=0)[None]
    axes.imshow(share, aspect="auto", cmap="Blues", vmin=0, vmax=1.15, interpolation="nearest",
                extent=(t[0], t[-1] if len(t) > 1 else t[0] + 1, row + 0.3, row - 0.3))  # fmt: skip
