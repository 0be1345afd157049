"""Derivatives of the laws of contact."""
