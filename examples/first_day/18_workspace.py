"""The workspace of an arm as a picture."""

import matplotlib.pyplot as plt
import numpy as np

import articulated as art

robot = art.load("panda")
p = robot.pose(robot.random(0, 20_000), "panda_hand")[:, :3, 3]
plt.scatter(np.hypot(p[:, 0], p[:, 1]), p[:, 2], s=1)
plt.gca().set(xlabel="distance from the axis [m]", ylabel="height [m]", aspect="equal")
plt.savefig("workspace.png")
print(f"reach {np.linalg.norm(p, axis=1).max():.2f} m; wrote workspace.png")
