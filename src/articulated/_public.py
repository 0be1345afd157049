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

if TYPE_CHECKING:
    from .contacts import Contacts
    from .control import CartesianImpedance, ComputedTorque, Impedance, Infeasible, SolverFailed, WholeBody, tasks
    from .symbolic import Equations, Explanation, MovingFrames

#: names that are imported on their own first use, and from where: who has an arm need not wait for them
LATER = {
    "Contacts": "contacts",
    **dict.fromkeys(
        ["CartesianImpedance", "ComputedTorque", "Impedance", "Infeasible", "SolverFailed", "WholeBody", "tasks"],
        "control",
    ),
}

__all__ = [
    "DH",
    "ArticulatedError",
    "CartesianImpedance",
    "ComputedTorque",
    "Contacts",
    "Continuous",
    "Cylindrical",
    "Diagnostic",
    "Fixed",
    "Floating",
    "Helical",
    "Impedance",
    "Inertia",
    "Infeasible",
    "Limits",
    "Link",
    "Mimic",
    "ModelError",
    "ModelWarning",
    "Planar",
    "Prismatic",
    "Report",
    "Revolute",
    "Robot",
    "ShapeError",
    "SingularModelError",
    "SolverFailed",
    "Spherical",
    "Transform",
    "Universal",
    "UnknownName",
    "WholeBody",
    "__version__",
    "about_point",
    "build",
    "conventions",
    "derive",
    "explain",
    "from_dh",
    "from_gyration",
    "from_screws",
    "load",
    "moving_frames",
    "robots",
    "save",
    "spatial",
    "tasks",
]


def __getattr__(name: str) -> Any:
    if name not in LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{LATER[name]}", __package__), name)


def derive(robot: Any, symbols: bool = False) -> "Equations":
    """The Lagrangian model of a robot in closed form; needs SymPy (`pip install articulated[symbolic]`).

    `robot` is a Robot, or the name of a lecture's robot with all its symbols ("2r", "3r", "stanford", "bar_disc").
    `symbols=True` names the inertial parameters of a numeric robot.
    """
    return _symbolic().derive(robot, symbols)


def moving_frames(robot: Any, base_velocity: Any = None) -> "MovingFrames":
    """ω_i, v_i, v_ci, T_i and U_i of every link by the moving-frames algorithm, in closed form."""
    return _symbolic().moving_frames(robot, base_velocity)


def explain(
    algorithm: str, robot: Any, q: Any = None, v: Any = None, a: Any = None, tau: Any = None, axes: str = "body"
) -> "Explanation":
    """Newton-Euler ("rnea"), composite bodies ("crba") or articulated bodies ("aba"), every quantity of every body.

    On numbers at the state given (what is left out is zero), without q on symbols.  `axes="world"` writes motions,
    forces and inertias at the world's origin in its axes.  `print` shows it, `.export("html")` is a page.
    """
    return _symbolic().explain(algorithm, robot, q, v, a, tau, axes)


def _symbolic() -> Any:
    try:
        from . import symbolic
    except ModuleNotFoundError as problem:
        if problem.name != "sympy":
            raise
        raise MissingExtra("closed forms need SymPy: pip install 'articulated[symbolic]'") from None
    return symbolic
