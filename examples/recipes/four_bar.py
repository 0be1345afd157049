"""A four-bar linkage.

topic: Dynamics
words: four-bar, closed loop, kinematic loop, parallel mechanism, linkage, passive joints
change: `("a", "b", "hinge", axis)` or `"weld"` for other loops; `passive` names the joints without a motor.
"""

import numpy as np

import articulated as art

rod = art.Inertia(1.0, (0.5, 0, 0), (0.001, 0.08, 0.08))
along, links = art.Transform(p=(1, 0, 0)), [art.Link("ground")]
for name, parent, at in (("a", "ground", art.Transform()), ("b", "a", along), ("c", "b", along)):
    links.append(art.Link(name, parent, art.Revolute((0, 1, 0), name=name), at, rod))
robot = art.build(links).add_frame("end", "c", along).add_frame("pivot", "ground", along)
loop = art.Contacts(robot, loops=[("end", "pivot")], passive=["b", "c"])
q, still = [-1.0, 1.0, np.pi - 1.0], [0.0] * 3
print(loop.analyze(q))
print("torque of the crank that holds it:", loop.inverse_dynamics(q, still, still).tau.round(3), "N m")
