"""Poses of all frames.

topic: Kinematics
words: forward kinematics, fk, transform, tf, end effector, xyz rpy, euler angles, quaternion
change: `xyz_quaternion` gives quaternions x y z w; a batch of q gives a batch of poses.
"""

import articulated as art

arm = art.load("panda")
q = arm.poses["home"]
for frame in arm.frame_names:
    print(f"{frame:20}", art.spatial.xyz_rpy(arm.pose(q, frame)).round(3))
