"""Does the arm hit itself, or a post beside it?"""

import articulated as art
from articulated.model.shapes import Cylinder

robot = art.load("panda")
post = Cylinder(0.05, 1.0, placement=art.Transform(p=(0.4, 0.3, 0.5)))
q = robot.random(0, 1000)
print(f"{robot.collides(q).mean():.0%} of random configurations hit the arm itself, ", end="")
print(f"{robot.collides(q, [post]).mean():.0%} the arm or the post")
d = robot.distances(robot.poses["home"])
print("nearest at home:", robot.distance_pairs[d.argmin()], f"{d.min():.3f} m apart")
