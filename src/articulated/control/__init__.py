"""Control: whole-body laws with inequalities, impedance control, computed torque."""

from . import help as help
from . import tasks
from .computed_torque import ComputedTorque
from .differential_ik import DifferentialIK
from .error_dynamics import ErrorDynamics, damping_for
from .gait import Gait, swing
from .impedance import CartesianImpedance, Impedance
from .infeasible import Infeasible
from .lqr import Regulator, lqr
from .pd import PD
from .solver import SolverFailed
from .tracing import NotTraceable, traced
from .whole_body import Command, WholeBody

__all__ = [
    "PD",
    "CartesianImpedance",
    "Command",
    "ComputedTorque",
    "DifferentialIK",
    "ErrorDynamics",
    "Gait",
    "Impedance",
    "Infeasible",
    "NotTraceable",
    "Regulator",
    "SolverFailed",
    "WholeBody",
    "damping_for",
    "lqr",
    "swing",
    "tasks",
    "traced",
]
