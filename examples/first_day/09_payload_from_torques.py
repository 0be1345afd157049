"""What is the hand holding?  Its mass and center of mass from torques, by linear least squares."""

import numpy as np

import articulated as art

robot, rng = art.load("panda"), np.random.default_rng(0)
q, v, a = robot.random(rng, 500), rng.normal(size=(500, 7)), rng.normal(size=(500, 7))
held = robot.attach("panda_link7", art.Inertia(1.3, (0.02, 0, 0.2)))  # nobody knows this
tau = held.inverse_dynamics(q, v, a) + 0.05 * rng.normal(size=(500, 7))  # measured, with noise
Y = robot.regressor(q, v, a)[..., -10:]  # what ten more parameters of link 7 would add
extra = (tau - robot.inverse_dynamics(q, v, a)).ravel()
m, mx, my, mz, *_ = np.linalg.lstsq(Y.reshape(-1, 10), extra, rcond=None)[0]
print(f"{m:.2f} kg at {np.round([mx / m, my / m, mz / m], 2) + 0.0} m in link 7")
