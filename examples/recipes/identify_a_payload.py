"""Identify a payload from a log.

topic: Identification
words: identify, identification, payload estimation, inertial parameters, least squares, load, calibration, log
change: without `only=` all links, friction and rotor inertias are found; `found.save("arm.urdf")` writes the robot.
"""

import numpy as np

import articulated as art

arm, rng = art.load("ur5"), np.random.default_rng(0)
heavy = arm.attach(arm.frame_names[-1], art.Inertia(1.5, (0.02, 0, 0.05)))
q, v, a = arm.random(rng, 2000), rng.normal(size=(2000, 6)), rng.normal(size=(2000, 6))
tau = heavy.inverse_dynamics(q, v, a) + rng.normal(scale=0.1, size=(2000, 6))  # measured
found = art.identify(arm, {"q": q, "v": v, "a": a, "tau": tau}, friction=None, only="payload")
print(f"{found.payload.mass:.3f} kg at {np.array(found.payload.com, float).round(3)} m")
