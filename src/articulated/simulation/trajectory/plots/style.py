"""Style of the pictures, and drawing functions they share."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ....text import shortened

INK, GRAY, LIGHT, PAGE = "#22262e", "#7d838c", "#e3e6ea", "#ffffff"
BLUE, RED, AMBER, GREEN = "#2a6db0", "#c6422e", "#d68f1c", "#3c8d5f"
#: lines that share a panel
INKS = (BLUE, AMBER, GREEN, RED, "#7a5aa6", "#4aa3b5", "#8c6d46", "#c76a97")
STYLE: Any = {
    "figure.facecolor": PAGE, "axes.facecolor": PAGE, "savefig.facecolor": PAGE,
    "font.family": ["DejaVu Sans"], "font.size": 8.5, "text.color": INK, "text.parse_math": False,
    "axes.edgecolor": GRAY, "axes.labelcolor": GRAY, "axes.linewidth": 0.6, "axes.spines.top": False,
    "axes.spines.right": False, "axes.titlesize": 8.5, "axes.titlelocation": "left", "axes.titlecolor": INK,
    "axes.grid": True, "grid.color": LIGHT, "grid.linewidth": 0.6, "axes.axisbelow": True, "axes.xmargin": 0.0,
    "xtick.color": GRAY, "ytick.color": GRAY, "xtick.major.width": 0.6, "ytick.major.width": 0.6,
    "lines.linewidth": 1.3, "lines.solid_capstyle": "round", "axes.unicode_minus": True, "svg.fonttype": "none",
    "axes.formatter.useoffset": False, "axes.formatter.limits": (-4, 5), "axes.formatter.use_mathtext": False,
    "agg.path.chunksize": 10_000,  # long lines
}  # fmt: skip
#: most samples drawn: a screen shows no more
MOST_POINTS = 1500
#: runs of a batch that are drawn as lines; more become a median and a band
FEW = 5
#: percentiles of the band
BAND = (5, 95)


def name_of(text: object, longest: int = 28) -> str:
    """A name from a file, short enough for a label."""
    return shortened(text, longest)


def curve(
    axes: Any, t: np.ndarray, x: np.ndarray, ink: str, name: str = "", band: float = 0.15, **options: Any
) -> None:
    """x (…, T) over time: one line, a few, or the median of many with a band; named in the legend."""
    runs = x.reshape(-1, x.shape[-1])
    if len(t) == 1:  # a line through one point shows nothing
        options |= {"marker": "o", "markersize": 4}
    if len(runs) <= FEW:
        for k, run in enumerate(runs):
            label = name if k == 0 else ""
            axes.plot(t, run, color=ink, label=label, alpha=1 if len(runs) == 1 else 0.6, **options)
        return
    every = max(1, len(t) // MOST_POINTS)
    low, middle, high = np.percentile(runs[:, ::every], (BAND[0], 50, BAND[1]), axis=0)
    axes.fill_between(t[::every], low, high, color=ink, alpha=band, linewidth=0)
    axes.plot(t[::every], middle, color=ink, label=name, **options)


def about_batch(batch: tuple[int, ...]) -> str:
    """Caption for the lines of a batch; empty for one run."""
    count = int(np.prod(batch))
    if not batch or count == 1:
        return ""
    return f"{count} runs" if count <= FEW else f"median and {BAND[0]} … {BAND[1]} % of {count} runs"


def grid(figure: Any, count: int, columns: int = 0) -> list[Any]:
    """Panels for `count` things, in reading order."""
    columns = columns or columns_for(count)
    axes = figure.subplots(-(-count // columns), columns, squeeze=False).ravel()
    for empty in axes[count:]:
        empty.set_visible(False)
    return list(axes[:count])


def columns_for(count: int) -> int:
    """Panels side by side, so that a page of them is about as wide as high."""
    return 1 if count <= 3 else 2 if count <= 8 else 3 if count <= 21 else 4


def time_axis(axes: Sequence[Any], columns: int) -> None:
    """Name and number the time below the last row only."""
    for k, one in enumerate(axes):
        last = k // columns == (len(axes) - 1) // columns
        one.tick_params(labelbottom=last)
        if last:
            one.set_xlabel("t (s)")


def legend(axes: Any, **options: Any) -> None:
    """Names of the lines, each in its ink."""
    if axes.get_legend_handles_labels()[1]:
        axes.legend(frameon=False, fontsize=7.5, labelcolor="linecolor", handlelength=0, borderpad=0, **options)
