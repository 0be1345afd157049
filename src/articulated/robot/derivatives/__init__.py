"""Derivatives of every method: exact, compiled, first and second order."""
