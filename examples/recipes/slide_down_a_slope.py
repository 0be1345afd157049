"""Sliding down a slope.

topic: Simulation
words: friction, Coulomb, slope, inclined plane, slip, stick
change: Below atan(friction) it stays where it is.
"""

import numpy as np

import articulated as art

body = art.Inertia(1.0, (0, 0, 0), (0.01, 0.01, 0.01))
brick = art.build([art.Link("brick", None, art.Floating(), inertia=body)])
for degrees in (20, 30):
    ground = art.Ground(friction=0.5, slope=np.radians(degrees), feet=["brick"])
    run = art.simulate(brick, brick.neutral(), duration=0.5, contacts=ground)
    print(f"{degrees}°: {np.linalg.norm(run.v[-1, :3]):.3f} m/s")
