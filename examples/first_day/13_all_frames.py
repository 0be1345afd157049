"""Every frame of a robot: position, roll, pitch and yaw."""

import articulated as art

robot = art.load("ur5")
q = robot.random(0)
for frame in robot.frame_names:
    x, y, z, *rpy = art.spatial.xyz_rpy(robot.pose(q, frame)).round(3) + 0.0
    print(f"{frame:16} at {x:6.3f} {y:6.3f} {z:6.3f} m, rpy", *rpy)
