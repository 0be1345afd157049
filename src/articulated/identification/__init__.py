"""From a log to a model: base parameters, normal equations, physically consistent fit, excitation."""

from .base import BaseParameters, base_parameters
from .excitation import excitation
from .fit import identify
from .joint_terms import RegressorNames, regressor_names
from .log import Log, read_log
from .normal import Normal
from .online import PayloadEstimator
from .result import Identification
from .scale import distributed_normal

__all__ = [
    "BaseParameters", "Identification", "Log", "Normal", "PayloadEstimator", "RegressorNames",
    "base_parameters", "distributed_normal", "excitation", "identify", "read_log", "regressor_names",
]  # fmt: skip
