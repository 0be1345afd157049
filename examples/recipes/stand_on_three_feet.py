"""Torques for standing on three feet.

topic: Control
words: contact forces, standing, inverse dynamics with contacts, force distribution, quadruped, stance
change: `contacts.lift(…)` any subset; `weight=` spares motors, `force_weight=` keeps forces upright.
"""

import numpy as np

import articulated as art

dog = art.load("quadruped", floating_base=True)
q, still = dog.poses["home"], np.zeros(dog.nv)
feet = art.Contacts(dog, point=["FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"]).lift("FR_FOOT")
found = feet.inverse_dynamics(q, still, still)
for foot, force in feet.by_contact(found.forces).items():
    print(foot, force.round(1), "N")
