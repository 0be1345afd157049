"""Optimization: Jacobians of steps, optimal control."""

from . import costs
from .problem import Problem, Solution
from .step import linearize_step

__all__ = ["Problem", "Solution", "costs", "linearize_step"]
