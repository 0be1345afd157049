"""A motion through waypoints.

topic: Motions
words: trajectory generation, spline, quintic, trapezoidal, jerk limited, minimum time, point to point, waypoints
change: `kind=` is "quintic", "trapezoidal", "jerk_limited" or "spline", which does not stop at the waypoints.
"""

import matplotlib.pyplot as plt

import articulated as art

arm = art.load("panda")
home = arm.poses["home"]
run = art.motion(arm, [home, home + 0.3, home + [0.6, 0, 0, 0.4, 0, 0, 0]], "spline", limits={"acceleration": 8.0})
print(f"{run.duration:.3f} s, decided by {run.info['limited_by']}")
plt.plot(run.t, run.v, label=arm.joint_names)
plt.gca().set(xlabel="t [s]", ylabel="velocity [rad/s]")
