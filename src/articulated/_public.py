"""The public names, from where they live; `articulated` hands them on when the first one is asked for."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .algebra.spatial import Inertia, Transform
from .errors import (
    ArticulatedError,
    Diagnostic,
    ModelError,
    ModelWarning,
    ShapeError,
    SingularModelError,
    UnknownName,
)
from .files.dh import DH
from .joints import JOINTS, Limits, Mimic
from .model import Link
from .model.motors import Motor
from .model.parameters import about_point, from_gyration
from .model.report import Report
from .robot import Robot, conventions, spatial
from .robot.arguments.forces import Wrenches
from .robot.closed_forms import derive, exercise, explain, moving_frames
from .robot.construction import build, from_dh, from_screws, load, robots, save
from .robot.inverse_kinematics.targets import Direction, Orientation

if TYPE_CHECKING:
    from ._version import __version__
    from .contacts import Contacts, InfeasibleAcceleration
    from .control import (
        PD,
        CartesianImpedance,
        ComputedTorque,
        DifferentialIK,
        Gait,
        Impedance,
        Infeasible,
        NotTraceable,
        SolverFailed,
        WholeBody,
        lqr,
        swing,
        tasks,
        traced,
    )
    from .simulation import ContactHistory, ControllerFailed, Diverged, Ground, Trajectory, plot_tree, simulate
    from .viewer import Viewer, view

#: names that are imported on their own first use, and from where: who has an arm need not wait for them
LATER = {
    "__version__": "_version",
    **dict.fromkeys(["Contacts", "InfeasibleAcceleration"], "contacts"),
    **dict.fromkeys(
        [
            "CartesianImpedance",
            "ComputedTorque",
            "DifferentialIK",
            "Gait",
            "Impedance",
            "Infeasible",
            "NotTraceable",
            "PD",
            "SolverFailed",
            "WholeBody",
            "lqr",
            "swing",
            "tasks",
            "traced",
        ],
        "control",
    ),
    **dict.fromkeys(
        ["ContactHistory", "ControllerFailed", "Diverged", "Ground", "Trajectory", "plot_tree", "simulate"],
        "simulation",
    ),
    **dict.fromkeys(["Viewer", "view"], "viewer"),
}

__all__ = [
    "DH",
    "PD",
    "ArticulatedError",
    "CartesianImpedance",
    "ComputedTorque",
    "ContactHistory",
    "Contacts",
    "ControllerFailed",
    "Diagnostic",
    "DifferentialIK",
    "Direction",
    "Diverged",
    "Gait",
    "Ground",
    "Impedance",
    "Inertia",
    "Infeasible",
    "InfeasibleAcceleration",
    "Limits",
    "Link",
    "Mimic",
    "ModelError",
    "ModelWarning",
    "Motor",
    "NotTraceable",
    "Orientation",
    "Report",
    "Robot",
    "ShapeError",
    "SingularModelError",
    "SolverFailed",
    "Trajectory",
    "Transform",
    "UnknownName",
    "Viewer",
    "WholeBody",
    "Wrenches",
    "__version__",
    "about_point",
    "build",
    "conventions",
    "derive",
    "exercise",
    "explain",
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
    "swing",
    "tasks",
    "traced",
    "view",
]
#: every joint of the table
globals().update({joint.__name__: joint for joint in JOINTS.values()})
__all__ += [joint.__name__ for joint in JOINTS.values()]


def __getattr__(name: str) -> Any:
    if name not in LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{LATER[name]}", __package__), name)
