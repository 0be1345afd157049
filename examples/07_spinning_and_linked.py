"""Motion that is exact: a box that is thrown, a ball that bounces, and four-bar linkages through singular postures.

    python examples/07_spinning_and_linked.py [picture.png]

Needs matplotlib (`pip install 'articulated[plot]'`).
"""

import sys

import numpy as np

import articulated as art

try:
    import matplotlib.pyplot as plt
except ImportError:
    sys.exit("this example draws with matplotlib: pip install 'articulated[plot]'")

METHODS = {"euler": "C1", "midpoint": "C0"}


def thrown(axes):
    """A box that is thrown at 60 rad/s keeps its energy; explicit gyroscopic terms pump it."""
    inertia = art.Inertia(1.0, (0, 0, 0), np.diag([0.01, 0.02, 0.025]))
    box = art.build([art.Link("box", None, art.Floating(), inertia=inertia)], name="box")
    for method, color in METHODS.items():
        run = art.simulate(box, box.neutral(), [2.0, 0, 5.0, 0.6, 60.0, 0.6], duration=2.0, method=method)
        change = run.energy.total / run.energy.total[0] - 1
        print(f"thrown, {method}: energy {change[-1]:+.1e}")
        axes.semilogy(run.t[1:], np.maximum(abs(change[1:]), 1e-16), color=color, label=method)
    axes.set(xlabel="t [s]", ylabel="relative change of energy", title="box thrown at 60 rad/s, 1 ms")
    axes.legend()


def bouncing(axes):
    """Each bounce leaves 0.8 of the speed: its times are a geometric series."""
    e, g, height = 0.8, 9.81, 1.0
    ball = art.Scene([art.Ball(radius=0.1, mass=1.0, at=(0, 0, 0.1 + height)), art.Ground(restitution=e)])
    exact = np.sqrt(2 * height / g) + np.cumsum([0, *(2 * np.sqrt(2 * height / g) * e ** np.arange(1, 15))])
    for method, color in METHODS.items():
        run = art.simulate(ball, duration=4.5, method=method)
        before = np.flatnonzero((run.v[:-1, 2] < 0) & (run.v[1:, 2] > 0))[:15]
        fall, gap = run.v[before, 2], run.q[before, 2] - 0.1
        late = run.t[before] + (fall + np.sqrt(fall**2 + 2 * g * gap)) / g - exact[: len(before)]
        print(f"bouncing, {method}: bounce {len(before)} is {late[-1]:+.1e} s late")
        axes.semilogy(np.arange(len(before)) + 1, np.maximum(abs(late), 1e-16), "o-", color=color, label=method)
    axes.set(xlabel="bounce", ylabel="error of its time [s]", title="ball with e = 0.8, 1 ms")
    axes.legend()


def linked(axes):
    """IFToMM A02: three cranks and two bars, singular whenever they are level; 3 θ̈ = 3.5 g sin θ."""

    def rod(x, y):
        return art.Inertia(1.0, (x / 2, y / 2, 0), np.diag([y, x, 1]) / 12)

    def place(x, y):
        return art.Transform(p=(x, y, 0))

    links = [art.Link("ground")]
    for k in range(3):
        hinge, tip = art.Revolute((0, 0, 1), name=f"crank{k}"), [(f"tip{k}", place(0, 1))]
        links.append(art.Link(f"crank{k}", "ground", hinge, place(k, 0), rod(0, 1), frames=tip))
    for k in range(2):
        hinge, end = art.Revolute((0, 0, 1), name=f"bar{k}"), [(f"end{k}", place(1, 0))]
        links.append(art.Link(f"bar{k}", f"crank{k}", hinge, place(0, 1), rod(1, 0), frames=end))
    robot = art.build(links, gravity=(0, -9.81, 0), name="four_bars")
    loops = art.Contacts(robot, loops=[("end0", "tip1"), ("end1", "tip2")])
    v = robot.velocity({f"crank{k}": -1.0 for k in range(3)} | {f"bar{k}": 1.0 for k in range(2)})
    run = art.simulate(robot, robot.neutral(), v, duration=10.0, method="rk4", contacts=loops)
    tip = robot.pose(run.q, "tip0")[:, :2, 3]
    print(f"linked: tip at {tip[-1, 0]:.10f}, {tip[-1, 1]:.10f} m after 10 s, published 0.3284581115, 0.9445185382")
    print(f"linked: energy {abs(run.energy.total - run.energy.total[0]).max():.1e} J of {run.energy.total[0]:.0f} J")
    axes.plot(run.t, tip[:, 0], label="x")
    axes.plot(run.t, tip[:, 1], label="y")
    axes.set(xlabel="t [s]", ylabel="tip of the first crank [m]", title="four-bar linkages, rk4 at 1 ms")
    axes.legend()


figure, places = plt.subplots(1, 3, figsize=(13, 4), layout="constrained")
for draw, axes in zip((thrown, bouncing, linked), places, strict=True):
    draw(axes)
path = sys.argv[1] if len(sys.argv) > 1 else "07_spinning_and_linked.png"
figure.savefig(path, dpi=120)
print(f"wrote {path}")
