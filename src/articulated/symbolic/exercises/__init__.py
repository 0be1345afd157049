"""Exercises on the equations of a robot: a question, hints, a checked solution, and a verdict on an answer."""
