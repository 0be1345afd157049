"""A Go2 with its meshes trots forward at 0.6 m/s, drawn with its contact forces and without a display.

    python examples/06_trot.py [trot.gif]

Writes a picture of its last moment, or the GIF (or MP4) that is asked for.
Needs the extras `robots` and `view`.
"""

import sys

import numpy as np

import articulated as art

FEET, RADIUS = ["FL_foot", "FR_foot", "RL_foot", "RR_foot"], 0.022
SPEED, START, FASTER, PERIOD, CAPTURE = 0.625, 0.1, 0.8, 0.4, 1.1  # m/s, s


def way(t):
    """Where the center of mass should be ahead of its start, and its speed."""
    s = max(0.0, t - START)
    return (SPEED * s**2 / (2 * FASTER), SPEED * s / FASTER) if s < FASTER else (SPEED * (s - FASTER / 2), SPEED)


def controller(robot, home):
    """Balance and posture; feet in the air swing to where half a stance puts them under the robot."""
    law = art.WholeBody(
        art.Contacts(robot, point=FEET),
        [
            art.tasks.CenterOfMass(gain=60, weight=[10, 10, 30]),
            art.tasks.Frame("base", "orientation", gain=150, weight=10, target=np.eye(3)),
            art.tasks.Posture(gain=40, weight=0.05, target=home),
            *(art.tasks.Frame(foot, "position", gain=800, weight=30) for foot in FEET),
        ],
        contact_damping=20,
    )
    center, forward = robot.center_of_mass(home), np.array([1.0, 0.0, 0.0])
    stood = {foot: robot.pose(home, foot)[:3, 3] for foot in FEET}
    pace = np.sqrt(center[2] / 9.81)  # of the capture point, which is ahead at constant speed already

    def targets(t):
        x, speed = way(t)
        ahead = x + speed * (PERIOD / 2 - CAPTURE * pace)
        feet = {foot: place + ahead * forward for foot, place in stood.items()}
        return {"center_of_mass": (center + x * forward, speed * forward, 0 * forward), **feet}

    return law.towards(targets, art.Gait.trot(FEET, START, 4.0, PERIOD), capture=CAPTURE)


robot = art.load("go2", floating_base=True).frictionless()
home = np.array(robot.poses["standing"])
home[2] += RADIUS - robot.pose(home, FEET[0])[2, 3]
ground = art.Ground(0.7, feet=dict.fromkeys(FEET, RADIUS))
run = art.simulate(robot, home, duration=3.1, dt=2e-3, torque=controller(robot, home), contacts=ground)
print(f"{run.q[-1, 0]:.2f} m in {run.duration:g} s")

picture = sys.argv[1] if len(sys.argv) > 1 else "06_trot.png"
steady = run.between(1.5, 3.099)  # four periods, one meter: it begins where it ends
steady.animate(picture, size=(480, 300), view_from=(0.55, 0.8, 0.3))
print(f"wrote {picture}")
