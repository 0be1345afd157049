"""Estimation: external forces from the momentum, the motion of a base from inertial sensor and joints."""
