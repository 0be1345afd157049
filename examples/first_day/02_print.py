"""What is in a robot: joints, units, limits, masses, frames."""

import articulated as art

robot = art.load("panda")
print(robot)
print(robot.limits.effort, "N m")
print(f"{robot.mass:.2f} kg, gravity {robot.gravity} m/s²")
