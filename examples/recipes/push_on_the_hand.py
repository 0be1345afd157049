"""Joint torques of a force at the hand.

topic: Dynamics
words: external force, wrench, contact force at end effector, statics, J transpose
change: Forces are `[force; moment]` in the axes of the frame they are named by.
"""

import numpy as np

import articulated as art

arm = art.load("panda")
q, still = arm.poses["home"], np.zeros(7)
pushed = arm.inverse_dynamics(q, still, still, forces={"panda_hand": [10.0, 0, 0, 0, 0, 0]})
print((pushed - arm.gravity_forces(q)).round(2), "N m resist 10 N along the x axis of the hand")
