"""A triple pendulum swings for ten seconds: chaotic in its angles, and yet its energy stays.

    python examples/10_triple_pendulum.py [picture.png]

Needs matplotlib (`pip install 'articulated[plot]'`).
"""

import sys

import numpy as np

import articulated as art

try:
    import matplotlib.pyplot as plt
except ImportError:
    sys.exit("this example draws with matplotlib: pip install 'articulated[plot]'")


def main(picture):
    """Angles above, the energy that each method gains or loses below."""
    robot = art.load("triple_pendulum")
    start = np.array([2.0, 0.5, -0.3])
    runs = {
        method: art.simulate(robot, start, duration=10.0, method=method) for method in ("euler", "symplectic", "rk4")
    }
    near = art.simulate(robot, start + np.array([1e-6, 0, 0]), duration=10.0, method="rk4")

    figure, (above, below) = plt.subplots(2, 1, figsize=(9, 7), sharex=True, layout="constrained")
    for k, name in enumerate(robot.joint_names):
        above.plot(near.t, runs["rk4"].q[:, k], color=f"C{k}", label=name)
        above.plot(near.t, near.q[:, k], "--", color=f"C{k}", linewidth=1)
    above.set(ylabel="angle [rad]", title="a triple pendulum; dashed: begun 1 µrad beside it")
    above.legend(loc="upper left", ncols=3)
    for method, run in runs.items():
        change = np.abs(run.energy.total - run.energy.total[0]) / run.energy.kinetic.max()
        below.semilogy(run.t[1:], np.maximum(change[1:], 1e-17), label=f"{method}: {change.max():.1e}")
        print(f"{method:10} energy changes by {change.max():.1e} of the largest kinetic energy")
    below.set(xlabel="t [s]", ylabel="change of energy", ylim=(1e-16, 1))
    below.legend(loc="lower right")
    figure.savefig(picture, dpi=80)
    print(f"wrote {picture}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "triple_pendulum.png")
