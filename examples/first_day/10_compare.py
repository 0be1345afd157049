"""Our numbers beside those of Pinocchio, for the same file and state."""

import numpy as np
import pinocchio

import articulated as art

robot = art.load("ur5")
art.save(robot, "ur5.urdf")
theirs = pinocchio.buildModelFromUrdf("ur5.urdf")
q, v, a = robot.random(0), np.full(6, 0.3), np.full(6, -0.2)
tau = pinocchio.rnea(theirs, theirs.createData(), q, v, a)  # UR5's joints have the same order in both
print(f"largest difference {abs(tau - robot.inverse_dynamics(q, v, a)).max():.1e} N m")
