"""A step of PD control, with gains from the inertia each joint feels, and its torques as a picture."""

import numpy as np

import articulated as art

robot = art.load("panda")
home, w = robot.poses["home"], 15.0  # rad/s
felt = np.diagonal(robot.mass_matrix(home))
law = art.PD(robot, felt * w**2, 2 * felt * w).towards(home + 0.1)
run = art.simulate(robot, home, duration=1.0, torque=law)
run.plot("torques", "step.png")
print(f"{abs(run.q[-1] - home - 0.1).max():.3f} rad off after 1 s; findings: {len(run.findings)}; wrote step.png")
