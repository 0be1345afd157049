"""A log of positions to torques, with a plot."""

import matplotlib.pyplot as plt
import numpy as np

import articulated as art

robot, t = art.load("panda"), np.arange(0, 4, 0.01)
log = robot.poses["home"] + 0.3 * np.sin(t[:, None] * np.arange(1, 8) / 2)  # or np.loadtxt("log.csv", delimiter=",")
v = np.gradient(log, t, axis=0)
tau = robot.inverse_dynamics(log, v, np.gradient(v, t, axis=0))  # (400, 7) in one call
plt.plot(t, tau, label=robot.joint_names)
plt.gca().set(xlabel="time [s]", ylabel="torque [N m]")
plt.legend(loc="upper right")
plt.savefig("torques.png")
print("wrote torques.png; largest", abs(tau).max(axis=0).round(1), "of", robot.limits.effort, "N m")
