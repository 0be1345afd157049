"""Optimal motions: a cart swings up its pole, an arm reaches past a ball, and one moves as fast as its motors allow.

    python examples/11_optimal_motions.py

Needs matplotlib (`pip install 'articulated[plot]'`).
"""

import sys

import numpy as np

import articulated as art
from articulated.model.shapes import Sphere

try:
    import matplotlib.pyplot as plt
except ImportError:
    sys.exit("this example draws with matplotlib: pip install 'articulated[plot]'")


def swing_up():
    """One motor, at the cart, with 15 N."""
    cart = art.load("cart_pole")
    up = art.costs.state([0, np.pi], weight=[0.1, 0.1, 0.01, 0.01], final=[100, 100, 10, 10])
    problem = art.Problem(cart, 100, [art.costs.control(1e-2), up], 0.03, "rk4", ["slide"], limits=15.0)
    return problem.solve([0, 0], iterations=200).trajectory


def reach(panda, post, target):
    """The hand to a point, 5 cm from a ball and within the torques of the motors."""
    home = panda.poses["home"]
    costs = [
        art.costs.control(1e-3, panda.gravity_forces(home)),
        art.costs.state(home, weight=[0.01] * 7 + [0.1] * 7, final=[0] * 7 + [10] * 7),
        art.costs.frame("panda_hand", target, 1, 1e3),
        art.costs.clearance(0.05, [post], weight=1e4),
    ]
    return art.Problem(panda, 60, costs, dt=0.02).solve(home).trajectory


def fastest(panda, effort):
    """Along a spline, with less torque than the robot has."""
    home = panda.poses["home"]
    path = art.path(panda, home + np.array([[0] * 7, [1, 0.3, 0, 0.5, 0, 0, 0], [1.5, 0, 0.4, 0, 0, 0, 0.3]]))
    return art.time_optimal(panda, path, limits={"effort": effort, "velocity": None})


def main():
    """Compute all three, and draw them."""
    panda, effort = art.load("panda"), np.array([40, 40, 40, 40, 8, 8, 8])
    post, target = Sphere(0.08, placement=art.Transform(p=(0.45, 0.2, 0.45))), [0.35, 0.4, 0.4]
    pole, arm, fast = swing_up(), reach(panda, post, target), fastest(panda, effort)
    _, (left, middle, right) = plt.subplots(1, 3, figsize=(13, 3.6), layout="constrained")
    left.plot(pole.t, pole.q, label=["cart, m", "pole, rad"])
    left.plot(pole.t, pole.tau[:, 0] / 15, "k", label="force / 15 N")
    left.set(title="swing-up of a pole", xlabel="time in s")
    middle.plot(
        arm.t, panda.distances(arm.q, [post])[:, len(panda.distance_pairs) :].min(axis=1), label="to the ball, m"
    )
    away = np.linalg.norm(arm.pose("panda_hand")[:, :3, 3] - target, axis=1)
    middle.plot(arm.t, away, label="to the target, m")
    middle.plot(arm.t, abs(arm.tau / panda.limits.effort).max(axis=1), "k", label="torque over its limit")
    middle.set(title="reach past a ball", xlabel="time in s")
    right.plot(fast.t, fast.tau / effort)
    right.set(title="torques over their limits, time-optimal", xlabel="time in s")
    left.legend()
    middle.legend()
    plt.savefig("11_optimal_motions.png", dpi=110)
    print("wrote 11_optimal_motions.png")


if __name__ == "__main__":
    main()
