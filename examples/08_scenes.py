"""Scenes of many bodies: balls on a pulled plate, balls that bounce, 666 balls, and a wall that a ball hits.

    python examples/08_scenes.py [picture.png]

Needs matplotlib (`pip install 'articulated[plot]'`).
"""

import sys

import numpy as np

import articulated as art

try:
    import matplotlib.pyplot as plt
except ImportError:
    sys.exit("this example draws with matplotlib: pip install 'articulated[plot]'")


def speeds(scene, run, name):
    """Speed of an object over time."""
    return np.linalg.norm(run.v[:, scene.index(name).v][:, :3], axis=1)


def rolling(axes):
    """A plate of 10 kg is pulled by 150 N from under 25 balls of 1 kg; a ball has 2/7 of its acceleration."""
    grid = np.linspace(-4, 4, 5)
    balls = [art.Ball(radius=0.2, mass=1.0, at=(x, y, 0.3)) for x in grid for y in grid]
    plate = art.Box(size=(20, 20, 0.1), mass=10.0, at=(0, 0, 0.05))
    scene = art.Scene([plate, *balls, art.Ground(friction=0.4)], friction=0.8)
    pull = art.Wrenches({"box": np.array([150, 150, 0, 0, 0, 0]) / np.sqrt(2)}, "world")
    run = art.simulate(scene, duration=4.0, forces=pull, every=50)
    exact = (150 - 0.4 * 35 * 9.81) / (10 + 25 * 2 / 7)
    for name, share, color in (("box", 1, "C0"), ("ball1", 2 / 7, "C1")):
        found = speeds(scene, run, name)
        print(f"rolling: {name} {found[-1] / 4:.6f} m/s² over 4 s, exact {share * exact:.6f}")
        axes.plot(run.t, share * exact * run.t, color=color, linewidth=1, label=f"{name}, exact")
        axes.plot(run.t[::8], found[::8], "o", color=color, markersize=4, label=name)
    axes.set(xlabel="t [s]", ylabel="speed [m/s]", title="25 balls on a pulled plate")
    axes.legend()


def bouncing(axes):
    """49 balls fall from 5 m and rise to it again, for 20 s."""
    grid = np.arange(7.0)
    balls = [art.Ball(radius=0.1, mass=10.0, at=(x, y, 5.0)) for x in grid for y in grid]
    scene = art.Scene([*balls, art.Ground(friction=0.0, restitution=1.0)])
    run = art.simulate(scene, duration=20.0, every=10)
    energy = run.energy.total
    height = run.q.reshape(len(run.t), -1, 7)[:, :, 2]
    top = height[len(run.t) // 2 :].max()
    print(f"bouncing: rise to {top:.6f} m; energy {energy[-1] / energy[0] - 1:+.1e} after 20 s")
    axes.plot(run.t, height[:, 0], linewidth=1)
    axes.set(xlabel="t [s]", ylabel="height [m]", title="49 balls bounce with e = 1")


def pile(axes):
    """A tower of 666 balls falls apart."""
    places = [(0.21 * (k % 5), 0.21 * (k // 5 % 5), 0.1 + 0.21 * (k // 25)) for k in range(666)]
    scene = art.Scene([*(art.Ball(radius=0.1, mass=1.0, at=at) for at in places), art.Ground(friction=0.7)])
    v = 0.3 * np.random.default_rng(0).normal(size=scene.nv)
    run = art.simulate(scene, v0=v, duration=0.6, every=100)
    place = run.q[-1].reshape(-1, 7)[:, :3]
    apart = np.linalg.norm(place[:, None] - place[None], axis=-1) + np.eye(len(place))
    deep, seconds = max(0.2 - apart.min(), 0), run.info["seconds"]
    print(f"666 balls: overlap by {1e6 * deep:.1f} µm at most; 600 steps in {seconds:.1f} s")
    for x, y, z in place[np.argsort(-place[:, 1])]:
        color = plt.cm.viridis(np.clip((y + 1) / 3, 0, 1))
        axes.add_patch(plt.Circle((x, z), 0.1, facecolor=color, edgecolor="k", lw=0.2))
    axes.set(xlim=(-2, 3), ylim=(0, 4.5), xlabel="x [m]", ylabel="z [m]", aspect="equal", title="666 balls after 0.6 s")


def wall(axes):
    """A wall of 39 bricks stands for a quarter of a second, and is hit by a ball of 5 kg at 8 m/s."""
    bricks = []
    for row in range(6):
        lengths = [0.2] * 6 if row % 2 == 0 else [0.1, *[0.2] * 5, 0.1]
        ends = np.cumsum([0, *lengths])
        for length, middle in zip(lengths, (ends[1:] + ends[:-1]) / 2, strict=True):
            size, at = (length - 1e-4, 0.1, 0.1), (middle, 0, 0.05 + 0.1 * row)
            bricks.append(art.Box(size=size, mass=5 * length, at=at))
    scene = art.Scene([*bricks, art.Ball(radius=0.15, mass=5.0, at=(0.6, -2.2, 0.6)), art.Ground(friction=0.7)])
    run = art.simulate(scene, v0=scene.velocity({"ball": [0, 8, 0, 0, 0, 0]}), duration=0.6, every=10)
    place = run.q.reshape(len(run.t), -1, 7)[:, :-1]
    stood = np.abs(place[20, :, :3] - place[0, :, :3]).max()
    print(f"wall: 39 bricks move by {1e6 * stood:.2f} µm in 0.2 s; 600 steps in {run.info['seconds']:.1f} s")
    for brick, box in zip(place[-1], bricks, strict=True):
        x, y, z, w = brick[3:]
        turn = np.arctan2(2 * (w * y - x * z), 1 - 2 * (x * x + y * y))  # about the line of sight, of those that fell
        corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * np.array(box.shape.size)[[0, 2]] / 2
        R = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        axes.fill(*(corners @ R.T + brick[[0, 2]]).T, facecolor="C1", edgecolor="k", linewidth=0.4)
    axes.set(xlabel="x [m]", ylabel="z [m]", aspect="equal", title="a wall, 0.3 s after a ball hit it")


def main(picture):
    """The four scenes beside each other."""
    figure, axes = plt.subplots(2, 2, figsize=(11, 7.5), layout="constrained")
    for scene, own in zip((rolling, bouncing, pile, wall), axes.flat, strict=True):
        scene(own)
    figure.savefig(picture, dpi=75)
    print(f"wrote {picture}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "scenes.png")
