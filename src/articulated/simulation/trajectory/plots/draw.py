"""The table of pictures; figures and picture files."""

import io
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from ....errors import MissingExtra, ShapeError, unknown
from ....housekeeping import whole_file
from ....inputs.choices import choose, file_path, number
from ....inputs.choices import names as asked_names
from ....robot import Robot
from ....text import shortened, shortened_path
from . import contacts, joints, law_ticks, mass_matrix, tree
from .style import FEW, GRAY, STYLE, about_batch, columns_for

if TYPE_CHECKING:
    from ..trajectory import Trajectory

FORMATS = (".png", ".svg", ".pdf")
LARGEST = 200.0  # inches


#: the keys of KINDS, for type checkers
Picture = Literal[
    "overview", "positions", "velocities", "torques", "energies", "contact_forces", "footfalls", "phase_portraits",
    "mass_matrix", "tree", "law",
]  # fmt: skip


class Kind(NamedTuple):
    """A kind of picture: its title, who draws it, and the size it needs."""

    title: str
    draw: Callable[..., None]
    size: Callable[["Trajectory", list[str] | None], tuple[float, float]]
    batch: Callable[[tuple[int, ...]], str] = about_batch
    whole: bool = False  # of the robot as a whole: there are no joints to choose from


def _panels(name: str) -> Callable[..., tuple[float, float]]:
    def size(run: "Trajectory", chosen: list[str] | None) -> tuple[float, float]:
        count = max(1, len(joints.shown(run, name, chosen)))
        if count > joints.MOST_PANELS:
            return 10.0, min(24.0, 2.5 + 0.11 * count)
        columns = columns_for(count)
        return (8.0, 10.0, 11.0, 13.0)[columns - 1], 1.0 + 1.45 * -(-count // columns)

    return size


def _portraits(run: "Trajectory", chosen: list[str] | None) -> tuple[float, float]:
    count = min(joints.MOST_PANELS, len(joints.with_portraits(run, chosen))) or 1
    columns = max(2, columns_for(count)) if count > 1 else 1
    return 1.0 + 2.9 * columns, 0.8 + 2.4 * -(-count // columns)


def _by_contact(width: float, above: float, each: float, most: int = 10_000) -> Callable[..., tuple[float, float]]:
    return lambda run, chosen: (width, above + each * min(most, len(run.contact.names) if run.contact else 1))


def _some(text: str, most: int = 2**62) -> Callable[[tuple[int, ...]], str]:
    """Caption of a batch, with the number of runs that are shown and of all."""
    return lambda batch: text.format(min(most, int(np.prod(batch))), int(np.prod(batch))) if batch else ""


KINDS = {
    "overview": Kind("overview", joints.overview, lambda run, chosen: (12.0, 7.0)),
    "positions": Kind("positions", partial(joints.panels, name="q"), _panels("q")),
    "velocities": Kind("velocities", partial(joints.panels, name="v"), _panels("v")),
    "torques": Kind("torques and their limits", partial(joints.panels, name="tau"), _panels("tau")),
    "energies": Kind("energies", joints.energies, lambda run, chosen: (8.5, 5.0), whole=True),
    "contact_forces": Kind(
        "contact forces and the friction cone", contacts.contact_forces,
        _by_contact(10.5, 1.2, 1.55, contacts.MOST_CONTACTS), whole=True,
    ),
    "footfalls": Kind("footfalls", contacts.footfalls, _by_contact(9.0, 1.4, 0.36), _some("{1} runs"), True),
    "phase_portraits": Kind("phase portraits", joints.phase_portraits, _portraits, _some("{0} of {1} runs", FEW)),
    "mass_matrix": Kind(
        "mass matrix along the motion", mass_matrix.mass_matrix, lambda run, chosen: (9.5, 5.8),
        _some("matrices of the first run"), True,
    ),
    "tree": Kind(
        "kinematic tree", lambda figure, run, joints: tree.tree(figure, run.robot.model),
        lambda run, chosen: tree.size(run.robot.model), _some(""), True,
    ),
    "law": Kind("ticks of the whole-body law", law_ticks.law_ticks, lambda run, chosen: (12.0, 8.0), _some(""), True),
}  # fmt: skip


def draw(
    run: "Trajectory",
    kind: str = "overview",
    path: str | Path | None = None,
    joints: Any = None,
    size: Any = None,
    dpi: Any = 150,
    law: Any = None,
) -> Any:
    """A picture of a trajectory as a matplotlib figure; written to `path` if there is one."""
    made = KINDS[choose("plot", "kind", kind, KINDS)]
    chosen = None if joints is None else _joints(run.robot, kind, joints)
    if (kind == "law") != (law is not None):
        raise ShapeError('plot: law is for the kind "law": run.plot("law", law=controller) after controller.record()')
    given = {} if law is None else {"law": law_ticks.ticks_of("plot", law)}
    note = ", ".join(filter(None, [f"{run.t[0]:g} … {run.t[-1]:g} s", made.batch(run.batch.shape)]))
    title = f"{shortened(run.robot.name)}: {made.title}"
    return picture(
        lambda page: made.draw(page, run, joints=chosen, **given),
        title,
        note,
        path,
        _size(size) or made.size(run, chosen),
        dpi,
    )


def plot_tree(robot: Robot, path: str | Path | None = None, size: Any = None, dpi: Any = 150) -> Any:
    """The kinematic tree of a robot as a picture: links, their masses, and the joints between them.

    Parameters
    ----------
    robot : the robot.
    path : a .png, .svg or .pdf file to write, whole or not at all; without it `plt.show()` shows the picture.
    size : width and height in inches; what the tree needs without it.
    dpi : dots per inch.

    Returns
    -------
    the matplotlib figure; needs the extra `plot`

    Examples
    --------
    >>> import articulated as art
    >>> figure = art.plot_tree(art.load("panda"))
    """
    if not isinstance(robot, Robot):
        raise ShapeError(f"plot_tree takes a robot first; got {shortened(repr(robot))}")
    title, note = shortened(robot.name), f"{len(robot.links)} links, {robot.nv} degrees of freedom"
    return picture(
        lambda page: tree.tree(page, robot.model), title, note, path, _size(size) or tree.size(robot.model), dpi
    )


def picture(paint: Callable[[Any], None], title: str, note: str, path: Any, size: tuple[float, float], dpi: Any) -> Any:
    """A figure with its title; of pyplot unless it goes to a file, so that `plt.show()` finds it."""
    where = None if path is None else _file(path)
    resolution = number("plot: dpi", dpi, "dots per inch, from 10 to 1200", 10, 1200)
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtra("pictures need matplotlib: pip install 'articulated[plot]'") from None
    with matplotlib.rc_context(STYLE), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph")  # the font lacks some scripts
        if where is None:
            from matplotlib import pyplot

            page = pyplot.figure(figsize=size, dpi=resolution, layout="constrained")
        else:
            page = Figure(figsize=size, dpi=resolution, layout="constrained")
        paint(page)
        page.suptitle(title, x=0.01, ha="left", fontsize=10.5, fontweight="bold")
        page.text(0.99, 0.985, note, ha="right", va="top", color=GRAY, fontsize=8)
        if where is not None:
            drawn = io.BytesIO()  # matplotlib's writers fail badly on a full disk
            page.savefig(drawn, format=where.suffix.lower()[1:])
            with whole_file(where, "wb") as file:
                file.write(drawn.getvalue())
    return page


def _file(path: Any) -> Path:
    found = file_path("plot", path)
    if found.suffix.lower() not in FORMATS:
        raise ShapeError(f"plot: path {shortened_path(path)}: pictures are {', '.join(FORMATS)} files")
    return found


def _joints(robot: Robot, kind: str, given: Any) -> list[str]:
    if KINDS[kind].whole:
        others = ", ".join(name for name, made in KINDS.items() if not made.whole)
        raise ShapeError(f"plot: {kind} is of the whole robot, without joints; joints goes with {others}")
    found = [given] if isinstance(given, str) else asked_names("plot: joints", given)
    for name in found:
        if name not in robot.joint_names:
            raise unknown("joint", name, robot.name, robot.joint_names)
    if not found:
        raise ShapeError("plot: joints is empty; without it all joints are drawn")
    return found


def _size(given: Any) -> tuple[float, float] | None:
    if given is None:
        return None
    if not isinstance(given, (tuple, list)) or len(given) != 2:
        raise ShapeError(f"plot: size is (width, height) in inches; got {shortened(repr(given))}")
    width, height = (number("plot: size", x, f"inches, from 1 to {LARGEST:g}", 1, LARGEST) for x in given)
    return width, height
