"""Collisions and distances.

topic: Kinematics
words: collision check, self-collision, distance, obstacle, clearance, collision detection
change: Obstacles are shapes placed in the world; derivatives of the distances come from `robot.derivatives("distances")`.
"""

import articulated as art
from articulated.model.shapes import Box

arm = art.load("panda")
table = Box((0.6, 1.0, 0.02), placement=art.Transform(p=(0.7, 0, 0.3)))
q = arm.configuration({"panda_joint2": [-0.8, 0.0, 0.8]}, start=arm.poses["home"])
print(arm.collides(q, obstacles=[table]))
print(arm.distances(q, obstacles=[table]).min(axis=-1).round(3), "m")
