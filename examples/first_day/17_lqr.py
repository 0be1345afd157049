"""Linearize, design an LQR, balance: a cart-pole upright."""

import numpy as np

import articulated as art

robot, up = art.load("cart_pole"), np.array([0, np.pi])
A, B = robot.linearize(up, [0, 0], [0, 0])
K = art.lqr(A, B @ robot.actuation_map(passive=["hinge"]), Q=np.ones(4), R=[0.1]).K
run = art.simulate(robot, up + [0, 0.2], duration=5, dt=0.01, torque=lambda t, q, v: [-(K @ np.r_[q - up, v])[0], 0.0])
print(f"0.2 rad off at the start, {abs(run.q[-1] - up)[1]:.0e} rad at the end")
