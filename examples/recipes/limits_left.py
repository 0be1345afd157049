"""How far from the joint limits.

topic: Kinematics
words: joint limits, position limits, distance to limits, range
change: `robot.limits` has lower, upper, velocity and effort.
"""

import articulated as art

arm = art.load("panda")
left = arm.distance_to_limits(arm.poses["home"])
for name, distance in zip(arm.joint_names, left):
    print(f"{name:14} {distance:5.2f} rad left")
