"""A quadruped trots in place under a whole-body law."""

import articulated as art

dog, feet = art.load("quadruped", floating_base=True), ["FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"]
home = dog.poses["home"]
tasks = [
    art.tasks.CenterOfMass(gain=60, weight=[10, 10, 30], target=dog.center_of_mass(home)),
    art.tasks.Frame("base", "orientation", gain=150, weight=10, target=dog.pose(home, "base")[:3, :3]),
    *(art.tasks.Frame(foot, "position", gain=800, weight=30) for foot in feet),
]
law = art.WholeBody(art.Contacts(dog, point=feet), tasks, contact_damping=20)
trot = law.towards(gait=art.Gait.trot(feet, begin=0.1, end=0.5), capture=1.1)
run = art.simulate(dog, home, duration=0.5, dt=2e-3, torque=trot, contacts=art.Ground())
print(f"a foot is on the ground {(run.contact.states > 0).mean(axis=0).max():.0%} of the time")
