"""A quadruped stands: contact forces over time, and as a picture."""

import articulated as art

dog = art.load("quadruped", floating_base=True)
home = dog.poses["home"]
legs = art.traced(lambda t, q, v: 60 * (home[7:] - q[7:]) - 2 * v[6:])
run = art.simulate(dog, home, duration=0.5, torque=legs, contacts=art.Ground(friction=0.7))
carried = run.contact.forces[-1, :, 2].sum() / (9.81 * dog.mass)
run.plot("contact_forces", "contacts.png")
print(f"its feet carry {carried:.0%} of its weight; wrote contacts.png")
