"""What is the hand holding?  Mass and centre of mass from torques, by linear least squares."""

import numpy as np

import articulated as art

robot, rng = art.load("panda"), np.random.default_rng(0)
q, v, a = robot.random(rng, 200), rng.normal(size=(200, 7)), rng.normal(size=(200, 7))
held = robot.attach("panda_hand_tcp", art.Inertia(1.3, (0.02, 0, 0.05)))  # nobody knows this
tau = held.inverse_dynamics(q, v, a) + 0.05 * rng.normal(size=(200, 7))  # measured, with noise
probe = robot.attach("panda_hand_tcp", art.Inertia(1.0), name="probe").subtree("panda_link0")
Y = robot.regressor(q, v, a)[..., -10:]  # how the last body's ten parameters enter
found = np.linalg.lstsq(Y.reshape(-1, 10), (tau - robot.inverse_dynamics(q, v, a)).ravel(), rcond=None)[0]
