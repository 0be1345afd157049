"""Where the hand is, and how fast it moves: forward kinematics and Jacobian."""

import numpy as np

import articulated as art

robot = art.load("panda")
q, v = robot.poses["home"], np.full(7, 0.1)
pose = robot.pose(q, "panda_hand")  # (4, 4), in the world
J = robot.jacobian(q, "panda_hand")  # (6, 7), [linear; angular], world axes at the hand
print("position", pose[:3, 3].round(4), "m; manipulability", robot.manipulability(q, "panda_hand").round(4))
print("velocity", (J @ v).round(4), "m/s, rad/s")
assert np.allclose(J @ v, robot.frame_velocity(q, v, "panda_hand"))
