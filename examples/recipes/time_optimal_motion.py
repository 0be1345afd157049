"""As fast as the motors allow: torques over their limits.

topic: Control
words: time-optimal, TOPP, TOPP-RA, path parameterization, bang-bang, minimum time, torque limits
change: The path: waypoints, or `art.frame_path` for a line of the hand; limits of velocities and accelerations are added.
"""

import matplotlib.pyplot as plt

import articulated as art

arm = art.load("panda")
home, effort = arm.poses["home"], [40, 40, 40, 40, 8, 8, 8]
path = art.path(arm, [home, home + [1, 0.3, 0, 0.5, 0, 0, 0], home + [1.5, 0, 0.4, 0, 0, 0, 0.3]])
fast = art.time_optimal(arm, path, limits={"effort": effort, "velocity": None})
print(f"{fast.duration:.3f} s; torques use {abs(fast.tau / effort).max():.6f} of their limits")
plt.plot(fast.t, fast.tau / effort)
plt.xlabel("time in s")
plt.ylabel("torque over its limit")
