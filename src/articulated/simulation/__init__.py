"""Time: integrators, ground and contact, and the trajectories that come out."""
