"""Where must the joints be for the hand to be there?  And why can it not be here?"""

import articulated as art

robot = art.load("panda")
there = robot.pose(robot.poses["home"], "panda_hand")
there[:3, 3] += (0.1, 0.2, -0.1)
found = robot.inverse_kinematics({"panda_hand": there}, q0=robot.poses["home"])
off = abs(robot.pose(found.q, "panda_hand") - there).max()
print(f"success {bool(found.success)}, off by {off:.0e}, limits {robot.distance_to_limits(found.q).min():.2f} rad away")
here = there.copy()
here[0, 3] = 2.0
print(robot.inverse_kinematics({"panda_hand": here}, restarts=3).reason)
