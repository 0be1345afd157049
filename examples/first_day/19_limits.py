"""Is a motion within the limits of position, speed and effort?"""

import numpy as np

import articulated as art

robot, t = art.load("panda"), np.arange(0, 4, 0.01)
q = robot.poses["home"] + 0.5 * np.sin(t[:, None] * np.arange(1, 8))
v = np.gradient(q, t, axis=0)
tau = robot.inverse_dynamics(q, v, np.gradient(v, t, axis=0))
used = [abs(v).max(axis=0) / robot.limits.velocity, abs(tau).max(axis=0) / robot.limits.effort]
print("joint limits kept:", bool((robot.distance_to_limits(q) > 0).all()))
print("speed", (100 * used[0]).round(), "% and effort", (100 * used[1]).round(), "% of the limits")
