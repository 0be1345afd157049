"""Inverse kinematics: targets, starts, damped least squares with restarts, reasons for a failure."""
