"""The moving picture of README: a Go2 trots, beside it its equation of motion with what it is made of at that moment.

`python -m docs.site.moving_picture` writes docs/pictures/trot.gif from examples/06_trot.py.
"""

import io
import runpy
import sys
import tempfile
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure
from PIL import Image, ImageSequence

from articulated.drawing.film import gif
from articulated.simulation import Trajectory

ROOT = Path(__file__).parents[2]
PICTURE, WIDE, RATE = ROOT / "docs" / "pictures" / "trot.gif", 340, 25.0  # pixels, pictures a second
EQUATION = r"$M(q)\,\dot v + h(q, v) = S^{\!\top} \tau + \sum_i J_i(q)^{\!\top} f_i$"
INKS = ("#2a7fd0", "#d68f1c", "#3c9d66", "#d0503c")


def panel(run: Trajectory, t: float, height: int) -> np.ndarray:
    """The equation, M(q) as a map, and the forces at the feet up to this moment, (height, WIDE, 3)."""
    k = int(np.searchsorted(run.t, t))
    figure = Figure(figsize=(WIDE / 100, height / 100), dpi=100, facecolor="white")
    figure.text(0.5, 0.9, EQUATION, ha="center", fontsize=11.5)
    M = run.robot.mass_matrix(run.q[min(k, len(run) - 1)])
    matrix = figure.add_axes((0.04, 0.14, 0.42, 0.62))
    size = np.clip(1 + np.log10(np.maximum(abs(M) / abs(M).max(), 1e-9)) / 3, 0, 1)
    matrix.imshow(np.sign(M) * size, cmap="RdBu", vmin=-1.1, vmax=1.1, interpolation="nearest")
    matrix.set(xticks=[], yticks=[])
    matrix.set_title(r"$M(q)$,  18 × 18", fontsize=9)
    forces = figure.add_axes((0.6, 0.14, 0.38, 0.62))
    assert run.contact is not None
    for normal, ink in zip(run.contact.normal.T, INKS, strict=True):
        forces.plot(run.t[: k + 1] - run.t[0], normal[: k + 1], color=ink, lw=1.2)
    forces.set(xlim=(0, run.duration), ylim=(-5, 1.05 * run.contact.normal.max()))
    forces.set_title(r"$f_i$ upwards [N]", fontsize=9)
    forces.set_xlabel("t [s]", fontsize=8, labelpad=1)
    forces.tick_params(labelsize=7)
    forces.spines[["top", "right"]].set_visible(False)
    file = io.BytesIO()
    figure.savefig(file, dpi=100, format="png")
    return np.array(Image.open(file).convert("RGB"))[:height, :WIDE]


def beside(robot: Path, run: Trajectory) -> list[np.ndarray]:
    """Pictures of the robot, each with its panel on the right."""
    with Image.open(robot) as film:
        seen = [np.array(picture.convert("RGB")) for picture in ImageSequence.Iterator(film)]
    times = run.t[0] + np.arange(len(seen)) / RATE
    return [np.concatenate([x, panel(run, t, len(x))], axis=1) for x, t in zip(seen, times, strict=True)]


if __name__ == "__main__":
    mpl.rcParams["mathtext.fontset"] = "cm"
    with tempfile.TemporaryDirectory() as folder:
        drawn = Path(folder) / "trot.gif"
        sys.argv = ["06_trot.py", str(drawn)]
        found: dict[str, Any] = runpy.run_path(str(ROOT / "examples" / "06_trot.py"), run_name="__main__")
        PICTURE.write_bytes(gif(beside(drawn, found["steady"]), RATE))
    print(f"wrote {PICTURE.relative_to(ROOT)}, {PICTURE.stat().st_size // 1000} kB")
