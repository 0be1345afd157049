"""A spline through waypoints, within limits.

topic: Kinematics
words: trajectory, spline, waypoints, trajectory planning, minimum time, quintic polynomial, trapezoidal velocity, jerk limit
change: The kind: "quintic", "trapezoidal" and "jerk_limited" stop at every waypoint; limits are numbers or one for each joint.
"""

import articulated as art

arm = art.load("panda")
home = arm.poses["home"]
waypoints = [home, home + [0.6, 0.2, 0, 0.5, 0, 0, 0], home + [0.9, 0, 0.3, 0.2, 0, 0.4, 0]]
run = art.motion(arm, waypoints, "spline", limits={"acceleration": 8.0, "jerk": 100.0})
print(f"{run.duration:.2f} s, limited by the {run.info['limited_by']}")
run.plot("velocities")
