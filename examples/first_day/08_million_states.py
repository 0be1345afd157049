"""A million states: leading axes are a batch, and threads share it."""

import time

import numpy as np

import articulated as art

robot = art.load("panda")
q, v = robot.random(0, 1_000_000), np.random.default_rng(0).normal(size=(1_000_000, 7))
robot.warm("bias_forces")  # compile now, not in the measured call
start = time.perf_counter()
h = robot.bias_forces(q, v, threads=2)
print(h.shape, f"{(time.perf_counter() - start) * 1e9 / len(q):.0f} ns per state")
