"""A cart-pole, an acrobot and a quadruped on its feet, each held where it would fall by a linear quadratic regulator.

    python examples/02_balance.py [picture.png]

`robot.linearize` and `contacts.derivatives` say how the motion answers near the place of rest, `art.lqr` what to do.
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
STEP = 0.002


def moved(robot, q, v, tau, accelerate):
    """One step of Runge and Kutta's method of order two."""
    a = accelerate(q, v, tau)
    middle = robot.integrate(q, STEP / 2 * v), v + STEP / 2 * a
    a = accelerate(*middle, tau)
    return robot.integrate(q, STEP * middle[1]), v + STEP * a


def balance(name, upright, passive, push):
    """A robot that stands upside down on one motor."""
    robot = art.load(name)
    still = np.zeros(robot.nv)
    motors = robot.actuation_map(passive=[passive])
    A, B = robot.linearize(upright, still, still)
    K = art.lqr(A, B @ motors, np.ones(2 * robot.nv), [0.1]).K
    q, v, track = upright + push, still, []
    for k in range(2000):
        away = np.concatenate([robot.difference(upright, q), v])
        track.append((k * STEP, *away[: robot.nv]))
        q, v = moved(robot, q, v, -motors @ K @ away, robot.forward_dynamics)
    grows = np.linalg.eigvals(A).real.max()
    print(f"{name}: alone a motion grows with e^({grows:.2f} t); held, {abs(away).max():.1e} is left after 4 s")
    return robot.joint_names, np.array(track)


def stand():
    """A quadruped whose feet stay where they are: what is left to it is regulated, all legs together."""
    robot = art.load("quadruped", floating_base=True)
    feet, home, still = art.Contacts(robot, point=FEET), robot.poses["home"], np.zeros(robot.nv)
    anchors, hold = feet.poses(home), feet.inverse_dynamics(home, still, still).tau
    found = feet.derivatives("forward_dynamics")(home, still, hold)
    # the motions that leave the feet where they are, six of them
    N = np.linalg.svd(feet.jacobian(home))[2][feet.k :].T
    n = N.shape[1]
    A = np.block([[np.zeros((n, n)), np.eye(n)], [N.T @ found.a_q @ N, N.T @ found.a_v @ N]])
    B = np.concatenate([np.zeros((n, len(hold))), N.T @ found.a_tau])
    K = art.lqr(A, B, np.repeat([100.0, 1.0], n), np.ones(len(hold))).K
    q = feet.assemble(robot.integrate(home, 0.05 * N @ np.ones(n)), anchors)
    v, track = still, []
    for k in range(1000):
        away = robot.difference(home, q)
        track.append((k * STEP, *away[:3]))
        tau = hold - K @ np.concatenate([N.T @ away, N.T @ v])
        q, v = moved(robot, q, v, tau, lambda *state: feet.forward_dynamics(*state, baumgarte=20.0, anchors=anchors).a)
    grows = np.linalg.eigvals(A).real.max()
    print(f"quadruped: alone a motion grows with e^({grows:.2f} t); held, {abs(away).max():.1e} is left after 2 s")
    return ["x of the base", "y of the base", "z of the base"], np.array(track)


def main(picture):
    """Three robots, a column of the picture each."""
    runs = {
        "cart_pole": balance("cart_pole", np.array([0.0, np.pi]), "hinge", np.array([0.3, 0.2])),
        "acrobot": balance("acrobot", np.array([np.pi, 0.0]), "shoulder", np.array([0.05, -0.05])),
        "quadruped": stand(),
    }
    figure, columns = plt.subplots(1, 3, figsize=(13, 4), layout="constrained")
    for axes, (name, (labels, track)) in zip(columns, runs.items(), strict=True):
        axes.plot(track[:, 0], track[:, 1:], label=labels)
        axes.set(title=name, xlabel="t [s]", ylabel="away from rest [m, rad]")
        axes.legend()
    figure.savefig(picture, dpi=110)
    print(f"wrote {picture}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "02_balance.png")
