"""A quadruped is dropped, lands, stands, lifts a foot, trots in place, and is pushed while it does.

    python examples/04_quadruped.py [picture.png]

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
DT, DURATION, LANDED = 2e-3, 4.6, 0.3
SHIFTS, LIFTS, LOWERED, TROTS, STANDS = 0.8, 1.3, 1.8, 2.3, 4.3
PHASES = [(0.0, "dropped"), (LANDED, "stands"), (SHIFTS, "shifts"), (LIFTS, "lifts FR"), (LOWERED, "stands"),
          (TROTS, "trots"), (STANDS, "stands")]  # fmt: skip
PUSHED = (3.0, 3.1, 40.0)  # from, till, N to the left


def whole_body(robot):
    """Balance first of all; the feet in the air matter more than the posture."""
    tasks = [
        art.tasks.CenterOfMass(gain=60, weight=[10, 10, 30]),
        art.tasks.Frame("base", "orientation", gain=150, weight=10),
        art.tasks.Posture(gain=40, weight=0.05),
        *(art.tasks.Frame(foot, "position", gain=800, weight=30) for foot in FEET),
    ]
    return art.WholeBody(art.Contacts(robot, point=FEET), tasks, friction=0.6, contact_damping=20)


def controller(robot, home):
    """Soft legs until it has landed, then the law."""
    center = robot.center_of_mass(home)

    def targets(t):
        # before a foot is lifted the weight goes to the other three
        shift = [-0.03, 0.05, 0] if SHIFTS < t < LOWERED + 0.1 else [0, 0, 0]
        return {"center_of_mass": center + shift, "base": np.eye(3), "posture": home}

    gait = art.Gait([("FR_FOOT", LIFTS, LOWERED)]) + art.Gait.trot(FEET, TROTS, STANDS, period=0.4)
    steps = whole_body(robot).towards(targets, gait, capture=1.1)

    def torques(t, q, v):
        if t < LANDED:
            return 60 * (home[7:] - q[7:]) - 2 * v[6:]
        return steps(t, q, v)

    return torques


def draw(run, picture):
    """Height and way of the base, height and forces of the feet, and when they are on the ground."""
    figure, axes = plt.subplots(4, 1, figsize=(10, 9), sharex=True, height_ratios=(3, 2, 3, 2), layout="constrained")
    for k, name in enumerate("xyz"):
        axes[0].plot(run.t, 100 * (run.q[:, k] - [0, 0, run.q[-1, 2]][k]), label=name)
    axes[0].set(ylabel="base [cm]", title="dropped from 10 cm, and pushed to the left with 40 N for 0.1 s (gray)")
    for k, foot in enumerate(FEET):
        axes[1].plot(run.t, 100 * run.contact.gaps[:, k], label=foot[:2])
        axes[2].plot(run.t, run.contact.forces[:, k, 2], linewidth=0.8)
        axes[3].fill_between(
            run.t, -k - 0.35, -k + 0.35, where=run.contact.states[:, k] > 0, color=f"C{k}", step="post"
        )
    axes[1].set(ylabel="foot above ground [cm]", ylim=(-0.5, 11))
    axes[2].set(ylabel="force off the ground [N]", ylim=(0, 150))
    axes[3].set(
        xlabel="t [s]", ylabel="on the ground", yticks=range(0, -4, -1), yticklabels=[foot[:2] for foot in FEET]
    )
    for panel in axes:
        panel.axvspan(*PUSHED[:2], color="0.85", zorder=0)
        for t, _ in PHASES:
            panel.axvline(t, color="0.8", linewidth=0.8, zorder=0)
    for t, name in PHASES:
        axes[0].annotate(name, (t + 0.02, 1.0), xycoords=("data", "axes fraction"), va="top", fontsize="small")
    axes[0].legend(loc="lower right", ncols=3)
    axes[1].legend(loc="upper right", ncols=4, fontsize="small")
    figure.savefig(picture, dpi=75)


def main(picture):
    """Simulate, draw."""
    robot = art.load("quadruped", floating_base=True)
    home = robot.poses["home"]
    start = np.array(home)
    start[2] += 0.1
    push = np.zeros((round(DURATION / DT), 6))
    push[round(PUSHED[0] / DT) : round(PUSHED[1] / DT), 1] = PUSHED[2]
    torques = controller(robot, home)
    run = art.simulate(robot, start, None, DURATION, DT, torques, art.Ground(0.7), forces={"base": push})
    print(
        f"contacts solved to {run.contact.residual.max():.1e}, deepest {1e6 * max(0, -run.contact.gaps.min()):.2g} µm"
    )
    away = np.linalg.norm(run.q[-1, :2])
    print(f"at the end {100 * away:.1f} cm from where it began, {100 * run.q[-1, 2]:.1f} cm high")
    assert abs(run.q[-1, 2] - home[2]) < 0.01 and away < 0.1, "it should stand where it began"
    draw(run, picture)
    print(f"wrote {picture}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "quadruped.png")
