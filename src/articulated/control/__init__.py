"""Control: whole-body laws with inequalities, impedance control, computed torque."""

from . import tasks
from .differential_ik import DifferentialIK
from .gait.gait import Gait, swing
from .laws.cartesian_impedance import CartesianImpedance
from .laws.computed_torque import ComputedTorque
from .laws.error_dynamics import ErrorDynamics, damping_for
from .laws.impedance import Impedance
from .laws.lqr import Regulator, lqr
from .laws.pd import PD
from .qp.active_set import SolverFailed
from .servo import Servo
from .tracing.tracing import NotTraceable, traced
from .whole_body.infeasible import Infeasible
from .whole_body.law import Command, WholeBody

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
    "Servo",
    "SolverFailed",
    "WholeBody",
    "damping_for",
    "lqr",
    "swing",
    "tasks",
    "traced",
]
