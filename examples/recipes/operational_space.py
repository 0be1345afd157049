"""Inertia at the hand.

topic: Dynamics
words: operational space, task space inertia, Lambda, Khatib, effective mass
change: The frame, or `axes=`; a direction u feels the mass 1 / (uᵀ Λ⁻¹ u).
"""

import numpy as np

import articulated as art

arm = art.load("panda")
q, v = arm.poses["home"], np.zeros(7)
J, M = arm.jacobian(q, "panda_hand"), arm.mass_matrix(q)
felt = J @ np.linalg.solve(M, J.T)  # Λ⁻¹
print("effective mass along x y z:", (1 / np.diagonal(felt)[:3]).round(2), "kg")
