"""Inverse kinematics of a position.

topic: Kinematics
words: inverse kinematics, ik, position only, reach, target
change: A pose (4, 4), six numbers xyz and rpy, or seven with a quaternion ask for the orientation as well.
"""

import articulated as art

arm = art.load("panda")
found = arm.inverse_kinematics({"panda_hand": [0.4, 0.3, 0.4]}, q0=arm.poses["home"])
print(found.success, found.q.round(3))
print(arm.pose(found.q, "panda_hand")[:3, 3].round(6))
