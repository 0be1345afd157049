"""Derivatives of every method: exact, compiled, dense or sparse, first and second order."""
