"""Velocity and acceleration of a point.

topic: Kinematics
words: Jacobian, frame velocity, frame acceleration, twist, classical acceleration
change: `axes="frame"` gives the frame's own axes, `"spatial"` the twist at the world's origin.
"""

import numpy as np

import articulated as art

arm = art.load("panda")
q, v, a = arm.poses["home"], np.full(7, 0.3), np.zeros(7)
print(arm.frame_velocity(q, v, "panda_hand").round(3), "m/s, rad/s")
print(arm.frame_acceleration(q, v, a, "panda_hand").round(3), "m/s², rad/s²")
print(np.allclose(arm.jacobian(q, "panda_hand") @ v, arm.frame_velocity(q, v, "panda_hand")))
