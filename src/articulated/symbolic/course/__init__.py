"""What a course does with the equations next: other coordinates, state space, drives, constraints, adaptive control."""
