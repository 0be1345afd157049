"""The public names, from where they live; `articulated` hands them on when the first one is asked for."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ._version import __version__
from .algebra.spatial import Inertia, Transform
from .errors import (
    ArticulatedError,
    Diagnostic,
    MissingExtra,
    ModelError,
    ModelWarning,
    ShapeError,
    SingularModelError,
    UnknownName,
)
from .files.dh import DH
from .joints import (
    Continuous,
    Cylindrical,
    Fixed,
    Floating,
    Helical,
    Limits,
    Mimic,
    Planar,
    Prismatic,
    Revolute,
    Spherical,
    Universal,
)
from .model import Link
from .model.parameters import about_point, from_gyration
from .model.report import Report
from .robot import Robot, conventions, spatial
from .robot.construction import build, from_dh, from_screws, load, robots, save
from .robot.ik_targets import Direction, Orientation

if TYPE_CHECKING:
    from .contacts import Contacts, InfeasibleAcceleration
    from .control import (
        PD,
        CartesianImpedance,
        ComputedTorque,
        Impedance,
        Infeasible,
        NotTraceable,
        SolverFailed,
        WholeBody,
        lqr,
        tasks,
        traced,
    )
    from .simulation import ContactHistory, ControllerFailed, Diverged, Ground, Trajectory, plot_tree, simulate
    from .symbolic import Equations, MovingFrames

#: names that are imported on their own first use, and from where: who has an arm need not wait for them
LATER = {
    **dict.fromkeys(["Contacts", "InfeasibleAcceleration"], "contacts"),
    **dict.fromkeys(
        [
            "CartesianImpedance",
            "ComputedTorque",
            "Impedance",
            "Infeasible",
            "NotTraceable",
            "PD",
            "SolverFailed",
            "WholeBody",
            "lqr",
            "tasks",
            "traced",
        ],
        "control",
    ),
    **dict.fromkeys(
        ["ContactHistory", "ControllerFailed", "Diverged", "Ground", "Trajectory", "plot_tree", "simulate"],
        "simulation",
    ),
}

__all__ = [
    "DH",
    "PD",
    "ArticulatedError",
    "CartesianImpedance",
    "ComputedTorque",
    "ContactHistory",
    "Contacts",
    "Continuous",
    "ControllerFailed",
    "Cylindrical",
    "Diagnostic",
    "Direction",
    "Diverged",
    "Fixed",
    "Floating",
    "Ground",
    "Helical",
    "Impedance",
    "Inertia",
    "Infeasible",
    "InfeasibleAcceleration",
    "Limits",
    "Link",
    "Mimic",
    "ModelError",
    "ModelWarning",
    "NotTraceable",
    "Orientation",
    "Planar",
    "Prismatic",
    "Report",
    "Revolute",
    "Robot",
    "ShapeError",
    "SingularModelError",
    "SolverFailed",
    "Spherical",
    "Trajectory",
    "Transform",
    "Universal",
    "UnknownName",
    "WholeBody",
    "__version__",
    "about_point",
    "build",
    "conventions",
    "derive",
    "from_dh",
    "from_gyration",
    "from_screws",
    "load",
    "lqr",
    "moving_frames",
    "plot_tree",
    "robots",
    "save",
    "simulate",
    "spatial",
    "tasks",
    "traced",
]


def __getattr__(name: str) -> Any:
    if name not in LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{LATER[name]}", __package__), name)


def derive(robot: Robot | str, symbols: bool = False) -> "Equations":
    """The Lagrangian model of a robot in closed form; needs SymPy (`pip install articulated[symbolic]`).

    `robot` is a Robot, or the name of a lecture's robot with all its symbols ("2r", "3r", "stanford", "bar_disc").
    `symbols=True` names the inertial parameters of a numeric robot.

        robot: a Robot, or the name of a lecture's robot
        symbols: True: symbols in the place of its inertial parameters

    Returns: Equations with M, C, c, g, T, U, tau as SymPy expressions.
    Included: gravity, Coriolis forces, joint friction and damping, armature.
    Source: Lagrange's equations, held against Newton and Euler's by `eq.check()`.

    >>> import articulated as art
    >>> art.derive("2r").M.shape
    (2, 2)
    """
    return _symbolic().derive(robot, symbols)


def moving_frames(robot: Robot | str, base_velocity: Any = None) -> "MovingFrames":
    """ω_i, v_i, v_ci, T_i and U_i of every link by the moving-frames algorithm, in closed form.

        robot: a Robot, or the name of a lecture's robot
        base_velocity: of the platform, (6,), [linear; angular]; none: it stands still

    Returns: MovingFrames with omega, v, v_c, T and U of every link, as SymPy expressions.
    Source: Sapienza lecture.

    >>> import articulated as art
    >>> len(art.moving_frames("2r"))
    2
    """
    return _symbolic().moving_frames(robot, base_velocity)


def _symbolic() -> Any:
    try:
        from . import symbolic
    except ModuleNotFoundError as problem:
        if problem.name != "sympy":
            raise
        raise MissingExtra("closed forms need SymPy: pip install 'articulated[symbolic]'") from None
    return symbolic
