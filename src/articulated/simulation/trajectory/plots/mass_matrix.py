"""The mass matrix along a motion: how it looks at the start, half-way and at the end, and its eigenvalues."""

from typing import TYPE_CHECKING, Any

import numpy as np

from ....errors import ShapeError
from ....robot.arguments.state_names import component_names
from .style import AMBER, BLUE, INK, curve, name_of

if TYPE_CHECKING:
    from ..trajectory import Trajectory

MOST_STATES, MOST_RUNS = 400, 256
NAMED = 40


def mass_matrix(figure: Any, run: "Trajectory", joints: list[str] | None) -> None:
    """M(q) at three moments (of a batch: of its first run) and its largest and smallest eigenvalue over time."""
    if not run.robot.nv:
        raise ShapeError(f"plot: kind needs a joint that moves, and {run.robot.name} has none")
    first = run.q.reshape(-1, *run.q.shape[-2:])[0]
    moments = sorted({0, len(run) // 2, len(run) - 1})
    M = _mass_matrices(run, first[moments], 0)
    above, below = figure.subfigures(2, 1, height_ratios=[1.5, 1])
    _maps(above, run, moments, M)
    _eigenvalues(below.subplots(), run)


def _mass_matrices(run: "Trajectory", q: np.ndarray, chosen: Any) -> np.ndarray:
    """M of some runs, the batch in one row."""
    own = run.parameters
    inertia = run.inertia if own is None or own.ndim == 1 else {"parameters": own.reshape(-1, 1, own.shape[-1])[chosen]}
    M = run.robot.mass_matrix(q, **inertia)
    if run.joints:
        nv = run.robot.nv
        rotors = np.broadcast_to(run.more_rotor_inertia, (*run.batch.shape, nv)).reshape(-1, 1, nv)[chosen]
        M = M + rotors[..., None] * np.eye(nv)
    return M


def _maps(figure: Any, run: "Trajectory", moments: list[int], M: np.ndarray) -> None:
    """Entries on one scale, linear near zero and logarithmic beyond: inertias differ by orders of magnitude."""
    from matplotlib.colors import SymLogNorm

    names = [name_of(name, 18) for name in component_names(run.robot.model, "v")]
    largest = float(abs(M).max()) or 1.0
    scale = SymLogNorm(linthresh=largest * 1e-3, vmin=-largest, vmax=largest)
    axes = figure.subplots(1, len(moments), squeeze=False)[0]
    for k, (one, moment) in enumerate(zip(axes, moments, strict=True)):
        picture = one.imshow(M[k], cmap="RdBu_r", norm=scale, interpolation="nearest")
        one.set_title(f"t = {run.t[moment]:.4g} s")
        one.grid(False)
        for spine in one.spines.values():
            spine.set_visible(False)
        size = 7 if len(names) <= 12 else 5.5 if len(names) <= 24 else 4
        shown = names if len(names) <= NAMED else []
        one.set_yticks(range(len(shown)), shown if k == 0 else [""] * len(shown), fontsize=size, color=INK)
        one.set_xticks([])
        one.tick_params(length=0)
    powers = 10.0 ** np.arange(np.ceil(np.log10(largest * 3e-3)), np.log10(largest * 0.5))
    ticks = np.array([-largest, *-powers[::-1], 0.0, *powers, largest])
    bar = figure.colorbar(picture, ax=list(axes), shrink=0.8, pad=0.01, ticks=ticks)
    bar.ax.set_yticklabels([f"{x:.3g}".replace("-", "−") for x in ticks])
    bar.ax.minorticks_off()
    bar.outline.set_visible(False)
    bar.set_label("kg·m², kg·m, kg; logarithmic")


def _eigenvalues(axes: Any, run: "Trajectory") -> None:
    every = max(1, len(run) // MOST_STATES)
    runs = run.q.reshape(-1, *run.q.shape[-2:])
    chosen = np.unique(np.linspace(0, len(runs) - 1, MOST_RUNS).astype(int))
    q = runs[chosen, ::every]
    values = np.linalg.eigvalsh(_mass_matrices(run, q, chosen))
    values = np.maximum(values, np.finfo(float).tiny)
    t = run.t[::every]
    for k, ink in ((-1, BLUE), (0, AMBER)):
        curve(axes, t, values[..., k], ink)
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(lambda x, _: f"{x:.3g}")
    axes.yaxis.set_minor_formatter(lambda x, _: "")
    least, most = float(values[..., 0].min()), float(values[..., -1].max())
    axes.set_ylim(least / 2, most * 2)
    for k, text, ink in ((-1, "largest", BLUE), (0, "smallest", AMBER)):
        axes.annotate(text, (1, float(np.median(values[:, -1, k]))), (4, 0), va="center",
                      xycoords=("axes fraction", "data"), textcoords="offset points", color=ink, fontsize=8,
                      annotation_clip=False)  # fmt: skip
    condition = values[..., -1] / values[..., 0]
    shown = f" of {len(q)} runs" if run.batch.shape else ""
    axes.set_title(f"eigenvalues of M{shown}; condition number {condition.min():.3g} … {condition.max():.3g}")
    axes.set_xlabel("t (s)")
