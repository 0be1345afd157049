"""Ticks of a whole-body law over a run: what held it back, the forces it asked for, where it led."""

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from ....errors import ShapeError
from .contacts import bars, usual
from .style import BLUE, GRAY, INK, INKS, LIGHT, RED, curve, legend, name_of

if TYPE_CHECKING:
    from ....control.whole_body.history import Tick
    from ..trajectory import Trajectory

#: rows of constraints that are drawn, those active longest
MOST_ROWS = 20
#: residuals below are drawn as this
LEAST = 1e-3


def ticks_of(function: str, law: Any) -> "list[Tick]":
    """Ticks of a controller that has recorded them, or those given."""
    from ....control.whole_body.history import Tick

    found = getattr(law, "ticks", law)
    if not isinstance(found, (list, tuple)) or not found or not all(isinstance(x, Tick) for x in found):
        told = "has recorded none: call record() before the run" if hasattr(law, "record") else "is not such a list"
        raise ShapeError(
            f"{function}: law is a controller of a whole-body law, or a list of its ticks; this one {told}"
        )
    return list(found)


def law_ticks(figure: Any, run: "Trajectory", joints: list[str] | None, law: "list[Tick]") -> None:
    """Active constraints as bars; forces and what they use of their cones; center of mass and footholds from above."""
    left, right = figure.subfigures(1, 2, width_ratios=[1.5, 1])
    active, normal, cone = left.subplots(3, 1, height_ratios=[2, 1, 1], sharex=True)
    t = np.array([each.t for each in law])
    _active(active, t, law)
    _forces(normal, cone, t, law)
    cone.set(xlabel="t (s)", xlim=(t[0], t[-1] if t[-1] > t[0] else t[0] + 1))
    above, errors = right.subplots(2, 1, height_ratios=[1, 1])
    _from_above(above, law)
    for ink, task in zip(INKS, law[0].residuals, strict=False):
        missed = np.maximum([each.residuals[task] for each in law], LEAST)
        curve(errors, t, missed, ink, name_of(task), linewidth=0.9)
    errors.set(xlabel="t (s)", title="residuals of tasks (m/s², rad/s², N)", yscale="log")
    errors.yaxis.set_major_formatter(lambda x, _: f"{x:g}")
    legend(errors, loc="lower left", bbox_to_anchor=(0, -0.45), ncols=4)


def _active(axes: Any, t: np.ndarray, law: "list[Tick]") -> None:
    counts = Counter(name for each in law for name in each.active)
    rows = [name for name, _ in counts.most_common(MOST_ROWS)]
    statuses = sorted({each.status for each in law} - {"solved"})
    for row, name in enumerate([*statuses, *sorted(rows)]):
        axes.axhline(row, color=LIGHT, linewidth=0.6, zorder=0)
        on = np.array([2 * (each.status == name) if row < len(statuses) else name in each.active for each in law], int)
        bars(axes, t, on, row)
    names = [*(f"status {x}" for x in statuses), *sorted(rows)]
    axes.set_yticks(range(len(names)), [name_of(x, 34) for x in names], color=INK)
    axes.set_ylim(max(len(names), 1) - 0.4, -0.6)
    axes.grid(False)
    more = f"; {len(counts) - len(rows)} rows active less often are left out" if len(counts) > len(rows) else ""
    axes.set_title(("active constraints" if rows else "no constraint was active") + more)


def _forces(normal: Any, cone: Any, t: np.ndarray, law: "list[Tick]") -> None:
    forces, axes = np.array([x.forces for x in law]), np.array([x.normals for x in law])
    along = np.einsum("tni,tni->tn", forces, axes)
    across = np.linalg.norm(forces - along[..., None] * axes, axis=-1)
    bound = np.array([x.frictions for x in law]) * along
    used = np.divide(across, bound, out=np.zeros_like(across), where=bound > 1e-6 * max(1e-9, along.max(initial=0.0)))
    if not law[0].contacts:
        normal.set_title("no contacts")
        return
    for k, name in enumerate(law[0].contacts):
        curve(normal, t, along[:, k], INKS[k % len(INKS)], name_of(name))
        curve(cone, t, used[:, k], INKS[k % len(INKS)])
    normal.set(title="normal forces asked of the ground (N)")
    normal.set_ylim(min(0.0, float(along.min(initial=0.0))), 1.08 * usual(along))
    legend(normal, ncols=4, loc="upper right")
    cone.axhline(1.0, color=RED, linewidth=0.8)
    cone.set(title="friction asked for, as a part of what the cone allows", ylim=(0, 1.1))


def _from_above(axes: Any, law: "list[Tick]") -> None:
    center = np.array([x.center_of_mass for x in law])
    axes.plot(*center.T[:2], color=INK, label="center of mass")
    if law[0].wanted is not None:
        wanted = np.array([center[k] if x.wanted is None else x.wanted for k, x in enumerate(law)])
        axes.plot(*wanted.T[:2], color=BLUE, linewidth=0.9, linestyle="--", label="its target")
    for k, name in enumerate(law[0].contacts):
        ink, stands = INKS[k % len(INKS)], [x.positions[k] for x in law if x.standing[k]]
        axes.plot(*np.array(stands).reshape(-1, 3).T[:2], ".", color=ink, markersize=2)
        # the last foothold of every swing is where the foot was to be put down
        goals = [a.footholds[name] for a, b in pairwise(law) if name in a.footholds and name not in b.footholds]
        axes.plot(
            *np.array(goals).reshape(-1, 3).T[:2], "o", color=ink, markersize=7, fillstyle="none", label=name_of(name)
        )
    axes.set_aspect("equal", adjustable="datalim")
    axes.set(xlabel="x (m)", ylabel="y (m)")
    axes.set_title("from above: stances (dots), footholds (circles)")
    legend(axes, loc="best")
    axes.tick_params(colors=GRAY)
