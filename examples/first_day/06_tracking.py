"""Follow a sine by computed torque: the error dies out as the gains say."""

import numpy as np

import articulated as art

robot = art.load("panda")
home, w = robot.poses["home"], 2.0
law = art.ComputedTorque(robot, stiffness=400.0, damping=40.0)
sine = law.towards(lambda t: (home + 0.2 * np.sin(w * t), np.full(7, 0.2 * w * np.cos(w * t)), np.full(7, -0.2 * w**2 * np.sin(w * t))))
run = art.simulate(robot, home + 0.1, duration=1.0, torque=sine)  # starts 0.1 rad off
wanted = home + 0.2 * np.sin(w * run.t)[:, None]
print(f"error {abs(run.q - wanted)[0].max():.3f} rad at the start, {abs(run.q - wanted)[-1].max():.1e} rad at the end")
