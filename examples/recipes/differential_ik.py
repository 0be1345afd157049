"""Resolved-rate control.

topic: Control
words: differential inverse kinematics, resolved rate, velocity control, servo, teleoperation, CLIK
change: The law holds joint and velocity limits; `through=art.ComputedTorque(…)` makes torques of it.
"""

import numpy as np

import articulated as art

arm = art.load("panda")
q, hand = arm.poses["home"], "panda_hand"
wanted = arm.pose(q, hand)
wanted[:3, 3] += [0.1, 0.05, -0.1]
law = art.DifferentialIK(arm, [hand], gain=5.0, dt=0.01, posture=q)
for _ in range(200):
    q = arm.integrate(q, law(q, {hand: wanted}) * law.dt)
print(f"{np.linalg.norm(arm.pose(q, hand)[:3, 3] - wanted[:3, 3]):.1e} m off after 2 s")
