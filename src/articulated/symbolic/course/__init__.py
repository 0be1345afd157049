"""Equations in a course: other coordinates, state space, drives, constraints, adaptive control."""
