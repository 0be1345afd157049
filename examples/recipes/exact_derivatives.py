"""Exact derivatives of torques.

topic: Derivatives
words: derivatives, gradient, Jacobian of dynamics, analytical derivatives, autodiff, trajectory optimization
change: Any method by name; `robot.hessian` and `robot.second_derivatives` go one further.
"""

import numpy as np

import articulated as art

arm = art.load("panda")
q, v, a = arm.random(0), np.ones(7), np.zeros(7)
d = arm.derivatives("inverse_dynamics")(q, v, a)
step = 1e-6 * np.eye(7)
differences = (arm.inverse_dynamics(q + step, v, a) - arm.inverse_dynamics(q - step, v, a)).T / 2e-6
print(d.q.shape, f"central differences are off by {abs(d.q - differences).max():.0e}")
