"""Torques of a logged motion.

topic: Dynamics
words: log, csv, rosbag, recorded motion, torque from trajectory, numpy, differentiate
change: `articulated id robot.urdf --log log.csv` does it in a terminal, for logs of any length.
"""

import matplotlib.pyplot as plt
import numpy as np

import articulated as art

arm, t = art.load("panda"), np.arange(0, 4, 0.01)
q = arm.poses["home"] + 0.3 * np.sin(t[:, None] * np.arange(1, 8) / 2)  # or np.loadtxt("log.csv", delimiter=",")
v = np.gradient(q, t, axis=0)
plt.plot(t, arm.inverse_dynamics(q, v, np.gradient(v, t, axis=0)), label=arm.joint_names)
plt.gca().set(xlabel="t [s]", ylabel="torque [N m]")
plt.legend(loc="upper right", fontsize="small")
