"""A thousand cart-poles with masses that nobody knows, under one controller made for the one in the catalogue.

    python examples/05_thousand_cart_poles.py [picture.png]

Needs matplotlib (`pip install 'articulated[plot]'`).
"""

import sys

import numpy as np

import articulated as art

try:
    import matplotlib.pyplot as plt
except ImportError:
    sys.exit("this example draws with matplotlib: pip install 'articulated[plot]'")

COUNT, UPRIGHT = 1000, np.array([0.0, np.pi])


def main(picture):
    """Angles of all above; which masses end upright below."""
    robot = art.load("cart_pole")
    rng = np.random.default_rng(0)
    factors = np.exp(rng.uniform(-np.log(8), np.log(8), (COUNT, 2)))  # of cart and pole, from an eighth to eight times
    parameters = robot.parameters * np.repeat(factors, 10, axis=1)
    near = robot.linearize(UPRIGHT, np.zeros(2), np.zeros(2))
    gain = art.lqr(near.A, near.B[:, :1], np.diag([10.0, 10, 1, 1]), [0.1]).K[0]

    @art.traced
    def balance(t, q, v):
        return [-gain[0] * q[0] - gain[1] * (q[1] - np.pi) - gain[2] * v[0] - gain[3] * v[1], 0]

    run = art.simulate(
        robot, UPRIGHT + np.array([0, 0.3]), None, 4.0, 2e-3, balance, parameters=parameters, method="rk4", every=10
    )
    angle = run.q[..., 1] - np.pi
    stands = np.abs(angle[:, -1]) < 0.02
    print(f"{COUNT} runs of {4.0 / 2e-3:.0f} steps in {run.info['seconds']:.2f} s; {stands.sum()} stand")
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.5), layout="constrained")
    left.plot(run.t, np.degrees(angle[::4].T), color="C0", linewidth=0.4, alpha=0.4)
    left.set(xlabel="t [s]", ylabel="pole from upright [°]", ylim=(-60, 60), title=f"{stands.sum()} of {COUNT} stand")
    for which, color, label in ((stands, "C0", "stands"), (~stands, "C3", "not after 4 s")):
        right.loglog(*factors[which].T, ".", color=color, markersize=3, label=label)
    ticks = [1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8]
    right.set(xlabel="mass of the cart, of that it was made for", ylabel="mass of the pole")
    for axis in (right.xaxis, right.yaxis):
        axis.set_ticks(ticks, [f"{tick:g}" for tick in ticks])
        axis.set_ticks([], minor=True)
    right.legend(loc="lower left")
    figure.savefig(picture, dpi=75)
    print(f"wrote {picture}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "cart_poles.png")
