"""An arm on a moving platform.

topic: Dynamics
words: mobile manipulator, ship, vehicle, base acceleration, elevator, moving base
change: `base_velocity=` as well; both are `[linear; angular]` in the axes of the base.
"""

import numpy as np

import articulated as art

arm = art.load("ur5")
q, still = np.array([0.0, -1.2, 1.0, 0.2, 0.5, 0.0]), np.zeros(6)
for up in (0.0, 3.0):
    tau = arm.inverse_dynamics(q, still, still, base_acceleration=[0, 0, up, 0, 0, 0])
    print(f"lifted at {up} m/s²:", tau.round(1), "N m")
