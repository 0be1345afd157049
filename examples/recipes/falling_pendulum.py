"""A double pendulum and its energy.

topic: Simulation
words: double pendulum, chaos, simulate, energy conservation, integrator, rk4, symplectic
change: `method="symplectic"` keeps the energy for hours, `"adaptive"` the error below a tolerance.
"""

import matplotlib.pyplot as plt

import articulated as art

run = art.simulate(art.load("double_pendulum"), [2.0, 1.0], duration=5.0, method="rk4")
drift = abs(run.energy.total - run.energy.total[0]).max()
plt.plot(run.t, run.q)
plt.gca().set(xlabel="t [s]", ylabel="angles [rad]", title=f"energy changes by {drift:.1e} J")
