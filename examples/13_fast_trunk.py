"""A quadruped shifts its trunk along a line as fast as friction and motors allow, on four feet that stay.

    python examples/13_fast_trunk.py

Needs matplotlib (`pip install 'articulated[plot]'`).
"""

import sys

import numpy as np

import articulated as art

try:
    import matplotlib.pyplot as plt
except ImportError:
    sys.exit("this example draws with matplotlib: pip install 'articulated[plot]'")

FEET = ["FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"]


def main():
    """Two frictions: how much of the cones and of the torques is used."""
    dog = art.load("quadruped", floating_base=True)
    home = dog.poses["home"]
    target = dog.pose(home, "base")[:3, 3] + [0.12, 0.05, -0.05]
    way = art.frame_path(dog, "base", home, target, hold=FEET)
    _, axes = plt.subplots(2, 2, figsize=(11, 5), layout="constrained", sharex="col")
    for (above, below), mu in zip(axes.T, (0.4, 1.0), strict=True):
        run = art.time_optimal(dog, way, contacts=FEET, friction=mu, points=400)
        for foot in FEET:
            f = (run.pose(foot)[:, :3, :3] @ run.forces[foot][:, :3, None])[..., 0]
            above.plot(run.t, abs(f[:, :2]).sum(axis=1) / (mu * np.maximum(f[:, 2], 1e-3)), label=foot)
        below.plot(run.t, run.tau[:, 6:] / dog.limits.effort[6:])
        above.set(title=f"friction {mu:g}, {run.duration:.2f} s: forces over their pyramids", ylim=(0, 1.1))
        below.set(title="torques over their limits", xlabel="time in s", ylim=(-1.1, 1.1))
    axes[0, 0].legend()
    plt.savefig("13_fast_trunk.png", dpi=110)
    print("wrote 13_fast_trunk.png")


if __name__ == "__main__":
    main()
