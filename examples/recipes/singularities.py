"""Where an arm is singular.

topic: Kinematics
words: singularity, manipulability, Yoshikawa, condition number, Jacobian, dexterity
change: Sweep another joint, or two for a map.
"""

import matplotlib.pyplot as plt
import numpy as np

import articulated as art

arm, angle = art.load("ur5"), np.linspace(-np.pi, np.pi, 400)
joint = arm.joint_names[2]
q = arm.configuration({joint: angle}, start=[0.0, -1.0, 0.0, -0.6, 1.2, 0.0])
plt.plot(angle, arm.manipulability(q, arm.frame_names[-1]))
plt.gca().set(xlabel=f"{joint} [rad]", ylabel="manipulability")
