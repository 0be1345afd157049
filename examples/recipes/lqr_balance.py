"""LQR balances a cart-pole.

topic: Control
words: LQR, linearize, state feedback, balance, inverted pendulum, cart-pole, optimal control
change: Q and R; `dt=` and `discrete=True` for a controller that samples.
"""

import numpy as np

import articulated as art

robot, up = art.load("cart_pole"), np.array([0, np.pi])
A, B = robot.linearize(up, [0, 0], [0, 0])
K = art.lqr(A, B @ robot.actuation_map(passive=["hinge"]), Q=np.ones(4), R=[0.1]).K
law = lambda t, q, v: [float(-(K @ np.concatenate([q - up, v]))[0]), 0.0]
run = art.simulate(robot, up + [0.0, 0.2], duration=4.0, dt=0.01, torque=law)
print("off balance:", abs(run.q[0] - up).round(3), "→", abs(run.q[-1] - up).round(4))
