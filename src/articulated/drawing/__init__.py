"""Surfaces of a robot, and pictures of them without a display or a graphics card."""
