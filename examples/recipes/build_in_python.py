"""A robot built in Python.

topic: Robot files
words: build a robot, links and joints, programmatic model, no URDF, custom robot
change: Twenty links are a loop longer; every joint of `art` works: Revolute, Prismatic, Spherical, Planar and others.
"""

import articulated as art

rod = art.Inertia(1.0, (0, 0, -0.25), (0.02, 0.02, 0.001))
links = [art.Link("rod0", None, art.Revolute((0, 1, 0)), art.Transform(), rod)]
for k in range(1, 5):
    links.append(art.Link(f"rod{k}", f"rod{k - 1}", art.Revolute((0, 1, 0)), art.Transform(p=(0, 0, -0.5)), rod))
chain = art.build(links, name="chain")
print(chain, f"{chain.mass:.1f} kg", chain.mass_matrix([0.1] * 5).shape)
