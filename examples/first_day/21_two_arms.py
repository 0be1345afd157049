"""Two arms on one table, as one robot."""

import numpy as np

import articulated as art

arm = art.load("panda")
both = arm.attach("panda_link0", arm, art.Transform(p=(0, 0.8, 0)), prefix="left_")
q = np.concatenate([arm.poses["home"]] * 2)
hands = [both.pose(q, name)[:3, 3] for name in ("panda_hand", "left_panda_hand")]
print(both.nv, "joints; the hands are", np.linalg.norm(hands[1] - hands[0]).round(3), "m apart")
