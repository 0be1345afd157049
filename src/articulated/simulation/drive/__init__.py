"""Torques, external forces, damping and default controllers of a simulation."""
