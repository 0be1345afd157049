"""Integrators: one step in time, and the loops of those that decide on their steps themselves."""
