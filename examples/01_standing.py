"""A quadruped stands on four, three and two feet: what its contacts allow, its torques, and the forces at its feet.

    python examples/01_standing.py [picture.png]

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
BENT = [0.1, 0.8, -1.6, -0.1, 0.8, -1.6, 0.1, -0.8, 1.6, -0.1, -0.8, 1.6]
LIFTED = [(), ("FR_FOOT",), ("FR_FOOT", "HL_FOOT")]


def balanced(robot, contacts, q, anchors, down):
    """The body moved over its feet, which stay where they are, until the weight is above the middle of those down."""
    middle = np.mean([anchors[FEET.index(name), :2, 3] for name in down], axis=0)
    for _ in range(20):
        q[:2] += middle - robot.center_of_mass(q)[:2]
        q = contacts.assemble(q, anchors, locked=["floating_base"])
    return q


def draw(axes, title, places, forces, com):
    """The feet from above, the force each carries as a disc, and the place of the weight."""
    for name, (x, y, _) in places.items():
        force = forces.get(name)
        axes.plot(y, x, "o", color="0.6" if force is None else "C0", markersize=4)
        axes.annotate(name[:2], (y, x), textcoords="offset points", xytext=(8, 8))
        if force is not None:
            axes.scatter(y, x, s=25 * force[2], alpha=0.3, color="C0")
            axes.annotate(f"{force[2]:.1f} N", (y, x), textcoords="offset points", xytext=(8, -14))
    axes.plot(com[1], com[0], "x", color="C3", label="center of mass")
    axes.set(title=title, xlabel="y [m]", ylabel="x [m]", aspect="equal")
    axes.invert_xaxis()
    axes.margins(0.35)
    axes.legend(loc="upper center", fontsize="small")


def main(picture):
    """Three stances, a column of the picture each."""
    robot = art.load("quadruped", floating_base=True)
    standing = art.Contacts(robot, point=FEET)
    start = np.concatenate([robot.neutral()[:7], BENT])
    anchors, still = standing.poses(start), np.zeros(robot.nv)
    figure, rows = plt.subplots(2, 3, figsize=(13, 8), height_ratios=(3, 2), layout="constrained")
    for column, lifted in enumerate(LIFTED):
        contacts = standing.lift(*lifted)
        q = balanced(robot, standing, start.copy(), anchors, contacts.names)
        ranks, found = contacts.analyze(q), contacts.inverse_dynamics(q, still, still)
        print(f"on {len(contacts.names)} feet\n{ranks}\nresidual         {found.residual:.1e} N\n")
        places = dict(zip(FEET, standing.positions(q), strict=True))
        title = f"{len(contacts.names)} feet: {ranks.internal} internal, {ranks.uncontrollable} uncontrollable"
        draw(rows[0, column], title, places, contacts.by_contact(found.forces), robot.center_of_mass(q))
        rows[1, column].bar(robot.joint_names[1:], found.tau, color="C1")
        rows[1, column].set(ylabel="torque [Nm]")
        rows[1, column].tick_params(axis="x", rotation=90)
        rows[1, column].sharey(rows[1, 0])
    figure.savefig(picture, dpi=100)
    print(f"wrote {picture}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "standing.png")
