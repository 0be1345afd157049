"""Workspace of an arm.

topic: Kinematics
words: workspace, reach, reachable, envelope, point cloud
change: `arm.limits` bounds the samples; another frame gives the workspace of another point.
"""

import matplotlib.pyplot as plt
import numpy as np

import articulated as art

arm = art.load("panda")
p = arm.pose(arm.random(0, 20_000), "panda_hand")[:, :3, 3]
plt.scatter(np.hypot(p[:, 0], p[:, 1]), p[:, 2], s=1, alpha=0.3)
plt.gca().set(xlabel="distance from the axis [m]", ylabel="height [m]", aspect="equal")
print(f"reach {np.linalg.norm(p, axis=1).max():.2f} m from the base")
