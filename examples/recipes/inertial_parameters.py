"""Torques linear in the inertial parameters.

topic: Identification
words: regressor, identify, identification, system identification, inertial parameters, payload estimation, least squares
change: Stack Y and tau of a log and solve; `eq.coefficients()` has the base parameters in symbols.
"""

import numpy as np

import articulated as art

arm, rng = art.load("panda"), np.random.default_rng(0)
q, v, a = arm.random(rng, 200), rng.normal(size=(200, 7)), rng.normal(size=(200, 7))
Y = arm.regressor(q, v, a)
print(
    Y.shape, f"tau - Y p: {abs(arm.inverse_dynamics(q, v, a) - arm.friction_forces(v) - Y @ arm.parameters).max():.0e}"
)
print(f"{np.linalg.matrix_rank(Y.reshape(-1, 70))} of 70 parameters can be identified")
