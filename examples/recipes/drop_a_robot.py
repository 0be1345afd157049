"""A quadruped lands.

topic: Simulation
words: contact, ground, landing, impact, quadruped, contact forces, friction, drop
change: `art.Ground(friction=0.7, restitution=0.3, slope=…)`; `feet=[…]` names what touches where a robot has no collision shapes.
"""

import matplotlib.pyplot as plt

import articulated as art

dog = art.load("quadruped", floating_base=True)
home = dog.poses["home"]
legs = art.traced(lambda t, q, v: 60 * (home[7:] - q[7:]) - 2 * v[6:])
run = art.simulate(dog, home + [0, 0, 0.1, *[0] * 16], duration=0.5, torque=legs, contacts=art.Ground(friction=0.7))
for name in ("FL_FOOT", "HR_FOOT"):
    plt.plot(run.t, run.contact.forces[:, run.contact.names.index(name), 2], label=name)
plt.gca().set(xlabel="t [s]", ylabel="normal force [N]", ylim=(0, 300))
plt.legend(loc="upper right")
