"""Follow a sine by computed torque: an error dies out as the gains say."""

import numpy as np

import articulated as art

robot, w = art.load("panda"), 2.0
home, ones = robot.poses["home"], np.ones(7)


def wanted(t):
    return home + 0.2 * np.sin(w * t), 0.2 * w * np.cos(w * t) * ones, -0.2 * w**2 * np.sin(w * t) * ones


law = art.ComputedTorque(robot, stiffness=400.0, damping=40.0).towards(wanted)
run = art.simulate(robot, home + 0.1, 0.4 * ones, duration=1.0, torque=law)  # it starts 0.1 rad off
print(f"0.1 rad off at the start, {abs(run.q[-1] - wanted(run.t[-1])[0]).max():.1e} rad at the end")
