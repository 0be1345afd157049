"""Small pictures for the gallery: `python -m docs.site.thumbnails` draws that of each recipe that has none yet.

What a recipe plots, else the last motion, robot or equations that it makes.
"""

import contextlib
import io
import os
import tempfile
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib import pyplot
from PIL import Image

import articulated as art
from articulated.model.shapes import Shape

from .gallery import RECIPES, SMALL

SIZE, COLORS = (240, 180), 96  # pixels


def subject(found: dict[str, Any]) -> Any:
    """The last motion in the variables of a program, else its last robot, else its last equations."""
    for kind in (art.Trajectory, art.Robot):
        if of_kind := [x for x in found.values() if isinstance(x, kind)]:
            return of_kind[-1]
    return next((x for x in reversed(found.values()) if type(x).__name__ == "Equations"), art.load("2r"))


def portrait(thing: Any, found: dict[str, Any], file: Path) -> None:
    """A motion at its end, a robot at a configuration among its obstacles, or M of equations, typeset."""
    if type(thing).__name__ == "Equations":
        _typeset(thing, file)
        return
    if isinstance(thing, art.Robot):
        known = [thing.poses[name] for name in ("home", "start", "standing") if name in thing.poses]
        still = np.zeros((1, thing.nv))
        # the last configuration of the program, which may be the result of inverse kinematics
        given = [np.asarray(getattr(x, "q", x), float) for name, x in found.items() if name in ("q", "found")]
        here = [x.reshape(-1, thing.nq)[-1] for x in given if x.ndim and x.shape[-1] == thing.nq]
        thing = art.Trajectory(thing, [0.0], [[*here[-1:], *known, thing.neutral()][0]], still, still, still)
    obstacles = [x for x in found.values() if isinstance(x, Shape)]
    thing.animate(file, size=SIZE, progress=False, obstacles=obstacles)


def _typeset(equations: Any, file: Path) -> None:
    import sympy

    figure = pyplot.figure(figsize=(4, 3))
    for k, i in enumerate(range(min(2, len(equations.v)))):
        text = sympy.latex(sympy.factor_terms(equations.M[i, i])).replace(r"\left", "").replace(r"\right", "")
        figure.text(0.05, 0.7 - 0.3 * k, f"$M_{{{i + 1}{i + 1}}} = {text}$"[:400], fontsize=13)
    figure.savefig(file, dpi=100)
    pyplot.close(figure)


def drawn(code: str) -> Image.Image:
    """The picture of a program, which runs in an empty folder."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            found: dict[str, Any] = {"__name__": "__main__"}
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile(code, "<recipe>", "exec"), found)
            file = Path(folder) / "picture.png"
            if pyplot.get_fignums():
                pyplot.figure(pyplot.get_fignums()[-1]).savefig(file, dpi=100)
                pyplot.close("all")
            else:
                portrait(subject(found), found, file)
            with Image.open(file) as picture:
                small = picture.convert("RGB")
            small.thumbnail(SIZE, Image.Resampling.LANCZOS)
            return small.quantize(COLORS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
        finally:
            os.chdir(before)


if __name__ == "__main__":
    mpl.use("Agg")
    mpl.rcParams["mathtext.fontset"] = "cm"
    SMALL.mkdir(exist_ok=True)
    for recipe in RECIPES:
        file = SMALL / f"{recipe.path.stem}.png"
        if not file.exists():
            drawn(recipe.code).save(file, optimize=True)
            print(file.name, file.stat().st_size)
