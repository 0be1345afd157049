"""The mass matrix along a motion: how it looks at the start, half-way and at the end, and its eigenvalues."""

from typing import TYPE_CHECKING, Any

import numpy as np

from ....errors import ShapeError
from ....robot.arguments.state_names import component_names
from .style import AMBER, BLUE, INK, curve, legend, name_of

if TYPE_CHECKING:
    from ..trajectory import Trajectory

MOST_STATES, MOST_RUNS = 400, 256
NAMED = 40


def mass_matrix(figure: Any, run: "Trajectory", joints: list[str] | None) -> None:
    """M(q) at three moments (of a batch: of its first run) and its largest and smallest eigenvalue over time."""
    if not run.robot.nv:
        raise ShapeError(f"plot: kind needs a joint that moves, and {run.robot.name} has none")
    above, below = figure.subfigures(2, 1, height_ratios=[1.5, 1])
    moments = sorted({0, len(run) // 2, len(run) - 1})
    _maps(above, run, moments, _mass_matrices(run, [0], moments)[0])
    _eigenvalues(below.subplots(), run)


def _mass_matrices(run: "Trajectory", members: Any, moments: Any) -> np.ndarray:
    """M of some runs, the batch in one row, at some samples: (members, moments, nv, nv)."""
    nv, own = run.robot.nv, run.parameters
    q = run.q.reshape(-1, *run.q.shape[-2:])[members][:, moments]
    inertia = (
        run.inertia if own is None or own.ndim == 1 else {"parameters": own.reshape(-1, 1, own.shape[-1])[members]}
    )
    rotors = np.broadcast_to(run.more_rotor_inertia, (*run.batch.shape, nv)).reshape(-1, 1, nv)[members]
    return run.robot.mass_matrix(q, **inertia) + rotors[..., None] * np.eye(nv)


def _maps(figure: Any, run: "Trajectory", moments: list[int], M: np.ndarray) -> None:
    """Entries on one scale, linear near zero and logarithmic beyond: inertias differ by orders of magnitude."""
    from matplotlib.colors import SymLogNorm

    names = [name_of(name, 18) for name in component_names(run.robot.model, "v")]
    names = names if len(names) <= NAMED else []
    largest = float(abs(M).max()) or 1.0
    scale = SymLogNorm(linthresh=largest * 1e-3, vmin=-largest, vmax=largest)
    axes = figure.subplots(1, len(moments), squeeze=False)[0]
    for k, (one, moment) in enumerate(zip(axes, moments, strict=True)):
        picture = one.imshow(M[k], cmap="RdBu_r", norm=scale, interpolation="nearest")
        one.set_title(f"t = {run.t[moment]:.4g} s")
        one.grid(False)
        one.spines[:].set_visible(False)
        size = 7 if len(names) <= 12 else 5.5 if len(names) <= 24 else 4
        one.set_yticks(range(len(names)), names if k == 0 else [""] * len(names), fontsize=size, color=INK)
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
    every = slice(None, None, max(1, len(run) // MOST_STATES))
    members = np.unique(np.linspace(0, int(np.prod(run.batch.shape)) - 1, MOST_RUNS).astype(int))
    values = np.maximum(np.linalg.eigvalsh(_mass_matrices(run, members, every)), np.finfo(float).tiny)
    for k, ink, name in ((-1, BLUE, "largest"), (0, AMBER, "smallest")):
        curve(axes, run.t[every], values[..., k], ink, name)
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(lambda x, _: f"{x:.3g}")
    axes.yaxis.set_minor_formatter(lambda x, _: "")
    axes.set_ylim(float(values[..., 0].min()) / 2, float(values[..., -1].max()) * 2)
    legend(axes)
    condition = values[..., -1] / values[..., 0]
    shown = f" of {len(members)} runs" if run.batch.shape else ""
    axes.set_title(f"eigenvalues of M{shown}; condition number {condition.min():.3g} … {condition.max():.3g}")
    axes.set_xlabel("t (s)")
