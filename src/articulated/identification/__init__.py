"""From a log to a model: base parameters, normal equations, physically consistent fit, excitation."""

from .base import BaseParameters, base_parameters
from .fit import identify
from .joint_terms import TERMS, joint_regressor
from .log import Log, read_log
from .normal import Normal
from .result import Identification

__all__ = [
    "TERMS", "BaseParameters", "Identification", "Log", "Normal", "base_parameters", "identify", "joint_regressor",
    "read_log",
]  # fmt: skip
