"""A tool with its tip, and something in it."""

import articulated as art

robot = art.load("ur5")
flange = robot.frame_names[-1]
tool = robot.attach(flange, art.Inertia(0.8, (0, 0, 0.05)), name="gripper")
tool = tool.add_frame("tip", "gripper", art.Transform(p=(0, 0, 0.15)))
loaded = tool.attach("tip", art.Inertia(1.5), name="box")
q = [0.0, -1.2, 1.0, 0.2, 1.57, 0.0]
print("tip at", loaded.pose(q, "tip")[:3, 3].round(3), "m")
print("the box costs", (loaded.gravity_forces(q) - tool.gravity_forces(q)).round(1) + 0.0, "N m")
