"""Contact phases: a quadruped finds a jump and a trot, torques within their limits and forces within friction cones.

    python examples/12_contact_phases.py

Needs matplotlib (`pip install 'articulated[plot]'`).
"""

import sys

import numpy as np

import articulated as art

try:
    import matplotlib.pyplot as plt
except ImportError:
    sys.exit("this example draws with matplotlib: pip install 'articulated[plot]'")

DT, FEET = 0.01, ["FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"]


def moment(steps, step, weight, before=0):
    """A weight that acts in one step, and in some before it."""
    found = np.zeros((steps, 1))
    found[step - before : step + 1] = weight / DT
    return found


def usual(end):
    """Little torque, a posture, feet that neither slip nor pull; a state at the end."""
    posture = [0, 0, 0, 1, 1, 1] + [0.1] * 12 + [0.1] * 6 + [0.01] * 12
    return [
        art.costs.control(1e-3),
        art.costs.state(end, weight=posture, final=[100] * 18 + [10] * 18),
        art.costs.friction(0.7, least=1.0, weight=0.1),
    ]


def jump(dog, home, along=0.2, up=30, air=30, down=40):
    """Half of the way in the air, its center of mass 15 cm higher."""
    steps, end = up + air + down, home.copy()
    end[0] += along
    landing = moment(steps, up + air, 1e2, before=1)
    placed = [art.costs.frame(foot, dog.pose(home, foot)[:3, 3] + [along, 0, 0], landing) for foot in FEET]
    middle = np.add(dog.center_of_mass(home), [along / 2, 0, 0.15])
    top = art.costs.center_of_mass(middle, moment(steps, up + air // 2, 100))
    schedule = [(up, FEET), (air, []), (down, FEET)]
    return art.Problem(dog, steps, [*usual(end), *placed, top], DT, contacts=schedule).solve(home, tolerance=1e-5)


def trot(dog, home, stride=0.1, strides=4, swing=20, rest=4):
    """Diagonal feet in turn, each to its next place; both pairs half a stride at the beginning and at the end."""
    pairs = [["FL_FOOT", "HR_FOOT"], ["FR_FOOT", "HL_FOOT"]]
    steps, end = strides * (swing + rest) + rest, home.copy()
    end[0] += stride * (strides - 1) / 2
    costs, schedule = usual(end), [(rest, FEET)]
    for k in range(strides):
        moving, begin = pairs[k % 2], rest + k * (swing + rest)
        schedule += [(swing, pairs[1 - k % 2]), (rest, FEET)]
        for foot in moving:
            place = dog.pose(home, foot)[:3, 3] + [min(stride * (k + 1) / 2, stride * (strides - 1) / 2), 0, 0]
            costs.append(art.costs.frame(foot, place, moment(steps, begin + swing, 1e3, before=2)))
            middle = np.add(place, [-stride / 2 if 0 < k < strides - 1 else -stride / 4, 0, 0.05])
            costs.append(art.costs.frame(foot, middle, moment(steps, begin + swing // 2, 1e2)))
    return art.Problem(dog, steps, costs, DT, contacts=schedule).solve(home, tolerance=1e-5)


def draw(rows, found, title):
    """Heights and forces of the feet."""
    run, (above, below) = found.trajectory, rows
    above.plot(run.t, run.q[:, 2], "k", label="trunk")
    for foot in FEET:
        above.plot(run.t, run.pose(foot)[:, 2, 3], label=foot)
        below.plot(run.t[:-1], found.forces[foot][:, 2])
    above.set(title=f"{title}: heights in m")
    below.set(title="normal forces in N", xlabel="time in s")


def main():
    """Compute both, and draw them."""
    dog = art.load("quadruped", floating_base=True)
    home = dog.poses["home"]
    _, axes = plt.subplots(2, 2, figsize=(11, 5.5), layout="constrained")
    for column, (title, found) in enumerate({"jump": jump(dog, home), "trot": trot(dog, home)}.items()):
        print(title, found)
        draw(axes[:, column], found, title)
    axes[0, 0].legend()
    plt.savefig("12_contact_phases.png", dpi=110)
    print("wrote 12_contact_phases.png")


if __name__ == "__main__":
    main()
