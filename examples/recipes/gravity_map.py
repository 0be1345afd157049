"""Gravity torque over two joints.

topic: Dynamics
words: gravity compensation, static torque, torque map, heat map, holding torque
change: Two other joints, or `inverse_dynamics` with velocities and accelerations.
"""

import matplotlib.pyplot as plt
import numpy as np

import articulated as art

arm, angle = art.load("ur5"), np.linspace(-np.pi, np.pi, 120)
a, b = np.meshgrid(angle, angle)
q = arm.configuration({arm.joint_names[1]: a, arm.joint_names[2]: b})
plt.pcolormesh(a, b, arm.gravity_forces(q)[..., 1], cmap="RdBu")
plt.colorbar(label="torque of joint 2 [N m]")
plt.gca().set(xlabel="joint 2 [rad]", ylabel="joint 3 [rad]", aspect="equal")
