"""The Coriolis matrix and passivity.

topic: Dynamics
words: Coriolis matrix, Christoffel, skew symmetric, passivity, Mdot - 2C, momentum observer
change: `factorization="body_jacobian"` is another C with the same property.
"""

import numpy as np

import articulated as art

arm = art.load("panda")
q, v = arm.random(0), np.linspace(-1, 1, 7)
C, M_rate = arm.coriolis_matrix(q, v), arm.mass_matrix_rate(q, v)
S = M_rate - 2 * C
print(f"largest entry of S + Sᵀ: {abs(S + S.T).max():.1e}")
print("Cᵀv of a momentum observer:", (C.T @ v).round(3))
