"""The hand along a straight line.

topic: Motions
words: Cartesian path, linear motion, MoveL, tool path, straight line, task space trajectory, circular arc
change: "circular" with `via=` is an arc, "screw" a helix about one axis; any kind of motion runs along it.
"""

import numpy as np

import articulated as art

arm = art.load("panda")
home = arm.poses["home"]
target = arm.pose(home, "panda_hand") @ art.spatial.exp([0.1, 0.1, 0.05, 0, 0, 0])
run = art.motion(arm, art.frame_path(arm, "panda_hand", home, target), limits={"acceleration": 8.0})
way = run.pose("panda_hand")[:, :3, 3] - run.pose("panda_hand")[0, :3, 3]
along = way[-1] / np.linalg.norm(way[-1])
print(
    f"{np.linalg.norm(way[-1]):.3f} m in {run.duration:.2f} s, off the line by {abs(np.cross(way, along)).max():.0e} m"
)
