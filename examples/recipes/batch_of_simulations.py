"""A hundred simulations at once.

topic: Simulation
words: batch simulation, parallel, vectorized, monte carlo, rollout, reinforcement learning
change: Leading axes of q0, v0, parameters or torques are the batch.
"""

import matplotlib.pyplot as plt
import numpy as np

import articulated as art

q0 = np.stack([np.zeros(100), np.linspace(0.1, 3.0, 100)], axis=1)
run = art.simulate(art.load("cart_pole"), q0, duration=2.0, method="rk4")
plt.plot(run.t, run.q[::5, :, 1].T)
plt.gca().set(xlabel="t [s]", ylabel="pole [rad]")
print(run.q.shape)
