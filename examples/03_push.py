"""Somebody pushes an arm: computed torque hardly yields, an impedance yields as its stiffness says.

    python examples/03_push.py [picture.png]

Needs matplotlib (`pip install 'articulated[plot]'`).
"""

import sys

import numpy as np

import articulated as art

try:
    import matplotlib.pyplot as plt
except ImportError:
    sys.exit("this example draws with matplotlib: pip install 'articulated[plot]'")

DT, STEPS, PUSH = 1e-3, 3000, 20.0  # s, N


def main(picture):
    """How far the hand moves above, the torque of the elbow below."""
    robot = art.load("panda")
    home, hand = robot.poses["home"], "panda_hand"
    force = np.zeros((STEPS, 6))
    force[500:1500] = [0, PUSH, 0, 0, 0, 0]  # newtons along the hand's y axis, for a second
    stiffness, inertia = np.array([300, 300, 300, 300, 60, 60, 20]), np.diag(robot.mass_matrix(home))
    laws = {
        "computed torque, 20 rad/s": art.ComputedTorque(robot, 400, 40),
        "impedance": art.Impedance(robot, stiffness, 2 * np.sqrt(stiffness * inertia)),
        "a fifth of its stiffness": art.Impedance(robot, stiffness / 5, 2 * np.sqrt(stiffness / 5 * inertia)),
    }
    figure, (above, below) = plt.subplots(2, 1, figsize=(9, 6.5), sharex=True, layout="constrained")
    for name, law in laws.items():
        run = art.simulate(robot, home, None, STEPS * DT, DT, torque=law.towards(home), forces={hand: force})
        moved = np.linalg.norm(run.pose(hand)[:, :3, 3] - robot.pose(home, hand)[:3, 3], axis=1)
        above.plot(run.t, 1000 * moved, label=f"{name}: {1000 * moved.max():.0f} mm")
        below.plot(run.t, run.tau[:, 0])
        print(f"{name:26} {1000 * moved.max():6.1f} mm, at the end {1000 * moved[-1]:.2f} mm")
    above.set(ylabel="the hand has moved [mm]", title=f"{robot.name}, pushed sideways with {PUSH:g} N for a second")
    above.legend(loc="upper right")
    below.set(xlabel="t [s]", ylabel=f"torque of {robot.joint_names[0]} [N m]")
    for axes in (above, below):
        axes.axvspan(0.5, 1.5, color="0.93", zorder=0)
    figure.savefig(picture, dpi=80)
    print(f"wrote {picture}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "push.png")
