"""Randomized parameters.

topic: Robot files
words: domain randomization, parameter uncertainty, monte carlo, sensitivity, random masses
change: Any array (…, 10·bodies) of parameters; `art.simulate` takes `parameters=` as well.
"""

import numpy as np

import articulated as art

arm, rng = art.load("panda"), np.random.default_rng(0)
masses = rng.uniform(0.9, 1.1, (1000, 7))
tau = arm.gravity_forces(arm.poses["home"], parameters=arm.parameters * np.repeat(masses, 10, axis=1))
for name, spread in zip(arm.joint_names, tau.std(axis=0)):
    print(f"{name}: ± {spread:.3f} N m")
