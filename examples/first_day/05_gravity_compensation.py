"""Motors that carry the arm's weight: it stays where it is, and without them it falls."""

import articulated as art

robot = art.load("panda")
q = robot.poses["home"]


def hold(t, q, v):
    return robot.gravity_forces(q)


held = art.simulate(robot, q, duration=0.3, torque=hold)
fallen = art.simulate(robot, q, duration=0.3)
print(f"held: {abs(held.q[-1] - q).max():.1e} rad off; without motors: {abs(fallen.q[-1] - q).max():.2f} rad off")
