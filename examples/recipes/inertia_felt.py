"""Inertia each joint feels.

topic: Dynamics
words: mass matrix, inertia, configuration dependent, reflected inertia, motor sizing, gear ratio, armature
change: `art.Motor` adds a rotor behind a gear; `robot.add_motors` puts it on the link before the joint.
"""

import numpy as np

import articulated as art

arm = art.load("panda")
felt = np.diagonal(arm.mass_matrix(arm.random(0, 10_000)), axis1=1, axis2=2)
for name, least, most in zip(arm.joint_names, felt.min(axis=0), felt.max(axis=0)):
    print(f"{name}: {least:.3f} … {most:.3f} kg m²")
