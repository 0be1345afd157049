"""Identify masses and friction from a log.

topic: Identification
words: identify, identification, system identification, log, URDF, friction, payload, calibration, parameter estimation
change: `art.read_log(robot, "run.csv")` reads a log of yours; `result.save("identified.urdf")` writes the robot.
"""

import numpy as np

import articulated as art

arm, rng = art.load("2r"), np.random.default_rng(0)
motion = art.excitation(arm, duration=5.0, harmonics=3)
loaded = arm.attach("tip", art.Inertia(0.8))
tau = loaded.inverse_dynamics(motion.q, motion.v, motion.a) + 0.3 * motion.v + rng.normal(0, 0.05, motion.v.shape)
result = art.identify(arm, {"q": motion.q, "v": motion.v, "a": motion.a, "tau": tau}, friction="viscous")
print(result.report())
