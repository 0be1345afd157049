"""A circle in task space.

topic: Kinematics
words: cartesian path, follow a path, circle, draw, trajectory, task space
change: The circle is an array of poses: any path will do.
"""

import matplotlib.pyplot as plt
import numpy as np

import articulated as art

arm, angle = art.load("panda"), np.linspace(0, 2 * np.pi, 100)
home = arm.poses["home"]
circle = arm.pose(home, "panda_hand") + np.zeros((100, 1, 1))
circle[:, :2, 3] += 0.1 * np.stack([np.cos(angle), np.sin(angle)], axis=1)
found = arm.inverse_kinematics({"panda_hand": circle}, q0=home, posture=home)
plt.plot(np.degrees(angle), found.q - home)
plt.gca().set(xlabel="angle on the circle [°]", ylabel="joints off home [rad]")
