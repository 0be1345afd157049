"""As fast as the motors allow.

topic: Motions
words: time-optimal, TOPP, toppra, minimum time, torque limits, bang-bang, path parametrization, cycle time
change: `limits=` has efforts, velocities and accelerations; a payload of `attach` is taken into account.
"""

import matplotlib.pyplot as plt

import articulated as art

arm = art.load("panda")
home = arm.poses["home"]
path = art.path(arm, [home, home + [1, 0.3, 0, 0.5, 0, 0, 0], home + [1.5, 0, 0.4, 0, 0, 0, 0.3]])
effort = [40, 40, 40, 40, 8, 8, 8]
run = art.time_optimal(arm, path, limits={"effort": effort, "velocity": None})
plt.plot(run.t, run.tau / effort, label=arm.joint_names)
plt.gca().set(xlabel="t [s]", ylabel="share of the motor's torque", title=f"{run.duration:.3f} s")
