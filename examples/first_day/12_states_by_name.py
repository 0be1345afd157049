"""States by the names of joints, and back."""

import articulated as art

dog = art.load("quadruped", floating_base=True)
q = dog.configuration({"FL_HFE": 0.5, "floating_base_z": 0.3}, start=dog.poses["home"])
q = dog.configuration({"FL_KFE": [-1.2, -1.4, -1.6]}, start=q)  # three states
g = dog.named(dog.gravity_forces(q), "v")
for joint in ("FL_HFE", "FL_KFE"):
    print(joint, "at", dog.index(joint).q.start, "in q takes", g[joint].round(3), "N m")
print("nearest limit", dog.distance_to_limits(q).min().round(3), "rad")
