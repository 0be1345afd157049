"""PD control of the joints.

topic: Control
words: PD control, position control, joint controller, gains, step response, motor torque
change: Gains are a number or one per joint; what a joint feels (M's diagonal) and the frequency you want give them: k = m ω², d = 2 m ω.
"""

import matplotlib.pyplot as plt
import numpy as np

import articulated as art

arm = art.load("panda")
home, w = arm.poses["home"], 15.0
felt = np.diagonal(arm.mass_matrix(home))
law = art.PD(arm, felt * w**2, 2 * felt * w).towards(home + 0.2)
run = art.simulate(arm, home, duration=1.0, torque=law)
plt.plot(run.t, run.q - home)
plt.gca().set(xlabel="t [s]", ylabel="joints off home [rad]")
