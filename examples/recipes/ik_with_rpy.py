"""Inverse kinematics with roll, pitch and yaw.

topic: Kinematics
words: inverse kinematics, xyz rpy, euler angles, orientation, tool down, pick and place
change: `quaternion=` instead of `rpy=`; `posture=` keeps the elbow near a configuration of your choice.
"""

import numpy as np

import articulated as art

arm = art.load("panda")
tool_down = art.spatial.pose([0.45, -0.1, 0.25], rpy=[np.pi, 0, 0])
found = arm.inverse_kinematics({"panda_hand": tool_down}, q0=arm.poses["home"])
print(found.success, np.degrees(found.q).round(1), "degrees")
