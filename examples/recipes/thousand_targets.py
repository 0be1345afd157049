"""A thousand targets at once.

topic: Kinematics
words: inverse kinematics, batch, vectorized, many targets, reachability
change: Random poses of the hand stand for your targets, (N, 4, 4).
"""

import articulated as art

arm = art.load("panda")
targets = arm.pose(arm.random(0, 1000), "panda_hand")
found = arm.inverse_kinematics({"panda_hand": targets})
print(f"{found.success.mean():.1%} reached in {found.iterations.mean():.1f} iterations on average")
