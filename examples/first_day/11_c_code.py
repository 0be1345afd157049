"""Gravity compensation as C for a controller: written, compiled, called."""

import ctypes
import subprocess
from pathlib import Path

import numpy as np

import articulated as art

robot, double = art.load("panda"), ctypes.POINTER(ctypes.c_double)
Path("gravity.c").write_text(robot.c_source("gravity_forces", name="gravity"))
subprocess.run(["cc", "-O2", "-shared", "-fPIC", "gravity.c", "-o", "gravity.so", "-lm"], check=True)
q, g = robot.poses["home"], np.zeros(7)
ctypes.CDLL("./gravity.so").gravity(1, q.ctypes.data_as(double), g.ctypes.data_as(double))
print("off by", abs(g - robot.gravity_forces(q)).max(), "N m")
