"""An optimal motion: the hand to a point, past an obstacle, with little torque and within its limits"""

import articulated as art
from articulated.model.shapes import Sphere

robot = art.load("panda")
home, target = robot.poses["home"], [0.35, 0.4, 0.4]
post = Sphere(0.08, placement=art.Transform(p=(0.45, 0.2, 0.45)))
costs = [art.costs.control(1e-3, robot.gravity_forces(home)), art.costs.clearance(0.05, [post], weight=1e4)]
costs += [art.costs.state(home, weight=[0.01] * 7 + [0.1] * 7, final=[0] * 7 + [10] * 7)]
found = art.Problem(robot, 60, [*costs, art.costs.frame("panda_hand", target, 1, 1e3)], dt=0.02).solve(home)
off = abs(found.trajectory.pose("panda_hand")[-1, :3, 3] - target).max()
hits = robot.collides(found.trajectory.q, [post]).any()
print(f"{off:.4f} m off after {found.iterations} iterations; hits the post: {hits}")
