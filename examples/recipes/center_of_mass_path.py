"""Center of mass and momentum.

topic: Dynamics
words: center of mass, CoM, centroidal momentum, angular momentum, ZMP, balance
change: `centroidal_map` is the matrix that takes v to the momentum.
"""

import numpy as np

import articulated as art

robot = art.load("humanoid", floating_base=True)
q, v = robot.neutral(), np.full(robot.nv, 0.1)
print("center of mass", robot.center_of_mass(q).round(3), "m")
print("momentum", robot.centroidal_momentum(q, v).round(3), "kg m/s, kg m²/s")
