"""Solvers of quadratic programmes."""
