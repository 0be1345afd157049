"""Cartesian impedance of the hand.

topic: Control
words: impedance control, Cartesian impedance, stiffness, compliance, spring, interaction
change: `stiffness` and `damping` may be one number per direction.
"""

import numpy as np

import articulated as art

arm = art.load("panda")
q, still = arm.poses["home"], np.zeros(7)
law = art.CartesianImpedance(arm, "panda_hand", stiffness=400, damping=40, follows="position")
there = arm.pose(q, "panda_hand")[:3, 3] + [0.05, 0, 0]
print(law(q, still, there).tau.round(2), "N m, gravity included, pull the hand 5 cm forward")
