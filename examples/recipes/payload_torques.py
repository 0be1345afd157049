"""Torque a payload costs.

topic: Dynamics
words: payload, load, mass at the tool, static torque, sizing a motor
change: `art.Inertia(mass, com, about_com)` has a center of mass and a rotational inertia.
"""

import articulated as art

arm = art.load("panda")
q = arm.poses["home"]
for mass in (0.0, 1.0, 3.0):
    loaded = arm.attach("panda_hand", art.Inertia(mass, (0, 0, 0.1)), name="load") if mass else arm
    used = abs(loaded.gravity_forces(q)) / arm.limits.effort
    print(f"{mass:.0f} kg: {100 * used.max():.0f} % of the strongest-loaded motor")
