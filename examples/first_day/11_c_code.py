"""Gravity compensation as C for a controller: written, compiled, called."""

import ctypes
import subprocess

import numpy as np

import articulated as art

robot = art.load("panda")
with open("gravity.c", "w") as file:
    file.write(robot.c_source("gravity_forces", name="gravity"))
subprocess.run(["cc", "-O2", "-shared", "-fPIC", "gravity.c", "-o", "gravity.so", "-lm"], check=True)
q, g = robot.poses["home"], np.zeros(7)
