"""Optimization: Jacobians of steps, optimal control."""

from . import costs
from .problem import Problem, Solution
from .sensitivity import simulate_derivatives
from .step import linearize_step

__all__ = ["Problem", "Solution", "costs", "linearize_step", "simulate_derivatives"]
