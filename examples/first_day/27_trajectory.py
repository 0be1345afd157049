"""A trajectory between two configurations: smooth, and as fast as the motors allow."""

import articulated as art

robot = art.load("panda")
home = robot.poses["home"]
goal = home + [0.8, 0.3, -0.2, 0.5, 0.0, 0.4, 0.0]
smooth = art.motion(robot, [home, goal], "quintic", limits={"acceleration": 10.0})
print(f"quintic: {smooth.duration:.3f} s, decided by the {smooth.info['limited_by']}")
fast = art.time_optimal(robot, art.path(robot, [home, goal]))
used = abs(fast.tau / robot.limits.effort).max()
print(f"time-optimal: {fast.duration:.3f} s, torques up to {100 * used:.0f} % of the limits")
