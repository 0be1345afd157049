"""A linear model for MPC.

topic: Derivatives
words: linearize, state space, A B matrices, MPC, model predictive control, discretization
change: `dt=` gives the discrete model, torques constant in between.
"""

import numpy as np

import articulated as art

robot = art.load("cart_pole")
A, B = robot.linearize([0, np.pi], [0, 0], [0, 0], dt=0.02)
print(A.round(4), B.round(5), sep="\n")
