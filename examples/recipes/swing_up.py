"""Swing up a pole by one motor at the cart: an optimal motion.

topic: Motions
words: cart-pole, swing-up, trajectory optimization, iLQR, DDP, underactuated, optimal control
change: The costs; a batch of starts is solved at once.
"""

import numpy as np

import articulated as art

cart = art.load("cart_pole")
costs = [art.costs.control(1e-2), art.costs.state([0, np.pi], weight=[0.1, 0.1, 0.01, 0.01], final=[100, 100, 10, 10])]
problem = art.Problem(cart, 100, costs, dt=0.03, method="rk4", actuated=["slide"], limits=15.0)
found = problem.solve([0, 0], iterations=200)
print(found, "force at most", abs(found.trajectory.tau).max().round(1), "N")
found.trajectory.plot("positions")
