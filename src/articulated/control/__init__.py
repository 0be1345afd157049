"""Control: whole-body laws with inequalities, impedance control, computed torque."""

from . import tasks
from .differential_ik import DifferentialIK
from .estimation.base import BaseEstimator
from .estimation.momentum import MomentumObserver, contact_forces, external_torques
from .gait.gait import Gait, swing
from .gait.walk import Walk
from .laws.cartesian_impedance import CartesianImpedance
from .laws.computed_torque import ComputedTorque
from .laws.error_dynamics import ErrorDynamics, damping_for
from .laws.impedance import Impedance
from .laws.lqr import Regulator, lqr
from .laws.pd import PD
from .qp.active_set import SolverFailed
from .servo import Servo
from .tracing.tracing import NotTraceable, traced
from .whole_body.command import Command
from .whole_body.infeasible import Infeasible
from .whole_body.law import WholeBody

__all__ = [
    "PD",
    "BaseEstimator",
    "CartesianImpedance",
    "Command",
    "ComputedTorque",
    "DifferentialIK",
    "ErrorDynamics",
    "Gait",
    "Impedance",
    "Infeasible",
    "MomentumObserver",
    "NotTraceable",
    "Regulator",
    "Servo",
    "SolverFailed",
    "Walk",
    "WholeBody",
    "contact_forces",
    "damping_for",
    "external_torques",
    "lqr",
    "swing",
    "tasks",
    "traced",
]
