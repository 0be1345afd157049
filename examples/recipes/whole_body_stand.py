"""Whole-body control.

topic: Control
words: whole-body control, QP, task, humanoid, balance, friction cone, torque limits
change: Tasks: CenterOfMass, Frame, Posture, Momentum; `law.explain(q, v)` says what conflicts.
"""

import numpy as np

import articulated as art

dog = art.load("quadruped", floating_base=True)
q, v = dog.poses["home"], np.zeros(dog.nv)
feet = art.Contacts(dog, point=["FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"])
tasks = [art.tasks.CenterOfMass(gain=100, weight=10), art.tasks.Posture(gain=20, weight=0.1, target=q)]
law = art.WholeBody(feet, tasks, friction=0.6)
done = law(q, v, center_of_mass=dog.center_of_mass(q) + [0.05, 0, 0])
print(done.status, done.tau.round(1), "N m")
