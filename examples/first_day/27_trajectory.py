"""A trajectory between two configurations, in the shortest time that the limits of the joints allow"""

import articulated as art

robot = art.load("panda")
start = robot.poses["home"]
goal = start + [0.8, 0.3, -0.2, 0.5, 0, 0.4, 0]
run = art.motion(robot, [start, goal], "quintic", limits={"acceleration": 10.0})
print(f"{run.duration:.3f} s, limited by the {run.info['limited_by']}")
law = art.ComputedTorque(robot, 400, 40).towards(run)
followed = art.simulate(robot, start, duration=run.duration, torque=law)
print(f"{abs(followed.q[-1] - goal).max():.0e} rad off at the end")
